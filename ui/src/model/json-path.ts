// Where something stands in a JSON value: as an expression of the flow language, and as rows of a tree that is drawn only as
// far as somebody has opened it.

import { isObject, type Json } from "./json.ts";

type Segment = string | number;
export type Path = readonly Segment[];

/** Words of the expression language that are no names. */
const keywords: ReadonlySet<string> = new Set(["true", "false", "null", "nil", "in"]);

/** `steps.fetch.result.items[0]["odd key"]`: an expression that resolves to what stands there. */
export function showPath(root: string, path: Path): string {
  return root + path.map(showSegment).join("");
}

function showSegment(segment: Segment): string {
  if (typeof segment === "number") return `[${segment}]`;
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(segment) && !keywords.has(segment)
    ? `.${segment}`
    : `[${JSON.stringify(segment)}]`;
}

/** Of a step's result, whatever the step is called. */
export function rootOfResult(step: string): string {
  return showPath("steps", [step, "result"]);
}

export function valueAt(value: Json, path: Path): Json | undefined {
  let found: Json | undefined = value;
  for (const segment of path) {
    if (Array.isArray(found) && typeof segment === "number") found = (found as readonly Json[])[segment];
    else if (isObject(found) && Object.hasOwn(found, segment)) found = found[String(segment)];
    else return undefined;
  }
  return found;
}

export function isContainer(value: Json): value is readonly Json[] | { readonly [key: string]: Json } {
  return typeof value === "object" && value !== null;
}

export function sizeOf(value: Json): number {
  if (Array.isArray(value)) return value.length;
  return isObject(value) ? Object.keys(value).length : 0;
}

/** So many children are drawn at a time. */
export const portion = 100;
/** A value is opened by itself as far as it fits into so many rows. */
const rowsAtFirst = 40;

/** From which child to which one, the last not included. */
type Range = { readonly from: number; readonly to: number };
const firstPortion: Range = { from: 0, to: portion };

/** What is open, and which of its children are drawn; by the path's own text. */
export type Opened = ReadonlyMap<string, Range>;

export function keyOf(path: Path): string {
  return JSON.stringify(path);
}

export type TreeRow =
  | {
      readonly kind: "value";
      readonly key: string;
      readonly path: Path;
      readonly level: number;
      readonly value: Json;
      readonly isOpen: boolean;
    }
  /** `left` of them are not drawn yet, before or behind those that are. */
  | {
      readonly kind: "more";
      readonly key: string;
      readonly path: Path;
      readonly level: number;
      readonly side: "before" | "behind";
      readonly left: number;
    };

export function flatten(value: Json, opened: Opened): readonly TreeRow[] {
  const rows: TreeRow[] = [];
  add(rows, value, [], opened);
  return rows;
}

function add(rows: TreeRow[], value: Json, path: Path, opened: Opened): void {
  const key = keyOf(path);
  const shown = isContainer(value) ? opened.get(key) : undefined;
  rows.push({ kind: "value", key, path, level: path.length + 1, value, isOpen: shown !== undefined });
  if (shown === undefined) return;
  const level = path.length + 2;
  if (shown.from > 0) rows.push({ kind: "more", key: `${key}-`, path, level, side: "before", left: shown.from });
  for (const [segment, child] of childrenOf(value, shown)) add(rows, child, [...path, segment], opened);
  const left = sizeOf(value) - shown.to;
  if (left > 0) rows.push({ kind: "more", key: `${key}+`, path, level, side: "behind", left });
}

/** Those in the range; the others are not touched. */
function childrenOf(value: Json, { from, to }: Range): readonly (readonly [Segment, Json])[] {
  if (Array.isArray(value))
    return (value as readonly Json[]).slice(from, to).map((child, at) => [from + at, child] as const);
  if (!isObject(value)) return [];
  return Object.keys(value)
    .slice(from, to)
    .map((key) => [key, value[key] ?? null] as const);
}

/** As it is after a click on a row: opened, closed, or with another portion. */
export function toggle(opened: Opened, row: TreeRow): Opened {
  const next = new Map(opened);
  const key = keyOf(row.path);
  if (row.kind === "more") next.set(key, widen(opened.get(key) ?? firstPortion, row.side));
  else if (isContainer(row.value) && !next.delete(key)) next.set(key, firstPortion);
  return next;
}

