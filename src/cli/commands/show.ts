// `stepwell show`: one run as it is now.

import { StepwellError } from "../../error.ts";
import { isObject, type Json } from "../../flow/json.ts";
import { defineCommand, type Call, type Command, type Flags } from "../command.ts";
import { toStepDocument, toWholeDocument } from "../../server/document/run.ts";
import { readRunId, selectRun } from "../select.ts";
import { drawShown } from "../shown-run.ts";
import { createTimeFormat } from "../time.ts";
import { openView } from "../open-view.ts";
import { storeFlag, type View } from "../view.ts";
import type { Row } from "../../run/model.ts";

const flags = {
  step: { value: "NAME", about: "only this step: its newest visit", completes: "step-name" },
  output: { about: "only what the step, or the run, has given" },
} as const satisfies Flags;

export const command: Command = defineCommand({
  operands: [{ name: "<run>", completes: "run" }],
  flags,
  examples: ["show 1774093092891", "show 1774093092891 --step fetch --output", "show 1774093092891 --json"],
  async act(call) {
    const { values } = call;
    const text = readRunId(call);
    const format = createTimeFormat(values.tz);
    await using view = await openView(call);
    const run = await selectRun(view, text, call);
    if (values.step !== undefined)
      return tellStep(await findStep(view, run, values.step), { call, run, isOutput: values.output });
    const whole = await view.read(run);
    if (values.output) return tellValue(whole.run.output, call);
    const plan = await view.planOf(whole);
    call.out.tell({
      document: toWholeDocument(whole),
      lines: (look) => drawShown({ ...whole, plan }, { now: Date.now(), format, suffix: storeFlag(call) }, look),
    });
    return 0;
  },
});

async function findStep(view: View, run: number, name: string): Promise<Row> {
  const { rows } = await view.read(run);
  const row = rows.findLast(
    (each) => each.role !== "items" && (each.name === name || each.step === name || String(each.id) === name),
  );
  if (row !== undefined) return row;
  const names = [...new Set(rows.map((each) => each.name))].join(", ");
  throw new StepwellError("STEP_NOT_FOUND", `Run ${run} has not been in a step "${name}".`, {
    hint: `there are: ${names}`,
  });
}

type Telling = { readonly call: Call; readonly run: number; readonly isOutput: boolean };

function tellStep(row: Row, { call, run, isOutput }: Telling): number {
  if (isOutput) return tellValue(row.result, call);
  const document = toStepDocument(run, row);
  call.out.tell({ document, lines: () => JSON.stringify(document, null, 2).split("\n") });
  return 0;
}

/** A text as it is, all else as JSON. */
function tellValue(value: Json, { out }: Call): number {
  if (out.isJson) out.print(JSON.stringify(value));
  else if (typeof value === "string") out.print(value);
  else out.print(isObject(value) ? JSON.stringify(value, null, 2) : JSON.stringify(value));
  return 0;
}
