// Answers that people have given lately.

import { queryOptions } from "@tanstack/react-query";
import type { DecisionDocument } from "../../../src/server/contract.ts";
import type { Decided } from "../model/inbox.ts";
import { ask } from "./request.ts";

export const decidedQuery = queryOptions({
  queryKey: ["inbox", "done"],
  queryFn: async ({ signal }): Promise<readonly Decided[]> =>
    (await ask<readonly DecisionDocument[]>("/api/inbox", { query: { state: "done", limit: 100 }, signal })).map(
      toDecided,
    ),
});

function toDecided({
  workflow_id: run,
  workflow,
  step_id: step,
  step: stepName,
  title,
  by,
  at,
  outcome,
  comment,
}: DecisionDocument): Decided {
  return { run, workflow, step, stepName, title, by, at, outcome, comment };
}
