// Applies a patch to the text of a flow. What can be written over where it stands leaves all else as it is, to the blank;
// else YAML keeps its comments and its order, and JSON its indent.
//
// The text is read within the limits of every flow, and what it says is patched first: that alone says whether the patch
// fits, and what must be read in the text that is handed back. Whatever a library makes of odd YAML, no other is.

import { isScalar, parseDocument, type Document, type Scalar } from "yaml";
import type { PatchOperation } from "../finding.ts";
import type { Json } from "../json.ts";
import { applyPatch, PatchMisfit } from "../patch-value.ts";
import type { Pointer } from "../pointer.ts";
import { isInBrackets, nodeAt, placeOf, type Place } from "./node-place.ts";
import { readText, type Syntax } from "./read.ts";
import { spliceText } from "./splice-text.ts";
import { toOneLine, withLineEndsOf } from "./written.ts";

export type Patched =
  | { readonly kind: "patched"; readonly text: string }
  /** Why not, for people. */
  | { readonly kind: "misfit"; readonly why: string };

const byteOrderMark = "\uFEFF";

export function patchText(text: string, patch: readonly PatchOperation[]): Patched {
  const front = text.startsWith(byteOrderMark) ? byteOrderMark : "";
  try {
    return { kind: "patched", text: front + patchBody(text.slice(front.length), patch) };
  } catch (error) {
    if (!(error instanceof PatchMisfit)) throw error;
    return { kind: "misfit", why: error.message };
  }
}

function patchBody(text: string, patch: readonly PatchOperation[]): string {
  let nodes: Document | undefined;
  const { value, syntax, findings } = readText(text, { takeNodes: (document) => (nodes = document) });
  const problem = findings.find(({ code }) => value === undefined || code === "duplicate_key");
  if (value === undefined || problem !== undefined)
    throw new PatchMisfit(problem?.message ?? "The text cannot be read.");
  const wanted = applyPatch(value, patch);
  const isRight = (written: string): boolean =>
    JSON.stringify(readText(written, { syntax }).value) === JSON.stringify(wanted);
  if (syntax === "yaml") return patchYaml(text, nodes, { patch, isRight });
  return patchJson(text, wanted, { patch, isRight });
}

type Task = {
  readonly patch: readonly PatchOperation[];
  /** Whether a text says what it shall. */
  readonly isRight: (text: string) => boolean;
};

function patchJson(text: string, wanted: Json, { patch, isRight }: Task): string {
  if (patch.every(isPerhapsInPlace)) {
    const written = writeInPlace(text, "json", applyToNodes(parseNodes(text), patch));
    if (written !== undefined && isRight(written)) return written;
  }
  return withLineEndsOf(text, JSON.stringify(wanted, null, indentOf(text)) + (text.endsWith("\n") ? "\n" : ""));
}

function patchYaml(text: string, nodes: Document | undefined, { patch, isRight }: Task): string {
  const draft = applyToNodes(nodes, patch);
  if (draft === undefined) throw cannotBeWritten();
  // From what leaves most of the text as it is to what leaves least.
  const ways = [
    () => writeInPlace(text, "yaml", draft),
    () => writeByLines(text, patch),
    () => withLineEndsOf(text, writeWhole(draft.document)),
  ];
  for (const write of ways) {
    const written = write();
    if (written !== undefined && isRight(written)) return written;
  }
  throw cannotBeWritten();
}

/** Texts times operations: beyond it nobody else would be answered for too long. */
const readMax = 400_000;

/** One operation after the other, each in the text that the one before has left; undefined: it takes more than that. */
function writeByLines(text: string, patch: readonly PatchOperation[]): string | undefined {
  if (text.length * patch.length > readMax) return undefined;
  let written: string | undefined = text;
  for (const operation of patch) {
    const before: string = written;
    written =
      (isPerhapsInPlace(operation)
        ? writeInPlace(before, "yaml", applyToNodes(parseNodes(before), [operation]))
        : undefined) ?? spliceText(before, parseNodes(before), operation);
    if (written === undefined) return undefined;
  }
  return written;
}

/** The library compares each key with all before it, and need not: they were looked up. */
function parseNodes(text: string): Document {
  return parseDocument(text, { version: "1.2", merge: false, uniqueKeys: false, prettyErrors: false });
}

/** Aliases of what is not there any more, or not yet, cannot be written: the library throws. */
function writeWhole(document: Document): string {
  try {
    return document.toString({ lineWidth: 0 });
  } catch {
    throw cannotBeWritten();
  }
}

function cannotBeWritten(): PatchMisfit {
  return new PatchMisfit(
    "The patch cannot be put into this text without changing more of it, most likely since aliases (*name) repeat what it names; change it by hand.",
  );
}

