import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createInterrupts, secondWithinMs, type InterruptParts, type Interrupts } from "./interrupts.ts";

let told: string[] = [];
let answer = Promise.withResolvers<boolean>();

beforeEach(() => {
  vi.useFakeTimers();
  told = [];
  answer = Promise.withResolvers();
});

afterEach(() => {
  vi.useRealTimers();
});

function create(wish: Partial<InterruptParts> = {}): Interrupts {
  return createInterrupts({
    canAsk: true,
    say: (text) => void told.push(text),
    leave: (signal) => void told.push(`leave ${signal}`),
    ask: () => {
      told.push("ask");
      return answer.promise;
    },
    cancel: async () => void told.push("cancel"),
    end: () => void told.push("end"),
    ...wish,
  });
}

const warning = "Leaving the run to itself; Ctrl+C once more asks whether to cancel it.";

describe("Ctrl+C while a run is followed", () => {
  test("once leaves the run, after a moment in which a second one may come", () => {
    const { receive } = create();
    receive("SIGINT");
    expect(told).toEqual([warning]);
    vi.advanceTimersByTime(secondWithinMs);
    expect(told).toEqual([warning, "leave SIGINT"]);
    receive("SIGINT");
    expect(told.at(-1)).toBe("end");
  });

  test("twice asks, and a yes cancels; the run is followed to its end", async () => {
    const { receive } = create();
    receive("SIGINT");
    receive("SIGINT");
    answer.resolve(true);
    await vi.advanceTimersByTimeAsync(secondWithinMs);
    expect(told).toEqual([warning, "ask", "cancel"]);
    receive("SIGINT");
    expect(told.at(-1)).toBe(warning);
  });

  test("twice asks, and a no leaves", async () => {
    const { receive } = create();
    receive("SIGINT");
    receive("SIGINT");
    answer.resolve(false);
    await vi.advanceTimersByTimeAsync(0);
    expect(told).toEqual([warning, "ask", "leave SIGINT"]);
  });

  test("three times leaves at once, whatever is answered then", async () => {
    const { receive } = create();
    for (let times = 0; times < 3; times += 1) receive("SIGINT");
    answer.resolve(true);
    await vi.advanceTimersByTimeAsync(secondWithinMs);
    expect(told).toEqual([warning, "ask", "leave SIGINT"]);
  });

  test("leaves at once where nobody can be asked, and so does SIGTERM", () => {
    create({ canAsk: false }).receive("SIGINT");
    create().receive("SIGTERM");
    const { receive } = create();
    receive("SIGINT");
    receive("SIGTERM");
    expect(told).toEqual(["leave SIGINT", "leave SIGTERM", warning, "leave SIGTERM"]);
  });

  test("says why a run could not be cancelled", async () => {
    const { receive } = create({ cancel: () => Promise.reject(new Error("not now")) });
    receive("SIGINT");
    receive("SIGINT");
    answer.resolve(true);
    await vi.advanceTimersByTimeAsync(0);
    expect(told.at(-1)).toBe("error: not now");
  });

  test("what is over waits for nothing", () => {
    const interrupts = create();
    interrupts.receive("SIGINT");
    interrupts[Symbol.dispose]();
    vi.advanceTimersByTime(secondWithinMs);
    expect(told).toEqual([warning]);
  });
});
