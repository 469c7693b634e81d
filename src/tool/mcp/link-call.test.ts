import { expect, test } from "vitest";
import type { JsonObject } from "../../flow/json.ts";
import { Askers } from "./askers.ts";
import type { LinkClock } from "./link-clock.ts";
import { LinkProblem } from "./link-problem.ts";
import { LinkCall, type CallParams, type CallWay } from "./link-call.ts";
import { PipeCalls } from "./pipe-calls.ts";
import { Turnstile } from "./turnstile.ts";

/** It stands still. */
const clock: LinkClock = { elapsed: () => 0, after: () => ({ cancel: () => {} }) };
const definition = {
  name: "say",
  title: null,
  description: null,
  input: {},
  output: null,
  annotations: {},
  taskSupport: "forbidden",
} as const;
const params: CallParams = { name: "say", _meta: {} };

class TestCall extends LinkCall {
  readonly signal = new AbortController().signal;
  readonly leftFor = "enough";
  readonly check: () => Promise<void> | undefined;
  rechecked = 0;

  constructor(check: () => Promise<void> | undefined = () => undefined) {
    super();
    this.check = check;
  }

  recheck(): Promise<void> | undefined {
    this.rechecked += 1;
    return this.check();
  }

  giveUp(): void {
    this.leave();
  }

  ask(): Promise<never> {
    return Promise.reject(new Error("nobody asks here"));
  }

  prolong(): void {}

  onprogress(): void {}
}

/** A server that takes one call at a time, and answers when the test says so. */
function createWay(send?: () => void): { readonly way: CallWay; readonly sent: LinkCall[] } {
  const askers = new Askers({ clock, takesTurns: false, onAsked: () => {}, turnstile: new Turnstile(1, clock) });
  const sent: LinkCall[] = [];
  const way: CallWay = {
    begin: (call) => askers.begin(call),
    send: (call) => {
      send?.();
      sent.push(call);
    },
    end: (call) => {
      askers.end(call);
      askers.makeRoom(call);
    },
  };
  return { way, sent };
}

const make = (way: CallWay, call: TestCall): Promise<JsonObject> => call.make(way, params, definition);

test("a call is sent in the very moment in which the answer of the one before it is read", async () => {
  const { way, sent } = createWay();
  const [one, two] = [new TestCall(), new TestCall()];
  const answers = [make(way, one), make(way, two)];
  expect(sent).toEqual([one]);
  one.done({ said: "one" });
  // Nothing was awaited.
  expect(sent).toEqual([one, two]);
  two.done({ said: "two" });
  expect(await Promise.all(answers)).toEqual([{ said: "one" }, { said: "two" }]);
  expect([one.rechecked, two.rechecked]).toEqual([0, 1]);
});

test("a call that has waited is looked at again, and not sent when it must not be any more", async () => {
  const { way, sent } = createWay();
  const changed = new LinkProblem("not_sent", "The tool has changed.");
  const throwing = new TestCall(() => {
    throw changed;
  });
  const [one, rejecting, last] = [new TestCall(), new TestCall(() => Promise.reject(changed)), new TestCall()];
  const first = make(way, one);
  const refused = [make(way, throwing), make(way, rejecting)].map((answer) =>
    answer.then(
      () => "sent",
      (error: unknown) => error,
    ),
  );
  const answer = make(way, last);
  one.done({});
  expect(await Promise.all(refused)).toEqual([changed, changed]);
  expect(sent).toEqual([one, last]);
  last.done({ said: "last" });
  expect([await first, await answer]).toEqual([{}, { said: "last" }]);
});

test("a call that is left while it waits was not sent, and the next one moves up", async () => {
  const { way, sent } = createWay();
  const [one, left, last] = [new TestCall(), new TestCall(), new TestCall()];
  const [first, second, third] = [make(way, one), make(way, left), make(way, last)];
  left.giveUp();
  await expect(second).rejects.toMatchObject({ code: "not_sent" });
  one.done({});
  last.done({});
  await Promise.all([first, third]);
  expect(sent).toEqual([one, last]);
});

test.each([false, true])(
  "of calls that are left one after another none is sent on the way (turns: %s)",
  async (takesTurns) => {
    const written: string[] = [];
    const turnstile = new Turnstile(takesTurns ? 10 : 1, clock);
    const askers = new Askers({ clock, takesTurns, onAsked: () => {}, turnstile });
    const pipe = new PipeCalls<LinkCall>({ say: (text) => void written.push(text) });
    const way: CallWay = {
      begin: (call) => askers.begin(call),
      send: (call) => pipe.send(params, call),
      end: (call) => {
        askers.end(call);
        askers.makeRoom(call);
      },
    };
    const calls = Array.from({ length: 5 }, () => new TestCall());
    const answers = calls.map((call) => {
      askers.listen(call);
      return make(way, call).catch((error: Error) => error.message);
    });
    for (const call of calls) call.giveUp();
    const [first, ...others] = await Promise.all(answers);
    expect(first).toBe("enough");
    expect(new Set(others)).toEqual(new Set(["Nobody waited for it any more before it was sent. Nothing was called."]));
    expect(written.filter((text) => text.includes("tools/call"))).toHaveLength(1);
  },
);

test("of many that wait each one fails when nothing can be sent any more", async () => {
  let isBroken = false;
  const { way } = createWay(() => {
    if (isBroken) throw new Error("the pipe is broken");
  });
  const one = new TestCall();
  const first = make(way, one);
  const calls = Array.from({ length: 20_000 }, () => make(way, new TestCall()).catch((error: Error) => error.message));
  isBroken = true;
  one.done({});
  await first;
  expect(new Set(await Promise.all(calls))).toEqual(new Set(["the pipe is broken"]));
});
