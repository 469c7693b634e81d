// What the rules look at: files of the repository as text and, for TypeScript, as a syntax tree. The parser is oxc's,
// since TypeScript 7 has none to call and text patterns cannot tell code from strings.

import { readdirSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import { parseSync, type ParseResult } from "oxc-parser";
import { findPlacesIn } from "../../src/flow/source/places.ts";

export type SourceFile = { readonly path: string; readonly text: string };

/** What breaks a rule, as `path:line: sentence`. */
export type Breach = string;

export type Import = { readonly from: string; readonly names: readonly string[]; readonly at: number };

const root = new URL("../../", import.meta.url);
/** What `git` does not keep, and the lock file, which holds addresses of its own. */
const ignored = new Set([".git", ".stepwell", "coverage", "dist", "node_modules", "package-lock.json"]);

export function readRepository(): readonly SourceFile[] {
  return listFiles("").map((path) => ({ path, text: readFileSync(new URL(path, root), "utf8") }));
}

function listFiles(folder: string): readonly string[] {
  return readdirSync(new URL(`./${folder}`, root), { withFileTypes: true })
    .filter((entry) => !ignored.has(entry.name))
    .flatMap((entry) => (entry.isDirectory() ? listFiles(`${folder}${entry.name}/`) : [folder + entry.name]));
}

export function isTypeScript({ path }: SourceFile): boolean {
  return /\.tsx?$/.test(path);
}

export function isTest({ path }: SourceFile): boolean {
  return /\.test\.tsx?$/.test(path);
}

export function parseFile({ path, text }: SourceFile): ParseResult {
  return parseSync(path, text);
}

export function breach({ path, text }: SourceFile, at: number, sentence: string): Breach {
  return `${path}:${findPlacesIn(text)(at).line}: ${sentence}`;
}

/** Several rules ask for the same: each file is taken apart for them once. */
const known = new WeakMap<SourceFile, readonly Import[]>();

/** Imports of values and of types, and what is exported again from elsewhere. */
export function importsOf(file: SourceFile): readonly Import[] {
  const found = known.get(file) ?? readImports(file);
  known.set(file, found);
  return found;
}

function readImports(file: SourceFile): readonly Import[] {
  const { staticImports, staticExports, dynamicImports } = parseFile(file).module;
  return [
    ...staticImports.map(({ start, moduleRequest, entries }) => ({
      from: moduleRequest.value,
      names: entries.map(({ importName }) => importName.name ?? "*"),
      at: start,
    })),
    ...staticExports.flatMap(({ start, entries }) =>
      entries.flatMap(({ moduleRequest, importName }) =>
        moduleRequest === null ? [] : [{ from: moduleRequest.value, names: [importName.name ?? "*"], at: start }],
      ),
    ),
    ...dynamicImports.map(({ start, moduleRequest }) => ({
      from: file.text.slice(moduleRequest.start, moduleRequest.end).replaceAll(/^["'`]|["'`]$/g, ""),
      names: ["*"],
      at: start,
    })),
  ];
}

/** The path of the file that a relative import means. */
export function resolveImport(file: SourceFile, { from }: Import): string | undefined {
  return from.startsWith(".") ? posix.join(posix.dirname(file.path), from) : undefined;
}
