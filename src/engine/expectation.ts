// A change that is to be made only if the run is as somebody saw it. Whoever asks knows the instant of its last change; the
// owner compares numbers, with the change itself, so that nothing comes in between.

import { StepwellError } from "../error.ts";
import type { Json } from "../flow/json.ts";
import type { Decision } from "../run/decision.ts";
import { hasOwnChange, type StoredRun } from "../store/store.ts";
import { refusal, type Envelope } from "./envelope.ts";
import type { HeldRun } from "./held-run.ts";

const code = "version_changed";
/** No run ever has it. */
const otherVersion = -1;

/** Throws, with both instants, when the run was changed at another one. */
export async function askExpecting(
  expected: number,
  find: () => Promise<StoredRun>,
  ask: (version: number) => Promise<Json>,
): Promise<Json> {
  const { run, updatedAt } = await find();
  try {
    // It is asked all the same: under a key it may have been done already.
    return await ask(updatedAt === expected ? run.version : otherVersion);
  } catch (error) {
    if (!isChanged(error)) throw error;
    const { updatedAt: actual } = await find();
    const message = `Run ${run.id} was changed at ${actual}, not at ${expected} as you saw it.`;
    const hint = "Read it again, and then decide.";
    throw new StepwellError("REFUSED", message, { hint, details: { code, expected, actual } });
  }
}

function isChanged(error: unknown): boolean {
  const details = error instanceof StepwellError ? error.details : undefined;
  return details !== undefined && "code" in details && details.code === code;
}

/** undefined: the run is as it was expected to be, and the kernel decides. */
export function refuseChanged({ written, frontier }: HeldRun, envelope: Envelope): Decision | undefined {
  const { expectedVersion, message, run } = envelope;
  if (expectedVersion === undefined) return undefined;
  // What was taken before is answered as before, by the kernel.
  if (frontier.run.seen.some((id) => id.startsWith(message.id))) return undefined;
  if (written?.version === expectedVersion && !hasOwnChange(written, frontier.run)) return undefined;
  const changes = { run: null, rows: [], events: [], visits: [], scopes: [], signals: null };
  const reply = refusal(code, `Run ${run} was changed meanwhile.`);
  return { kind: "decision", changes, calls: [], aborts: [], sends: [], reply };
}
