// The mark of a store that lives elsewhere by now: nobody goes on with the old one by mistake. It is an entry, so that it
// stands in every kind of store in the same way; whoever claims, or posts a message, looks for it.

import { StepwellError } from "../error.ts";
import { isObject, own } from "../flow/json.ts";
import type { Entry } from "./store.ts";

export const movedKind = "store";
export const movedKey = "moved";

/** Where it went, as people may see it. */
export type MovedValue = { readonly to: string; readonly at: number };

export function refuseMoved(entry: Pick<Entry, "value"> | undefined, name: string): void {
  if (entry === undefined) return;
  const to = isObject(entry.value) ? own(entry.value, "to") : undefined;
  throw movedError(name, typeof to === "string" ? to : "another store");
}

function movedError(name: string, to: string): StepwellError {
  return new StepwellError(
    "STORE_MOVED",
    `${name} was moved to ${to}, and its runs go on there; use that one. What is here stays as it was, to be read.`,
    { details: { name, to } },
  );
}
