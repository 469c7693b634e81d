// Commands that say one thing about one step: find it, say it, show the step as it is then.

import type { UserEngine } from "../engine/engine.ts";
import type { RowId } from "../run/model.ts";
import { StepwellError } from "../error.ts";
import type { Call, Operand, Values } from "./command.ts";
import { toStepDocument } from "../server/document/run.ts";
import { selectStep, type StepSelecting } from "./select.ts";
import { nobodyWorks, openSession } from "./session.ts";
import { openView } from "./open-view.ts";

export const stepFlags = {
  step: { value: "NAME", about: "which step, when the run has several that wait", completes: "step-name" },
} as const;

export const stepOperand: Operand = { name: "<step|run>", completes: "step" };

export type StepAction = Pick<StepSelecting, "fits" | "what"> & {
  readonly act: (engine: UserEngine, step: RowId, by: string) => Promise<void>;
  /** What has been done, in a word or two: `approved`. */
  readonly done: string;
};

type StepCall = Call & { readonly values: Values<typeof stepFlags> };

export async function actOnStep(call: StepCall, { fits, what, act, done }: StepAction): Promise<number> {
  const { values, out, usage } = call;
  const [text] = call.operands;
  if (text === undefined)
    throw new StepwellError("USAGE", "Say which one: the id of a step, or of its run.", { hint: usage });
  const { run, step } = await selectOne(call, text, { fits, what, usage, name: values.step });
  await using session = await openSession(call);
  await act(session.engine, step, session.user);
  const row = (await session.engine.get(run)).steps.find(({ id }) => id === step);
  out.tell({
    document: row === undefined ? { id: step } : toStepDocument(run, row),
    lines: () => [String(step)],
  });
  out.say(`${done}: "${row?.name ?? ""}" of run ${run}`);
  if (session.engine.isOwner) out.say(nobodyWorks(session.store, run));
  return 0;
}

async function selectOne(call: Call, text: string, selecting: StepSelecting): ReturnType<typeof selectStep> {
  await using view = await openView(call);
  return await selectStep(view, text, selecting);
}
