// Why an engine stops by itself.

import { StepwellError } from "../error.ts";

/** A commit failed in a way that leaves open whether it is on disk. */
export function outcomeUnknown(cause: unknown): StepwellError {
  const told = cause instanceof Error ? cause.message : String(cause);
  return new StepwellError("OUTCOME_UNKNOWN", `The store did not say whether the last changes are on disk: ${told}`, {
    hint: "The engine has stopped. Start it again: it reads the rows and goes on from there.",
    cause,
  });
}
