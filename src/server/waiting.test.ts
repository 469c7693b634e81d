import { describe, expect, test } from "vitest";
import type { Json } from "../flow/json.ts";
import { startKernel, type Kernel } from "../testing/kernel.ts";
import { listWaiting, showAnswer, toAction, type WaitingItem } from "./waiting.ts";

function start(flow: Json): Kernel {
  const kernel = startKernel(flow);
  kernel.admitAll();
  return kernel;
}

function waitingIn(kernel: Kernel): readonly WaitingItem[] {
  return listWaiting(kernel.run(), [...kernel.history.values()], kernel.plan);
}

/** What it is and what to type, with `#` in place of the ids. */
function told(kernel: Kernel): readonly (readonly [string, string])[] {
  return waitingIn(kernel).flatMap(({ kind, answers }) =>
    answers.map((answer) => [kind, showAnswer(answer).replaceAll(/\d+/g, "#")] as const),
  );
}

describe("what waits for a person", () => {
  test("a gate, with every answer that its flow knows", () => {
    const kernel = start({
      start: { gate: { title: "Go?" }, routes: { approved: "end", rejected: "end", later: "end", expired: "end" } },
    });
    expect(told(kernel)).toEqual([
      ["gate", "approve #"],
      ["gate", "reject #"],
      ["gate", "answer # later"],
    ]);
    kernel.answer("start");
    expect(told(kernel)).toEqual([]);
  });

  test("a call of which nobody knows whether it happened", () => {
    const kernel = start({ start: { tool: "pay", effect: "write", done: true } });
    kernel.lose("start", "connection");
    expect(told(kernel)).toEqual([
      ["uncertain", "resolve # done"],
      ["uncertain", "resolve # retry"],
      ["uncertain", "resolve # failed"],
    ]);
  });

  test("a run that cannot be written, and a step that was cut off too often", () => {
    const kernel = start({ start: { tool: "log", done: true } });
    const poisoned = { ...kernel.run(), attention: { code: "poison", row: null, value: "too large" } };
    expect(listWaiting(poisoned, [], null)).toMatchObject([
      {
        kind: "poison",
        title: "What it led to cannot be written: too large",
        answers: [
          { verb: "resume", id: 1 },
          { verb: "cancel", id: 1 },
        ],
      },
    ]);
    const row = { ...kernel.row("start"), status: "pending", isHeld: true, interruptions: 3 } as const;
    expect(listWaiting(kernel.run(), [row], null)).toMatchObject([
      { kind: "poison", title: '"start" was cut off 3 times' },
    ]);
  });

  test("a state of a machine, by the transitions that somebody may fire", () => {
    const kernel = start({
      states: { open: { initial: true }, closed: { terminal: "success" } },
      transitions: [
        { name: "close", from: "open", to: "closed" },
        { name: "age", from: "open", to: "closed", after: "2d" },
      ],
    });
    expect(told(kernel)).toEqual([["state", "fire # close"]]);
    expect(listWaiting(kernel.run(), [...kernel.history.values()], null)).toEqual([]);
  });

  test("is nothing of a run that has ended", () => {
    const kernel = start({ start: { gate: {}, done: true } });
    expect(listWaiting({ ...kernel.run(), status: "cancelled" }, [...kernel.history.values()], kernel.plan)).toEqual(
      [],
    );
  });
});

describe("an answer", () => {
  test("is a request as well, which says what was shown", () => {
    const answer = { verb: "answer", id: 7, word: "later" } as const;
    expect(toAction(answer, "h")).toEqual({
      method: "POST",
      path: "/api/workflow/7/answer",
      body: { outcome: "later", hash: "h" },
    });
    expect(toAction({ verb: "approve", id: 7, word: null }, null).body).toEqual({});
    expect(toAction({ verb: "cancel", id: 7, word: null }, null)).toEqual({
      method: "DELETE",
      path: "/api/workflow/7",
      body: null,
    });
    const bodies = (["resolve", "choose", "fire"] as const).map(
      (verb) => toAction({ verb, id: 7, word: "end" }, null).body,
    );
    expect(bodies).toEqual([{ how: "end" }, { step: null }, { transition: "end" }]);
    expect(toAction({ verb: "skip", id: 7, word: null }, null)).toMatchObject({
      path: "/api/workflow/7/skip",
      body: null,
    });
  });
});
