// Findings are made on the normal form and shown on the document as it was written. Whoever rewrites a document notes
// each place that moved; all places below it follow.

import type { PatchOperation } from "../finding.ts";
import { parentOf, type Pointer } from "../pointer.ts";

/** Place in the rewritten document → place in the written one, for the places that differ. */
export type Origins = ReadonlyMap<Pointer, Pointer>;

export function originOf(origins: Origins, pointer: Pointer): Pointer {
  for (let place = pointer; ; place = parentOf(place)) {
    const origin = origins.get(place);
    if (origin !== undefined) return origin + pointer.slice(place.length);
    if (place === "") return pointer;
  }
}

export function patchAtOrigin(origins: Origins, patch: readonly PatchOperation[]): readonly PatchOperation[] {
  return patch.map((operation) => {
    const path = originOf(origins, operation.path);
    return operation.op === "move"
      ? { ...operation, path, from: originOf(origins, operation.from) }
      : { ...operation, path };
  });
}
