// Where the walk is, and whom a message speaks of.

import type { Pointer } from "../pointer.ts";

/** The step, state or transition that a message names; the document itself has no label. */
export type Subject = { readonly label: string; readonly pointer: Pointer };

export type Place = {
  readonly pointer: Pointer;
  readonly subject: Subject;
  /** How many more keys may be compared with those that there are; one for the whole document. */
  readonly budget: { suggestionsLeft: number };
};
