// The tools of the seeds, by their names and in their words: a workflow is there what we call a run, and a template what
// we call a saved workflow.

import { z } from "zod";
import type { StartOptions } from "../../engine/engine.ts";
import { StepwellError } from "../../error.ts";
import type { Json } from "../../flow/json.ts";
import { toRunDocument } from "../document/run.ts";
import { toSeedDocument } from "../document/seed.ts";
import { toTemplateDocument } from "../document/template.ts";
import { toSavedDocument } from "../document/workflow.ts";
import { readInput } from "../reading.ts";
import { readStatuses, statusWords } from "../searching.ts";
import { begins, decides, keeps, reads } from "./hints.ts";
import { defineDoorTool, findRun, flowShape, inputShape, runShape, tell, type DoorTool } from "./tool.ts";

const stepShape = z.int().positive().describe("The step that waits");
const workflowShape = z.union([z.string().min(1).max(200), z.int()]).describe("Its name, or its number");

export const listShape: z.ZodType<string | undefined> = z
  .string()
  .max(200)
  .optional()
  .describe("scheduled, running, paused, completed, failed, cancelled, live or all; several with commas");

export const pageShape: z.ZodType<number> = z.int().min(1).max(200).default(50).describe("So many at most");
export const cursorShape: z.ZodType<number | undefined> = z
  .int()
  .positive()
  .optional()
  .describe("Go on from here: what `next` of the page before says");

export function toStatuses(given: string | undefined): object {
  const read = readStatuses(given);
  if (read.ok) return read.wanted;
  throw new StepwellError("INPUT_INVALID", `There is no status "${read.word}".`, { hint: statusWords.join(", ") });
}

const create = defineDoorTool({
  name: "workflow_create",
  title: "Start a flow",
  description: "Start a run of a flow that is given here, now or at a time. Answers with the id of the run at once.",
  right: "start",
  annotations: begins,
  args: z.strictObject({
    name: z.string().min(1).max(200).describe("What the run is called"),
    flow: flowShape.describe("A flow with its step `start`, or its text in JSON or YAML"),
    input: inputShape.optional(),
    schedule: z
      .union([z.string().max(200), z.number()])
      .optional()
      .describe('When: "tomorrow at 9am", "in 30 minutes", unix seconds or milliseconds; now unless given'),
    tz: z.string().max(100).optional().describe("The time zone of schedule, such as Europe/Berlin"),
  }),
  call: async ({ name, flow, input, schedule, tz }, { engine, caller }) => {
    const options: StartOptions = {
      name,
      as: caller.user,
      input: readInput(input),
      ...(schedule === undefined ? {} : { at: schedule }),
      ...(tz === undefined ? {} : { tz }),
    };
    const { id, uid, status, scheduledAt, warnings } = await engine.start(flow as Json, options);
    const told = status === "scheduled" ? status : "started";
    return tell({ id, run_id: uid, status: told, scheduled_at: scheduledAt, warnings });
  },
});

const list = defineDoorTool({
  name: "workflow_list",
  title: "List runs",
  description: "Runs, newest first; cancelled ones only when asked for.",
  right: "read",
  annotations: reads,
  args: z.strictObject({ status: listShape, limit: pageShape, cursor: cursorShape }),
  call: async ({ status, limit, cursor }, { engine }) => {
    const wish = { ...toStatuses(status), limitMax: limit, ...(cursor === undefined ? {} : { before: cursor }) };
    const { runs, next } = await engine.overview.search(wish);
    return tell(
      { workflows: runs.map(toRunDocument), next },
      { less: "A smaller limit, or run_list, tells less of them." },
    );
  },
});

