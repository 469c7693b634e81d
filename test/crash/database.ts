// A store to look at, whatever it is made of.

/** Rows as their columns are named; a value as the store gives it. */
export type Columns = Readonly<Record<string, string | number | bigint | null | Uint8Array>>;

export type Database = {
  readonly all: (statement: string) => Promise<readonly Columns[]>;
  readonly checkIntegrity: () => Promise<string>;
};
