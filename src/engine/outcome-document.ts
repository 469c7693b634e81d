// Outcomes in the words of the wire: what flows, doors and the command line are given alike.

import type { JsonObject } from "../flow/json.ts";
import type { RunId } from "../run/model.ts";
import type { Store } from "../store/store.ts";
import type { OutcomeAsk } from "../tool/tool.ts";
import type { AccessClerk } from "./access-clerk.ts";
import { listOutcomes, type Outcome } from "./outcomes.ts";

export function toOutcomeDocument(outcome: Outcome): JsonObject {
  const { run, workflow, flow, step, name, tool, quality, feedback } = outcome;
  const { durationMs, snapshot, status, attempt, outcome: named, error, at } = outcome;
  return {
    run_id: run,
    workflow,
    flow,
    step_id: step,
    name,
    tool,
    quality,
    feedback,
    duration_ms: durationMs,
    snapshot,
    status,
    attempt,
    outcome: named,
    error: error === null ? null : { code: error.code, message: error.message },
    at,
  };
}

/** With the rights of whoever started the run. */
export async function queryForRun(
  { store, access }: { readonly store: Store; readonly access: AccessClerk },
  run: RunId,
  query: OutcomeAsk,
): Promise<readonly JsonObject[]> {
  const found = await store.findRun(run);
  if (found === undefined) return [];
  return (await listOutcomes({ store, asker: access.askerOf(found.run) }, query)).map(toOutcomeDocument);
}
