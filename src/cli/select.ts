// Which run or step is meant: by its id, by as much of it as is unique, or by its uid.

import { StepwellError } from "../error.ts";
import { toPlainText } from "../flow/draw/text.ts";
import type { Row, RowId, RunId } from "../run/model.ts";
import type { Call } from "./command.ts";
import type { View } from "./view.ts";

/** Fewer digits are a slip of the pen. */
const prefixMin = 4;

/** How a word that is no id is refused. */
export type Selecting = { readonly usage: string };

/** The id that a command must be given; what cannot be one is refused before a store is opened. */
export function readRunId({ operands, usage }: Pick<Call, "operands" | "usage">): string {
  const [text] = operands;
  if (text === undefined) throw new StepwellError("USAGE", "Say which run: its id is a number.", { hint: usage });
  refuseNoId(text, usage);
  return text;
}

export function refuseNoId(text: string, usage: string): void {
  if (!isId(text)) throw new StepwellError("USAGE", `"${text}" is no id of a run.`, { hint: usage });
}

export async function selectRun(view: View, text: string, { usage }: Selecting): Promise<RunId> {
  const found = await findRun(view, text);
  if (found !== undefined) return found;
  refuseNoId(text, usage);
  const run = /^\d+$/.test(text) ? await view.ids.runOfStep(Number(text)) : undefined;
  if (run === undefined || !(await isReadable(view, run)))
    throw new StepwellError("RUN_NOT_FOUND", `There is no run ${text}.`, { hint: "stepwell list shows all of them" });
  throw new StepwellError("RUN_NOT_FOUND", `There is no run ${text}: that is a step of run ${run}.`, {
    hint: `stepwell show ${run}`,
  });
}

/** Whose run it is, others are not told. */
async function isReadable(view: View, run: RunId): Promise<boolean> {
  return view.read(run).then(
    () => true,
    () => false,
  );
}

/** Digits, or a uid. */
export function isId(text: string): boolean {
  return /^\d{1,16}$/.test(text) || /^[0-9a-z]+-\S+$/.test(text);
}

/** Others' runs are not there for who may see only their own, nor is what their ids begin with. */
async function findRun(view: View, text: string): Promise<RunId | undefined> {
  if (!/^\d{1,16}$/.test(text)) return isId(text) ? seen(view, await view.ids.runOfUid(text)) : undefined;
  if (await view.ids.hasRun(Number(text))) return seen(view, Number(text));
  if (text.length < prefixMin) return undefined;
  const ids = await Promise.all((await view.ids.findIds("run", text)).map((id) => seen(view, id)));
  return only(
    ids.filter((id) => id !== undefined),
    text,
  );
}

async function seen(view: View, run: RunId | undefined): Promise<RunId | undefined> {
  return run !== undefined && (await view.isSeen(run)) ? run : undefined;
}

function only(ids: readonly number[], digits: string): number | undefined {
  if (ids.length < 2) return ids[0];
  throw new StepwellError("USAGE", `"${digits}" is not enough: ${ids.join(", ")} and perhaps others begin with it.`, {
    hint: "give more digits",
  });
}

export type StepSelecting = Selecting & {
  /** A step of the run, by its name or key; else the only one that fits. */
  readonly name: string | undefined;
  readonly fits: (row: Row) => boolean;
  /** What is looked for, in words: `gate that waits for an answer`. */
  readonly what: string;
};

export type SelectedStep = { readonly run: RunId; readonly step: RowId };

/** A step by its own id, or by that of its run when only one step of it can be meant. */
export async function selectStep(view: View, text: string, selecting: StepSelecting): Promise<SelectedStep> {
  const run = await findRun(view, text);
  if (run !== undefined) return { run, step: await selectWithin(view, run, selecting) };
  if (!/^\d{1,16}$/.test(text)) {
    throw new StepwellError("USAGE", `"${text}" is no id of a step or of a run.`, { hint: selecting.usage });
  }
  const exact = await view.ids.runOfStep(Number(text));
  const step = exact === undefined ? only(await findSteps(view, text), text) : Number(text);
  const owner = exact ?? (step === undefined ? undefined : await view.ids.runOfStep(step));
  if (step !== undefined && owner !== undefined && (await view.isSeen(owner))) return { run: owner, step };
  throw new StepwellError("STEP_NOT_FOUND", `There is no step and no run ${text}.`, {
    hint: "stepwell inbox shows what waits",
  });
}

/** By what their ids begin with. */
async function findSteps(view: View, text: string): Promise<readonly RowId[]> {
  if (text.length < prefixMin) return [];
  const found: RowId[] = [];
  for (const id of await view.ids.findIds("step", text)) {
    const run = await view.ids.runOfStep(id);
    if (run !== undefined && (await view.isSeen(run))) found.push(id);
  }
  return found;
}

async function selectWithin(view: View, run: RunId, { name, fits, what }: StepSelecting): Promise<RowId> {
  const rows = await view.listRows(run);
  const named = name === undefined ? rows : rows.filter((row) => row.name === name || row.step === name);
  const fitting = named.filter(fits);
  const [first] = fitting;
  if (first !== undefined && fitting.length === 1) return first.id;
  const told = fitting.map((row) => `${row.id} (${toPlainText(row.name)})`).join(", ");
  throw new StepwellError(
    "STEP_NOT_FOUND",
    first === undefined
      ? `Run ${run} has no ${what}${name === undefined ? "" : ` named "${name}"`}.`
      : `Run ${run} has several: ${told}. Name one by its id, or with --step.`,
    { hint: `stepwell show ${run}` },
  );
}

/** As many digits of each id as tell it apart from all runs of the store; never so few that they look like a number. */
export async function shortenIds(
  ids: readonly number[],
  { findNeighbours }: Pick<View["ids"], "findNeighbours">,
): Promise<ReadonlyMap<number, string>> {
  const neighbours = await findNeighbours(ids);
  return new Map(
    ids.map((id) => {
      const shared = (neighbours.get(id) ?? []).map((other) => sharedLength(String(id), String(other)));
      return [id, String(id).slice(0, Math.max(digitsMin, ...shared.map((length) => length + 1)))];
    }),
  );
}

const digitsMin = 6;

function sharedLength(one: string, other: string): number {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length += 1;
  return length;
}
