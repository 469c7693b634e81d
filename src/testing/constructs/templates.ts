// The constructs of templates and expressions, looked for in the document's text: for a coverage table that is exact
// enough, and it sees every place where an expression may stand.

import { uses, type Construct } from "./construct.ts";

const patterns: { readonly [name: string]: RegExp } = {
  "an expression alone": /"\{\{ [^"{}]* \}\}"/,
  "text around an expression": /"[^"{}]+\{\{ [^"{}]* \}\}/,
  "a literal {{": /\{\{ \\"\{\{\\" \}\}/,
  "a secret": /\{\{ secrets\.API_KEY \}\}/,
  "a step by name": /\bsteps\.[a-z]/,
  "a step by index": /\bsteps\[\\"/,
  "a seed condition": /"result [!=]= (true|false|nil|42|approved|\\"open\\")"/,
  result: /\bresult\b/,
  previous: /\bprevious\b/,
  item: /\bitem\b/,
  index: /\bindex\b/,
  run: /\brun\./,
  resources: /\bresources\.feed/,
  data: /\bdata\b/,
  event: /\bevent\b/,
  "a macro": /\.(all|exists|filter|map)\(x, /,
  "a map": /\{\\"kind\\": /,
  "a list": /\[1, 2, 3\]/,
};

const functions: readonly string[] =
  "has size contains startsWith endsWith lower upper trim split join string number type keys min max".split(" ");

const operators: readonly string[] = "== != < <= > >= && || ! + - * / % in ? ??".split(" ");

export const templateConstructs: readonly Construct<string>[] = [
  ...Object.entries(patterns).map(([name, pattern]) =>
    uses(`expression: ${name}`, (text: string) => pattern.test(text)),
  ),
  ...functions.map((name) => uses(`expression: ${name}()`, (text: string) => text.includes(`${name}(`))),
  ...operators.map((operator) =>
    uses(`expression: ${operator}`, (text: string) => text.includes(operator === "!" ? "!(" : ` ${operator} `)),
  ),
];
