// A plain table: columns with headings, rows as high as somebody likes them, sideways scrolling where it is narrow.

import type { ReactNode } from "react";

type Column<Row> = {
  readonly name: string;
  readonly isHidden?: boolean;
  readonly isNumber?: boolean;
  readonly cell: (row: Row) => ReactNode;
};

type TableProps<Row> = {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string | number;
  readonly testId?: string;
};

export function Table<Row>({ label, columns, rows, keyOf, testId }: TableProps<Row>) {
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
            <tr key={keyOf(row)} className="h-row border-b border-border last:border-0" data-testid={testId}>
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
