// An export of AlexClaw as a file of ours: a pipeline that keeps the positions, and what its steps say of skills and
// models. There a step that has routes, none of which is taken, ends the run; here it would fall through to the next
// position. So the end is written down, and the imported workflow does what it did.

import { copyJson, isArray, isObject, objectFrom, own, type Json, type JsonObject } from "../../flow/json.ts";
import { pointerTo } from "../../flow/pointer.ts";
import { rewriteAlexClaw } from "../../flow/normalise/alexclaw.ts";
import { validate } from "../../flow/validate/validate.ts";
import { compile } from "../../flow/validate/compile.ts";
import type { SharedFile } from "./document.ts";
import { readOrRefuse, type Note } from "./problems.ts";
import { replaceMembers } from "./references.ts";
import { resourcesIn } from "./resources.ts";

export function readAlexClaw(exported: JsonObject): SharedFile {
  readOrRefuse((note) => checkShape(exported, note));
  const written = own(exported, "steps");
  const steps = isArray(written) ? written : [];
  const workflow = own(exported, "workflow");
  const description = isObject(workflow) ? own(workflow, "description") : null;
  const name = isObject(workflow) ? own(workflow, "name") : null;
  const distinct = replaceMembers(exported, { resources: nameOnce(own(exported, "resources") ?? []) });
  const { flow, warnings } = steps.length === 0 ? withoutSteps(distinct) : withStrictRoutes(distinct);
  return {
    main: {
      name: typeof name === "string" ? name : "",
      description: typeof description === "string" ? description : null,
      flow,
      input: null,
      pointer: "",
    },
    others: [],
    resources: resourcesIn(flow),
    tools: [],
    tests: [],
    warnings,
  };
}

function checkShape(exported: JsonObject, note: Note): void {
  const workflow = own(exported, "workflow");
  const name = isObject(workflow) ? own(workflow, "name") : undefined;
  if (own(exported, "version") !== 1)
    note("unknown_version", "/version", '"version" must be 1; no other is known here.');
  if (!isObject(workflow)) note("workflow_missing", "/workflow", '"workflow" must be an object.');
  else if (typeof name !== "string" || name.trim() === "")
    note("name_missing", "/workflow/name", '"workflow" needs a name.');
  if (!isArray(own(exported, "steps"))) note("steps_missing", "/steps", '"steps" must be a list.');
}

/** There two may have one name, if they lie elsewhere. */
function nameOnce(resources: Json): Json {
  if (!isArray(resources)) return resources;
  const names = new Set<string>();
  return resources.map((each) => {
    const name = isObject(each) ? own(each, "name") : undefined;
    if (!isObject(each) || typeof name !== "string") return each;
    let free = name;
    for (let count = 2; names.has(free); count++) free = `${name} ${count}`;
    names.add(free);
    return free === name ? each : replaceMembers(each, { name: free });
  });
}

type Read = { readonly flow: Json; readonly warnings: readonly string[] };

/** There such a workflow completes at once; here a flow has at least one step. */
function withoutSteps(exported: JsonObject): Read {
  const flow = replaceMembers(toPipeline(exported), { steps: [{ name: "nothing", done: true }] });
  return { flow, warnings: ["The workflow has no steps: its runs complete at once."] };
}

/** Then all that is left goes on, whatever might still lead to it otherwise: each round reads the whole flow. */
const roundsMax = 10;

/** Where nothing but the fall through leads to a step, it stays, and a warning tells. */
function withStrictRoutes(exported: JsonObject): Read {
  // What is wrong is told with its place in the file.
  compile(exported);
  const pipeline = toPipeline(exported);
  const written = own(pipeline, "steps");
  const steps = (isArray(written) ? written : []).filter(isObject);
  const order = steps
    .map((_, index) => index)
    .toSorted((one, other) => positionOf(steps, one) - positionOf(steps, other));
  const open = new Set<number>();
  for (let round = 0; ; round++) {
    const strict = steps.map((step, index) => (hasRoutes(step) && !open.has(index) ? withEnd(step) : step));
    const flow = replaceMembers(pipeline, { steps: strict });
    const lost = findUnreachable(flow);
    const before = [...lost].flatMap((index) => order[order.indexOf(index) - 1] ?? []);
    const fresh = before.filter((index) => !open.has(index) && (round >= roundsMax || !lost.has(index)));
    if (fresh.length === 0) return { flow, warnings: [...open].map((index) => tellOpen(steps[index] ?? {}, index)) };
    for (const index of fresh) open.add(index);
  }
}

function toPipeline(exported: JsonObject): JsonObject {
  const { document } = rewriteAlexClaw(exported);
  const copied = copyJson(document);
  return isObject(copied) ? objectFrom([["format", "stepwell/v1"], ...Object.entries(copied)]) : {};
}

function positionOf(steps: readonly JsonObject[], index: number): number {
  const position = own(steps[index] ?? {}, "position");
  return typeof position === "number" ? position : index + 1;
}

function hasRoutes(step: JsonObject): boolean {
  const routes = own(step, "routes");
  return isArray(routes) && routes.length > 0;
}

function withEnd(step: JsonObject): JsonObject {
  return objectFrom<Json>([...Object.entries(step), ["done", true]]);
}

function findUnreachable(flow: Json): ReadonlySet<number> {
  const found = validate(flow).findings.flatMap(({ code, pointer }) => {
    const [, index] = /^\/steps\/(\d+)$/.exec(pointer) ?? [];
    return code === "unreachable_step" && index !== undefined ? [Number(index)] : [];
  });
  return new Set(found);
}

function tellOpen(step: JsonObject, index: number): string {
  const name = own(step, "name");
  const shown = typeof name === "string" ? `"${name}"` : pointerTo("steps", index).slice(1);
  return `Step ${shown} has routes, and nothing else leads to the step after it: what no route names goes on there, and does not end the run as it did in AlexClaw.`;
}
