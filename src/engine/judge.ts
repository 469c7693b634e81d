// The dispatcher's verdict on a call that is about to begin: is the tool there, is its circuit closed, may this user?

import type { AdmitMessage } from "../run/message.ts";
import type { RowId, RunRow } from "../run/model.ts";
import { describeUnknownTool } from "../tool/registry.ts";
import type { ToolBox } from "../tool/tool.ts";
import type { Breakers } from "./breakers.ts";

export type Verdict = Pick<AdmitMessage, "verdict" | "reason">;

export type Judge = (run: RunRow, tool: string, row: RowId) => Verdict;

export type JudgeParts = {
  readonly tools: ToolBox;
  /** Why the run may not call the tool of this full name; undefined: it may. */
  readonly findRefusal: (run: RunRow, tool: string) => string | undefined;
  readonly breakers: Pick<Breakers, "findRefusal">;
};

export const go: Verdict = { verdict: "go" };

export function createJudge({ tools, findRefusal, breakers }: JudgeParts): Judge {
  return (run, name, row) => {
    const tool = tools.find(name);
    if (tool === undefined) return { verdict: "tool_missing", reason: describeUnknownTool(tools, name) };
    const refusal = findRefusal(run, tool.name);
    if (refusal !== undefined) return { verdict: "refused", reason: refusal };
    // Last, since it may give the row the one test call of the tool, which whoever may not call it must not take.
    const open = breakers.findRefusal(tool.name, row);
    return open === null ? go : { verdict: "circuit_open", reason: open };
  };
}
