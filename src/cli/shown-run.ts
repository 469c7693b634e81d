// One run for people: a summary, its tree of steps, what went wrong and what waits. Pure.

import { drawRun } from "./follow.ts";
import type { FollowedRun } from "./followed-run.ts";
import { paint, toHarmless } from "./table.ts";
import type { Look } from "./terminal.ts";
import { listWaiting, showAnswer } from "../server/waiting.ts";

export type ShownContext = {
  readonly now: number;
  readonly format: (at: number) => string;
  /** What every command has behind it. */
  readonly suffix: string;
};

export function drawShown(followed: FollowedRun, { now, format, suffix }: ShownContext, look: Look): readonly string[] {
  const { run, rows, plan } = followed;
  const facts: readonly (readonly [name: string, value: string])[] = [
    ["uid", run.uid],
    ["by", run.createdBy],
    ["started", format(run.startedAt ?? run.createdAt)],
    ...(run.completedAt === null ? [] : [["ended", format(run.completedAt)] as const]),
    ["input", JSON.stringify(run.input)],
    ...(run.output === null ? [] : [["output", JSON.stringify(run.output)] as const]),
    ...(run.origin === null ? [] : [["from", `${run.origin.kind} of ${run.origin.run}`] as const]),
  ];
  const waiting = listWaiting(run, rows, plan);
  return [
    ...drawRun(followed, { now }, look),
    "",
    ...facts.map(([name, value]) => `  ${paint(name.padEnd(8), "gray", look)}  ${toHarmless(value, look)}`),
    ...waiting.flatMap(({ title, answers }) => [
      "",
      `  ${paint(toHarmless(title, look), "yellow", look)}`,
      ...answers.map((answer) => `    stepwell ${toHarmless(`${showAnswer(answer)}${suffix}`, look)}`),
    ]),
  ];
}
