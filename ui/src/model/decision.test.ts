import { expect, test } from "vitest";
import { decisionsOf, formFor } from "./decision.ts";
import type { InboxAction, InboxItem } from "./run.ts";

function item(told: Partial<InboxItem>): InboxItem {
  return {
    kind: "gate",
    run: 1,
    workflow: "digest",
    step: 7,
    stepName: "review",
    title: "Publish?",
    message: null,
    hash: "h",
    about: null,
    createdBy: "ann",
    since: 1,
    gate: null,
    actions: [],
    call: null,
    crossroads: null,
    change: null,
    ...told,
  };
}

const post = (verb: string, body: InboxAction["body"]): InboxAction => ({
  method: "POST",
  path: `/api/workflow/7/${verb}`,
  body,
});

const gate = {
  form: null,
  choices: [
    { outcome: "approved", label: "approved", leadsTo: "publish", tool: "log", endsAs: null },
    { outcome: "later", label: "Ask me later", leadsTo: null, tool: null, endsAs: null },
  ],
  need: 1,
  approvers: null,
  mayAnswerOwn: true,
  answers: [],
  escalatesAt: null,
  expiresAt: null,
  data: null,
};
const answers = [
  post("approve", { hash: "h" }),
  post("reject", { hash: "h" }),
  post("answer", { outcome: "later", hash: "h" }),
];

test("only an approval needs the form filled in; any other answer but a no takes along what was", () => {
  const form = { type: "object", required: ["copies"], properties: { copies: { type: "integer" } } };
  const asking = item({ gate: { ...gate, form }, actions: answers });
  const of = (data: object): unknown =>
    decisionsOf(asking).map((decision) => {
      const filled = formFor(decision, asking, { ...data });
      return [[...filled.missing.keys()], filled.data];
    });
  expect(of({})).toEqual([
    [["copies"], undefined],
    [[], undefined],
    [[], undefined],
  ]);
  expect(of({ copies: 2 })).toEqual([
    [[], { copies: 2 }],
    [[], undefined],
    [[], { copies: 2 }],
  ]);
});

test("an approval says what it runs", () => {
  expect(
    decisionsOf(item({ gate, actions: answers })).map(({ label, about, isDanger }) => [label, about, isDanger]),
  ).toEqual([
    ["Approve", "Approving runs publish -> log", false],
    ["Reject", null, true],
    ["Ask me later", null, false],
  ]);
});

test("where nothing says what follows there is a button for each step, and one for the end", () => {
  const crossroads = {
    value: 1,
    outcome: null,
    steps: [
      { key: "b", name: "bill" },
      { key: "c", name: "close" },
    ],
  };
  const actions = [post("choose", { step: "STEP" }), post("choose", { step: null })];
  const decisions = decisionsOf(item({ kind: "no_branch_matched", crossroads, actions }));
  expect(decisions.map(({ label, action }) => [label, action.body])).toEqual([
    ["Go on with bill", { step: "b" }],
    ["Go on with close", { step: "c" }],
    ["End this path", { step: null }],
  ]);
  const own = decisionsOf(item({ kind: "no_branch_matched", stepName: "bill", crossroads, actions }));
  expect(own.map(({ label, about }) => [label, about])).toEqual([
    ["Go on with close", "The run goes on with close."],
    ["End this path", "Nothing follows: the run goes on elsewhere, or ends."],
    ["Do bill again", "bill runs once more, and its way on is looked for anew."],
  ]);
});

test("of an uncertain step one can say that it happened, and what it gave", () => {
  const actions = [
    post("resolve", { how: "retry" }),
    post("resolve", { how: "done" }),
    post("resolve", { how: "failed" }),
  ];
  const decisions = decisionsOf(item({ kind: "uncertain", actions }));
  expect(decisions.map(({ label, takesResult }) => [label, takesResult])).toEqual([
    ["Try it again", false],
    ["It happened", true],
    ["It did not happen", false],
  ]);
});
