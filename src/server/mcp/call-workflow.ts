// A call of a workflow: the run is on disk before anybody is answered. Whoever knows tasks is given one; all others wait
// here for a while, and are told how to come back.

import { inputRequired, ProtocolError, ProtocolErrorCode, type CallToolResult } from "@modelcontextprotocol/server";
import { isObject, own, type JsonObject } from "../../flow/json.ts";
import type { Plan } from "../../flow/plan.ts";
import { prepareInput } from "../../flow/validate/input.ts";
import { hasEnded } from "../../run/model.ts";
import { answerable } from "./caller.ts";
import { missingTasks } from "./failure.ts";
import { lookAt, type SeenRun } from "./house.ts";
import { toEndResult, toPendingResult } from "./run-answer.ts";
import { lookerOf, toLegacyTask, toTaskHead } from "./task-view.ts";
import { badArguments, type Hand } from "./tool.ts";
import { waitFor } from "./wait.ts";
import type { WorkflowTool } from "./workflow-tools.ts";

/** How the answer comes to who has called. */
export type Manner = {
  /** `modern`: the client has declared the extension; `legacy`: it has asked for a task; null: it knows of none. */
  readonly task: "modern" | "legacy" | null;
  readonly era: "modern" | "legacy";
  readonly signal: AbortSignal;
  /** Tells how far it is; null: nobody wants to know. */
  readonly progress: ((progress: number, message: string) => void) | null;
  /** What was answered to what a call before this one has asked. */
  readonly responses: Readonly<Record<string, unknown>>;
};

export async function callWorkflow(
  tool: WorkflowTool,
  given: JsonObject,
  { hand, manner }: { readonly hand: Hand; readonly manner: Manner },
): Promise<CallToolResult> {
  if (tool.exposure?.isTaskOnly === true && manner.task === null) throw needsTasks(manner.era);
  const input = { ...given, ...(tool.exposure?.asksFirst === true ? readFirst(manner) : {}) };
  const problems = tool.plan === null ? [] : findProblems(tool.plan, input);
  if (problems.length > 0 && tool.exposure?.asksFirst === true) return askFirst(tool);
  if (problems.length > 0) {
    const expected = Object.keys(propertiesOf(tool.input));
    throw badArguments({ tool: tool.name, expected, given, problems });
  }
  const { engine, house, caller } = hand;
  const { id, uid } = await engine.start(tool.workflow, { input, as: caller.user });
  manner.progress?.(0, `run ${uid} has started`);
  if (manner.task === "legacy") return toLegacyHandle(await lookAt(house, engine, id), hand);
  const seen = await waitFor(house, engine, {
    run: id,
    timeoutMs: manner.task === null ? house.waitMs : house.quickMs,
    signal: manner.signal,
    ...(manner.progress === null ? {} : { onStep: manner.progress }),
  });
  if (hasEnded(seen.run)) return toEndResult(seen.run);
  return manner.task === "modern"
    ? toHandle(seen, hand)
    : toPendingResult(seen.run, answerable(seen.questions, caller));
}

function findProblems(plan: Plan, input: JsonObject): readonly string[] {
  const prepared = prepareInput(plan, input);
  return prepared.ok ? [] : prepared.problems.map(({ message }) => message);
}

function propertiesOf(schema: JsonObject): JsonObject {
  const properties = own(schema, "properties");
  return properties !== undefined && isObject(properties) ? properties : {};
}

/** The handle of 2026-07-28: a result that is a task. */
function toHandle(seen: SeenRun, { caller, house }: Hand): CallToolResult {
  return { resultType: "task", ...toTaskHead(seen, lookerOf(caller, house)), content: [] };
}

/** And that of 2025-11-25, which holds one. */
function toLegacyHandle(seen: SeenRun, { caller, house }: Hand): CallToolResult {
  return { content: [], task: toLegacyTask(seen, lookerOf(caller, house)) };
}

function needsTasks(era: Manner["era"]): ProtocolError {
  if (era === "legacy") return new ProtocolError(ProtocolErrorCode.MethodNotFound, "This tool is called as a task.");
  return missingTasks();
}

const firstKey = "input";

/** Only of an exposure that asks: what is missing, before there is a run. */
function askFirst(tool: WorkflowTool): CallToolResult {
  const properties = propertiesOf(tool.input);
  const required = own(tool.input, "required");
  return inputRequired({
    inputRequests: {
      [firstKey]: {
        method: "elicitation/create",
        params: {
          mode: "form",
          message: `${tool.title} needs to know more.`,
          requestedSchema: { type: "object", properties, required: Array.isArray(required) ? required : [] },
        },
      },
    },
  } as unknown as Parameters<typeof inputRequired>[0]) as unknown as CallToolResult;
}

function readFirst({ responses }: Manner): JsonObject {
  const response = responses[firstKey];
  const content = isObject(response) ? own(response, "content") : undefined;
  return content !== undefined && isObject(content) ? content : {};
}
