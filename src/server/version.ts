// Which version of the program this is.

import { readFileSync } from "node:fs";

let known: string | undefined;

/** From `src` and from `dist` alike. */
export function readVersion(): string {
  known ??= (
    JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")) as { readonly version: string }
  ).version;
  return known;
}
