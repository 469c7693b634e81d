// Where in the nodes of a YAML text a pointer leads.

import { isMap, isScalar, isSeq, type Document, type Pair, type YAMLMap, type YAMLSeq } from "yaml";
import { indexIn } from "../patch-value.ts";
import { partsOf, type Pointer } from "../pointer.ts";

export type Place =
  | { readonly kind: "root"; readonly document: Document }
  | { readonly kind: "member"; readonly map: YAMLMap; readonly key: string; readonly pair: Pair | undefined }
  | { readonly kind: "item"; readonly list: YAMLSeq; readonly index: number };

/** undefined: nothing is there, or it stands behind an alias, and would change wherever that is repeated. */
export function placeOf(document: Document, pointer: Pointer): Place | undefined {
  let place: Place = { kind: "root", document };
  for (const part of partsOf(pointer)) {
    const around = nodeAt(place);
    if (isMap(around)) {
      place = { kind: "member", map: around, key: part, pair: around.items.find(({ key }) => textOf(key) === part) };
    } else if (isSeq(around)) place = { kind: "item", list: around, index: indexIn(around.items, part) };
    else return undefined;
  }
  return place;
}

export function nodeAt(place: Place): unknown {
  if (place.kind === "root") return place.document.contents;
  return place.kind === "member" ? place.pair?.value : place.list.items[place.index];
}

/** Blocks cannot stand in brackets, so what is right around it tells. */
export function isInBrackets(place: Place): boolean {
  return place.kind !== "root" && (place.kind === "member" ? place.map : place.list).flow === true;
}

/** As the reader of YAML names keys: those that are no texts as they are written. */
function textOf(key: unknown): string | undefined {
  if (!isScalar(key)) return undefined;
  const { value, source } = key;
  return typeof value === "string" || value === true ? String(value) : source;
}
