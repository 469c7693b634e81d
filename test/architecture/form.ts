// The form of files: how long, how named, and what stands in none of them.

import { Visitor, type CallExpression, type Expression, type Super } from "oxc-parser";
import { breach, isTest, isTypeScript, parseFile, type Breach, type SourceFile } from "./source-file.ts";

const fileLinesLimit = 400;
const functionLinesLimit = 70;

export function findLongFiles(files: readonly SourceFile[]): readonly Breach[] {
  return files.filter(isTypeScript).flatMap((file) => {
    const lines = linesOf(file.text.trimEnd());
    return lines > fileLinesLimit ? [breach(file, 0, `${lines} lines; ${fileLinesLimit} is the limit`)] : [];
  });
}

/** The callbacks of `describe` and `test` in test files are lists, not functions to follow, and are exempt. */
export function findLongFunctions(files: readonly SourceFile[]): readonly Breach[] {
  return files.filter(isTypeScript).flatMap((file) => {
    const breaches: Breach[] = [];
    const exempt = new Set<object>();
    const check = (node: { readonly start: number; readonly end: number }): void => {
      const lines = linesOf(file.text.slice(node.start, node.end));
      if (lines <= functionLinesLimit || exempt.has(node)) return;
      breaches.push(breach(file, node.start, `a function of ${lines} lines; ${functionLinesLimit} is the limit`));
    };
    new Visitor({
      CallExpression: (call) => {
        if (isTest(file) && isTestCall(call)) for (const argument of call.arguments) exempt.add(argument);
      },
      FunctionDeclaration: check,
      FunctionExpression: check,
      ArrowFunctionExpression: check,
    }).visit(parseFile(file).program);
    return breaches;
  });
}

function linesOf(text: string): number {
  return text.split("\n").length;
}

/** `test(…)`, `describe.each(…)(…)` and the like. */
function isTestCall({ callee }: CallExpression): boolean {
  let node: Expression | Super = callee;
  while (node.type !== "Identifier") {
    if (node.type === "CallExpression") node = node.callee;
    else if (node.type === "MemberExpression") node = node.object;
    else return false;
  }
  return ["describe", "it", "test"].includes(node.name);
}

export function findAny(files: readonly SourceFile[]): readonly Breach[] {
  return files.filter(isTypeScript).flatMap((file) => {
    const breaches: Breach[] = [];
    new Visitor({
      TSAnyKeyword: ({ start }) => void breaches.push(breach(file, start, "the type any; use unknown and find out")),
    }).visit(parseFile(file).program);
    return breaches;
  });
}

const excuse = /(?:es|ox)lint-disable|(?:c8|v8|istanbul) ignore|@ts-(?:ignore|expect-error|nocheck)|oxfmt-ignore/;

/** Comments that switch a check off. */
export function findExcuses(files: readonly SourceFile[]): readonly Breach[] {
  return files.filter(isTypeScript).flatMap((file) =>
    parseFile(file)
      .comments.filter(({ value }) => excuse.test(value))
      .map(({ start, value }) => breach(file, start, `"${value.trim()}" switches a check off; mend the code instead`)),
  );
}

const emptyNames = new Set(["util", "utils", "helper", "helpers", "common", "misc"]);

/** Names that say nothing about what is inside. */
export function findEmptyNames(files: readonly SourceFile[]): readonly Breach[] {
  return files
    .filter(({ path }) => path.split("/").some((part) => emptyNames.has(part.replace(/\..*$/, "").toLowerCase())))
    .map((file) => breach(file, 0, "a name that could hold anything; name it for what is inside"));
}

/** Folders of one machine. Put together here, so that this file does not hold what it looks for. */
const machinePaths = new RegExp(`(?<![\\w.~$})-])/(?:${["work", "home", "root"].join("|")})/`, "g");

export function findMachinePaths(files: readonly SourceFile[]): readonly Breach[] {
  return files.flatMap((file) =>
    [...file.text.matchAll(machinePaths)].map(({ index, 0: path }) =>
      breach(file, index, `${path} is a folder of one machine; write a path relative to the repository`),
    ),
  );
}
