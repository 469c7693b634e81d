// A plain table: columns with headings, rows as high as somebody likes them. Where the window is too narrow for its columns
// each row is a card: what it is about, then all else with its name.

import type { ReactNode } from "react";
import { useIsNarrow } from "./narrow.ts";

type Column<Row> = {
  readonly name: string;
  /** Its name is only heard: it is about buttons, which stand at the end of a row and in the corner of a card. */
  readonly isHidden?: boolean;
  readonly isNumber?: boolean;
  /** Where it stands on a card; without a word the first column is its title, and all others are told with their names. */
  readonly onCard?: "title" | "corner" | "text";
  /** Null or an empty text: there is nothing to be told on a card. */
  readonly cell: (row: Row) => ReactNode;
};

type TableProps<Row> = {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string | number;
  readonly testId?: string;
  /** What stands on a row for who looks for it. */
  readonly marksOf?: (row: Row) => { readonly [name: `data-${string}`]: string | number };
  /** How wide a window must be for all columns; 768 pixels unless given. */
  readonly leastPx?: number;
};

export function Table<Row>({ leastPx, ...table }: TableProps<Row>) {
  return useIsNarrow(leastPx) ? <Cards {...table} /> : <Grid {...table} />;
}

function Grid<Row>({ label, columns, rows, keyOf, testId, marksOf }: TableProps<Row>) {
  // What is only heard stands at its place too, and must not make the page wider: hence `relative`.
  return (
    <div className="relative overflow-x-auto" tabIndex={0} role="group" aria-label={label}>
      <table className="w-full text-table">
        <thead>
          <tr className="border-b border-border text-text2">
            {columns.map(({ name, isHidden, isNumber }) => (
              <th
                key={name}
                scope="col"
                className={`px-2 py-2 whitespace-nowrap first:ps-4 last:pe-4 ${isNumber === true ? "text-end" : ""}`}
              >
                {isHidden === true ? <span className="sr-only">{name}</span> : name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr
              key={keyOf(row)}
              data-testid={testId}
              {...marksOf?.(row)}
              className="h-row border-b border-border last:border-0"
            >
              {columns.map(({ name, isNumber, cell }) => (
                <td key={name} className={`px-2 first:ps-4 last:pe-4 ${isNumber === true ? "text-end" : ""}`}>
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Cards<Row>({ label, columns, rows, keyOf, testId, marksOf }: TableProps<Row>) {
  const title = columns.find(({ onCard }) => onCard === "title") ?? columns[0];
  const others = columns.filter((column) => column !== title);
  const corner = others.filter(({ onCard, isHidden }) => onCard === "corner" || isHidden === true);
  const texts = others.filter(({ onCard }) => onCard === "text");
  const facts = others.filter((column) => !corner.includes(column) && !texts.includes(column));
  return (
    <ul aria-label={label} className="text-table">
      {rows.map((row) => (
        <li
          key={keyOf(row)}
          data-testid={testId}
          {...marksOf?.(row)}
          className="flex flex-col gap-1 border-b border-border px-4 py-2.5 last:border-0"
        >
          <div className="flex items-start gap-2">
            <div className="min-w-0 flex-1 font-medium break-words">{title?.cell(row)}</div>
            {corner.map(({ name, cell }) => (
              <div key={name} className="shrink-0 text-text2">
                {cell(row)}
              </div>
            ))}
          </div>
          {texts.map(({ name, cell }) => (
            <div key={name} className="min-w-0 break-words">
              {cell(row)}
            </div>
          ))}
          <Facts facts={facts} row={row} />
        </li>
      ))}
    </ul>
  );
}

function Facts<Row>({ facts, row }: { readonly facts: readonly Column<Row>[]; readonly row: Row }) {
  const told = facts.map(({ name, cell }) => ({ name, value: cell(row) })).filter(({ value }) => !isNothing(value));
  if (told.length === 0) return null;
  return (
    <dl className="flex flex-wrap gap-x-4 gap-y-0.5">
      {told.map(({ name, value }) => (
        <div key={name} className="flex min-w-0 gap-1.5">
          <dt className="shrink-0 text-text3">{name}</dt>
          <dd className="min-w-0 break-words">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function isNothing(value: ReactNode): boolean {
  return value === null || value === undefined || value === "";
}
