import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { builtPage } from "../../src/server/page.ts";

type Entry = { readonly file: string; readonly imports?: readonly string[]; readonly isEntry?: boolean };

const manifest = JSON.parse(readFileSync(join(builtPage, "manifest.json"), "utf8")) as {
  readonly [source: string]: Entry;
};

/** What a browser loads to show it: the entry, the view, and all that these need at once. */
function scriptsOf(...sources: readonly string[]): ReadonlySet<string> {
  const files = new Set<string>();
  const add = (source: string): void => {
    const entry = manifest[source];
    if (entry === undefined) throw new Error(`${source} is not in the page.`);
    if (files.has(entry.file)) return;
    files.add(entry.file);
    for (const each of entry.imports ?? []) add(each);
  };
  for (const source of ["index.html", ...sources]) add(source);
  return files;
}

function kilobytes(files: ReadonlySet<string>): number {
  const scripts = [...files].filter((file) => file.endsWith(".js"));
  return scripts.reduce((sum, file) => sum + gzipSync(readFileSync(join(builtPage, file))).length, 0) / 1000;
}

test.each([
  ["Home", ["src/views/home.tsx"], 180],
  ["Runs", ["src/views/runs.tsx"], 180],
  [
    "the run page with its graph",
    ["src/views/run/run-page.tsx", "src/views/run/graph/flow-graph.tsx", "src/model/layout.ts"],
    260,
  ],
])("%s needs no more script than was agreed on", (_page, sources, most) => {
  expect(kilobytes(scriptsOf(...sources))).toBeLessThanOrEqual(most);
});

test("the text editor is in none of them", () => {
  const everything = scriptsOf("src/views/home.tsx", "src/views/runs.tsx", "src/views/run/run-page.tsx");
  for (const file of everything) expect(readFileSync(join(builtPage, file), "utf8")).not.toContain("cm-content");
});
