// One run with all its steps and what they gave, in one piece.

import { queryOptions } from "@tanstack/react-query";
import type { WholeRunDocument } from "../../../src/server/contract.ts";
import type { SeedRunSteps, SeedStep } from "../model/seed.ts";
import { ask } from "./request.ts";
import { toRun } from "./runs.ts";

export function wholeRunQuery(run: number) {
  return queryOptions({
    queryKey: ["run", run, "whole"],
    queryFn: async ({ signal }): Promise<SeedRunSteps> => {
      const { steps, ...found } = await ask<WholeRunDocument>(`/api/workflow/${run}`, { signal });
      return { run: toRun(found), steps: steps.map(toSeedStep) };
    },
  });
}

function toSeedStep(found: WholeRunDocument["steps"][number]): SeedStep {
  return {
    id: found.id,
    name: found.name,
    role: found.role,
    tool: found.tool,
    status: found.status,
    outcome: found.outcome,
    result: found.result,
    error: found.error,
    attempt: found.attempt,
    isHeld: found.is_held,
    hasGate: found.gate !== null,
    alarms: found.alarms,
  };
}
