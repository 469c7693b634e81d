// Runs as a table, newest first.

import { StepwellError } from "../error.ts";
import { nearest } from "../flow/suggest.ts";
import { hasEnded, type RunStatus } from "../run/model.ts";
import type { RunQuery, StoredRun } from "../store/store.ts";
import type { Call, Values } from "./command.ts";
import { readRowsOf } from "./read-rows.ts";
import { toRunDocument } from "../server/document/run.ts";
import { shortenIds } from "./select.ts";
import { signOfRun, signStyle, signText } from "./sign.ts";
import { drawTable, type Cell } from "./table.ts";
import type { Look } from "./terminal.ts";
import { readDuration, showAgo, showDuration } from "./time.ts";
import { openView, storeFlag, type View } from "./view.ts";
import { listWaiting, type WaitingItem } from "./waiting.ts";

export const listFlags = {
  workflow: { value: "NAME", about: "only runs of this name", completes: "workflow" },
  since: { value: "2h", about: "only those that began within this time" },
  limit: { value: "N", about: "so many at most; 50 unless given" },
  cursor: { value: "ID", about: "only those older than this run: the last id of the page before" },
} as const;

type ListCall = Call & { readonly values: Values<typeof listFlags> };

export async function tellRuns(call: ListCall, status: string | null): Promise<number> {
  const { values, out } = call;
  const query = { name: values.workflow, limitMax: readLimit(values.limit), before: readCursor(values.cursor) };
  const sinceMs = readDuration(values.since, "--since");
  const now = Date.now();
  const statuses = readStatuses(status);
  await using view = await openView(call);
  const found = await listEach(view, statuses, query);
  const runs = sinceMs === undefined ? found : found.filter(({ run }) => run.createdAt >= now - sinceMs);
  const lines = out.isJson || out.isQuiet ? [] : await toLines(runs, view, { now, suffix: storeFlag(call) });
  out.tell({
    document: runs.map(toRunDocument),
    lines: (look) => (lines.length === 0 ? [] : drawRuns(lines, look)),
  });
  if (runs.length === 0 && !out.isJson) out.say("No runs.");
  if (runs.length === query.limitMax && !out.isJson) out.say(`more: --cursor ${runs.at(-1)?.run.id ?? ""}`);
  return 0;
}

export function readLimit(text: string | undefined): number {
  if (text === undefined) return 50;
  const limit = Number(text);
  if (Number.isSafeInteger(limit) && limit > 0 && limit <= 10_000) return limit;
  throw new StepwellError("USAGE", `"${text}" is no number of runs.`, { hint: "--limit 50, of 10000 at most" });
}

function readCursor(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d{1,16}$/.test(text)) return Number(text);
  throw new StepwellError("USAGE", `"${text}" is no id of a run.`, {
    hint: "--cursor takes the last id of the page before",
  });
}

type Status = NonNullable<RunQuery["status"]>;
const known: readonly Status[] = ["scheduled", "running", "paused", "completed", "failed", "cancelled", "live", "all"];

function readStatuses(text: string | null): readonly (Status | null)[] {
  if (text === null) return [null];
  return text.split(",").map((word) => {
    const status = known.find((each) => each === word.trim());
    if (status !== undefined) return status;
    const near = nearest(word, known);
    const suggestion = near === undefined ? "" : ` Did you mean "${near}"?`;
    throw new StepwellError("USAGE", `There is no status "${word}".${suggestion}`, {
      hint: `--status ${known.join("|")}`,
    });
  });
}

type Wanted = { readonly name: string | undefined; readonly limitMax: number; readonly before: number | undefined };

async function listEach(
  view: View,
  statuses: readonly (Status | null)[],
  wanted: Wanted,
): Promise<readonly StoredRun[]> {
  const { name, limitMax, before } = wanted;
  const query = { limitMax, ...(name === undefined ? {} : { name }), ...(before === undefined ? {} : { before }) };
  const found = new Map<number, StoredRun>();
  for (const status of statuses)
    for (const stored of await view.list({ ...query, status })) found.set(stored.run.id, stored);
  return [...found.values()].toSorted((one, other) => other.run.id - one.run.id).slice(0, limitMax);
}

type RunLine = {
  readonly stored: StoredRun;
  readonly id: string;
  readonly steps: string;
  readonly started: string;
  readonly took: string;
  readonly waiting: WaitingItem | undefined;
  /** What a command to type has behind it. */
  readonly suffix: string;
};

type LineContext = { readonly now: number; readonly suffix: string };

async function toLines(
  runs: readonly StoredRun[],
  view: View,
  { now, suffix }: LineContext,
): Promise<readonly RunLine[]> {
  const all = runs.map(({ run }) => run.id);
  const live = runs.flatMap(({ run }) => (hasEnded(run) ? [] : [run.id]));
  const [ids, counts, rows] = await Promise.all([
    shortenIds(all, view),
    view.lookup.countSteps(all),
    readRowsOf(view.store, live),
  ]);
  return runs.map((stored): RunLine => {
    const { run } = stored;
    const counted = counts.get(run.id);
    const began = run.startedAt ?? run.createdAt;
    return {
      stored,
      id: ids.get(run.id) ?? String(run.id),
      steps: `${counted?.done ?? 0}/${counted?.all ?? 0}`,
      started: startOf(stored, now),
      took: run.completedAt === null ? "-" : showDuration(run.completedAt - began),
      waiting: listWaiting(run, rows.get(run.id) ?? [], null)[0],
      suffix,
    };
  });
}

function startOf({ run }: StoredRun, now: number): string {
  const due = run.alarms.find(({ kind }) => kind === "start")?.at;
  if (run.startedAt === null && due !== undefined && due > now) return `in ${showDuration(due - now)}`;
  return showAgo(Math.max(0, now - (run.startedAt ?? run.createdAt)));
}

function drawRuns(lines: readonly RunLine[], look: Look): readonly string[] {
  const headings = ["STATUS", "RUN", "FLOW", "STEPS", "STARTED", "TOOK", ""];
  return drawTable({ headings, rows: lines.map((line) => drawRun(line, look)) }, look);
}

function drawRun(line: RunLine, look: Look): readonly Cell[] {
  const { id, steps, started, took, waiting } = line;
  const { run } = line.stored;
  const sign = waiting === undefined ? signOfRun(run) : waiting.kind === "gate" ? "asking" : "unknown";
  const word = wordOf(run.status, waiting);
  const status = { text: `${signText(sign, look.isUnicode)} ${word}`, style: signStyle(sign) };
  return [
    status,
    ...[id, run.name, steps, started, took].map((text) => ({ text })),
    { text: noteOf(line), style: "gray" },
  ];
}

function wordOf(status: RunStatus, waiting: WaitingItem | undefined): string {
  if (waiting === undefined) return status;
  return waiting.kind === "gate" ? "waiting" : "held";
}

function noteOf({ stored: { run }, waiting, suffix }: RunLine): string {
  if (waiting !== undefined) return `${waiting.row?.name ?? "run"}: stepwell ${waiting.answers[0] ?? ""}${suffix}`;
  return run.error === null ? "" : run.error.message;
}
