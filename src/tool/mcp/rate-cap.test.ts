import { expect, test } from "vitest";
import { createFakeClock } from "../../testing/fake-clock.ts";
import { RateCap } from "./rate-cap.ts";

test("so many a second pass; of the others one that must not be missed comes later, once", async () => {
  const clock = createFakeClock({ now: 0 });
  const cap = new RateCap(2, clock);
  const passed: string[] = [];
  const pass = (name: string, otherwise: "never" | "at_last" = "never"): boolean =>
    cap.pass(() => void passed.push(name), otherwise);
  expect(["a", "b", "c"].map((name) => pass(name))).toEqual([true, true, false]);
  pass("d", "at_last");
  pass("e", "at_last");
  expect(passed).toEqual(["a", "b"]);
  expect(cap.dropped).toBe(3);
  await clock.advance(1000);
  expect(passed).toEqual(["a", "b", "d"]);
  pass("f");
  expect(passed).toEqual(["a", "b", "d", "f"]);
});

test("when it stops nothing comes later", async () => {
  const clock = createFakeClock({ now: 0 });
  const cap = new RateCap(0, clock);
  const passed: string[] = [];
  cap.pass(() => void passed.push("late"), "at_last");
  cap.stop();
  await clock.advance(5000);
  expect(passed).toEqual([]);
});
