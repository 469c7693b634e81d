// `stepwell graph`: draws a flow. stdout is the drawing and nothing else.

import { StepwellError } from "../../error.ts";
import type { Json } from "../../flow/json.ts";
import type { Plan } from "../../flow/plan.ts";
import { nearest } from "../../flow/suggest.ts";
import { defineCommand, type Call, type Command } from "../command.ts";
import { hintingAtFile, isFilePath, readFlowFile } from "../flow-file.ts";
import type { Look } from "../terminal.ts";
import { readSettings } from "../settings.ts";
import { openView } from "../open-view.ts";
import { hasPlace } from "../view.ts";
import { readWorkflowFiles } from "../workflow-files.ts";

const forms = ["ascii", "mermaid", "svg"] as const;
type Form = (typeof forms)[number];

export const command: Command = defineCommand({
  operands: [
    { name: "<run|workflow|file>", completes: "flow" },
    { name: "[ascii|mermaid|svg]", completes: forms },
  ],
  flags: {},
  examples: ["graph hello.yaml", "graph hello.yaml svg > hello.svg"],
  async act(call) {
    const { operands, out, usage } = call;
    const [given, wanted = "ascii"] = operands;
    if (given === undefined) throw new StepwellError("USAGE", "Say which flow to draw.", { hint: usage });
    const form = readForm(wanted, usage);
    const plan = await readPlan(given, call);
    const drawing = await draw(plan, form, out.look);
    out.tell({
      document: { name: plan.name, flow: plan.hash, form, drawing },
      ids: [plan.hash],
      lines: () => drawing.trimEnd().split("\n"),
    });
    return 0;
  },
});

function readForm(text: string, usage: string): Form {
  const form = forms.find((each) => each === text);
  if (form !== undefined) return form;
  const near = nearest(text, forms);
  const suggestion = near === undefined ? "" : ` Did you mean "${near}"?`;
  throw new StepwellError("USAGE", `There is no drawing "${text}".${suggestion}`, { hint: usage });
}

async function readPlan(given: string, call: Call): Promise<Plan> {
  if (isFilePath(given)) {
    return compileSaved(readFlowFile(given, call.usage));
  }
  if (!(await isRun(given, call))) return compileSaved(await hintingAtFile(given, readNamed(given, call)));
  await using view = await openView(call);
  const { selectRun } = await import("../select.ts");
  const plan = await view.planOf(await view.read(await selectRun(view, given, { usage: call.usage })));
  if (plan !== null) return plan;
  throw new StepwellError("FLOW_INVALID", `The flow of run ${given} cannot be compiled by this version.`);
}

/** A uid looks like a name with a hyphen: the store tells. */
async function isRun(given: string, call: Call): Promise<boolean> {
  if (/^\d+$/.test(given)) return true;
  const { isId } = await import("../select.ts");
  if (!isId(given) || !(await hasPlace(call))) return false;
  await using view = await openView(call);
  return (await view.ids.runOfUid(given)) !== undefined;
}

/** What lies in a file is what is saved next: it goes before what is saved now. */
async function readNamed(name: string, call: Call): Promise<Json> {
  const files = await readWorkflowFiles(readSettings(call).workflows);
  const text = files.find(name);
  if (text !== undefined && call.values.as === undefined) return text;
  if (files.names.length > 0 && !(await hasPlace(call))) {
    const near = nearest(name, files.names);
    const suggestion = near === undefined ? "" : ` Did you mean "${near}"?`;
    throw new StepwellError("WORKFLOW_NOT_FOUND", `There is no workflow "${name}".${suggestion}`);
  }
  await using view = await openView(call);
  if (text === undefined) return (await view.getWorkflow(name)).flow;
  await view.allow("read");
  return text;
}

async function compileSaved(flow: Json): Promise<Plan> {
  const { compile } = await import("../../flow/validate/compile.ts");
  return compile(flow);
}

async function draw(plan: Plan, form: Form, look: Look): Promise<string> {
  switch (form) {
    case "ascii": {
      const { drawAscii } = await import("../../flow/draw/ascii.ts");
      return drawAscii(plan, { unicode: look.isUnicode, colour: look.isColour, width: Math.min(look.columns, 120) });
    }
    case "mermaid":
      return (await import("../../flow/draw/mermaid.ts")).drawMermaid(plan);
    case "svg":
      return (await import("../../flow/draw/svg.ts")).drawSvg(plan);
  }
}
