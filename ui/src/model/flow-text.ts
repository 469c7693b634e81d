// What one asks of a text that is being written: what is at the cursor, and where in it a node of the graph stands.

import { scanFlow, type Entry, type Place, type Scan } from "./flow-scan.ts";

export { scanFlow, type Entry, type Place, type Scan } from "./flow-scan.ts";

/** What the cursor is at. */
export function placeAt(text: string, offset: number): Place {
  return scanFlow(text.slice(0, offset)).place;
}

export function entryAt(entries: readonly Entry[], path: readonly string[]): Entry | null {
  return entries.find((entry) => isSame(entry.path, path)) ?? null;
}

export function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((part, at) => part === other[at]);
}

function pathOf(pointer: string): readonly string[] {
  return pointer
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** The one that a pointer names, else what is nearest around it. */
export function entryNear(entries: readonly Entry[], pointer: string): Entry | null {
  for (let path = pathOf(pointer); path.length > 0; path = path.slice(0, -1)) {
    const found = entryAt(entries, path);
    if (found !== null) return found;
  }
  return null;
}

type Node = { readonly key: string; readonly pointer: string | null };

/** Where a node of the graph is written. */
export function entryOfNode(entries: readonly Entry[], { pointer, key }: Node): Entry | null {
  for (const path of pathsOfNode(entries, pointer)) {
    const found = entryAt(entries, path);
    if (found !== null) return found;
  }
  return entryAt(entries, ["steps", key]) ?? entryAt(entries, [key]);
}

/** The normal form puts steps under `steps`, and an action into its transition; a text need not. */
function pathsOfNode(entries: readonly Entry[], pointer: string | null): readonly (readonly string[])[] {
  if (pointer === null) return [];
  const path = pathOf(pointer);
  const isBare = path[0] === "steps" && entryAt(entries, ["steps"]) === null;
  const own = isBare ? path.slice(1) : path;
  return own.at(-1) === "action" ? [own.slice(0, -1), own] : [own];
}

/** The node that is written where the cursor stands. */
export function nodeAt(scan: Pick<Scan, "entries">, offset: number, nodes: readonly Node[]): string | null {
  const here = scan.entries.findLast(({ from }) => from <= offset);
  if (here === undefined) return null;
  let best: { readonly key: string; readonly length: number } | null = null;
  for (const { key, pointer } of nodes)
    for (const path of pathsOfNode(scan.entries, pointer)) {
      const isAround = path.length <= here.path.length && path.every((part, at) => part === here.path[at]);
      if (isAround && path.length > (best?.length ?? 0)) best = { key, length: path.length };
    }
  return best?.key ?? null;
}

/** `yaml`, unless it is plain that it is JSON. */
export function syntaxOf(text: string): "yaml" | "json" {
  return /^\s*[[{]/.test(text) ? "json" : "yaml";
}

/** The same flow under another name, where it says what it is called. */
export function withName(text: string, name: string): string {
  const entry = entryAt(scanFlow(text).entries, ["name"]);
  if (entry === null || entry.value === null) return text;
  const from = text.indexOf(entry.value, entry.to);
  return from < 0 ? text : text.slice(0, from) + name + text.slice(from + entry.value.length);
}
