// What a text says, for forms that change it.

import { parseDocument } from "yaml";
import type { Json } from "./json.ts";

export type ReadFlow = { readonly ok: true; readonly flow: Json } | { readonly ok: false; readonly problem: string };

/** JSON is read as well: it is YAML. */
export function readFlow(text: string): ReadFlow {
  const document = parseDocument(text, { merge: false });
  const [error] = document.errors;
  const line = error?.linePos?.[0].line;
  if (error !== undefined)
    return { ok: false, problem: `The text cannot be read${line === undefined ? "" : `: look at line ${line}`}.` };
  try {
    return { ok: true, flow: document.toJS({ maxAliasCount: 100 }) as Json };
  } catch {
    return { ok: false, problem: "The text repeats itself too often (*name) for a form." };
  }
}
