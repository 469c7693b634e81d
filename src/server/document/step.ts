// One step, and steps without their values, as programs read them.

import { own } from "../../flow/json.ts";
import type { Plan } from "../../flow/plan.ts";
import type { Row, RunId } from "../../run/model.ts";
import type { Brief, BriefRow } from "../../store/brief.ts";
import type { BriefStepDocument, OutlineStepDocument } from "../contract/outline.ts";
import type { GateStateDocument, StepDocument } from "../contract/run.ts";
import { attemptsOf } from "./graph.ts";
import { jsonBytes, orOmitted } from "./omitted.ts";
import { toStepDocument, toStepFields } from "./run.ts";

/** Longer sentences are cut. */
const messageMax = 2000;

export function toOutlineStep(run: RunId, brief: Brief, plan: Plan | null): OutlineStepDocument {
  const { row, argsBytes, resultBytes } = brief;
  const fields = toStepFields(run, row);
  return {
    ...fields,
    error: cutError(fields.error),
    warnings: fields.warnings.map(cut),
    gate: cutGate(fields.gate),
    args_bytes: argsBytes ?? 0,
    result_bytes: resultBytes ?? 0,
    errors_bytes: jsonBytes(row.errors),
    has_error: row.error !== null,
    ...triesOf(row, plan),
  };
}

/** Its values whole, unless they are large. */
export function toBriefStep(run: RunId, row: Row, plan: Plan | null): BriefStepDocument {
  const document = toStepDocument(run, row);
  return {
    ...document,
    args: orOmitted(row.args),
    result: orOmitted(row.result),
    errors: orOmitted(row.errors),
    ...triesOf(row, plan),
  };
}

type Tries = Pick<OutlineStepDocument, "key_of_idempotency" | "attempts_max" | "next_try_at">;

function triesOf(row: BriefRow, plan: Plan | null): Tries {
  const attempts = attemptsOf(plan === null ? undefined : own(plan.steps, row.step));
  return {
    key_of_idempotency: row.tool === null ? null : row.key,
    attempts_max: attempts > 1 && (row.role === "step" || row.role === "item") ? attempts : null,
    next_try_at: row.alarms.find(({ kind }) => kind === "retry")?.at ?? null,
  };
}

function cutError(error: StepDocument["error"]): StepDocument["error"] {
  return error === null ? null : { code: error.code, message: cut(error.message) };
}

/** What was sent with answers is told with the step. */
function cutGate(gate: GateStateDocument | null): GateStateDocument | null {
  if (gate === null) return null;
  const answers = gate.answers.map((answer) => ({
    ...answer,
    data: null,
    comment: answer.comment === null ? null : cut(answer.comment),
  }));
  return { ...gate, message: gate.message === null ? null : cut(gate.message), answers };
}

function cut(text: string): string {
  return text.length <= messageMax ? text : `${text.slice(0, messageMax).toWellFormed()}…`;
}
