// Everything ends, and ends as its flow says: status, terminal kind, output, undoing; nothing live is left behind.

import type { Json } from "../../../src/flow/json.ts";
import { isKind, kinds, sleepMs } from "../flows.ts";
import type { World } from "./world.ts";
import { parseLine } from "../protocol.ts";
import type { RunRecord, StepRecord } from "../rows.ts";

const terminalKinds: Readonly<Record<string, string>> = {
  completed: "success",
  failed: "failure",
  cancelled: "cancel",
};
const endStatuses = new Set(["done", "failed", "skipped", "cancelled"]);

export function findStuck({ runs, book }: World): readonly string[] {
  const live = [...runs.values()].filter(({ status }) => !Object.hasOwn(terminalKinds, status));
  const open = book.orders.filter(({ run }) => run === null);
  return [
    ...live.map(({ id, name, status, attention }) => `run ${id} (${name}) is ${status} ${attention?.code ?? ""}`),
    ...open.map(({ key, kind }) => `${key} (${kind}) was never acknowledged`),
  ];
}

export function findMisled(world: World): readonly string[] {
  const byRun = Map.groupBy(world.steps.values(), ({ run }) => run);
  return [...world.runs.values()].flatMap((run) => judgeRun(run, byRun.get(run.id) ?? []));
}

function judgeRun(run: RunRecord, steps: readonly StepRecord[]): readonly string[] {
  const terminalKind = terminalKinds[run.status];
  if (terminalKind === undefined) return [];
  const told = `run ${run.id} (${run.name})`;
  const problems: string[] = [];
  if (run.terminalKind !== terminalKind) problems.push(`${told} is ${run.status}, its kind ${run.terminalKind}`);
  for (const { id, status, isLive } of steps) {
    if (isLive || !endStatuses.has(status)) problems.push(`${told} has ended, and its row ${id} is ${status}`);
  }
  if (steps.length === 0) problems.push(`${told} has no rows`);
  problems.push(...findNotUndone(run, steps).map((text) => `${told}: ${text}`));
  problems.push(...findEarly(run, steps).map((text) => `${told}: ${text}`));
  if (!isKind(run.name)) return run.status === "completed" ? problems : [...problems, `${told} is ${run.status}`];
  const rule = kinds[run.name];
  if (run.status !== rule.endsAs) problems.push(`${told} is ${run.status}, not ${rule.endsAs}`);
  const output = (parseLine(run.output ?? "null") as Json | undefined) ?? null;
  const n = (parseLine(run.input) as { readonly n: number } | undefined)?.n ?? 0;
  if (run.status === rule.endsAs && !rule.isOutput(output, n)) problems.push(`${told} gave ${run.output}`);
  return problems;
}

/** Every step that was done and can be undone is undone once, the newest first. */
function findNotUndone({ name }: RunRecord, steps: readonly StepRecord[]): readonly string[] {
  if (name !== "undo" && name !== "cancel") return [];
  const undone = steps.filter(({ role, status }) => role === "undo" && status === "done");
  const done = steps.filter(({ tool, role, status }) => tool === "work" && role === "step" && status === "done");
  const wanted = done.toSorted((a, b) => (b.finishedNo ?? 0) - (a.finishedNo ?? 0)).map(({ id }) => id);
  const got = undone.toSorted((a, b) => a.id - b.id).map(({ serves }) => serves);
  return wanted.join() === got.join() ? [] : [`${wanted.join()} was to be undone, ${got.join()} was`];
}

/** G6: a sleep ends at or after its time, and once. */
function findEarly({ name }: RunRecord, steps: readonly StepRecord[]): readonly string[] {
  if (name !== "timer") return [];
  const sleeps = steps.filter(({ step }) => step === "sleep");
  const sleptMs = sleeps.map(({ createdAt, completedAt }) => (completedAt ?? 0) - createdAt);
  if (sleeps.length !== 1) return [`slept ${sleeps.length} times`];
  return sleptMs.every((ms) => ms >= sleepMs) ? [] : [`slept ${sleptMs.join()} ms of ${sleepMs}`];
}