const get = defineDoorTool({
  name: "workflow_get",
  title: "Show a run",
  description: "One run with its flow and all its steps.",
  right: "read",
  annotations: reads,
  args: z.strictObject({ id: runShape }),
  call: async ({ id }, { engine }) => {
    const { steps, ...run } = await engine.get(await findRun(engine, id));
    const whole = { run, flow: run.flow, updatedAt: run.updatedAt, rows: steps };
    return tell(toSeedDocument(whole, await engine.flow(run.id)), {
      less: "run_get tells how it is and what it gave, run_history each step, page by page.",
    });
  },
});

const cancel = defineDoorTool({
  name: "workflow_cancel",
  title: "Cancel a run",
  description: "Cancel a run, where its flow allows it; what it has done may be undone.",
  right: "cancel",
  annotations: decides,
  args: z.strictObject({ id: runShape, reason: z.string().max(1000).optional() }),
  call: async ({ id, reason }, { engine }) => {
    const run = await findRun(engine, id);
    await engine.cancel(run, reason === undefined ? {} : { reason });
    return tell({ id: run, status: (await engine.get(run)).status });
  },
});

const stepReady = defineDoorTool({
  name: "workflow_step_ready",
  title: "Let a step go on",
  description: "Let a step that waits go on: a gate is approved, a retry or a schedule begins now.",
  right: "answer",
  annotations: decides,
  args: z.strictObject({ step_id: stepShape }),
  call: async ({ step_id: step }, { engine }) => {
    await engine.ready(step);
    return tell({ id: step, status: "ready" });
  },
});

const approve = defineDoorTool({
  name: "workflow_approve",
  title: "Approve a gate",
  description: "Say yes at a gate, in the name of the person who has decided it.",
  right: "answer",
  annotations: decides,
  args: z.strictObject({ step_id: stepShape, comment: z.string().max(10_000).optional() }),
  call: async ({ step_id: step, comment }, { engine }) => {
    await engine.approve(step, comment === undefined ? {} : { comment });
    return tell({ id: step, status: "approved" }, { told: "approved" });
  },
});

const templateList = defineDoorTool({
  name: "workflow_template_list",
  title: "List saved workflows",
  description: "Workflows that are kept under a name, in versions.",
  right: "read",
  annotations: reads,
  args: z.strictObject({}),
  call: async (_, { engine }) => tell({ templates: (await engine.workflows.list()).map(toTemplateDocument) }),
});

const templateSave = defineDoorTool({
  name: "workflow_template_save",
  title: "Save a workflow",
  description: "Keep a flow under a name; the same name again makes a new version.",
  right: "save",
  annotations: keeps,
  args: z.strictObject({
    name: z.string().min(1).max(200),
    flow_json: flowShape,
    input_json: inputShape.optional(),
    description: z.string().max(10_000).optional(),
    note: z.string().max(1000).optional().describe("What is new in this version"),
    expected_version: z.int().min(0).optional().describe("Refused unless the newest version is this one; 0: none"),
  }),
  call: async (args, { engine, caller }) => {
    const { name, flow_json: flow, input_json: input, description, note, expected_version: version } = args;
    const saved = await engine.workflows.save(flow as Json, {
      name,
      by: caller.user,
      ...(input === undefined ? {} : { input: readInput(input) }),
      ...(description === undefined ? {} : { description }),
      ...(note === undefined ? {} : { note }),
      ...(version === undefined ? {} : { expectedVersion: version }),
    });
    return tell(toSavedDocument(saved));
  },
});

const templateDelete = defineDoorTool({
  name: "workflow_template_delete",
  title: "Delete a saved workflow",
  description: "Take a workflow off the list; its versions stay, and it can be saved again.",
  right: "save",
  annotations: decides,
  args: z.strictObject({ id: workflowShape }),
  call: async ({ id }, { engine, caller }) =>
    tell(toTemplateDocument(await engine.workflows.delete(id, { by: caller.user }))),
});

/** The first one takes nothing: whoever tries a server out calls that. */
export const seedTools: readonly DoorTool[] = [
  list,
  get,
  create,
  cancel,
  stepReady,
  approve,
  templateList,
  templateSave,
  templateDelete,
];
