// Mistakes inside expressions and templates.

import type { FindingCode } from "../../flow/finding.ts";
import { own } from "../../flow/json.ts";
import { under } from "../../flow/pointer.ts";
import { targetsOf, type StepView } from "../document-view.ts";
import { added, inStep, removed, replaced, type MutationClass } from "./mutation.ts";

type WrongText = { readonly name: string; readonly code: FindingCode; readonly texts: readonly string[] };

/** Instead of a condition. */
const conditions: readonly WrongText[] = [
  {
    name: "does not parse",
    code: "expression_syntax",
    texts: ["result ==== 3", "(1 + 2", "1 +", "a b", "'open", "[1,"],
  },
  { name: "has an unknown name", code: "unknown_name", texts: ["foo.bar > 1", "inptu.amount > 1", "x == 3"] },
  {
    name: "has an unknown function",
    code: "unknown_function",
    texts: ["regexp(result) == true", "matches(result, 'a')", "now() > 3"],
  },
  { name: "has a secret", code: "secret_outside_args", texts: ["secrets.API_KEY == 'x'", "size(secrets.API_KEY) > 2"] },
  { name: "has the item outside each", code: "name_not_available", texts: ["item.id > 1", "index == 0"] },
  { name: "is too long", code: "expression_too_long", texts: [`result.a == '${"x".repeat(5000)}'`] },
  { name: "is too deep", code: "expression_too_deep", texts: [`${"(".repeat(80)}1${")".repeat(80)} == result.n`] },
  { name: "is too large", code: "expression_too_large", texts: [`${"1 +".repeat(1100)} 1 == result.n`] },
];

/** Instead of an argument of a tool. */
const templates: readonly WrongText[] = [
  {
    name: "does not parse",
    code: "expression_syntax",
    texts: ["{{ 1 + }}", "Dear {{ input.name", "{{ (1 }}", "{{ }}"],
  },
  {
    name: "has an unknown function",
    code: "unknown_function",
    texts: ["{{ random(1) }}", "{{ substr(input.topic, 1) }}"],
  },
  { name: "has the result before it is there", code: "name_not_available", texts: ["{{ result.id }}"] },
  { name: "has an unknown root", code: "unknown_placeholder", texts: ["{{ name }}", "Dear {{customer.name}}"] },
  { name: "has a secret inside an expression", code: "secret_outside_args", texts: ["{{ upper(secrets.API_KEY) }}"] },
];

function hasBranch({ step }: StepView): boolean {
  return Object.hasOwn(step, "branch");
}

function isPlainTool({ step }: StepView): boolean {
  return typeof own(step, "tool") === "string" && !Object.hasOwn(step, "each");
}

export const expressionMutations: readonly MutationClass[] = [
  ...conditions.map(({ name, code, texts }) =>
    inStep(`a condition that ${name}`, hasBranch, ({ pointer }, random) => {
      const path = under(pointer, "branch", 0, "if");
      return { code, pointer: path, changes: [replaced(path, random.pick(texts))] };
    }),
  ),
  ...templates.map(({ name, code, texts }) =>
    inStep(`an argument that ${name}`, isPlainTool, ({ pointer }, random) => {
      const path = under(pointer, "args");
      const args = { list: ["plain", { text: random.pick(texts) }] };
      return { code, pointer: under(path, "list", 1, "text"), changes: [added(path, args)] };
    }),
  ),
  inStep(
    "items of each that are no expression",
    ({ step }) => Object.hasOwn(step, "each"),
    ({ pointer }) => {
      const path = under(pointer, "each", "items");
      return { code: "wrong_value", pointer: path, changes: [replaced(path, "input.items")] };
    },
  ),
  inStep(
    "an outcome that does not parse",
    ({ step }) => Object.hasOwn(step, "outcome"),
    ({ pointer }) => {
      const path = under(pointer, "outcome");
      return { code: "expression_syntax", pointer: path, changes: [replaced(path, "result ? 'a'")] };
    },
  ),
  inStep("branch without else", isElseSpare, ({ pointer }) => ({
    code: "no_else",
    pointer: under(pointer, "branch"),
    changes: [removed(under(pointer, "else"))],
  })),
];

/** Without its `else` everything can still be reached. */
function isElseSpare(view: StepView): boolean {
  if (!Object.hasOwn(view.step, "branch") || Object.hasOwn(view.step, "on_no_match")) return false;
  const sites = targetsOf(view);
  const last = sites.find(({ kind }) => kind === "else")?.target;
  return last === "end" || sites.some(({ kind, target }) => kind === "then" && target === last);
}
