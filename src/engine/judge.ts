// The dispatcher's verdict on a call that is about to begin: is the tool there, is its circuit closed, may this user?

import type { AdmitMessage } from "../run/message.ts";
import type { RunRow } from "../run/model.ts";
import type { ToolBox } from "../tool/tool.ts";

export type Judge = (run: RunRow, tool: string) => AdmitMessage["verdict"];

export type JudgeParts = { readonly tools: ToolBox };

export function createJudge({ tools }: JudgeParts): Judge {
  return (_run, tool) => (tools.find(tool) === undefined ? "tool_missing" : "go");
}
