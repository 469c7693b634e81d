// How the shape check looks at a document: an object as it was meant, and whose part it is.

import { finding, type Finding, type PatchOperation } from "../finding.ts";
import type { Json } from "../json.ts";
import type { Pointer } from "../pointer.ts";
import type { Place } from "./place.ts";
import { sentence } from "./words.ts";

/** A member of an object: the key as it was written, and where. */
export type Field = { readonly key: string; readonly value: Json; readonly pointer: Pointer };

export type View = {
  readonly place: Place;
  /** By the key that was meant: a misspelt key counts as what it was taken for, so that one slip is one finding. */
  readonly fields: ReadonlyMap<string, Field>;
  readonly report: (finding: Finding) => void;
};

/** A key that means nothing where it stands. */
export function misplaced(
  place: Place,
  claim: string,
  patch: readonly PatchOperation[] = [{ op: "remove", path: place.pointer }],
): Finding {
  return finding("misplaced_key", place.pointer, sentence(place, claim), patch);
}
