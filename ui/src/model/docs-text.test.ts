import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { docsPlaceOf, parseDocs, plainOf, type Block } from "./docs-text.ts";

const text = (words: string): { readonly kind: "text"; readonly text: string } => ({ kind: "text", text: words });

describe("a page of the documentation", () => {
  test("is headings that can be linked to, paragraphs, lists, tables and code", () => {
    const page = [
      "# Runs & `steps`",
      "",
      "One line",
      "and *another*.",
      "- first",
      "  goes on",
      "- second",
      "",
      "| a | b |",
      "|---|---|",
      "| `x|y` | **c** |",
      "```yaml",
      "# no heading",
      "```",
      "<!-- for who",
      "writes -->",
      "1. one",
      "",
      "## Twice",
      "## Twice",
    ].join("\n");
    const strong = { kind: "strong", text: "c" };
    expect(parseDocs(page)).toEqual([
      { kind: "heading", level: 1, id: "runs--steps", inside: [text("Runs & "), { kind: "code", text: "steps" }] },
      { kind: "paragraph", inside: [text("One line and "), { kind: "em", text: "another" }, text(".")] },
      { kind: "list", isOrdered: false, items: [[text("first goes on")], [text("second")]] },
      {
        kind: "table",
        head: [[text("a")], [text("b")]],
        rows: [[[{ kind: "code", text: "x|y" }], [strong]]],
      },
      { kind: "code", text: "# no heading" },
      { kind: "list", isOrdered: true, items: [[text("one")]] },
      { kind: "heading", level: 2, id: "twice", inside: [text("Twice")] },
      { kind: "heading", level: 2, id: "twice-1", inside: [text("Twice")] },
    ]);
  });

  test("has links with what stands in them, and no HTML but as text", () => {
    const [paragraph] = parseDocs("See [`run` and more](rest.md#runs) <script>alert(1)</script> ![A cat](cat.png)");
    expect(paragraph).toEqual({
      kind: "paragraph",
      inside: [
        text("See "),
        { kind: "link", inside: [{ kind: "code", text: "run" }, text(" and more")], to: "rest.md#runs" },
        text(" <script>alert(1)</script> "),
        { kind: "em", text: "A cat" },
      ],
    });
  });

  test.each([
    ["errors.md#run_not_found", { name: "errors", hash: "run_not_found" }],
    ["mcp.md", { name: "mcp", hash: null }],
    ["#searching", { name: null, hash: "searching" }],
    ["../README.md", null],
    ["decisions/0001-one-package.md", null],
    ["https://example.org/a.md", null],
    ["javascript:alert(1)", null],
    ["", null],
  ])("a link to %j leads to %j", (to, place) => expect(docsPlaceOf(to)).toEqual(place));
});

describe("the documentation that there is", () => {
  const folder = new URL("../../../docs/", import.meta.url);
  const names = readdirSync(folder).filter((name) => name.endsWith(".md"));
  const pages = new Map(names.map((name) => [name, parseDocs(readFileSync(new URL(name, folder), "utf8"))]));
  const linesOf = (block: Block): readonly (Block & { kind: "paragraph" })["inside"][] => {
    if (block.kind === "code") return [];
    if (block.kind === "list") return block.items;
    return block.kind === "table" ? [...block.head, ...block.rows.flat()] : [block.inside];
  };

  test.each(names)("%s has one title, and every link in it within the documentation leads somewhere", (name) => {
    const blocks = pages.get(name) ?? [];
    expect(blocks.filter((block) => block.kind === "heading" && block.level === 1)).toHaveLength(1);
    const links = blocks.flatMap(linesOf).flatMap((line) => line.filter((part) => part.kind === "link"));
    const places = links.flatMap(({ to }) => docsPlaceOf(to) ?? []);
    const dead = places.filter(({ name: other, hash }) => {
      const target = pages.get(other === null ? name : `${other}.md`);
      const isThere = hash === null || target?.some((block) => block.kind === "heading" && block.id === hash) === true;
      return target === undefined || !isThere;
    });
    expect(dead).toEqual([]);
  });

  test("tables have as many cells in each row as in their head", () => {
    const odd = [...pages].flatMap(([name, blocks]) =>
      blocks.flatMap((block) =>
        block.kind === "table"
          ? block.rows.filter((row) => row.length !== block.head.length).map((row) => [name, row.map(plainOf)])
          : [],
      ),
    );
    expect(odd).toEqual([]);
  });
});

test("a table or a paragraph of pictures alone is left out; beside words their own are told", () => {
  const table = "| | |\n|---|---|\n| ![Home](a.png) | ![The same at night](b.png) |\n";
  expect(parseDocs(`${table}\n![A run](c.svg)\n`)).toEqual([]);
  expect(parseDocs("| | |\n|---|---|\n| ![Home](a.png) | the page |\n")).toHaveLength(1);
  expect(parseDocs("See ![A run](c.svg)\n")).toHaveLength(1);
});
