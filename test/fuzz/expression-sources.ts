// Sources to throw at the parser: what the grammar allows, the same with a slip of the pen, rubbish, and what somebody
// would write to bring the evaluator down.

import { objectFrom, type Json } from "../../src/flow/json.ts";
import { readToken } from "../../src/flow/expression/tokens.ts";
import type { Random } from "../../src/testing/random.ts";

export type SourceKind = "valid" | "mistaken" | "rubbish" | "hostile";

/** A source and how it was made. */
export function randomSource(random: Random): { readonly kind: SourceKind; readonly source: string } {
  const choice = random.next();
  if (choice < 0.55) return { kind: "valid", source: write(random, 1 + random.integer(4)) };
  if (choice < 0.85) return { kind: "mistaken", source: mistake(random, write(random, 1 + random.integer(3))) };
  if (choice < 0.99) return { kind: "rubbish", source: rubbish(random) };
  // Using up all the fuel takes milliseconds, so it is tried seldom, and often enough in a million.
  return { kind: "hostile", source: random.chance(0.03) ? random.pick(heavy)(random) : random.pick(light)(random) };
}

/** The values that the sources speak of. */
export const fuzzValues: { readonly [root: string]: Json } = {
  input: {
    name: "Ada",
    text: "größer 😀, and so on",
    long: "ab".repeat(2000),
    count: 3,
    ratio: 0.5,
    none: null,
    flag: true,
    few: [3, 1, 2],
    many: Array.from({ length: 400 }, (_, index) => index),
    words: ["red", "green", "", "blue"],
    rows: [{ id: 1, ok: true }, { id: 2 }, { id: "3", ok: false, tags: ["x"] }],
    deep: { a: { b: { c: [[[1]]] } } },
    length: "a key",
    constructor: { name: "a key" },
  },
  result: { items: [1, 2], status: "open", "read-feed": true },
  previous: objectFrom<Json>([["__proto__", { admin: true }]]),
  steps: { look: { result: [1, { x: null }], outcome: "success" } },
  item: "one",
  index: 0,
};

const leaves: readonly string[] = [
  "1",
  "0",
  "-1",
  "2.5",
  "1e3",
  "'a'",
  '"b c"',
  "''",
  "true",
  "false",
  "null",
  "nil",
  "[]",
  "{}",
  "input",
  "input.name",
  "input.text",
  "input.count",
  "input.ratio",
  "input.none",
  "input.flag",
  "input.few",
  "input.words",
  "input.rows",
  "input.deep.a.b",
  "input.missing",
  "result.items[0]",
  "result['read-feed']",
  "previous.__proto__",
  "steps.look.result[1].x",
  "item",
  "index",
  "x",
  "nobody",
];

const operators: readonly string[] = [
  "==",
  "!=",
  "<",
  "<=",
  ">",
  ">=",
  "&&",
  "||",
  "+",
  "-",
  "*",
  "/",
  "%",
  "in",
  "??",
];
const functions: readonly string[] = [
  "size",
  "lower",
  "upper",
  "trim",
  "string",
  "number",
  "type",
  "keys",
  "min",
  "max",
];
const pairs: readonly string[] = ["contains", "startsWith", "endsWith", "split", "join", "min", "max"];
const macros: readonly string[] = ["all", "exists", "filter", "map"];
const lists: readonly string[] = ["input.few", "input.words", "input.rows", "input.deep", "[1, 'a', null]", "steps"];

type Form = (random: Random, depth: number) => string;

const forms: readonly Form[] = [
  (random, depth) => `(${write(random, depth)} ${random.pick(operators)} ${write(random, depth)})`,
  (random, depth) => `${write(random, depth)} ${random.pick(operators)} ${write(random, depth)}`,
  (random, depth) => `${random.pick(["!", "-"])}${write(random, depth)}`,
  (random, depth) => `(${write(random, depth)} ? ${write(random, depth)} : ${write(random, depth)})`,
  (random, depth) => `[${write(random, depth)}, ${write(random, depth)}]`,
  (random, depth) => `{'k': ${write(random, depth)}, ${write(random, 0)}: ${write(random, depth)}}`,
  (random, depth) => `${random.pick(functions)}(${write(random, depth)})`,
  (random, depth) => `${write(random, 0)}.${random.pick(pairs)}(${write(random, depth)})`,
  (random, depth) => `${random.pick(lists)}.${random.pick(macros)}(x, ${write(random, depth)})`,
  (random, depth) => `${write(random, depth)}[${write(random, 0)}]`,
  (random, depth) => `${write(random, depth)}.${random.pick(["id", "length", "constructor", "__proto__"])}`,
  (random) => `has(${random.pick(["input.name", "input.missing", "x.id", "steps.look['result']"])})`,
  (random, depth) => `(${random.pick(["input.missing", "input.none", "input.count"])} ?? ${write(random, depth)})`,
];

function write(random: Random, depth: number): string {
  return depth === 0 || random.chance(0.2) ? random.pick(leaves) : random.pick(forms)(random, depth - 1);
}

