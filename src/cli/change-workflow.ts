// Commands that change one thing about saved workflows: said to the owner, answered with the workflow as it is then.

import type { UserEngine } from "../engine/engine.ts";
import type { SavedWorkflow } from "../engine/workflow-view.ts";
import { StepwellError } from "../error.ts";
import type { Call, Operand, Values } from "./command.ts";
import { openSession } from "./session.ts";
import { refuseMissing } from "./view.ts";
import { toSavedDocument } from "../server/document/workflow.ts";

export const workflowOperand: Operand = { name: "<workflow>", completes: "workflow" };

export const expectFlags = {
  expect: { value: "VERSION", about: "only if this is still the newest version" },
} as const;

export type Expecting = Call & { readonly values: Values<typeof expectFlags> };

export function nameOf({ operands, usage }: Call): string {
  const [name] = operands;
  if (name !== undefined && name !== "") return name;
  throw new StepwellError("USAGE", "Say which workflow.", { hint: usage });
}

/** A whole number, given with a flag or in a place. */
export function readVersionNumber(text: string, usage: string): number {
  if (/^@?\d{1,9}$/.test(text)) return Number(text.replace("@", ""));
  throw new StepwellError("USAGE", `"${text}" is no number of a version.`, { hint: usage });
}

export function readExpected({ values, usage }: Expecting): { readonly expectedVersion?: number } {
  return values.expect === undefined ? {} : { expectedVersion: readVersionNumber(values.expect, usage) };
}

export type WorkflowChange = {
  readonly act: (workflows: UserEngine["workflows"], by: string) => Promise<SavedWorkflow>;
  /** What has been done, in a word or two. */
  readonly done: (changed: SavedWorkflow) => string;
};

export async function changeWorkflow(call: Call, { act, done }: WorkflowChange): Promise<number> {
  await refuseMissing(call);
  await using session = await openSession(call);
  const changed = await act(session.engine.workflows, session.user);
  for (const warning of changed.warnings) call.out.say(`warning: ${warning}`);
  call.out.tell({
    document: toSavedDocument(changed),
    ids: [`${changed.name}@${changed.version}`],
    lines: () => [`${changed.name}@${changed.version}`],
  });
  call.out.say(`${done(changed)}: ${changed.name}`);
  return 0;
}
