import { describe, expect, test } from "vitest";
import { Askers, type Beginner } from "./askers.ts";
import type { ElicitAnswer } from "./elicitation.ts";
import type { LinkClock } from "./link-clock.ts";
import { Turnstile } from "./turnstile.ts";

type Call = Beginner & {
  readonly asked: string[];
  readonly begun: Promise<void>;
  readonly hasBegun: () => boolean;
  readonly yes: () => void;
  readonly leave: () => void;
};

/** A call whose people the test is. */
function createCall(task: string | null = null): Call {
  const asked: string[] = [];
  const people: ((answer: ElicitAnswer) => void)[] = [];
  const { promise: begun, resolve, reject: left } = Promise.withResolvers<void>();
  let [isLeft, hasBegun] = [false, false];
  const call: Call = {
    task,
    asked,
    begun,
    hasBegun: () => hasBegun,
    go: () => {
      hasBegun = true;
      resolve();
    },
    left,
    get isLeft() {
      return isLeft;
    },
    ask: (params) => {
      const { message } = params;
      if (typeof message === "string") asked.push(message);
      return new Promise((answer) => void people.push(answer));
    },
    yes: () => people.shift()?.({ action: "accept" }),
    leave: () => {
      isLeft = true;
      call.line?.leave(call);
    },
  };
  return call;
}

/** A promise only when it has to wait. */
function begin(askers: Askers, call: Call, mayAsk = true): Promise<void> | undefined {
  askers.listen(call);
  askers.begin(call, mayAsk);
  return call.hasBegun() ? undefined : call.begun;
}

/** It stands still. */
const clock: LinkClock = { elapsed: () => 0, after: () => ({ cancel: () => {} }) };

function createAskers(takesTurns: boolean, onAsked: () => void): Askers {
  return new Askers({ clock, takesTurns, onAsked });
}

/** So that whoever could go on has done so. */
const turns = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

type Seen = { readonly question: Promise<string>; readonly state: () => string };

/** What became of a question, at this moment. */
function watch(answering: Promise<ElicitAnswer>): Seen {
  let state = "open";
  const question = answering.then(
    ({ action }) => (state = action),
    (error: unknown) => (state = error instanceof Error ? error.message : "thrown"),
  );
  return { question, state: () => state };
}

const said = (message: string): { readonly message: string } => ({ message });
const several = "Several calls are under way, and the question does not say which one asks.";

describe("a question that does not say whose it is", () => {
  test("is that of the only call at work, however many wait for people", async () => {
    const askers = createAskers(false, () => {});
    const [one, other] = [createCall(), createCall()];
    void begin(askers, one);
    const first = watch(askers.ask(said("one?"), undefined, undefined));
    await begin(askers, other);
    const second = watch(askers.ask(said("other?"), undefined, undefined));
    await turns();
    expect([one.asked, other.asked]).toEqual([["one?"], ["other?"]]);
    other.yes();
    expect(await second.question).toBe("accept");
    // The other one is at work again: the answer for this one waits, lest both could ask.
    one.yes();
    await turns();
    expect(first.state()).toBe("open");
    askers.end(other);
    expect(await first.question).toBe("accept");
  });

  test("waits until all but one have ended, and is told to the server's keeper once", async () => {
    let told = 0;
    const askers = createAskers(false, () => void (told += 1));
    const [one, two, three] = [createCall(), createCall(), createCall()];
    for (const call of [one, two, three]) void begin(askers, call);
    const question = watch(askers.ask(said("two?"), undefined, undefined));
    askers.end(one);
    await turns();
    expect(two.asked).toEqual([]);
    askers.end(three);
    await turns();
    expect([two.asked, told]).toEqual([["two?"], 1]);
    two.yes();
    expect(await question.question).toBe("accept");
  });

  test("is refused when every call at work has asked", async () => {
    const askers = createAskers(false, () => {});
    const [one, two] = [createCall(), createCall()];
    for (const call of [one, two]) void begin(askers, call);
    const questions = ["one?", "two?"].map((message) => watch(askers.ask(said(message), undefined, undefined)));
    expect(await Promise.all(questions.map(({ question }) => question))).toEqual([several, several]);
    expect([one.asked, two.asked]).toEqual([[], []]);
  });

  test("is refused when a call is left that may have asked: it is not that of another", async () => {
    const askers = createAskers(false, () => {});
    const [one, two] = [createCall(), createCall()];
    for (const call of [one, two]) void begin(askers, call);
    const question = watch(askers.ask(said("one?"), undefined, undefined));
    one.leave();
    askers.end(one);
    expect(await question.question).toBe(several);
    expect(two.asked).toEqual([]);
  });

  test("is not refused for a call that only waited for its turn, and was never sent", async () => {
    const askers = createAskers(false, () => {});
    const [one, two, late] = [createCall(), createCall(), createCall()];
    for (const call of [one, two]) void begin(askers, call);
    const question = watch(askers.ask(said("one?"), undefined, undefined));
    const beginning = begin(askers, late);
    late.leave();
    await expect(beginning).rejects.toThrow("Nobody waits for it any more.");
    askers.end(late);
    askers.end(two);
    await turns();
    expect([question.state(), one.asked]).toEqual(["open", ["one?"]]);
    one.yes();
    expect(await question.question).toBe("accept");
  });

  test("is declined when no call is at work", async () => {
    const askers = createAskers(false, () => {});
    expect(await askers.ask(said("who?"), undefined, undefined)).toEqual({ action: "decline" });
  });
});

