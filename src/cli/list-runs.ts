// Runs as a table, newest first.

import { StepwellError } from "../error.ts";
import { nearest } from "../flow/suggest.ts";
import { hasEnded, type RunStatus } from "../run/model.ts";
import type { RunSearch } from "../store/search.ts";
import type { StoredRun } from "../store/store.ts";
import type { Call, Values } from "./command.ts";
import { readRowsOf } from "../server/inbox.ts";
import { toRunDocument } from "../server/document/run.ts";
import { readField, readMoment, readStatuses, readTriggers, statusWords, triggerWords } from "../server/searching.ts";
import { shortenIds } from "./select.ts";
import { signOfRun, signStyle, signText } from "./sign.ts";
import { drawTable, type Cell } from "./table.ts";
import type { Look } from "./terminal.ts";
import { showAgo, showDuration } from "./time.ts";
import { openView } from "./open-view.ts";
import { storeFlag, type View } from "./view.ts";
import { listWaiting, showAnswer, type WaitingItem } from "../server/waiting.ts";

export const listFlags = {
  workflow: { value: "NAME", about: "only runs of this name", completes: "workflow" },
  since: { value: "2h", about: "only those that were created within this time, or since an instant" },
  until: { value: "1h", about: "only those that were created before" },
  text: { value: "WORDS", about: "only those that have this in name, input, output or error" },
  field: { value: "a.b=1", about: "only those whose input has this there" },
  trigger: {
    value: "WORD,…",
    about: "only those that this set going: person, schedule, token, mcp, run …",
    completes: ["person", "run", "child", "retry", "rerun", "fork", "schedule", "page", "mcp", "token", "direct"],
  },
  limit: { value: "N", about: "so many at most; 50 unless given" },
  cursor: { value: "ID", about: "only those older than this run: the last id of the page before" },
} as const;

type ListCall = Call & { readonly values: Values<typeof listFlags> };

export async function tellRuns(call: ListCall, status: string | null): Promise<number> {
  const { values, out } = call;
  const now = Date.now();
  const search = readSearch(values, status, now);
  await using view = await openView(call);
  const { runs, next } = await view.search(search);
  const lines = out.isJson || out.isQuiet ? [] : await toLines(runs, view, { now, suffix: storeFlag(call) });
  out.tell({
    document: runs.map(toRunDocument),
    lines: (look) => (lines.length === 0 ? [] : drawRuns(lines, look)),
  });
  if (runs.length === 0 && next === null && !out.isJson) out.say("No runs.");
  if (next !== null && !out.isJson) out.say(`more: --cursor ${next}`);
  return 0;
}

function readSearch(values: ListCall["values"], status: string | null, now: number): RunSearch {
  const { workflow: name, since, until, text } = values;
  const before = readCursor(values.cursor);
  const createdAfter = readInstant(since, "--since", now);
  const createdBefore = readInstant(until, "--until", now);
  const field = values.field === undefined ? undefined : readField(values.field);
  if (values.field !== undefined && field === undefined)
    throw new StepwellError("USAGE", `"${values.field}" is no field.`, { hint: "--field order.no=17" });
  const wanted = values.trigger === undefined ? undefined : readTriggers(values.trigger);
  if (values.trigger !== undefined && wanted === undefined)
    throw new StepwellError("USAGE", `Nothing called "${values.trigger}" sets runs going.`, {
      hint: `--trigger ${triggerWords.join("|")}`,
    });
  return {
    ...readWanted(status),
    limitMax: readLimit(values.limit),
    ...(name === undefined ? {} : { name }),
    ...(before === undefined ? {} : { before }),
    ...(createdAfter === undefined ? {} : { createdAfter }),
    ...(createdBefore === undefined ? {} : { createdBefore }),
    ...(text === undefined || text === "" ? {} : { text }),
    ...(field === undefined ? {} : { field }),
    ...(wanted === undefined ? {} : { triggers: wanted }),
  };
}

function readInstant(text: string | undefined, flag: string, now: number): number | undefined {
  if (text === undefined) return undefined;
  const at = readMoment(text, now);
  if (at !== undefined) return at;
  throw new StepwellError("USAGE", `"${text}" is no length of time.`, {
    hint: `${flag} 30s, 5m, 1h30m, 30d or 2026-11-16T09:00:00Z`,
  });
}

export function readLimit(text: string | undefined): number {
  if (text === undefined) return 50;
  const limit = Number(text);
  if (Number.isSafeInteger(limit) && limit > 0 && limit <= 10_000) return limit;
  throw new StepwellError("USAGE", `"${text}" is no number of runs.`, { hint: "--limit 50, of 10000 at most" });
}

export function readCursor(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d{1,16}$/.test(text)) return Number(text);
  throw new StepwellError("USAGE", `"${text}" is no id of a run.`, {
    hint: "--cursor takes the last id of the page before",
  });
}

function readWanted(text: string | null): Pick<RunSearch, "status" | "statuses"> {
  const read = readStatuses(text ?? undefined);
  if (read.ok) return read.wanted;
  const near = nearest(read.word, statusWords);
  const suggestion = near === undefined ? "" : ` Did you mean "${near}"?`;
  throw new StepwellError("USAGE", `There is no status "${read.word}".${suggestion}`, {
    hint: `--status ${statusWords.join("|")}`,
  });
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
    shortenIds(all, view.ids),
    view.ids.countSteps(all),
    readRowsOf(view, live),
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
  const [answer] = waiting?.answers ?? [];
  if (answer !== undefined) return `${waiting?.row?.name ?? "run"}: stepwell ${showAnswer(answer)}${suffix}`;
  return run.error === null ? "" : run.error.message;
}
