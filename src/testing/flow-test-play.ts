// One case of a flow test, from its start until nothing moves any more: gates are answered as they open, transitions fired
// in turn, and time passes from one instant at which something is due to the next, so that what opens on the way is
// answered in its own moment.

import { fillSecrets } from "../access/fill.ts";
import { StepwellError } from "../error.ts";
import { formatDuration } from "../flow/duration.ts";
import { objectFrom, type Json } from "../flow/json.ts";
import { under } from "../flow/pointer.ts";
import { isLive, type Row, type RunId } from "../run/model.ts";
import type { FakeTool } from "./fake-tool.ts";
import type { SeenRun } from "./flow-test-expect.ts";
import type { FlowTestCase, GivenAnswer, Problem } from "./flow-test-file.ts";
import { textOf, type TestEngine } from "./open-test-engine.ts";

export type Played = { readonly seen: SeenRun; readonly problems: readonly Problem[] };

type Play = {
  readonly t: TestEngine;
  readonly test: FlowTestCase;
  readonly problems: Problem[];
  /** Rows that were given their answer, and how many of a list are used up. */
  readonly answered: Set<number>;
  readonly used: Map<string, number>;
};

/** A flow that goes on for longer is not going to rest. */
const stopsMax = 100_000;

export type CaseParts = {
  readonly t: TestEngine;
  readonly test: FlowTestCase;
  readonly fakes: readonly FakeTool[];
  readonly secrets: ReadonlyMap<string, string>;
};

export async function playCase(parts: CaseParts, flow: Json): Promise<Played> {
  const { t, test } = parts;
  const { input, as } = test;
  const play: Play = { t, test, problems: [], answered: new Set(), used: new Map() };
  const { id } = await t.start(flow, { input, ...(as === null ? {} : { as }) });
  await t.settle();
  for (const [name, data] of test.signals)
    await say(play, under(test.pointer, "signals", name), () => t.signal(id, name, data));
  await answerAll(play, id);
  for (const [index, fired] of test.fire.entries()) {
    await say(play, under(test.pointer, "fire", index), () => t.fire(id, fired));
    await answerAll(play, id);
  }
  await letTimePass(play, id);
  return { seen: await lookAt(parts, id), problems: play.problems };
}

async function letTimePass(play: Play, run: RunId): Promise<void> {
  const { t, test, problems } = play;
  const end = t.now + test.advanceMs;
  for (let stops = 0; t.now < end; stops++) {
    if (stops === stopsMax) {
      const message = `After ${stopsMax} instants at which something was due the run still goes on; let less time pass.`;
      problems.push({ pointer: under(test.pointer, "advance"), message });
      return;
    }
    await t.advance(Math.min(end, t.nextAt ?? end) - t.now);
    await answerAll(play, run);
  }
}

/** What the engine refuses is a finding of the case. */
async function say(play: Play, pointer: string, act: () => Promise<void>): Promise<void> {
  try {
    await act();
  } catch (error) {
    if (!(error instanceof StepwellError)) throw error;
    play.problems.push({ pointer, message: error.message });
  }
  await play.t.settle();
}

async function answerAll(play: Play, run: RunId): Promise<void> {
  const { t, test } = play;
  await t.settle();
  for (;;) {
    const asked = findAsked(play, await listRows(t, run));
    if (asked === undefined) return;
    const { row, given } = asked;
    await say(play, under(test.pointer, "answers", row.step), () => t.answer(row.id, given));
  }
}

/** The first gate that is open and has an answer left. */
function findAsked(play: Play, rows: readonly Row[]): { readonly row: Row; readonly given: GivenAnswer } | undefined {
  for (const row of rows) {
    if (row.gate === null || row.status !== "pending") continue;
    const given = takeAnswer(play, row);
    if (given !== undefined) return { row, given };
  }
  return undefined;
}

/** A lone answer is given once at each visit; those of a list, one after the other. */
function takeAnswer({ test, answered, used }: Play, { id, step, name }: Row): GivenAnswer | undefined {
  const key = test.answers.has(step) ? step : name;
  const given = test.answers.get(key);
  if (given === undefined) return undefined;
  if (isList(given)) {
    const count = used.get(key) ?? 0;
    used.set(key, count + 1);
    return given[count];
  }
  if (answered.has(id)) return undefined;
  answered.add(id);
  return given;
}

function isList(given: GivenAnswer | readonly GivenAnswer[]): given is readonly GivenAnswer[] {
  return Array.isArray(given);
}

/** Those of the runs that it started are among them. */
async function listRows(t: TestEngine, run: RunId): Promise<readonly Row[]> {
  const { steps } = await t.get(run);
  const below: Row[] = [];
  for (const { childRun } of steps) if (childRun !== null) below.push(...(await listRows(t, childRun)));
  return [...steps, ...below];
}

async function lookAt({ t, fakes, secrets }: CaseParts, run: RunId): Promise<SeenRun> {
  const { status, terminalKind, output, error, attention, steps } = await t.get(run);
  const rows = await listRows(t, run);
  const called = rows.filter(({ tool, startedAt }) => tool !== null && startedAt !== null);
  const echoed = Map.groupBy(called, ({ tool }) => tool ?? "");
  const argsOf = (row: Row): Json => fillSecrets(row.args, row.secrets, (name) => secrets.get(name) ?? "");
  return {
    status,
    terminalKind,
    output,
    error,
    attention: attention?.code ?? null,
    // The row that keeps the items of an `each` is nothing that its author wrote.
    steps: steps.filter(({ role }) => role !== "items").map(textOf),
    calls: objectFrom([
      ...[...echoed].map(([tool, calls]) => [tool, calls.map(argsOf)] as const),
      ...fakes.map(({ name, calls }) => [name, calls.map(({ input }) => input)] as const),
    ]),
    waitsFor: status === "running" ? waitsFor(t, rows) : "",
  };
}

function waitsFor(t: TestEngine, rows: readonly Row[]): string {
  const live = rows.filter(isLive).map(textOf).join(", ");
  const gate = rows.some((row) => row.gate !== null && isLive(row)) ? " A gate wants an answer, under `answers`." : "";
  const due = t.nextAt === null ? "" : ` Something is due in ${formatDuration(t.nextAt - t.now)}; use \`advance\`.`;
  return `It rests at: ${live || "nothing"}.${gate}${due}`;
}
