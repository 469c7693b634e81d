import { describe, expect, test } from "vitest";
import type { Inline } from "./markdown-inline.ts";
import { looksLikeMarkdown, markdownMax, markdownOf, parseMarkdown, type MarkdownBlock } from "./markdown.ts";

/** As tags, so that it can be read. */
function show(blocks: readonly MarkdownBlock[]): string {
  return blocks.map(showBlock).join("");
}

function showBlock(block: MarkdownBlock): string {
  switch (block.kind) {
    case "heading":
      return `<h${block.level}>${inline(block.inlines)}</h${block.level}>`;
    case "paragraph":
      return `<p>${inline(block.inlines)}</p>`;
    case "code":
      return `<pre>${block.text}</pre>`;
    case "rule":
      return "<hr>";
    case "quote":
      return `<q>${show(block.blocks)}</q>`;
    case "list":
      return `<${block.isOrdered ? `ol ${block.start}` : "ul"}>${block.items.map((each) => `<li>${show(each)}</li>`).join("")}</>`;
  }
}

function inline(inlines: readonly Inline[]): string {
  return inlines
    .map((each) => {
      if (each.kind === "text") return each.text;
      if (each.kind === "code") return `<code>${each.text}</code>`;
      if (each.kind === "picture") return `<picture ${each.address}>${each.text}</picture>`;
      const inner = inline(each.inlines);
      return each.kind === "link" ? `<a ${each.address}>${inner}</a>` : `<${each.kind}>${inner}</>`;
    })
    .join("");
}

const read = (text: string): string => show(parseMarkdown(text).blocks);

describe("blocks", () => {
  test.each([
    ["one\ntwo\n\nthree", "<p>one\ntwo</p><p>three</p>"],
    ["# One\ntext\n### Three ##\n## Two", "<h3>One</h3><p>text</p><h4>Three</h4><h4>Two</h4>"],
    ["### Deep\n# High", "<h3>Deep</h3><h3>High</h3>"],
    ["#hash is no heading", "<p>#hash is no heading</p>"],
    ["```js\n# not a heading\n**b**\n```\nend", "<pre># not a heading\n**b**</pre><p>end</p>"],
    ["~~~\nnever closed", "<pre>never closed</pre>"],
    ["````\n```\n````", "<pre>```</pre>"],
    ["- a\n- b", "<ul><li><p>a</p></li><li><p>b</p></li></>"],
    ["- a\n  - b\n- c", "<ul><li><p>a</p><ul><li><p>b</p></li></></li><li><p>c</p></li></>"],
    ["3. a\n4. b\nlazy\n\nout", "<ol 3><li><p>a</p></li><li><p>b\nlazy</p></li></><p>out</p>"],
    ["- a\n\n  more\n\n- b", "<ul><li><p>a</p><p>more</p></li><li><p>b</p></li></>"],
    ["> a\n> > b\n\nc", "<q><p>a</p><q><p>b</p></q></q><p>c</p>"],
    ["a\n\n---\n\n* * *\nb", "<p>a</p><hr><hr><p>b</p>"],
    ["", ""],
  ])("%j", (text, shown) => expect(read(text)).toBe(shown));
});

describe("words", () => {
  test.each([
    [
      "*a* **b** ***c*** _d_ __e__",
      "<emphasis>a</> <strong>b</> <strong><emphasis>c</></> <emphasis>d</> <strong>e</>",
    ],
    ["**a *b* c**", "<strong>a <emphasis>b</> c</>"],
    ["2*3*4, user_id_of and a * b * c", "2*3*4, user_id_of and a * b * c"],
    ["**never closed", "**never closed"],
    ["`a` ``b ` c`` `", "<code>a</code> <code>b ` c</code> `"],
    ["`<b>` **`x`**", "<code><b></code> <strong><code>x</code></>"],
    [String.raw`\*a\* \[b\](c) \\`, String.raw`*a* [b](c) \ `.trim()],
    ["[a](https://a.example/x)", "<a https://a.example/x>a</a>"],
    ['[**a** b](<https://a.example> "Title")', "<a https://a.example/><strong>a</> b</a>"],
    ["[a](mailto:ann@example.org)", "<a mailto:ann@example.org>a</a>"],
    ["<https://a.example> and <b>", "<a https://a.example/>https://a.example/</a> and <b>"],
    ["![a](https://a.example/p.png)", "<picture https://a.example/p.png>a</picture>"],
    ["[a] [b][c] [d]( [ ", "[a] [b][c] [d]( ["],
    ["x *open *a b* c", "x *open <emphasis>a b</> c"],
  ])("%j", (text, shown) => expect(read(text)).toBe(`<p>${shown}</p>`));
});

