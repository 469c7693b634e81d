import { expect, test } from "vitest";
import { countCrashes, crashOf } from "./crashes.ts";
import { sampleStep } from "./run-sample.ts";

const error = { code: "interrupted", message: '"long" may or may not have happened: the engine stopped.' };
const cut = sampleStep({ id: 2, key: "long", status: "failed", error, startedAt: 1000, completedAt: 3400 });
const again = sampleStep({ id: 3, key: "long", causedBy: 2, interruptions: 1, startedAt: 3400, completedAt: 5000 });

test("without another sign of life the process may have died at any time", () => {
  expect(crashOf(cut, [cut, again])).toEqual({ from: 1000, to: 3400 });
});

test("a sign of life says that it was still up; what comes up before the step was found does not", () => {
  const beside = sampleStep({ id: 4, key: "beside", createdAt: 1000, startedAt: 1000, completedAt: 1600 });
  const early = sampleStep({ id: 5, key: "early", createdAt: 3380, startedAt: 3390, completedAt: null });
  expect(crashOf(cut, [cut, again, beside, early])).toEqual({ from: 1600, to: 3400 });
});

test("what was cut off at the same time was so by one crash", () => {
  const beside = { ...cut, id: 4, key: "beside", startedAt: 1200, completedAt: 3402 };
  expect(countCrashes([])).toBe(0);
  expect(countCrashes([cut, beside, again])).toBe(1);
  expect(countCrashes([cut, beside, { ...again, status: "failed", error }])).toBe(2);
});

test("a call that was followed on after a crash is the same row, and counts", () => {
  expect(countCrashes([sampleStep({ id: 2, key: "long", interruptions: 1 })])).toBe(1);
  expect(countCrashes([sampleStep({ id: 2, key: "long", status: "failed" })])).toBe(0);
});
