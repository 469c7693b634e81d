// Commands that say the same to several runs. One that is refused does not keep the others from being told.

import { StepwellError, type ErrorCode } from "../error.ts";
import type { JsonObject } from "../flow/json.ts";
import type { RunId } from "../run/model.ts";
import type { Call } from "./command.ts";
import { toProblem } from "./problem.ts";
import { toRunDocument } from "../server/document/run.ts";
import { readRunId, refuseNoId, selectRun } from "./select.ts";
import { nobodyWorks, openSession, type Session } from "./session.ts";
import { openView } from "./open-view.ts";

export type RunAction = {
  readonly act: (session: Session, run: RunId) => Promise<void>;
  /** What has been done, in a word or two: `cancelled`. */
  readonly done: string;
  /** Afterwards nothing can be read of it any more. */
  readonly isGoneThen?: boolean;
};

export async function actOnRuns(call: Call, { act, done, isGoneThen = false }: RunAction): Promise<number> {
  const { out } = call;
  const runs = await selectRuns(call);
  await using session = await openSession(call);
  const documents: JsonObject[] = [];
  const told: RunId[] = [];
  let exitCode = 0;
  for (const run of runs) {
    try {
      await act(session, run);
      documents.push(isGoneThen ? { id: run, status: done } : await documentOf(session, run));
      told.push(run);
    } catch (error) {
      // Of one alone, as of any command.
      if (runs.length === 1 || !(error instanceof StepwellError) || endsAll.has(error.code)) throw error;
      const problem = toProblem(error);
      if (!out.isJson) for (const line of problem.lines) out.say(line);
      documents.push({ id: run, ...JSON.parse(JSON.stringify(problem.document)) });
      exitCode ||= problem.exitCode;
    }
  }
  out.tell({ document: documents, ids: told, lines: () => told.map(String) });
  for (const run of told) out.say(`${done}: run ${run}`);
  if (session.engine.isOwner && !isGoneThen) out.say(nobodyWorks(session.store, told[0]));
  return exitCode;
}

async function documentOf({ engine }: Session, run: RunId): Promise<JsonObject> {
  const { steps: _, flow, updatedAt, ...row } = await engine.get(run);
  return toRunDocument({ run: row, flow, updatedAt });
}

/** After these there is nobody left to ask. */
const endsAll: ReadonlySet<ErrorCode> = new Set<ErrorCode>(["ENGINE_STOPPED", "STORE_LOST"]);

/** All of them, before anything is done. */
export async function selectRuns(call: Call): Promise<readonly RunId[]> {
  const { operands, usage } = call;
  readRunId(call);
  for (const text of operands) refuseNoId(text, usage);
  await using view = await openView(call);
  const runs: RunId[] = [];
  for (const text of operands) runs.push(await selectRun(view, text, { usage }));
  return [...new Set(runs)];
}
