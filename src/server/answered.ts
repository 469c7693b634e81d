// Whoever comes too late with an answer is told who was first, and with what.

import { StepwellError } from "../error.ts";
import type { Answer, Row } from "../run/model.ts";

const tooLate: ReadonlySet<unknown> = new Set(["already_answered", "already_ready", "not_waiting", "already_ended"]);

/** `find` may not find the row for whoever asks: then they are told no more than that it was refused. */
export async function tellingWhoAnswered<Said>(said: Promise<Said>, find: () => Promise<Row>): Promise<Said> {
  try {
    return await said;
  } catch (error) {
    if (!(error instanceof StepwellError) || !isTooLate(error)) throw error;
    const answer = await find().then(decidingAnswer, () => undefined);
    if (answer === undefined) throw error;
    const { by, at, outcome, comment } = answer;
    const { hint, details } = error;
    throw new StepwellError(error.code, error.message, {
      ...(hint === undefined ? {} : { hint }),
      details: { ...details, by, at, outcome, comment },
      cause: error,
    });
  }
}

export function isTooLate({ code, details }: StepwellError): boolean {
  return code === "REFUSED" && details !== undefined && "code" in details && tooLate.has(details.code);
}

/** The last that said what the gate ended with; while it is open, the last at all. */
function decidingAnswer({ gate, outcome }: Row): Answer | undefined {
  const answers = (gate?.answers ?? []).toSorted((one, other) => one.at - other.at);
  return answers.findLast((answer) => answer.outcome === outcome) ?? answers.at(-1);
}