function indentOf(text: string): string {
  return /^[{[]\r?\n([ \t]+)/.exec(text.trimStart())?.[1] ?? "";
}

/** Only a scalar in place of a scalar, and one name of a key in place of another. */
function isPerhapsInPlace(operation: PatchOperation): boolean {
  return operation.op === "move" || (operation.op === "replace" && isPlain(operation.value));
}

function isPlain(value: Json): value is Plain {
  return typeof value !== "object" || value === null;
}

/** A text in the making. */
type Draft = {
  readonly document: Document;
  /** What shall stand in place of which, as long as that is all there is to do. */
  readonly edits: Map<Scalar, Edit>;
  isInPlace: boolean;
};

type Plain = null | boolean | number | string;
type Edit = { readonly value: Plain; readonly isInBrackets: boolean };

/** undefined: it cannot be done to them. */
function applyToNodes(document: Document | undefined, patch: readonly PatchOperation[]): Draft | undefined {
  if (document === undefined || document.errors.length > 0) return undefined;
  const draft: Draft = { document, edits: new Map(), isInPlace: true };
  return patch.every((operation) => applyOperation(draft, operation)) ? draft : undefined;
}

function applyOperation(draft: Draft, operation: PatchOperation): boolean {
  const { document } = draft;
  const place = placeOf(document, operation.path);
  if (place === undefined) return false;
  switch (operation.op) {
    case "replace":
      if (isPlain(operation.value) && overwrite(draft, nodeAt(place), editAt(place, operation.value))) return true;
      return set(draft, place, toNode(document, operation.value));
    case "add":
      return (place.kind === "item" ? insert : set)(draft, place, toNode(document, operation.value));
    case "remove":
      return remove(draft, place);
    case "move":
      return operation.from === operation.path || move(draft, operation.from, operation.path);
  }
}

function toNode(document: Document, value: Json): unknown {
  return document.createNode(value, { aliasDuplicateObjects: false });
}

/** Within one map a key keeps its place, and its comments. */
function move(draft: Draft, from: Pointer, to: Pointer): boolean {
  const { document } = draft;
  const [source, target] = [placeOf(document, from), placeOf(document, to)];
  if (source === undefined) return false;
  const isRename = target?.kind === "member" && source.kind === "member" && target.map === source.map;
  if (isRename && target.pair === undefined && overwrite(draft, source.pair?.key, editAt(source, target.key)))
    return true;
  const node = nodeAt(source);
  if (!remove(draft, source)) return false;
  // What was taken out of a list has moved what stood behind it.
  const place = placeOf(document, to);
  return place !== undefined && (place.kind === "item" ? insert : set)(draft, place, node);
}

/** In the quotes that stood there; false: it has an anchor or a tag, which would go on to say something about it. */
function overwrite({ edits }: Draft, node: unknown, edit: Edit): boolean {
  const { value } = edit;
  if (!isScalar(node) || node.anchor !== undefined || node.tag !== undefined) return false;
  const isQuoted = node.type === "QUOTE_DOUBLE" || node.type === "QUOTE_SINGLE";
  if (!isQuoted || typeof value !== "string") delete node.type;
  for (const detail of ["source", "format", "minFractionDigits"] as const) delete node[detail];
  node.value = value;
  edits.set(node, edit);
  return true;
}

function editAt(place: Place, value: Plain): Edit {
  return { value, isInBrackets: isInBrackets(place) };
}

function set(draft: Draft, place: Place, node: unknown): boolean {
  draft.isInPlace = false;
  if (place.kind === "root") draft.document.contents = node as Document["contents"];
  else if (place.kind === "item") place.list.items[place.index] = node;
  else if (place.pair !== undefined) place.pair.value = node;
  else place.map.items.push(draft.document.createPair(place.key, node));
  return true;
}

function insert(draft: Draft, place: Place, node: unknown): boolean {
  if (place.kind !== "item") return false;
  draft.isInPlace = false;
  place.list.items.splice(place.index, 0, node);
  return true;
}

function remove(draft: Draft, place: Place): boolean {
  draft.isInPlace = false;
  if (place.kind === "root") return false;
  if (place.kind === "item") return place.list.items.splice(place.index, 1).length > 0;
  const at = place.pair === undefined ? -1 : place.map.items.indexOf(place.pair);
  return at >= 0 && place.map.items.splice(at, 1).length > 0;
}

/** undefined: it takes more than that. */
function writeInPlace(text: string, syntax: Syntax, draft: Draft | undefined): string | undefined {
  if (draft === undefined || !draft.isInPlace) return undefined;
  const written: string[] = [];
  let after = 0;
  for (const [{ range }, edit] of [...draft.edits].toSorted(([one], [other]) => startOf(one) - startOf(other))) {
    if (range === undefined || range === null) return undefined;
    const [from, to] = range;
    const scalar = toScalarText(text.slice(from, to), edit, syntax);
    if (scalar === undefined) return undefined;
    written.push(text.slice(after, from), scalar);
    after = to;
  }
  return written.join("") + text.slice(after);
}

function startOf({ range }: Scalar): number {
  return range?.[0] ?? 0;
}

/** In the quotes that stood there; undefined: it takes more than one line. */
function toScalarText(old: string, edit: Edit, syntax: Syntax): string | undefined {
  const { value } = edit;
  if (syntax === "json" || (old.startsWith('"') && typeof value === "string")) return JSON.stringify(value);
  if (old.startsWith("'") && typeof value === "string" && !value.includes("\n"))
    return `'${value.replaceAll("'", "''")}'`;
  return toOneLine(value, edit.isInBrackets);
}
