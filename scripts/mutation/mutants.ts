// The wrong versions of one source file: each differs from it in a single place.

import {
  parseSync,
  Visitor,
  type BinaryExpression,
  type CallExpression,
  type Function as FunctionNode,
  type LogicalExpression,
  type Program,
  type Span,
} from "oxc-parser";

export type Mutant = {
  readonly file: string;
  readonly line: number;
  readonly start: number;
  readonly end: number;
  readonly was: string;
  /** What stands there instead. */
  readonly text: string;
};

type Place = Pick<Span, "start" | "end">;
type Change = Place & { readonly texts: readonly string[] };

const swaps: { readonly [operator: string]: readonly string[] } = {
  "===": ["!=="],
  "!==": ["==="],
  "<": ["<=", ">="],
  "<=": ["<", ">"],
  ">": [">=", "<="],
  ">=": [">", "<"],
  "+": ["-"],
  "-": ["+"],
  "*": ["/"],
  "/": ["*"],
  "%": ["*"],
  "&&": ["||"],
  "||": ["&&"],
};

const otherMethods: ReadonlyMap<string, string> = new Map([
  ["some", "every"],
  ["every", "some"],
  ["find", "findLast"],
  ["findLast", "find"],
  ["startsWith", "endsWith"],
  ["min", "max"],
  ["max", "min"],
]);

/** Left out: `xs.filter(…)` becomes `xs`. */
const narrowing: ReadonlySet<string> = new Set(["filter", "toSorted", "slice"]);

export function mutantsOf(file: string, source: string): readonly Mutant[] {
  const { program } = parseSync(file, source);
  return changesOf(program, source).flatMap(({ start, end, texts }) => {
    const was = source.slice(start, end);
    const line = source.slice(0, start).split("\n").length;
    return texts.filter((text) => text !== was).map((text) => ({ file, line, start, end, was, text }));
  });
}

function changesOf(program: Program, source: string): readonly Change[] {
  const changes: Change[] = [];
  const textOf = ({ start, end }: Place): string => source.slice(start, end);
  const change = ({ start, end }: Place, ...texts: readonly string[]): void => void changes.push({ start, end, texts });
  const swap = ({ operator, left, right }: BinaryExpression | LogicalExpression): void => {
    // The types allow a private name on the left of `in`, which has no swap.
    const start = source.indexOf(operator, left.end);
    if (start < right.start) change({ start, end: start + operator.length }, ...(swaps[operator] ?? []));
  };
  const words = wordsOf(program);
  const isBoolean: boolean[] = [];
  const enter = ({ returnType }: Pick<FunctionNode, "returnType">): void => {
    isBoolean.push(returnType?.typeAnnotation.type === "TSBooleanKeyword");
  };
  const exit = (): void => void isBoolean.pop();
  new Visitor({
    BinaryExpression: swap,
    LogicalExpression: (node) => {
      if (node.operator === "??") change(node, `(${textOf(node.left)})`, `(${textOf(node.right)})`);
      else swap(node);
    },
    IfStatement: ({ test }) => change(test, "true", "false"),
    ConditionalExpression: ({ test }) => change(test, "true", "false"),
    WhileStatement: ({ test }) => change(test, "false"),
    ForStatement: ({ test }) => (test === null ? undefined : change(test, "false")),
    UnaryExpression: (node) => (node.operator === "!" ? change(node, textOf(node.argument)) : undefined),
    UpdateExpression: (node) => change(node, textOf(node).replace(node.operator, node.operator === "++" ? "--" : "++")),
    ExpressionStatement: (node) => change(node, ";"),
    FunctionDeclaration: enter,
    "FunctionDeclaration:exit": exit,
    ArrowFunctionExpression: enter,
    "ArrowFunctionExpression:exit": exit,
    ReturnStatement: ({ argument }) => {
      if (argument !== null && isBoolean.at(-1) === true) change(argument, `!(${textOf(argument)})`);
    },
    ObjectExpression: ({ properties }) => {
      // A property beside a spread changes what is spread; alone it would only be missing, which the types forbid.
      const isPatch = properties.some(({ type }) => type === "SpreadElement");
      if (isPatch) for (const property of properties) change(property, "...{}");
    },
    ArrayExpression: ({ elements }) => {
      for (const element of elements) if (element?.type === "SpreadElement") change(element, "...[]");
    },
    CallExpression: (call) => changeMethod(call, change, textOf),
    Literal: (node) => {
      if (typeof node.value === "number") change(node, `${node.value + 1}`, `(${node.value - 1})`);
      if (typeof node.value === "boolean") change(node, `${!node.value}`);
      const other = words.get(node.start);
      if (other !== undefined) change(node, other);
    },
  }).visit(program);
  return changes;
}

function changeMethod(
  call: CallExpression,
  change: (place: Place, text: string) => void,
  textOf: (place: Place) => string,
): void {
  const { callee } = call;
  if (callee.type !== "MemberExpression" || callee.property.type !== "Identifier") return;
  const { name } = callee.property;
  const other = otherMethods.get(name);
  if (other !== undefined) change(callee.property, other);
  if (narrowing.has(name)) change(call, textOf(callee.object));
}

/** For each status, kind and outcome of the file, by its place, another one. Types and imports do not run. */
function wordsOf(program: Program): ReadonlyMap<number, string> {
  const ignored = new Set<number>();
  const found: { readonly start: number; readonly word: string }[] = [];
  new Visitor({
    ImportDeclaration: ({ source }) => void ignored.add(source.start),
    TSLiteralType: ({ literal }) => void ignored.add(literal.start),
    Literal: ({ start, value }) => {
      const isWord = typeof value === "string" && /^[a-z][a-z_]*$/.test(value);
      if (isWord && !ignored.has(start)) found.push({ start, word: value });
    },
  }).visit(program);
  const words = [...new Set(found.map(({ word }) => word))];
  const next = (word: string): string => words[(words.indexOf(word) + 1) % words.length] ?? word;
  // A file with one word has no other.
  return new Map(found.map(({ start, word }) => [start, JSON.stringify(words.length > 1 ? next(word) : "")]));
}
