// A run with its steps as the seeds' tables have them, beside our own words: flow, input, arguments and results as the
// texts that stand in the columns.

import type { Json } from "../../flow/json.ts";
import type { WholeRunDocument } from "../contract/run.ts";
import { toStepDocument, toRunDocument, type WholeRun } from "./run.ts";

export function toSeedDocument(whole: WholeRun, flow: Json): WholeRunDocument {
  const { id, input } = whole.run;
  // The row that keeps the items of an each is no step.
  const steps = whole.rows.filter(({ role }) => role !== "items");
  return {
    ...toRunDocument(whole),
    flow_json: JSON.stringify(flow),
    input_json: toText(input),
    steps: steps.map((row) => ({
      ...toStepDocument(id, row),
      args_json: toText(row.args),
      // A failure has its reason where a result would stand.
      result_json: toText(row.error === null ? row.result : { error: row.error }),
    })),
  };
}

/** As in the column: nothing where there is nothing. */
function toText(value: Json): string | null {
  return value === null ? null : JSON.stringify(value);
}
