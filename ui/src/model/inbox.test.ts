import { expect, test } from "vitest";
import {
  answerTo,
  choicesOf,
  deadlineOf,
  inOrder,
  isTooLate,
  itemId,
  nextAfter,
  showAlready,
  showOrdinal,
  showTaken,
  tellApart,
} from "./inbox.ts";
import type { InboxItem } from "./run.ts";

const gate: InboxItem = {
  kind: "gate",
  run: 1,
  workflow: "publish",
  step: 7,
  stepName: "review",
  title: "Publish?",
  message: null,
  hash: "h",
  about: "tides",
  createdBy: "ann",
  since: 50,
  gate: {
    form: null,
    choices: [
      { outcome: "approved", label: "Approve", leadsTo: "publish", tool: "log", endsAs: null },
      { outcome: "rejected", label: "Reject", leadsTo: null, tool: null, endsAs: "failed" },
    ],
    need: 1,
    approvers: null,
    mayAnswerOwn: true,
    answers: [],
    escalatesAt: null,
    expiresAt: null,
    data: null,
  },
  actions: [
    { method: "POST", path: "/api/workflow/7/approve", body: { hash: "h" } },
    { method: "POST", path: "/api/workflow/7/reject", body: { hash: "h" } },
  ],
  call: null,
  crossroads: null,
  change: null,
};

const uncertain: InboxItem = {
  ...gate,
  kind: "uncertain",
  step: 8,
  since: 20,
  gate: null,
  actions: [
    { method: "POST", path: "/api/workflow/8/resolve", body: { how: "done" } },
    { method: "POST", path: "/api/workflow/8/resolve", body: { how: "retry" } },
    { method: "POST", path: "/api/workflow/8/resolve", body: { how: "failed" } },
  ],
};

const tool: InboxItem = {
  ...gate,
  kind: "changed_tool",
  run: null,
  step: null,
  since: 90,
  gate: null,
  actions: [{ method: "POST", path: "/api/lock/approve", body: { name: "news.fetch", hash: "x" } }],
  change: { server: "news", tool: "news.fetch", kind: "additive", lines: ["+ a new field"] },
};

test("everything that waits has an id of its own", () => {
  const ids = [gate, uncertain, tool, { ...gate, kind: "poison" as const, step: null }].map(itemId);
  expect(new Set(ids).size).toBe(4);
});

test("only what is called alike in the list is told apart: by what its run is about, and by the run", () => {
  const other = { ...gate, run: 2, step: 9, about: "harbours" };
  const [named, elsewhere] = [
    { ...gate, run: 3, step: 10, title: "Publish the rest?" },
    { ...gate, run: 4, step: 11, workflow: "another" },
  ];
  expect(tellApart([gate, other, named, elsewhere, tool])).toEqual(
    new Map([
      [itemId(gate), { about: "tides", place: "run 1" }],
      [itemId(other), { about: "harbours", place: "run 2" }],
    ]),
  );
});

test("of two that one run asks in the same words the steps are told, too", () => {
  const again = { ...gate, step: 12 };
  expect([...tellApart([gate, again, { ...gate, run: 2, step: 13 }]).values()].map(({ place }) => place)).toEqual([
    "run 1, step 7",
    "run 1, step 12",
    "run 2",
  ]);
});

test("what waits longest stands first, and states of machines do not wait", () => {
  expect(inOrder([tool, gate, { ...gate, kind: "state", step: 3, since: 1 }, uncertain])).toEqual([
    uncertain,
    gate,
    tool,
  ]);
});

test("when one is done the next is looked at, then the one before, then none", () => {
  const items = [uncertain, gate];
  expect(nextAfter(items, itemId(uncertain))).toBe(itemId(gate));
  expect(nextAfter(items, itemId(gate))).toBe(itemId(uncertain));
  expect(nextAfter([gate], itemId(gate))).toBeNull();
  expect(nextAfter([gate], "gone")).toBeNull();
});

