// The follow view: a run as lines of a terminal. Pure; what people wrote is made harmless before it is drawn.

import { styleText } from "node:util";
import type { Progress } from "../engine/call-context.ts";
import { describeStep } from "../flow/draw/caption.ts";
import { cutText, measureText, toAsciiText, toPlainText } from "../flow/draw/text.ts";
import type { Row, RunRow } from "../run/model.ts";
import type { FollowedRun } from "./followed-run.ts";
import { signOfRun, signStyle, signText, type Sign } from "./sign.ts";
import { describeVisit, listLines, type TreeLine } from "./step-tree.ts";
import type { Look } from "./terminal.ts";
import { showDuration } from "./time.ts";

/** `frame` undefined: a picture that does not move. */
export type Moment = { readonly now: number; readonly frame?: number };

/** One heading, then one line for each step. */
export function drawRun(followed: FollowedRun, moment: Moment, look: Look): readonly string[] {
  const lines = listLines(followed, moment.now).map((line) => plainLine(line, look));
  const nameColumns = widest(lines.map(({ depth, name }) => depth * 2 + measureText(name)));
  const whatColumns = widest(lines.map(({ what }) => measureText(what)));
  return [
    drawHeading(followed.run, moment, look),
    ...lines.map((line) => drawLine(line, { nameColumns, whatColumns, moment, look })),
  ];
}

/** What happened to a row of the run, or (`step` null) to the run itself. */
export type Change = {
  readonly step: number | null;
  readonly name: string;
  readonly status: string;
  readonly at: number;
  /** How far the call says it is: nothing else has changed. */
  readonly progress?: Progress;
};

/** One line for each change, for output that cannot be drawn over. The row that keeps the items of an each is no step. */
export function drawChanges(changes: readonly Change[], followed: FollowedRun, look: Look): readonly string[] {
  const rows = new Map(followed.rows.map((row) => [row.id, row]));
  const columns = columnsOf(followed);
  return inTellingOrder(changes).flatMap((change) => {
    const row = change.step === null ? undefined : rows.get(change.step);
    return row?.role === "items" ? [] : [drawChange(change, row, { followed, columns, look })];
  });
}

/** What was put on disk together is told as it came about: the run begins, row after row, the run ends. */
function inTellingOrder(changes: readonly Change[]): readonly Change[] {
  const rank = ({ step, status }: Change): number => step ?? (status === "running" ? 0 : Number.MAX_SAFE_INTEGER);
  return changes.toSorted((one, other) => one.at - other.at || rank(one) - rank(other));
}

type Surroundings = {
  readonly followed: FollowedRun;
  readonly columns: { readonly name: number; readonly what: number };
  readonly look: Look;
};

function drawChange(change: Change, row: Row | undefined, { followed, columns, look }: Surroundings): string {
  const { run } = followed;
  const since = showDuration(Math.max(0, change.at - (run.startedAt ?? run.createdAt))).padStart(8);
  if (row === undefined) return `${since}  ${plain(change.name, look)} ${run.id} ${change.status}`;
  const line = describeVisit({ rows: triesUpTo(followed, row), newest: row }, followed, change.at);
  const name = plain(line.name, look) + (row.index === null ? "" : `[${row.index}]`);
  // By the time it is told, the row may have gone on.
  const note = row.status === change.status ? plain(line.note, look) : "";
  const words = [since, padded(name, columns.name), padded(plain(line.what, look), columns.what), change.status, note];
  return words.join("  ").trimEnd();
}

function triesUpTo({ rows }: FollowedRun, { id, step, scope, visit, index, role }: Row): readonly Row[] {
  return rows.filter(
    (row) =>
      row.id <= id &&
      row.step === step &&
      row.scope === scope &&
      row.visit === visit &&
      row.index === index &&
      row.role === role,
  );
}

/** So that most lines stand below each other: what is to come is not known, but the plan is. */
function columnsOf({ plan }: FollowedRun): Surroundings["columns"] {
  const steps = Object.values(plan?.steps ?? {});
  return {
    name: widest(steps.map(({ label }) => measureText(label))),
    what: widest(steps.map((step) => measureText(describeStep(step)))),
  };
}

/** One long name must not push all others aside. */
const columnMax = 32;

function widest(widths: readonly number[]): number {
  return Math.min(
    columnMax,
    widths.reduce((most, width) => Math.max(most, width), 0),
  );
}

function drawHeading(run: RunRow, { now, frame }: Moment, look: Look): string {
  const sign = signOfRun(run);
  const began = run.startedAt ?? run.createdAt;
  const took = showDuration(Math.max(0, (run.completedAt ?? now) - began));
  const status = run.status === "running" && run.ending !== null ? "ending" : run.status;
  const told = run.error === null ? "" : `  ${plain(`${run.error.message} (${run.error.code})`, look)}`;
  const words = `${plain(run.name, look)}  ${run.id}  ${status}  ${took}${told}`;
  const cut = cutText(words, look.columns - 2, look.isUnicode ? "…" : "...");
  return `${painted(sign, signText(sign, look.isUnicode, frame), look)} ${look.isColour ? styleText("bold", cut, always) : cut}`;
}

type Columns = {
  readonly nameColumns: number;
  readonly whatColumns: number;
  readonly moment: Moment;
  readonly look: Look;
};

function drawLine(
  { depth, sign, name, what, note }: TreeLine,
  { nameColumns, whatColumns, moment, look }: Columns,
): string {
  const words = [padded(name, nameColumns - depth * 2), padded(what, whatColumns), note].join("  ").trimEnd();
  const indent = "  ".repeat(depth + 1);
  const cut = cutText(words, look.columns - indent.length - 2, look.isUnicode ? "…" : "...");
  const text = sign === "next" && look.isColour ? styleText("gray", cut, always) : cut;
  return `${indent}${painted(sign, signText(sign, look.isUnicode, moment.frame), look)} ${text}`;
}

/** Whether colours are wanted is decided elsewhere. */
const always = { validateStream: false } as const;

function painted(sign: Sign, text: string, look: Look): string {
  return look.isColour ? styleText(signStyle(sign), text, always) : text;
}

function padded(text: string, columns: number): string {
  return text + " ".repeat(Math.max(0, columns - measureText(text)));
}

/** Deeper forks stand below each other: there must be room for their names. */
const depthMax = 8;

function plainLine(line: TreeLine, look: Look): TreeLine {
  const { name, what, note } = line;
  const depth = Math.min(line.depth, depthMax);
  return { ...line, depth, name: plain(name, look), what: plain(what, look), note: plain(note, look) };
}

/** Without control characters: a name must not move the cursor. */
function plain(text: string, look: Look): string {
  return look.isUnicode ? toPlainText(text) : toAsciiText(text);
}