describe("what could do harm", () => {
  test.each([
    "[a](javascript:alert(1))",
    "[a](JaVaScRiPt:alert(1))",
    "[a]( javascript:alert(1))",
    "[a](java\tscript:alert(1))",
    "[a](javascript&colon;alert(1))",
    "[a](&#106;avascript:alert(1))",
    "[a](\u0001javascript:alert(1))",
    "[a](data:text/html;base64,PHNjcmlwdD4=)",
    "[a](vbscript:x)",
    "[a](file:///etc/passwd)",
    "[a](//evil.example)",
    "[a](/api/workflow)",
    "[a](?start=x)",
    "[a](http:evil.example)",
    "[a](https:\\\\evil.example)",
    "[a](https://bank.example@evil.example/)",
    "[a](https://evil.example/\u0000)",
    "[a](blob:https://a.example/x)",
    "[a](<javascript:alert(1)>)",
    "[[a](javascript:x)](javascript:y)",
    "<javascript:alert(1)>",
    "<script>alert(1)</script>",
    '<img src=x onerror="alert(1)">',
    "<a href='javascript:x'>a</a>",
    "[a]: javascript:x\n[a]",
  ])("%j is text", (text) => {
    expect(JSON.stringify(parseMarkdown(text))).not.toContain('"link"');
  });

  test("a link in a link leads where the outer one says", () => {
    expect(read("[[a](https://a.example) b](https://b.example)")).toBe(
      "<p><a https://b.example/>https://a.example/ b</a></p>",
    );
  });

  test("a picture that leads nowhere safe has no address", () => {
    expect(read("![a](javascript:x)")).toBe("<p><picture null>a</picture></p>");
  });

  test("letters that look like others are shown as what they are", () => {
    expect(read("[a](https://аpple.example)")).toContain("https://xn--");
  });
});

describe("limits", () => {
  test("what is too long is left out, and counted", () => {
    const { blocks, omitted } = parseMarkdown("a".repeat(markdownMax + 7));
    expect(omitted).toBe(7);
    expect(blocks).toHaveLength(1);
  });

  test.each([">", "- ", "> - ", "1. "])("nested %j is no deeper than a page can draw", (mark) => {
    const text = JSON.stringify(parseMarkdown(`${mark.repeat(2000)}a`));
    expect(text.split('"blocks"').length + text.split('"items"').length).toBeLessThan(20);
  });

  test.each([
    "*a ",
    "**a",
    "[",
    "[](",
    "![a](",
    "`a",
    "``a`",
    "<https://",
    "\\",
    "_a_",
    "[a](http://b",
    "- \n",
    "> ",
    "* * a",
    "#",
    "***a",
    "* ",
  ])("as many %j as fit are read at once", (part) => {
    const started = performance.now();
    const { blocks } = parseMarkdown(part.repeat(markdownMax / part.length));
    looksLikeMarkdown(part.repeat(markdownMax / part.length));
    expect(blocks.length).toBeGreaterThan(0);
    expect(performance.now() - started).toBeLessThan(2000);
  });
});

test("a text looks like Markdown by its headings, lists, fences, quotes, strong words and links", () => {
  const marked = ["# A", "- a\n- b", "1. a\n\n2. b", "```\na", "> a", "so **very** much", "[a](https://b.example)"];
  expect(marked.filter((text) => !looksLikeMarkdown(text))).toEqual([]);
  const plain = ["a text", "- one", "a * b", "#tag", "2 ** 3 ** 4", "[a](b)", '{"a": 1}', ""];
  expect(plain.filter(looksLikeMarkdown)).toEqual([]);
});

test("a value has a look as Markdown when one text in it does", () => {
  expect(markdownOf("# A")).toBe("# A");
  expect(markdownOf({ text: "# A", id: "x", n: 1 })).toBe("# A");
  expect(markdownOf([{ type: "text", text: "# A" }])).toBe("# A");
  expect(markdownOf({ one: "# A", other: "# B" })).toBeNull();
  expect(markdownOf({ text: "plain" })).toBeNull();
  expect(markdownOf(["# A"])).toBeNull();
});