test("a gate says what runs next, and has keys for yes and no", () => {
  expect(choicesOf(gate).map(({ label, key, sentence }) => [label, key, sentence])).toEqual([
    ["Approve", "a", "Approving runs publish -> log."],
    ["Reject", "x", "Rejecting ends the run as failed."],
  ]);
});

test("an answer behind which nothing runs says what ends with it", () => {
  const of = gate.gate;
  if (of === null) throw new Error("It is a gate.");
  const said = (["completed", "failed", "cancelled", "path", null] as const).map((endsAs) => {
    const choices = [{ outcome: "rejected", label: "Reject", leadsTo: null, tool: null, endsAs }];
    return choicesOf({ ...gate, gate: { ...of, choices } }).find(({ label }) => label === "Reject")?.sentence;
  });
  expect(said).toEqual([
    "Rejecting ends the run: completed.",
    "Rejecting ends the run as failed.",
    "Rejecting ends the run: cancelled.",
    "Rejecting ends this path; others go on.",
    "What follows is not known before.",
  ]);
});

test("where more than one has to agree, a yes says how many are missing", () => {
  const of = gate.gate;
  if (of === null) throw new Error("It is a gate.");
  const [yes] = choicesOf({
    ...gate,
    gate: { ...of, need: 3, answers: [{ by: "ben", at: 1, outcome: "approved", data: null, comment: null }] },
  });
  expect(yes?.sentence).toBe("Yours is one of 3: 1 more have to say the same.");
});

test("nothing but a gate or a tool is decided with a key", () => {
  expect(choicesOf(uncertain).map(({ key }) => key)).toEqual([null, null, null]);
  expect(choicesOf(tool).map(({ key }) => key)).toEqual(["a"]);
});

test("an answer that was taken says what comes next", () => {
  expect(choicesOf(gate).map((choice) => showTaken(gate, choice))).toEqual(["Approved. Next: publish.", "Rejected."]);
  expect(choicesOf(tool).map((choice) => showTaken(tool, choice))).toEqual(["Approve: done."]);
});

test("who comes too late is told who was faster", () => {
  expect(showAlready({ by: "ada", at: 7000, outcome: "approved" }, 10_000)).toBe("Already approved by ada 3 s ago.");
  expect(showAlready({ by: "ada", at: 10_050, outcome: "rejected" }, 10_000)).toBe("Already rejected by ada 1 s ago.");
  expect(showAlready({}, 0)).toBe("Somebody was faster: it does not wait any more.");
});

test("only what does not wait any more is too late; all else may be answered again", () => {
  const codes = ["already_answered", "already_ready", "not_waiting", "already_ended", "bad_answer", "gate_changed"];
  expect(codes.filter((code) => isTooLate({ code }))).toEqual(codes.slice(0, 4));
});

test("how often something was tried is said as people say it", () => {
  expect([1, 2, 3, 4, 11, 12, 13, 21, 22, 102].map(showOrdinal)).toEqual([
    "1st",
    "2nd",
    "3rd",
    "4th",
    "11th",
    "12th",
    "13th",
    "21st",
    "22nd",
    "102nd",
  ]);
});

test("of a gate that is not open any more the last answer is told", () => {
  const given = { run: 1, workflow: "w", stepName: "ask", title: null, outcome: "approved", comment: null };
  const decided = [
    { ...given, step: 7, by: "ada", at: 10 },
    { ...given, step: 7, by: "bob", at: 20 },
    { ...given, step: 8, by: "eve", at: 30 },
  ];
  expect(answerTo(decided, "gate-7")?.by).toBe("bob");
  expect(answerTo(decided, "gate-9")).toBeNull();
  expect(answerTo(decided, "uncertain-7")).toBeNull();
});

test.each([
  [null, null, null],
  [null, 9, { word: "expires", at: 9 }],
  [9, 5, { word: "expires", at: 5 }],
  [5, 9, { word: "escalates", at: 5 }],
  [5, null, { word: "escalates", at: 5 }],
])("a gate that escalates at %s and expires at %s says what comes first", (escalatesAt, expiresAt, told) => {
  expect(deadlineOf({ gate: gate.gate === null ? null : { ...gate.gate, escalatesAt, expiresAt } })).toEqual(told);
});