describe("calls that take turns", () => {
  test("are at work one after the other, in their order, without those that are left meanwhile", async () => {
    const askers = createAskers(true, () => {});
    const calls = [createCall(), createCall(), createCall()] as const;
    const begun: number[] = [];
    const beginning = calls.map(async (call, at) => {
      await begin(askers, call);
      begun.push(at);
    });
    await turns();
    expect(begun).toEqual([0]);
    calls[1].leave();
    await expect(beginning[1]).rejects.toThrow("Nobody waits for it any more.");
    askers.end(calls[1]);
    askers.end(calls[0]);
    await turns();
    expect(begun).toEqual([0, 2]);
  });

  test("are asked more than once, and their answers go before new calls", async () => {
    const askers = createAskers(true, () => {});
    const [one, two, three] = [createCall(), createCall(), createCall()];
    await begin(askers, one);
    const first = watch(askers.ask(said("one?"), undefined, undefined));
    await begin(askers, two);
    let isThird = false;
    const third = Promise.resolve(begin(askers, three)).then(() => (isThird = true));
    one.yes();
    await turns();
    askers.end(two);
    expect(await first.question).toBe("accept");
    const again = watch(askers.ask(said("one again?"), undefined, undefined));
    await turns();
    expect([one.asked, isThird]).toEqual([["one?", "one again?"], true]);
    await third;
    one.yes();
    askers.end(three);
    expect(await again.question).toBe("accept");
  });

  test("take no answer when they are over", async () => {
    const askers = createAskers(true, () => {});
    const one = createCall();
    await begin(askers, one);
    const question = watch(askers.ask(said("one?"), undefined, undefined));
    askers.end(one);
    one.yes();
    expect(await question.question).toBe("Nobody waits for it any more.");
  });
});

test("a question that says whose it is goes there, and nobody takes turns for it", async () => {
  let told = 0;
  const askers = createAskers(false, () => void (told += 1));
  const [one, two, task] = [createCall(), createCall(), createCall("t-1")];
  for (const call of [one, two]) void begin(askers, call);
  askers.listen(task);
  const byStream = watch(askers.ask(said("two?"), undefined, two));
  const byTask = watch(askers.ask(said("task?"), "t-1", undefined));
  await turns();
  expect([one.asked, two.asked, task.asked, told]).toEqual([[], ["two?"], ["task?"], 0]);
  two.yes();
  task.yes();
  expect(await Promise.all([byStream.question, byTask.question])).toEqual(["accept", "accept"]);
  expect(await askers.ask(said("task?"), "t-2", undefined)).toEqual({ action: "decline" });
});

describe("where only so many may be at work", () => {
  const createAlone = (takesTurns: boolean): { readonly askers: Askers; readonly turnstile: Turnstile } => {
    const turnstile = new Turnstile(1, clock);
    return { askers: new Askers({ clock, takesTurns, onAsked: () => {}, turnstile }), turnstile };
  };
  const over = (askers: Askers, call: Call): void => {
    askers.end(call);
    askers.makeRoom(call);
  };

  test.each([false, true])(
    "a call waits for people without a place, and comes back first (turns: %s)",
    async (turn) => {
      const { askers } = createAlone(turn);
      const [one, two, three] = [createCall(), createCall(), createCall()];
      await begin(askers, one);
      const question = watch(askers.ask(said("one?"), undefined, undefined));
      await begin(askers, two);
      let isThird = false;
      const third = Promise.resolve(begin(askers, three)).then(() => (isThird = true));
      one.yes();
      await turns();
      expect(question.state()).toBe("open");
      over(askers, two);
      expect(await question.question).toBe("accept");
      expect(isThird).toBe(false);
      over(askers, one);
      await third;
      over(askers, three);
      expect(begin(askers, createCall(), false)).toBeUndefined();
    },
  );

  test.each(["is left", "is over"])(
    "a call that %s on its way back leaves neither place nor turn behind",
    async (how) => {
      const { askers, turnstile } = createAlone(true);
      const [one, two] = [createCall(), createCall()];
      await begin(askers, one);
      const question = watch(askers.ask(said("one?"), undefined, undefined));
      await begin(askers, two);
      one.yes();
      await turns();
      if (how === "is left") one.leave();
      over(askers, one);
      over(askers, two);
      expect(await question.question).toBe("Nobody waits for it any more.");
      await turns();
      await begin(askers, createCall());
      let isFree = false;
      turnstile.enter({}, { go: () => (isFree = true), left: () => {} });
      expect(isFree).toBe(false);
    },
  );

  test("two questions of one call that are answered together come back once", async () => {
    const { askers } = createAlone(true);
    const [one, two] = [createCall(), createCall()];
    await begin(askers, one);
    const questions = ["a?", "b?"].map((message) => watch(askers.ask(said(message), undefined, one)));
    await begin(askers, two);
    one.yes();
    one.yes();
    await turns();
    over(askers, two);
    expect(await Promise.all(questions.map(({ question }) => question))).toEqual(["accept", "accept"]);
    over(askers, one);
    expect(begin(askers, createCall(), false)).toBeUndefined();
  });
});
