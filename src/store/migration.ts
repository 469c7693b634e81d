// The migrations of a dialect: `sql/<dialect>/NNNN_name.sql`, forward only, the same numbers and names in each of them.

import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";

export type Migration = { readonly no: number; readonly name: string; readonly text: string };

export function readMigrations(dialect: "sqlite" | "postgres"): readonly Migration[] {
  // From `src/store` and from `dist/store` alike.
  const folder = new URL(`../../sql/${dialect}/`, import.meta.url);
  return readdirSync(folder)
    .flatMap((name) => {
      const no = /^(\d{4})_\w+\.sql$/.exec(name)?.[1];
      return no === undefined ? [] : [{ no: Number(no), name, text: readFileSync(new URL(name, folder), "utf8") }];
    })
    .toSorted((one, other) => one.no - other.no);
}

/** The newest version that a program with these migrations knows. */
export function latestOf(migrations: readonly Migration[]): number {
  return migrations.at(-1)?.no ?? 0;
}

/** Of the text, however its lines end: says whether a database was made by the same one. */
export function checksumOf({ text }: Migration): string {
  return createHash("sha256").update(text.replaceAll("\r\n", "\n")).digest("hex");
}
