import { expect, test } from "vitest";
import { listWaiting } from "../server/waiting.ts";
import { startKernel } from "../testing/kernel.ts";
import { drawInbox } from "./drawn-inbox.ts";

test("the inbox shows what a gate wants to be known, line by line and harmless", () => {
  const kernel = startKernel({ start: { gate: { title: "Go?", message: "one\n\u001B[2Jtwo" }, done: true } });
  kernel.admitAll();
  const waiting = listWaiting(kernel.run(), [...kernel.history.values()], kernel.plan);
  const lines = waiting.map((item) => ({ run: kernel.run(), item }));
  const look = { isLive: false, isUnicode: false, isColour: false, columns: 80 };
  const [id] = waiting.map(({ row }) => row?.id);
  expect(drawInbox(lines, { now: kernel.now() + 61_000, suffix: " --store a.db" }, look)).toEqual([
    "? Go?",
    "  flow 1, start, 1 m ago",
    "  one",
    "  [2Jtwo",
    `    stepwell approve ${id} --store a.db`,
    `    stepwell reject ${id} --store a.db`,
  ]);
});
