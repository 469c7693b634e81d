// The functions and macros an expression can call, and how they are written. All of them, but `has`, may be written in
// front (`size(x)`) or behind (`x.size()`); a macro stands behind its list.

import type { FunctionName, MacroName } from "./ast.ts";

/** What comes first counts too when it stands in front of the dot. */
type Signature = { readonly least: number; readonly most: number; readonly usage: string };

export const signatures: { readonly [name in FunctionName]: Signature } = {
  contains: { least: 2, most: 2, usage: "text.contains(part)" },
  endsWith: { least: 2, most: 2, usage: "text.endsWith(part)" },
  has: { least: 1, most: 1, usage: "has(input.name)" },
  join: { least: 1, most: 2, usage: 'list.join(", ")' },
  keys: { least: 1, most: 1, usage: "keys(map)" },
  lower: { least: 1, most: 1, usage: "lower(text)" },
  max: { least: 1, most: Infinity, usage: "max(a, b) or max(list)" },
  min: { least: 1, most: Infinity, usage: "min(a, b) or min(list)" },
  number: { least: 1, most: 1, usage: "number(text)" },
  size: { least: 1, most: 1, usage: "size(list)" },
  split: { least: 2, most: 2, usage: 'text.split(",")' },
  startsWith: { least: 2, most: 2, usage: "text.startsWith(part)" },
  string: { least: 1, most: 1, usage: "string(value)" },
  trim: { least: 1, most: 1, usage: "trim(text)" },
  type: { least: 1, most: 1, usage: "type(value)" },
  upper: { least: 1, most: 1, usage: "upper(text)" },
};

export const macroUsages: { readonly [name in MacroName]: string } = {
  all: "list.all(x, x > 0)",
  exists: "list.exists(x, x > 0)",
  filter: "list.filter(x, x > 0)",
  map: "list.map(x, x.name)",
};

/** What other languages call them. */
export const otherNames: ReadonlyMap<string, FunctionName | MacroName> = new Map<string, FunctionName | MacroName>([
  ["any", "exists"],
  ["count", "size"],
  ["double", "number"],
  ["every", "all"],
  ["find", "filter"],
  ["float", "number"],
  ["includes", "contains"],
  ["int", "number"],
  ["len", "size"],
  ["length", "size"],
  ["lowerAscii", "lower"],
  ["parseFloat", "number"],
  ["parseInt", "number"],
  ["select", "filter"],
  ["some", "exists"],
  ["str", "string"],
  ["strip", "trim"],
  ["toLowerCase", "lower"],
  ["toString", "string"],
  ["toUpperCase", "upper"],
  ["typeof", "type"],
  ["upperAscii", "upper"],
  ["where", "filter"],
]);

export function isFunctionName(name: string): name is FunctionName {
  return Object.hasOwn(signatures, name);
}

export function isMacroName(name: string): name is MacroName {
  return Object.hasOwn(macroUsages, name);
}
