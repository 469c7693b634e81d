// `flow` and `run` compute and do nothing else: no clock, no chance, no input or output, nothing to wait for. Only so does
// a decision that is taken again come out the same.

import { Visitor, type Expression, type Super } from "oxc-parser";
import { breach, importsOf, isTest, isTypeScript, parseFile, type Breach, type SourceFile } from "./source-file.ts";

const libraries = ["@dagrejs/dagre", "ajv", "yaml"];

/** Hashing is a computation; the one file that needs it may have it. */
const exceptions = [{ path: "src/flow/hash.ts", from: "node:crypto", names: ["createHash"] }];

const impureNames = new Set(
  [
    "Date performance Temporal setTimeout setInterval setImmediate queueMicrotask",
    "process globalThis global console crypto navigator localStorage",
    "fetch XMLHttpRequest WebSocket EventSource Worker eval Function",
  ].flatMap((names) => names.split(" ")),
);

export function findImpurities(files: readonly SourceFile[]): readonly Breach[] {
  const pure = files.filter((file) => /^src\/(?:flow|run)\//.test(file.path) && isTypeScript(file) && !isTest(file));
  return [...pure.flatMap(findImpureImports), ...pure.flatMap(findImpureCode)];
}

function findImpureImports(file: SourceFile): readonly Breach[] {
  return importsOf(file)
    .filter(({ from, names }) => {
      if (from.startsWith("./") || from.startsWith("../")) return false;
      if (libraries.some((library) => from === library || from.startsWith(`${library}/`))) return false;
      return !exceptions.some(
        (exception) =>
          exception.path === file.path &&
          exception.from === from &&
          names.every((name) => exception.names.includes(name)),
      );
    })
    .map(({ from, at }) => breach(file, at, `pure code must not import ${from}`));
}

function findImpureCode(file: SourceFile): readonly Breach[] {
  const breaches: Breach[] = [];
  const report = (at: number, what: string): void => {
    breaches.push(breach(file, at, `pure code must not use ${what}`));
  };
  /** Names after a dot or before a colon: they mean nothing global. */
  const labels = new Set<object>();
  const label = ({ key, computed }: { readonly key: object; readonly computed: boolean }): void => {
    if (!computed) labels.add(key);
  };
  const checkAsync = (node: { readonly async: boolean; readonly start: number }): void => {
    if (node.async) report(node.start, "async");
  };
  new Visitor({
    Property: label,
    PropertyDefinition: label,
    MethodDefinition: label,
    TSPropertySignature: label,
    TSMethodSignature: label,
    ImportSpecifier: ({ imported }) => void labels.add(imported),
    ExportSpecifier: ({ exported }) => void labels.add(exported),
    MemberExpression: ({ object, property, computed }) => {
      if (!computed) labels.add(property);
      if (!isName(object, "Math")) return;
      labels.add(object);
      if (computed || ("name" in property && property.name === "random")) report(object.start, "Math.random");
    },
    Identifier: (node) => {
      if (labels.has(node)) return;
      if (impureNames.has(node.name)) report(node.start, node.name);
      if (node.name === "Math") report(node.start, "Math as a whole");
    },
    AwaitExpression: ({ start }) => report(start, "await"),
    ForOfStatement: (node) => {
      if (node.await) report(node.start, "await");
    },
    ImportExpression: ({ start }) => report(start, "import()"),
    FunctionDeclaration: checkAsync,
    FunctionExpression: checkAsync,
    ArrowFunctionExpression: checkAsync,
  }).visit(parseFile(file).program);
  return breaches;
}

function isName(node: Expression | Super, name: string): boolean {
  return node.type === "Identifier" && node.name === name;
}
