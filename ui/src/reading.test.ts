import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { paceOf, Reading } from "./reading.ts";

let client: QueryClient;
let reading: Reading;
let answers: ((value: string) => void)[];
let leave: () => void;

/** Each read is answered by hand. */
function look(key: readonly unknown[]): void {
  const observer = new QueryObserver(client, {
    queryKey: key,
    queryFn: () => new Promise<string>((resolve) => answers.push(resolve)),
    retry: false,
  });
  leave = observer.subscribe(() => {});
}

async function answerAt(at: number, value: string): Promise<void> {
  answers[at]?.(value);
  await vi.advanceTimersByTimeAsync(0);
}

beforeEach(() => {
  vi.useFakeTimers();
  client = new QueryClient();
  client.mount();
  reading = new Reading(client);
  answers = [];
});

afterEach(() => {
  reading.stop();
  leave();
  client.unmount();
  vi.useRealTimers();
});

const pace = { firstMs: 80, mostMs: 1000 };

test("what was being read when it changed is read once more, and the answer from before is not the last", async () => {
  look(["run", 1, "outline"]);
  expect(answers).toHaveLength(1);
  client.setQueryData(["run", 1, "outline"], "folded in");
  reading.soon({ key: ["run", 1], pace });
  await vi.advanceTimersByTimeAsync(80);
  expect(answers).toHaveLength(1);
  await answerAt(0, "from before");
  expect(answers).toHaveLength(2);
  await answerAt(1, "now");
  expect(client.getQueryData(["run", 1, "outline"])).toBe("now");
  await vi.advanceTimersByTimeAsync(5000);
  expect(answers).toHaveLength(2);
});

test("while changes keep coming it is read ever less often, and soon again after a silence", async () => {
  look(["run", 1, "outline"]);
  await answerAt(0, "first");
  const readAt: number[] = [];
  for (let at = 0; at < 6000; at += 20) {
    const before = answers.length;
    reading.soon({ key: ["run", 1], pace });
    await vi.advanceTimersByTimeAsync(20);
    if (answers.length > before) readAt.push(at + 20);
    await answerAt(answers.length - 1, "again");
  }
  expect(readAt[0]).toBe(80);
  expect(readAt.length).toBeLessThan(10);
  await vi.advanceTimersByTimeAsync(1000);
  await answerAt(answers.length - 1, "last");
  await vi.advanceTimersByTimeAsync(2000);
  const before = answers.length;
  reading.soon({ key: ["run", 1], pace });
  await vi.advanceTimersByTimeAsync(80);
  expect(answers).toHaveLength(before + 1);
});

test("what is excepted is left to its own pace", async () => {
  look(["run", 1, "items", 7]);
  await answerAt(0, "first");
  reading.soon({ key: ["run", 1], pace, except: ({ queryKey }) => queryKey[2] === "items" });
  await vi.advanceTimersByTimeAsync(2000);
  expect(answers).toHaveLength(1);
  reading.soon({ key: ["run", 1, "items"], pace });
  await vi.advanceTimersByTimeAsync(80);
  expect(answers).toHaveLength(2);
});

test.each([
  [5, 100],
  [300, 300],
  [20_000, 1000],
])("a run of %i steps that changes all the time is read every %i ms", async (steps, everyMs) => {
  look(["run", 1, "outline"]);
  await answerAt(0, "first");
  const readAt: number[] = [];
  for (let at = 10; at <= 8000; at += 10) {
    const before = answers.length;
    reading.soon({ key: ["run", 1], pace: paceOf(steps) });
    await vi.advanceTimersByTimeAsync(10);
    if (answers.length > before) readAt.push(at);
    await answerAt(answers.length - 1, "again");
  }
  const gaps = readAt.slice(-4).map((at, index, all) => at - (all[index - 1] ?? at));
  // Asked for every ten milliseconds: it may be one later.
  expect(gaps.slice(1).every((gap) => gap >= everyMs && gap <= everyMs + 10)).toBe(true);
});

test("what takes long to read is read less often, however small it is", async () => {
  look(["run", 1, "outline"]);
  await answerAt(0, "first");
  let reads = 0;
  for (let at = 10; at <= 12_000; at += 10) {
    const before = answers.length;
    reading.soon({ key: ["run", 1], pace: paceOf(2) });
    await vi.advanceTimersByTimeAsync(10);
    if (answers.length === before) continue;
    reads += 1;
    await vi.advanceTimersByTimeAsync(300);
    await answerAt(answers.length - 1, "again");
  }
  expect(reads).toBeGreaterThan(4);
  expect(reads * 300).toBeLessThan((12_000 + reads * 300) / 5);
});

test("while it is held nothing is read, also what was due; when it goes on, each is read once", async () => {
  look(["run", 1, "outline"]);
  await answerAt(0, "first");
  reading.soon({ key: ["run", 1], pace });
  reading.hold();
  await vi.advanceTimersByTimeAsync(5000);
  reading.soon({ key: ["run", 1], pace });
  await vi.advanceTimersByTimeAsync(5000);
  expect(answers).toHaveLength(1);
  reading.goOn();
  await vi.advanceTimersByTimeAsync(5000);
  expect(answers).toHaveLength(2);
  await answerAt(1, "now");
  await vi.advanceTimersByTimeAsync(5000);
  expect(answers).toHaveLength(2);
});
