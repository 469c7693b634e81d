// Random expressions over the names that are there at a place of a flow. They are typed while they are built (a number
// is added to a number), so that a simulated run seldom stops at an expression error.

import type { Random } from "../random.ts";

/** What an expression may mention where it stands. */
export type Vocabulary = {
  /** Steps by a name they answer to. */
  readonly steps: readonly string[];
  /** Roots beside `input`, `run` and `steps`. */
  readonly roots: readonly ExtraRoot[];
};

export type ExtraRoot = "result" | "previous" | "item" | "index" | "data" | "event" | "resources";

type Kind = "number" | "text" | "truth" | "list" | "any";
type Writing = { readonly random: Random; readonly vocabulary: Vocabulary; readonly depth: number };
type Form = (writing: Writing) => string;

const depthMax = 2;

/** A condition for `if`, `guard` and `match`. */
export function randomCondition(random: Random, vocabulary: Vocabulary): string {
  if (vocabulary.roots.includes("result") && random.chance(0.3)) return seedCondition(random);
  return write("truth", { random, vocabulary, depth: 0 });
}

/** An expression of any type. */
export function randomValue(random: Random, vocabulary: Vocabulary): string {
  return write(random.pick(["any", "any", "number", "text", "list", "truth"]), { random, vocabulary, depth: 0 });
}

/** An expression that gives a list: what `each` runs over. */
export function randomList(random: Random, vocabulary: Vocabulary): string {
  return write("list", { random, vocabulary, depth: 0 });
}

/** An expression that gives one of these outcomes. */
export function randomOutcome(random: Random, vocabulary: Vocabulary, names: readonly string[]): string {
  const [first = "items", second = "empty"] = random.shuffle(names);
  return `${write("truth", { random, vocabulary, depth: 1 })} ? '${first}' : '${second}'`;
}

/** `steps.look`, or `steps["read-feed"]` where a dot cannot be written. */
function stepReference(name: string): string {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) ? `steps.${name}` : `steps[${JSON.stringify(name)}]`;
}

/** The seeds' conditions, which keep their own idea of sameness. */
function seedCondition(random: Random): string {
  const word = random.pick(["true", "false", "nil", "42", '"open"', "approved"]);
  return `result ${random.pick(["==", "!="])} ${word}`;
}

function write(kind: Kind, { random, vocabulary, depth }: Writing): string {
  const forms = depth >= depthMax ? simple[kind] : [...simple[kind], ...composed[kind]];
  return random.pick(forms)({ random, vocabulary, depth: depth + 1 });
}

const simple: { readonly [kind in Kind]: readonly Form[] } = {
  number: [() => "input.amount", ({ random }) => String(random.integer(100)), stepNumber, indexOrZero],
  text: [() => "input.topic", () => "input.customer.email", () => "string(run.id)", ({ random }) => quoted(random)],
  truth: [() => "input.urgent", () => "true", () => "has(input.order)", (writing) => `${anyName(writing)} != null`],
  list: [() => "input.items", () => "[1, 2, 3]", () => "keys(input.customer)"],
  any: [anyName, anyName, () => "null", () => '{"kind": "note", "size": 1}'],
};

const composed: { readonly [kind in Kind]: readonly Form[] } = {
  number: [
    (writing) => `size(${write("list", writing)})`,
    (writing) =>
      `(${write("number", writing)} ${writing.random.pick(["+", "-", "*", "/", "%"])} ${write("number", writing)})`,
    (writing) => `${writing.random.pick(["min", "max"])}(${write("number", writing)}, ${write("number", writing)})`,
    (writing) => `number(string(${write("number", writing)}))`,
    (writing) => `-(${write("number", writing)})`,
  ],
  text: [
    (writing) => `${writing.random.pick(["lower", "upper", "trim"])}(${write("text", writing)})`,
    (writing) => `string(${write("number", writing)})`,
    (writing) => `(${write("text", writing)} + ${quoted(writing.random)})`,
    (writing) => `join(${write("list", writing)}, ", ")`,
    (writing) => `type(${write("any", writing)})`,
  ],
  truth: [
    (writing) =>
      `${write("number", writing)} ${writing.random.pick(["<", "<=", ">", ">=", "==", "!="])} ${write("number", writing)}`,
    (writing) => `(${write("truth", writing)} ${writing.random.pick(["&&", "||"])} ${write("truth", writing)})`,
    (writing) => `!(${write("truth", writing)})`,
    (writing) => `${quoted(writing.random)} in ${write("list", writing)}`,
    (writing) =>
      `${writing.random.pick(["contains", "startsWith", "endsWith"])}(${write("text", writing)}, ${quoted(writing.random)})`,
    (writing) => `${write("list", writing)}.${writing.random.pick(["all", "exists"])}(x, x != null)`,
  ],
  list: [
    (writing) => `split(${write("text", writing)}, ",")`,
    (writing) => `${write("list", writing)}.filter(x, x != ${quoted(writing.random)})`,
    (writing) => `${write("list", writing)}.map(x, [x, ${write("number", writing)}])`,
  ],
  any: [
    (writing) => `(${write("any", writing)} ?? ${write("text", writing)})`,
    (writing) => `(${write("truth", writing)} ? ${write("any", writing)} : ${write("number", writing)})`,
    (writing) => `[${write("any", writing)}, ${write("number", writing)}]`,
    (writing) => `${write("list", writing)}[0]`,
  ],
};

function quoted(random: Random): string {
  return random.pick(['"open"', "'paid'", '"a b"', '"größer"']);
}

/** What a step brought, where there is one; else what the caller brought. */
function stepNumber({ random, vocabulary }: Writing): string {
  if (vocabulary.steps.length === 0) return "size(input.items)";
  const step = stepReference(random.pick(vocabulary.steps));
  return random.pick([`${step}.attempts`, `${step}.visits`, `(${step}.result.count ?? 0)`]);
}

function indexOrZero({ vocabulary }: Writing): string {
  return vocabulary.roots.includes("index") ? "index" : "0";
}

function anyName({ random, vocabulary }: Writing): string {
  const steps = vocabulary.steps.slice(-6).flatMap((name) => stepNames(random, name));
  const extra = vocabulary.roots.flatMap((root) => rootNames[root]);
  return random.pick(["input.order", "input", "run.started_at", "run.created_by", ...steps, ...steps, ...extra]);
}

function stepNames(random: Random, name: string): readonly string[] {
  const step = stepReference(name);
  return [random.pick([`${step}.result`, `${step}.result.items[0].id`, `${step}.outcome`, `${step}.error`])];
}

const rootNames: { readonly [root in ExtraRoot]: readonly string[] } = {
  result: ["result", "result.items", "result.items[0]"],
  previous: ["previous", "previous.total"],
  item: ["item", "item.id"],
  index: ["index"],
  data: ["data.pages", "data"],
  event: ["event.order", "event"],
  resources: ["resources.feed"],
};
