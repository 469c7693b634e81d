// docs/semantics.md shows flows with what their runs give, and lists the words that the kernel uses: both are compared
// with the kernel.

import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { own, type JsonObject } from "../src/flow/json.ts";
import { foldRows } from "../src/run/history.ts";
import { hasEnded } from "../src/run/model.ts";
import { startKernel, type Kernel } from "../src/testing/kernel.ts";
import { planFrom, readText } from "./example-files.ts";
import { day } from "./seed-runs.ts";

const page = readText("docs/semantics.md");

type Example = { readonly heading: string; readonly flow: string; readonly given: JsonObject };

/** Every flow on the page, with the heading above it and what stands below it. */
const examples = page.split(/^## /m).flatMap((section) =>
  [...section.matchAll(/^```yaml\n(.*?)^```\n\n```json\n(.*?)^```$/gms)].map(([, flow = "", given = ""]): Example => ({
    heading: section.slice(0, section.indexOf("\n")),
    flow,
    given: JSON.parse(given),
  })),
);

const broken = { code: "broken", message: "It is broken." };

/** Runs a flow to its end: a tool answers with its own name, but for the one that is broken. */
function run(flow: string): Kernel {
  const kernel = startKernel(planFrom(flow));
  for (let days = 0; days < 10 && !hasEnded(kernel.run()); days++) {
    kernel.admitAll();
    for (let calls = callsOf(kernel); calls.length > 0; calls = callsOf(kernel)) {
      for (const { row, token, tool } of calls) {
        if (tool === "broken") kernel.send({ kind: "failed", row, token, error: broken, isFinal: false });
        else kernel.send({ kind: "done", row, token, result: tool, outcome: null });
      }
      kernel.admitAll();
    }
    kernel.advance(day);
  }
  return kernel;
}

function callsOf(kernel: Kernel): Kernel["calls"] {
  return kernel.calls.filter(({ row, token }) => kernel.frontier.rows.get(row)?.token === token);
}

describe("the flows on the page", () => {
  test("are all followed by what they give", () => {
    expect(examples).toHaveLength([...page.matchAll(/^```yaml$/gm)].length);
    expect(examples.length).toBeGreaterThan(5);
  });

  test.each(examples)('under "$heading" give what the page says', ({ flow, given }) => {
    const kernel = run(flow);
    const { status, output } = kernel.run();
    const seen: JsonObject = { status, output, calls: kernel.calls.map((call) => call.tool) };
    expect(Object.fromEntries(Object.keys(given).map((key) => [key, own(seen, key) ?? null]))).toEqual(given);
  });
});

/** What the sources of the kernel say, without its tests. */
const sources = readdirSync(new URL("../src/run", import.meta.url))
  .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
  .map((name) => readText(`src/run/${name}`))
  .join("\n");

function found(pattern: RegExp): ReadonlySet<string> {
  return new Set([...sources.matchAll(pattern)].map((match) => match[1] ?? ""));
}

/** The codes in the first column of the table that follows these words. */
function listed(words: string): ReadonlySet<string> {
  const [, after = ""] = page.split(words);
  const rows = (/(?:^\|.*\n)+/m.exec(after)?.[0] ?? "").split("\n").slice(2);
  const cells = rows.map((row) => row.split("|")[1] ?? "");
  return new Set(cells.flatMap((cell) => [...cell.matchAll(/`(\w+)`/g)].map((match) => match[1] ?? "")));
}

describe("the words on the page", () => {
  const events = listed("**Events** are");
  const answers = new Set([
    ...listed("**Refusals** are"),
    ...listed("**Failures** are"),
    ...listed("Two more fields say"),
  ]);

  test("are the events that the kernel tells", () => {
    const told = found(/tell(?:Of)?\(\s*draft,\s*"(\w+)"/g);
    // Of what serves a row, by its role.
    expect(events).toEqual(new Set([...told, "notify_failed", "probe_failed"]));
  });

  test("name every refusal and failure of the kernel", () => {
    const codes = [
      ...found(/\brefused?\(\s*(?:draft,\s*)?"(\w+)"/g),
      ...found(/\brefusal\(\s*"(\w+)"/g),
      ...found(/\bcode: "(\w+)"/g),
    ];
    expect(codes.length).toBeGreaterThan(30);
    expect(codes.filter((code) => !answers.has(code) && !page.includes(`\`${code}\``))).toEqual([]);
  });

  test("name every code that the engine adds, and the pages of the tools name theirs", () => {
    const folders = ["engine", "tool", "access"].map((name) => new URL(`../src/${name}/`, import.meta.url));
    const files = folders.flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: "utf8" })
        .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"))
        .map((file) => readFileSync(new URL(file, folder), "utf8").replaceAll(/\/\*\*.*?\*\//gs, "")),
    );
    const codes = files.flatMap((text) =>
      [...text.matchAll(/\b(?:code: |refus(?:al|ed)\(\s*)"([a-z_]+)"/g)].map((match) => match[1] ?? ""),
    );
    const pages = ["tools", "builtin-tools", "breakers", "secrets", "errors"].map((name) =>
      readFileSync(new URL(`../docs/${name}.md`, import.meta.url), "utf8"),
    );
    const known = `${page}${pages.join("")}`;
    expect(codes.length).toBeGreaterThan(30);
    expect([...new Set(codes)].filter((code) => !known.includes(`\`${code}\``))).toEqual([]);
  });

  test("name no refusal and no failure that the kernel does not know", () => {
    // Put together from the kind of the end.
    const spoken = `${sources} "ended_with_cancel"`;
    expect([...answers].filter((code) => !spoken.includes(`"${code}"`))).toEqual([]);
  });

  test("are the statuses of rows and runs, in the pictures and in the table", () => {
    const nodes = [...page.matchAll(/^```mermaid\n(.*?)^```$/gms)].map(
      ([, picture = ""]) =>
        new Set([...picture.matchAll(/^ +(\w+) -->|--> (\w+)/gm)].flatMap((match) => [match[1] ?? match[2]])),
    );
    const rows = Object.keys(foldRows([]).counts);
    const runs = ["scheduled", "running", "paused", "completed", "failed", "cancelled"];
    expect(nodes).toEqual([new Set(rows), new Set(runs)]);
    expect(listed("A row is **one attempt")).toEqual(new Set(rows));
  });

  test("point to headings that are there", () => {
    const headings = [...page.matchAll(/^## (.*)$/gm)].map(([, title = ""]) =>
      title.toLowerCase().replaceAll(" ", "-").replaceAll(",", ""),
    );
    const links = [...page.matchAll(/\]\(#([^)]+)\)/g)].map(([, link = ""]) => link);
    expect(links.filter((link) => !headings.includes(link))).toEqual([]);
    expect(headings.filter((heading) => !links.includes(heading))).toEqual([]);
  });
});