function widen({ from, to }: Range, side: "before" | "behind"): Range {
  return side === "before" ? { from: Math.max(0, from - portion), to } : { from, to: to + portion };
}

/** The root, and what fits beneath it. */
export function openAtFirst(value: Json): Opened {
  const opened = new Map<string, Range>();
  const waiting: (readonly [Path, Json])[] = [[[], value]];
  let rows = 1;
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const [path, each] = next;
    const size = Math.min(sizeOf(each), portion);
    if (size === 0 || (path.length > 0 && rows + size > rowsAtFirst)) continue;
    opened.set(keyOf(path), firstPortion);
    rows += size;
    for (const [segment, child] of childrenOf(each, { from: 0, to: size }))
      if (isContainer(child)) waiting.push([[...path, segment], child]);
  }
  return opened;
}

/** Everything above it is opened, at the portion in which it stands: however long a list is, no more is drawn. */
export function openTo(value: Json, path: Path, opened: Opened): Opened {
  const next = new Map(opened);
  for (let length = 0; length < path.length; length++) {
    const above = path.slice(0, length);
    const at = placeIn(valueAt(value, above) ?? null, path[length] ?? "");
    const range = next.get(keyOf(above));
    const from = Math.floor(at / portion) * portion;
    if (range === undefined || at < range.from || at >= range.to) next.set(keyOf(above), { from, to: from + portion });
  }
  return next;
}

function placeIn(value: Json, segment: Segment): number {
  if (typeof segment === "number") return segment;
  return isObject(value) ? Math.max(0, Object.keys(value).indexOf(segment)) : 0;
}

export type Found = { readonly paths: readonly Path[]; /** There may be more. */ readonly isCut: boolean };

const foundMax = 200;
const lookedMax = 400_000;

/** Keys and values that contain the text, whatever its case; numbers and the like as they are written. */
export function search(value: Json, text: string): Found {
  const wanted = text.toLowerCase();
  const paths: Path[] = [];
  const waiting: (readonly [Path, Json])[] = [[[], value]];
  let looked = 0;
  while (waiting.length > 0) {
    const next = waiting.pop();
    if (next === undefined) break;
    const [path, each] = next;
    looked += 1;
    if (paths.length >= foundMax || looked > lookedMax) return { paths, isCut: true };
    const key = path.at(-1);
    const isNamed = typeof key === "string" && key.toLowerCase().includes(wanted);
    if (isNamed || (!isContainer(each) && String(each).toLowerCase().includes(wanted))) paths.push(path);
    if (isContainer(each))
      for (const [segment, child] of childrenOf(each, { from: 0, to: sizeOf(each) }).toReversed())
        waiting.push([[...path, segment], child]);
  }
  return { paths, isCut: false };
}

/** The columns of a list of objects that can be shown as a table; null: it is none. */
export function columnsOf(value: Json): readonly string[] | null {
  if (!Array.isArray(value) || value.length === 0) return null;
  const columns = new Set<string>();
  for (const row of (value as readonly Json[]).slice(0, portion)) {
    if (!isObject(row)) return null;
    for (const key of Object.keys(row)) columns.add(key);
  }
  return columns.size === 0 || columns.size > 30 ? null : [...columns];
}

export type TableOfValue = { readonly rows: readonly Json[]; readonly columns: readonly string[] };

/** What of a value can be looked at as a table: itself, the one list of an object, or that of what a tool has answered in a
 *  structure; null: nothing. Of several lists none is chosen: what is left out would not be seen. */
export function tableOf(value: Json): TableOfValue | null {
  const columns = columnsOf(value);
  if (columns !== null) return { rows: value as readonly Json[], columns };
  if (!isObject(value)) return null;
  const structure = value["structuredContent"];
  const lists = Object.values(isObject(structure) ? structure : value).filter((each) => Array.isArray(each));
  const [only] = lists;
  const inner = only === undefined || lists.length > 1 ? null : columnsOf(only);
  return inner === null ? null : { rows: only as readonly Json[], columns: inner };
}
