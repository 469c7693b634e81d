import { expect, test } from "vitest";
import { createFakeClock } from "../testing/fake-clock.ts";
import { CallDeadlines, type Deadline } from "./call-deadlines.ts";

type Call = Deadline & { readonly name: string; endsAt: number };

function createDeadlines(): {
  readonly clock: ReturnType<typeof createFakeClock>;
  readonly deadlines: CallDeadlines<Call>;
  readonly begin: (name: string, inMs: number) => Call;
  readonly end: (call: Call) => void;
  readonly late: string[];
} {
  const clock = createFakeClock({ now: 0 });
  const calls = new Set<Call>();
  const late: string[] = [];
  const deadlines = new CallDeadlines<Call>(
    clock,
    () => calls,
    ({ name }) => void late.push(name),
  );
  const begin = (name: string, inMs: number): Call => {
    const call = { name, endsAt: clock.elapsed() + inMs, isOverdue: false };
    calls.add(call);
    deadlines.watch(call);
    return call;
  };
  const end = (call: Call): void => {
    calls.delete(call);
    deadlines.end(call, calls.size);
  };
  return { clock, deadlines, begin, end, late };
}

test("each call is told once that its time is over, whatever the order in which they began", async () => {
  const { clock, begin, late } = createDeadlines();
  begin("long", 300);
  begin("short", 100);
  begin("middle", 200);
  await clock.advance(99);
  expect(late).toEqual([]);
  await clock.advance(1);
  expect(late).toEqual(["short"]);
  await clock.advance(1000);
  expect(late).toEqual(["short", "middle", "long"]);
});

test("a call that has ended is not told, and those behind it are", async () => {
  const { clock, begin, end, late } = createDeadlines();
  const first = begin("first", 100);
  begin("second", 150);
  end(first);
  await clock.advance(149);
  expect(late).toEqual([]);
  await clock.advance(1);
  expect(late).toEqual(["second"]);
});

test("a call whose time was prolonged, or cut short, is told by its new time; one that was told is watched again", async () => {
  const { clock, deadlines, begin, late } = createDeadlines();
  const call = begin("call", 100);
  call.endsAt += 100;
  deadlines.watch(call);
  await clock.advance(199);
  expect(late).toEqual([]);
  call.endsAt = clock.elapsed() + 50_000;
  deadlines.watch(call);
  call.endsAt = clock.elapsed() + 10;
  deadlines.watch(call);
  await clock.advance(10);
  expect(late).toEqual(["call"]);
  call.endsAt = clock.elapsed() + 10;
  deadlines.watch(call);
  await clock.advance(10);
  expect(late).toEqual(["call", "call"]);
});

test("many calls have one timer, and none is left when they have ended", () => {
  const { clock, begin, end } = createDeadlines();
  const calls = Array.from({ length: 100 }, (_none, at) => begin(`call ${at}`, 1000 + at));
  expect(clock.waiting).toBe(1);
  for (const call of calls) end(call);
  expect(clock.waiting).toBe(0);
});

test("where few calls are left, the next instant is that of the earliest of them", () => {
  const { clock, begin, end } = createDeadlines();
  const first = begin("first", 100);
  begin("second", 60_000);
  expect(clock.nextInMs).toBe(100);
  end(first);
  expect(clock.nextInMs).toBe(60_000);
});