/** A few tokens lost, doubled, swapped or replaced. */
function mistake(random: Random, source: string): string {
  const tokens: string[] = [];
  for (let token = readToken(source, 0); token.kind !== "end"; token = readToken(source, token.end)) {
    tokens.push(source.slice(token.at, token.end));
  }
  for (let times = 1 + random.integer(3); times > 0; times -= 1) {
    const at = random.integer(tokens.length);
    const [token = ""] = tokens.slice(at, at + 1);
    const changed = random.pick<readonly string[]>([
      [],
      [token, token],
      [random.pick(leaves)],
      [random.pick(operators), token],
      [random.pick(habits), token],
      [token.slice(0, -1)],
    ]);
    tokens.splice(at, 1, ...changed);
  }
  return tokens.join(random.pick([" ", "", " ", "\n"]));
}

const habits: readonly string[] = [
  "=",
  "===",
  "and",
  "or",
  "not",
  "&",
  "|",
  "//",
  "{{",
  "}}",
  "'",
  '"',
  "\\",
  "$",
  "?.",
  "ß",
  ")",
];
const characters: readonly string[] = Array.from("ax_019 .,:?!+-*/%<>=&|()[]{}'\"\\\n\t\u0000\u00a0éß😀\ud800");

function rubbish(random: Random): string {
  const length = random.integer(random.pick([5, 20, 60]));
  return Array.from({ length }, () => random.pick(characters)).join("");
}

const bursts: ReadonlyMap<string, string> = new Map(
  ["(", "!", "-", "[", "{'a':", "a[", "size(", "x.map(x,", "a ? b : ", "1 + ", "'", "input.", "\\", "}"].map(
    (piece) => [piece, piece.repeat(100_000)],
  ),
);

/** One piece again and again: as often as the source may be long, around the limits, and far beyond. */
function burst(random: Random): string {
  const [piece, burstSource] = random.pick([...bursts]);
  const times = random.pick([30, 63, 64, 65, 66, 200, 1000]);
  return random.chance(0.1) ? burstSource : burstSource.slice(0, piece.length * times);
}

const light: readonly ((random: Random) => string)[] = [
  burst,
  (random) => nest(random, "(", "1", ")"),
  (random) => nest(random, "[", "", "]"),
  (random) => nest(random, "{'a': ", "null", "}"),
  (random) => `'${"x".repeat(random.pick([4000, 4094, 4095, 100_000]))}'`,
  (random) => `[${"1,".repeat(random.pick([900, 998, 999, 1000, 1001]))}]`,
  (random) => `input${".a".repeat(random.pick([500, 998, 999, 1000]))}`,
  (random) =>
    random.pick(["1e308 * 10", "1e999", "9".repeat(400), "-1e308 - 1e308", "1 / 0", "0 / 0", "5 % 0", "1e-400"]),
  (random) => `{'__proto__': ${write(random, 1)}}.${random.pick(["__proto__", "admin", "toString"])}`,
  (random) => `previous.__proto__.${random.pick(["admin", "constructor", "__proto__.x"])}`,
  (random) => `input.${random.pick(["constructor.constructor", "toString", "length", "hasOwnProperty"])}`,
  (random) => `input['${random.pick(["__proto__", "constructor", "length"])}']${random.pick([".x", "", "[0]"])}`,
  (random) => `[${write(random, 1)}]${".map(x, [x, x])".repeat(random.integer(8))}`,
  (random) => `[1]${".map(x, [x])".repeat(random.pick([100, 126, 127, 128, 200]))}`,
  (random) => `input.long${" + input.long".repeat(random.integer(5))}`,
  (random) => `${"string([".repeat(random.integer(12))}input.name${"])".repeat(random.integer(12))}`,
];

/** What should use up the fuel or the text. */
const heavy: readonly ((random: Random) => string)[] = [
  (random) => `[input.${random.pick(["long", "many", "rows"])}]${".map(x, [x, x])".repeat(20 + random.integer(60))}`,
  (random) => `[input.long]${".map(x, x + x)".repeat(5 + random.integer(30))}`,
  () => "input.many.map(a, input.many.map(b, input.many.map(c, a + b + c)))",
  (random) => `input.long${" + input.long".repeat(20 + random.integer(100))}`,
  () => "input.many.all(a, input.many == input.many)",
  () => "input.many.map(a, input.many + input.many)",
  () => "input.many.map(a, input.long.split(''))",
  () => "input.many.map(a, input.long).join(input.long)",
  () => "input.many.map(a, string(input))",
  (random) => `${"string([".repeat(25 + random.integer(6))}'"'${"])".repeat(25)}`,
  (random) => `input.many.filter(a, ${write(random, 3)})`,
  (random) => `input.many.map(x, input.many.exists(a, ${write(random, 2)}))`,
];

function nest(random: Random, opening: string, middle: string, closing: string): string {
  const times = random.pick([10, 63, 64, 65, 66, 300]);
  return opening.repeat(times) + middle + closing.repeat(times + random.pick([0, 0, 0, -1, 1]));
}
