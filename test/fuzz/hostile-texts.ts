// Texts that somebody might send to exhaust, confuse or break the reader. Each names the finding that refuses it; those
// without one are unusual but fine, or hostile only to what comes after reading, and must be read.

import type { FindingCode } from "../../src/flow/finding.ts";

export type HostileText = { readonly name: string; readonly text: string; readonly expected?: FindingCode };

export function hostileTexts(): readonly HostileText[] {
  return [
    ...nesting(),
    ...aliases(),
    ...yamlTraps(),
    ...keys(),
    ...numbers(),
    ...sizes(),
    ...characters(),
    ...expressions(),
  ];
}

function nesting(): readonly HostileText[] {
  const times = 100_000;
  return [
    { name: "100,000 lists of JSON, not closed", text: "[".repeat(times), expected: "too_deep" },
    { name: "100,000 lists of JSON, closed", text: "[".repeat(times) + "]".repeat(times), expected: "too_deep" },
    { name: "100,000 objects of JSON", text: '{"a":'.repeat(times), expected: "too_deep" },
    { name: "100,000 objects and lists of JSON", text: '[{"a":'.repeat(times), expected: "too_deep" },
    { name: "100,000 lists in brackets of YAML", text: `a: ${"[".repeat(times)}`, expected: "too_deep" },
    { name: "100,000 maps in brackets of YAML", text: "{a: ".repeat(times), expected: "too_deep" },
    { name: "100,000 lists on one line", text: "- ".repeat(times), expected: "too_deep" },
    { name: "100,000 keys on one line", text: "? ".repeat(times), expected: "too_deep" },
    { name: "1,400 maps in lines", text: block("a:"), expected: "too_deep" },
    { name: "1,400 lists in lines", text: block("-"), expected: "too_deep" },
    { name: "100,000 pairs in lists", text: `x: ${"[a: ".repeat(times)}`, expected: "too_deep" },
    { name: "4,000 keys below one of 100,000 characters", text: longPath(times), expected: "key_too_long" },
  ];
}

function longPath(length: number): string {
  const below = Object.fromEntries(Array.from({ length: 4000 }, (_, at) => [`p${at}`, { "x-mcp-header": "a b" }]));
  return JSON.stringify({ input: { type: "object", properties: { ["n".repeat(length)]: { properties: below } } } });
}

/** The line again and again, each time indented by one more. */
function block(line: string): string {
  return Array.from({ length: 1_400 }, (_, level) => `${" ".repeat(level)}${line}`).join("\n");
}

/** A list of the same thing ten times. */
function ten(name: string): string {
  return `[${Array.from({ length: 10 }, () => name).join(",")}]`;
}

function aliases(): readonly HostileText[] {
  const levels = Array.from({ length: 9 }, (_, number) => `a${number + 1}: &a${number + 1} ${ten(`*a${number}`)}\n`);
  const laughs = `a0: &a0 ${ten("lol")}\n${levels.join("")}`;
  const pairs = Array.from(
    { length: 20 },
    (_, number) => `b${number + 1}: &b${number + 1} {x: *b${number}, y: *b${number}}\n`,
  );
  const maps = `b0: &b0 {x: 1, y: 2}\n${pairs.join("")}`;
  return [
    { name: "a billion laughs", text: laughs, expected: "alias_limit" },
    { name: "a billion laughs, asked for at the end", text: `${laughs}z: *a9\n`, expected: "alias_limit" },
    { name: "maps that double twenty times", text: maps, expected: "alias_limit" },
    { name: "a list inside itself", text: "&a [*a]", expected: "alias_limit" },
    { name: "a map inside itself, far below", text: "a: &a\n  b:\n    c: [{d: *a}]\n", expected: "alias_limit" },
    { name: "10,000 aliases", text: `- &a x\n${"- *a\n".repeat(10_000)}`, expected: "alias_limit" },
    { name: "an alias of nothing", text: "a: *nothing\n", expected: "not_yaml" },
    {
      name: "deep values through an alias",
      text: `a: &a ${"[".repeat(99)}${"]".repeat(99)}\nb: ${"[".repeat(99)}*a${"]".repeat(99)}\n`,
      expected: "too_deep",
    },
  ];
}

function yamlTraps(): readonly HostileText[] {
  return [
    { name: "YAML 1.1, whose on and yes are booleans", text: "%YAML 1.1\n---\non: yes\noctal: 0777\ntime: 1:30\n" },
    { name: "an on that YAML 1.1 has turned into true", text: "true: {ok: end}\n", expected: "misread_on" },
    {
      name: "a tag that other libraries run",
      text: "a: !!js/function 'function () { return 1 }'\n",
      expected: "custom_tag",
    },
    {
      name: "a tag that other languages run",
      text: "!!python/object/apply:os.system ['id']\n",
      expected: "custom_tag",
    },
    { name: "a tag named like an inherited property", text: "a: !<constructor> x\n", expected: "custom_tag" },
    {
      name: "a tag made by a directive",
      text: "%TAG !! tag:example.com,2000:\n---\na: !!int 1\n",
      expected: "custom_tag",
    },
    { name: "binary data", text: "a: !!binary aGVsbG8=\n", expected: "custom_tag" },
    { name: "a merge key", text: "a: &a {x: 1}\nb: {<<: *a}\n", expected: "not_yaml" },
    { name: "several documents", text: "a: 1\n---\nb: 2\n", expected: "several_documents" },
    { name: "10,000 documents", text: "--- a\n".repeat(10_000), expected: "several_documents" },
    { name: "a map as a key", text: "? {a: 1}\n: b\n", expected: "not_yaml" },
    { name: "a template without quotes", text: "a: {{ input.x }}\n", expected: "not_yaml" },
    { name: "tabs as indentation", text: "a:\n\tb: 1\n", expected: "not_yaml" },
    { name: "10,000 errors", text: "- @\n".repeat(10_000), expected: "not_yaml" },
    { name: "half a million commas", text: `a: [${",".repeat(500_000)}]`, expected: "too_large" },
    { name: "10,000 tags before nothing", text: "!a ".repeat(10_000), expected: "not_yaml" },
    { name: "nothing but comments", text: "#\n".repeat(10_000), expected: "empty_document" },
  ];
}

