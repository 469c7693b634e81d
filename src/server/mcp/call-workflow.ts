// A call of a workflow: the run is on disk before anybody is answered. Whoever knows tasks is given one; all others wait
// here for a while, and are told how to come back.

import { inputRequired, ProtocolError, ProtocolErrorCode, type CallToolResult } from "@modelcontextprotocol/server";
import { readMarks } from "../../flow/json-schema/header-marks.ts";
import { isObject, own, type JsonObject } from "../../flow/json.ts";
import type { Plan } from "../../flow/plan.ts";
import { prepareInput } from "../../flow/validate/input.ts";
import { hasEnded } from "../../run/model.ts";
import { waitAndAsk, type Ask } from "./ask.ts";
import { answerable, tellUnanswerable } from "./caller.ts";
import { HeaderMismatch, missingTasks } from "./failure.ts";
import { findMismatch } from "./header-match.ts";
import { unwrapInput, wrapInput } from "./host-input.ts";
import { lookAt, type SeenRun } from "./house.ts";
import { toEndResult, toPendingResult } from "./run-answer.ts";
import { lookerOf, toLegacyTask, toTaskHead } from "./task-view.ts";
import { badArguments, type Hand } from "./tool.ts";
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
  /** Asks the person at the client, within this call; null: that cannot be done. */
  readonly ask: Ask | null;
  /** There is a task that the client will want to hear of. */
  readonly begun: (seen: SeenRun) => void;
  /** In which arguments that are marked are repeated; null: in nothing. */
  readonly headers: Headers | null;
};

export async function callWorkflow(
  tool: WorkflowTool,
  given: JsonObject,
  { hand, manner }: { readonly hand: Hand; readonly manner: Manner },
): Promise<CallToolResult> {
  const asked = tool.isWrapped ? unwrapInput(given) : given;
  if (manner.headers !== null) compareHeaders(tool, asked, manner.headers);
  if (tool.exposure?.isTaskOnly === true && manner.task === null) throw needsTasks(manner.era);
  const input = { ...asked, ...(tool.exposure?.asksFirst === true ? readFirst(manner) : {}) };
  const problems = tool.plan === null ? [] : findProblems(tool.plan, input);
  if (problems.length > 0 && tool.exposure?.asksFirst === true) return askFirst(tool);
  if (problems.length > 0) {
    const expected = Object.keys(propertiesOf(tool.input));
    throw badArguments({ tool: tool.name, expected, given, problems });
  }
  const { engine, house, caller } = hand;
  const { id, uid } = await engine.start(tool.workflow, { input, as: caller.user });
  manner.progress?.(0, `run ${uid} has started`);
  if (manner.task === "legacy") return toLegacyHandle(await lookAt(house, caller, id), hand, manner);
  const { seen, remarks } = await waitAndAsk(hand, {
    run: id,
    timeoutMs: manner.task === null ? house.waitMs : house.quickMs,
    signal: manner.signal,
    isForPeople: false,
    ask: manner.task === null ? manner.ask : null,
    ...(manner.progress === null ? {} : { onStep: manner.progress }),
  });
  if (hasEnded(seen.run)) return toEndResult(seen.run);
  if (manner.task === "modern") return toHandle(seen, hand);
  const more = [...remarks, ...tellUnanswerable(seen.questions, caller)];
  return toPendingResult(seen.run, answerable(seen.questions, caller), more);
}

/** By the schema that is listed. What is asked for first comes later, and in no header. */
function compareHeaders({ input, isWrapped }: WorkflowTool, asked: JsonObject, headers: Headers): void {
  const mismatch = findMismatch(readMarks(input), isWrapped ? wrapInput(asked) : asked, headers);
  if (mismatch !== null) throw new HeaderMismatch(mismatch);
}

function findProblems(plan: Plan, input: JsonObject): readonly string[] {
  const prepared = prepareInput(plan, input);
  return prepared.ok ? [] : prepared.problems.map(({ message }) => message);
}

function propertiesOf(schema: JsonObject): JsonObject {
  const properties = own(schema, "properties") ?? own(targetOf(schema), "properties");
  return properties !== undefined && isObject(properties) ? properties : {};
}

/** What a schema stands for that only refers to one of its definitions. */
function targetOf(schema: JsonObject): JsonObject {
  const reference = own(schema, "$ref");
  const shape = /^#\/(\$defs|definitions)\/([^/~%]+)$/u;
  const [, place = "", name = ""] = (typeof reference === "string" ? shape.exec(reference) : null) ?? [];
  const definitions = own(schema, place);
  const target = definitions !== undefined && isObject(definitions) ? own(definitions, name) : undefined;
  return target !== undefined && isObject(target) ? target : {};
}

/** The handle of 2026-07-28: a result that is a task. */
function toHandle(seen: SeenRun, { caller, house }: Hand): CallToolResult {
  return { resultType: "task", ...toTaskHead(seen, lookerOf(caller, house)), content: [] };
}

/** And that of 2025-11-25, which holds one. Each begins as working there; what has become of it since is for who asks next. */
function toLegacyHandle(seen: SeenRun, { caller, house }: Hand, { begun }: Manner): CallToolResult {
  begun(seen);
  return { content: [], task: { ...toLegacyTask(seen, lookerOf(caller, house)), status: "working" } };
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
