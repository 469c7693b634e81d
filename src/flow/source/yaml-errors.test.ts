import { describe, expect, test } from "vitest";
import { findPlacesIn } from "./places.ts";
import { readText } from "./read.ts";
import { explainErrors } from "./yaml-errors.ts";

describe("the errors of YAML", () => {
  test.each([
    ["a tab as indentation", "steps:\n\ta: 1\n", "2:1", "A tab indents this line"],
    ["a tab before spaces", "steps:\n  a:\n\t  tool: x\n", "3:1", "A tab indents this line"],
    ["a key indented too little", "steps:\n  a: 1\n b: 2\n", "3:1", "does not line up"],
    ["an item indented too little", "a:\n  - x\n - y\n", "3:1", "list item does not line up"],
    ["a colon in a text", "message: hello: world\n", "1:10", 'A second ": "'],
    ["a key without a colon", "a\nb: 1\n", "1:1", "is a : missing here"],
    ["a key without a value", "a: 1\nb\n", "2:1", "This key has no value"],
    ["a list on the line of its key", "a: - b\n", "1:4", "A list item (-) cannot stand here"],
    ["a list among keys", "b: 1\n- a\n", "2:1", "A list item (-) cannot stand here"],
    ["a key among items", "- a\nb: 1\n", "2:1", "The value is complete before this"],
    ["a text that starts with @", "tool: @x\n", "1:7", "A text that starts with @"],
    ["a text that starts with a backtick", "tool: `x`\n", "1:7", "A text that starts with `"],
    ["a cron line without quotes", "cron: * * * * *\n", "1:7", "put the whole text in quotes"],
    ["a cron line that starts like an alias", "cron: */5 * * * *\n", "1:11", "put the whole text in quotes"],
    ["a condition that starts with a quote", 'if: "a" == b\n', "1:9", "put the whole value in quotes"],
    ["text behind a list", "a: [1] x\n", "1:8", "The value is complete before this"],
    ["a quote that is not closed", 'b: 1\na: "x\nc: 1\n', "2:4", 'add a "'],
    ["a single quote that is not closed", "a: 'x\n", "1:4", "add a '"],
    ["a list that is not closed", "a: [1, 2\nb: 3\n", "2:1", "add a ]"],
    ["a map that is not closed", "a: {x: 1\n", "2:1", "add a }"],
    ["a root list that is not closed", "[1, 2", "1:6", "add a ]"],
    ["a comma too many", "a: {x: 1,, y: 2}\n", "1:10", "This , has nothing before it"],
    ["a comma missing", 'a: {"x": 1 "y": 2}\n', "1:10", "A comma is missing here"],
    ["a comma missing between texts", 'a: ["x" "y"]\n', "1:9", "A comma is missing here"],
    ["a bracket that closes nothing", "a: }\n", "1:4", "This cannot stand here"],
    ["a bad escape", 'a: "\\q"\n', "1:5", "\\q is no escape of YAML; write \\\\ for a backslash"],
    ["a comment without a space", 'a: "x"#c\n', "1:7", "A comment needs a space"],
    ["text behind the sign of a long text", "a: | x\n", "1:6", "Nothing may stand behind | or >"],
    ["a comparison taken for a long text", "if: > 3\n", "1:7", "Nothing may stand behind | or >"],
    ["a document behind its marker", "--- a: 1\n", "1:5", "on a new line behind ---"],
    ["a directive without a marker", "%YAML 1.2\na: 1\n", "2:1", "A line with ---"],
    ["a directive that is none", "%YAML x\n---\na: 1\n", "1:7", "This % line"],
    ["two anchors", "a: &x &y 1\n", "1:7", "An anchor (&) or a tag (!)"],
    ["an anchor on an alias", "a: &x 1\nb: &y *x\n", "2:7", "A * or & starts an alias"],
    ["a very long key", `${"a".repeat(1_100)}: 1\n`, "1:1", "1,024 characters"],
    ["a template without quotes", "args:\n  x: {{ input.x }}\n", "2:7", 'like "{{ input.name }}"'],
    ["templates without quotes in a text", "message: {{ a }} and {{ b }}\n", "1:18", 'like "{{ input.name }}"'],
    ["a template without quotes in a list", "- {{ x }}\n", "1:4", 'like "{{ input.name }}"'],
    ["a map as a key", "? {a: 1}\n: b\n", "1:3", "cannot be a key"],
    ["a list as a key", "[a]: b\n", "1:1", "cannot be a key"],
    ["no space behind a colon", "{a:1}", "1:2", 'A space is missing behind the colon of "a:1"'],
  ])("tell where and what to do about %s", (_, text, place, message) => {
    const { value, findings } = readText(text, { syntax: "yaml" });
    expect(value).toBeUndefined();
    expect(findings.map(({ code, line, column }) => `${code} ${line}:${column}`)).toEqual([`not_yaml ${place}`]);
    expect(findings[0]?.message).toContain(message);
  });

  test("are told one for each line, in the order of the text", () => {
    const { findings } = readText("a: b: c\nd: @x\ne: * *\nf: 1\n", { syntax: "yaml" });
    expect(findings.map(({ line, column }) => `${line}:${column}`)).toEqual(["1:4", "2:4", "3:4"]);
  });

  test("are told up to twenty", () => {
    expect(readText("- @x\n".repeat(50), { syntax: "yaml" }).findings.length).toBe(20);
  });

  test("that the library may add one day are told in its own words", () => {
    const text = "a: 1\n";
    const problems = explainErrors(
      [
        { at: 3, code: "BRAND_NEW", message: "Something odd" },
        { at: 0, code: "KEY_OVER_1024_CHARS", message: "too long" },
        { at: 3, code: "OLD", message: "x" },
      ],
      `${text}${text}`,
      findPlacesIn(text),
    );
    expect(problems).toMatchObject([
      { code: "not_yaml", at: 0, message: "This key is longer than 1,024 characters; shorten it." },
    ]);
    const [alone] = explainErrors(
      [{ at: 3, code: "BRAND_NEW", message: "Something odd" }],
      "a: b",
      findPlacesIn("a: b"),
    );
    expect(alone?.message).toBe("This is not YAML: Something odd.");
  });
});
