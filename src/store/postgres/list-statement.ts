// One list of a batch as one statement. A column goes as an array; a column that says the same in every row goes as one
// value, which most columns of most batches do.

import type { FlatBatch } from "../columns/batch.ts";
import { unchanged, type Scalar } from "../columns/row.ts";
import type { ColumnArrays, ColumnType } from "./column-arrays.ts";
import type { Bound } from "./session.ts";

/** SQLSTATEs of our own: why a transaction stopped. */
export const staleCode = "SW001";
export const foreignCode = "SW002";
export const behindCode = "SW003";

type ListName = Exclude<keyof FlatBatch, "no" | "at" | "lastId">;

export type ListStatement = {
  readonly list: ListName;
  readonly text: string;
  /** undefined: there is nothing in the list. */
  readonly bind: (flat: FlatBatch, arrays: ColumnArrays) => readonly Bound[] | undefined;
};

type ListOptions = {
  /** Values of a row in the list. */
  readonly width: number;
  /** What they are called; null: it is not sent. The key, which differs from row to row, is among them. */
  readonly columns: readonly (string | null)[];
  /** Columns whose text may be as it was. */
  readonly mayKeep?: readonly string[];
  /** Columns that are text here, and numbers elsewhere. */
  readonly textual?: readonly string[];
  /** Columns that are made of the list. */
  readonly derived?: { readonly [column: string]: (flat: FlatBatch) => readonly Scalar[] };
  readonly text: (parts: TextParts) => string;
};

type TextParts = {
  /** The rows, as `given`. */
  readonly given: string;
  /** Their names, for lists of an insert. */
  readonly columns: string;
  readonly assigned: (columns: readonly string[]) => string;
  /** Stops the transaction unless as many rows are changed as are given. */
  readonly guard: (changing: string) => string;
  /** The instant of the batch. */
  readonly at: string;
};

/** What is text; all else are whole numbers. */
const textColumns: ReadonlySet<string> = new Set(
  `hash uid flow name source input created_by created_via start_key status terminal_kind output error more step role
  scope via tool args epoch result outcome column_name body kind key by value answer
  quality feedback verb subject details`.split(/\s+/u),
);

type Column = {
  readonly name: string;
  readonly type: ColumnType;
  readonly source: Source;
  /** Not a column of the table. */
  readonly isAside?: true;
};

/** Where its values stand: in the list itself, or in a list of its own. */
type Source = { readonly at: number } | { readonly make: (flat: FlatBatch) => readonly Scalar[] };

export function defineList(list: ListName, options: ListOptions): ListStatement {
  const columns = columnsOf(list, options);
  const [text, extras] = writeText(columns, options.text);
  return {
    list,
    text,
    bind: (flat, arrays) => {
      const values = flat[list];
      if (values.length === 0) return undefined;
      const { bound, same } = bindColumns(flat, arrays, { columns, values, width: options.width });
      return [
        ...bound,
        ...same.slice(1),
        ...extras.map((extra) => (extra === "at" ? flat.at : values.length / options.width)),
      ];
    },
  };
}

function columnsOf(
  list: ListName,
  { columns, width, mayKeep = [], textual = [], derived = {} }: ListOptions,
): readonly Column[] {
  const typeOf = (name: string): ColumnType => (textColumns.has(name) || textual.includes(name) ? "text" : "bigint");
  const takeColumn = (flat: FlatBatch, at: number): readonly Scalar[] => everyNth(flat[list], width, at);
  return [
    ...columns.flatMap((name, at): readonly Column[] => {
      if (name === null) return [];
      if (!mayKeep.includes(name)) return [{ name, type: typeOf(name), source: { at } }];
      return [
        { name, type: "text", source: { make: (flat) => takeColumn(flat, at).map(toText) } },
        {
          name: keptName(name),
          type: "bigint",
          source: { make: (flat) => takeColumn(flat, at).map(toFlag) },
          isAside: true,
        },
      ];
    }),
    ...Object.entries(derived).map(([name, make]): Column => ({
      name,
      type: typeOf(name),
      source: { make },
      isAside: true,
    })),
  ];
}

function toText(value: Scalar): Scalar {
  return value === unchanged ? null : value;
}

function toFlag(value: Scalar): Scalar {
  return value === unchanged ? 1 : 0;
}

function keptName(column: string): string {
  return `keeps_${column}`;
}

function everyNth(list: readonly Scalar[], width: number, at: number): readonly Scalar[] {
  return list.filter((_, index) => index % width === at);
}

type Bindable = { readonly columns: readonly Column[]; readonly values: readonly Scalar[]; readonly width: number };

/** `same`: of each column the value that every row has; null, and an array beside it, when they differ. */
function bindColumns(
  flat: FlatBatch,
  arrays: ColumnArrays,
  { columns, values, width }: Bindable,
): { readonly bound: Bound[]; readonly same: Bound[] } {
  const [bound, same]: [Bound[], Bound[]] = [[], []];
  for (const { type, source } of columns) {
    const own = "make" in source;
    const list = own ? source.make(flat) : values;
    const place = own ? { width: 1, at: 0, type } : { width, at: source.at, type };
    // The first one says how many rows there are.
    if (bound.length > 0 && isSame(list, place)) {
      bound.push(arrays.empty(type));
      same.push(arrays.check(list[place.at] ?? null, type));
    } else {
      bound.push(arrays.encode(list, place));
      same.push(null);
    }
  }
  return { bound, same };
}

function isSame(list: readonly Scalar[], { width, at }: { readonly width: number; readonly at: number }): boolean {
  const first = list[at];
  for (let from = at + width; from < list.length; from += width) if (list[from] !== first) return false;
  return true;
}

type Extra = "at" | "count";

/** The text, and what is bound behind its columns. */
function writeText(columns: readonly Column[], write: ListOptions["text"]): [string, readonly Extra[]] {
  const names = columns.map(({ name }) => name);
  const arrays = columns.map(({ type }, index) => `$${index + 1}::${type}[]`).join(", ");
  const rows = columns.map(({ name, type }, index) =>
    index === 0 ? `sent.${name}` : `coalesce(sent.${name}, $${columns.length + index}::${type}) as ${name}`,
  );
  const template = write({
    given: `(select ${rows.join(", ")} from unnest(${arrays}) as sent (${names.join(", ")})) as given`,
    columns: columns.flatMap(({ name, isAside }) => (isAside ? [] : name)).join(", "),
    assigned: (assigned) => assigned.map((name) => assign(name, names.includes(keptName(name)))).join(", "),
    guard: guardText,
    at: ":at",
  });
  const extras = (["at", "count"] as const).filter((extra) => template.includes(`:${extra}`));
  const text = extras.reduce(
    (filled, extra, index) => filled.replaceAll(`:${extra}`, `$${columns.length * 2 + index}::bigint`),
    template,
  );
  return [text, extras];
}

function assign(column: string, mayBeKept: boolean): string {
  return mayBeKept
    ? `${column} = case when given.${keptName(column)} = 1 then steps.${column} else given.${column} end`
    : `${column} = given.${column}`;
}

function guardText(changing: string): string {
  return `with changed as (${changing} returning 1)
    select case when count(*) <> :count
      then refuse('${staleCode}', 'Of ' || :count || ' rows only ' || count(*) || ' are in the version that was expected.')
    end from changed`;
}