function keys(): readonly HostileText[] {
  return [
    { name: "__proto__ in JSON", text: '{"__proto__": {"polluted": true}, "constructor": {"prototype": {}}}' },
    { name: "__proto__ in YAML", text: "__proto__: {polluted: true}\nconstructor: {prototype: {}}\n" },
    { name: "__proto__ twice", text: '{"__proto__": 1, "__proto__": 2}', expected: "duplicate_key" },
    { name: "a key twice in JSON", text: '{"a": 1, "\\u0061": 2}', expected: "duplicate_key" },
    { name: "a key twice in YAML", text: 'a: 1\n"\\x61": 2\n', expected: "duplicate_key" },
    { name: "10,000 times the same key", text: `{${'"a":1,'.repeat(10_000)}"a":1}`, expected: "duplicate_key" },
    {
      name: "10,000 different keys",
      text: `{${Array.from({ length: 10_000 }, (_, index) => `"k${index}":1`).join(",")}}`,
    },
    { name: "empty and blank keys", text: '{"": 1, " ": 2, "\\n": 3, "/~": 4}' },
  ];
}

function numbers(): readonly HostileText[] {
  return [
    { name: "a number beyond all numbers", text: '{"a": 1e999}', expected: "unsafe_number" },
    { name: "a whole number that would be another", text: '{"a": 9007199254740993}', expected: "unsafe_number" },
    { name: "a million digits", text: `[${"9".repeat(1_000_000)}]`, expected: "unsafe_number" },
    { name: "infinity in YAML", text: "a: -.INF\n", expected: "unsafe_number" },
    { name: "not a number in YAML", text: "a: .nan\n", expected: "unsafe_number" },
    { name: "a large number in base 16", text: "a: 0xFFFFFFFFFFFFFFFF\n", expected: "unsafe_number" },
    { name: "very small numbers", text: '{"a": 1e-999, "b": -0, "c": 5e-324}' },
  ];
}

function sizes(): readonly HostileText[] {
  return [
    { name: "two megabytes of text", text: `"${"x".repeat(2_000_000)}"`, expected: "too_large" },
    { name: "two megabytes of space", text: " ".repeat(2_000_000), expected: "too_large" },
    { name: "few characters of many bytes", text: `"${"\u{1F600}".repeat(300_000)}"`, expected: "too_large" },
    { name: "a text just small enough", text: `{"a": "${"x".repeat(1_000_000)}"}` },
    { name: "a million backslashes", text: `"${"\\".repeat(1_000_000)}"` },
    { name: "a million quotes", text: "'".repeat(1_000_000) },
    { name: "20,000 items", text: `[${"1,".repeat(19_999)}1]` },
    { name: "nothing", text: "", expected: "empty_document" },
  ];
}

function characters(): readonly HostileText[] {
  return [
    { name: "a control character in JSON", text: '{"a": "\u0000"}', expected: "not_json" },
    { name: "a control character in YAML", text: "a: \u0000\n", expected: "not_yaml" },
    { name: "the signs that the library uses inside", text: "a: \u0002b\u0018c\u001fd\n", expected: "not_yaml" },
    { name: "an escape of the terminal", text: "a: \u001b[31mred\n", expected: "not_yaml" },
    { name: "control characters as escapes", text: '{"a": "\\u0000\\u001b"}' },
    { name: "lone surrogates", text: '{"a": "\ud800", "b": "\\udc00"}' },
    { name: "a byte order mark before JSON", text: '\uFEFF{"a": 1}' },
    { name: "a byte order mark before YAML", text: "\uFEFFa: 1\n" },
    { name: "line ends of Windows", text: "a:\r\n  - 1\r\n  - 2\r\n" },
    { name: "text that runs from right to left", text: "a: \u202Eevil\u202C\n" },
  ];
}

function condition(text: string): string {
  return JSON.stringify({ start: { tool: "log", branch: [{ if: text, then: "start" }] } });
}

/** Read as plain data; the limits of the expressions refuse them later. */
function expressions(): readonly HostileText[] {
  return [
    { name: "100,000 parentheses", text: condition("(".repeat(100_000)) },
    { name: "100,000 negations", text: condition(`${"!".repeat(100_000)}true`) },
    { name: "a template of 100,000 braces", text: condition(`{{ ${"{".repeat(100_000)} }}`) },
    { name: "100,000 templates in YAML", text: `a: "${"{{ x }}".repeat(100_000)}"\n` },
  ];
}
