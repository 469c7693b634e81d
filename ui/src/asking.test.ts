import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Asking } from "./asking.ts";
import type { ShownLine } from "./model/line.ts";

let client: QueryClient;
let asking: Asking;
let line: ShownLine;
let leaves: (() => void)[];

/** How often it was read. */
function look(key: string, everyMs?: number): () => number {
  let count = 0;
  const observer = new QueryObserver(client, {
    queryKey: [key],
    queryFn: () => ++count,
    meta: everyMs === undefined ? {} : { everyMs },
  });
  leaves.push(observer.subscribe(() => {}));
  return () => count;
}

beforeEach(() => {
  vi.useFakeTimers();
  client = new QueryClient();
  client.mount();
  line = "live";
  leaves = [];
  asking = new Asking(client, () => line);
  asking.start();
});

afterEach(() => {
  asking.stop();
  for (const leave of leaves) leave();
  client.unmount();
  vi.useRealTimers();
});

test("what no event tells of is asked for again and again, and nothing else", async () => {
  const servers = look("servers", 2500);
  const runs = look("runs");
  await vi.advanceTimersByTimeAsync(10_000);
  expect(servers()).toBeGreaterThanOrEqual(4);
  expect(servers()).toBeLessThanOrEqual(5);
  expect(runs()).toBe(1);
});

test("paused, nothing is asked for, also when the line breaks; afterwards it is at once", async () => {
  const servers = look("servers", 2500);
  const runs = look("runs");
  await vi.advanceTimersByTimeAsync(0);
  line = "paused";
  await vi.advanceTimersByTimeAsync(60_000);
  expect([servers(), runs()]).toEqual([1, 1]);
  line = "live";
  await vi.advanceTimersByTimeAsync(500);
  expect([servers(), runs()]).toEqual([2, 1]);
});

test("without a line everything that is looked at is asked for every 5 seconds", async () => {
  const runs = look("runs");
  line = "offline";
  await vi.advanceTimersByTimeAsync(20_500);
  expect(runs()).toBe(5);
  for (const leave of leaves.splice(0)) leave();
  await vi.advanceTimersByTimeAsync(20_000);
  expect(runs()).toBe(5);
});

test("of two who look at the same, the one who wants it more often is heard", async () => {
  const once = look("history");
  const often = look("history", 1500);
  await vi.advanceTimersByTimeAsync(6000);
  expect(once() + often()).toBeGreaterThanOrEqual(4);
});
