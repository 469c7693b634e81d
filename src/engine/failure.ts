// Why an engine does not start, or stops by itself.

import { StepwellError } from "../error.ts";
import type { OwnerCard } from "../store/store.ts";

export function noRoom(store: string): StepwellError {
  return new StepwellError("STORE_FULL", `There is no room left for ${store}.`, {
    hint: "Free some space, or raise the budget of the file; nothing new starts until then, and nothing is lost.",
  });
}

export function engineStopped(): StepwellError {
  return new StepwellError("ENGINE_STOPPED", "The engine has stopped.");
}

export function notWritten(problem: string): StepwellError {
  return new StepwellError("REFUSED", `This could not be written: ${problem}`, { details: { code: "not_written" } });
}

export function isNotWritten(error: unknown): boolean {
  const details = error instanceof StepwellError ? error.details : undefined;
  return details !== undefined && "code" in details && details.code === "not_written";
}

/** A commit failed in a way that leaves open whether it is on disk. */
export function outcomeUnknown(cause: unknown): StepwellError {
  const told = cause instanceof Error ? cause.message : String(cause);
  return new StepwellError("OUTCOME_UNKNOWN", `The store did not say whether the last changes are on disk: ${told}`, {
    hint: "The engine has stopped. Start it again: it reads the rows and goes on from there.",
    cause,
  });
}

/** Another one that serves others has the store, and keeps it. */
export function inUse(name: string, { pid, host, address }: OwnerCard): StepwellError {
  const where = address === null ? "" : ` at ${address}`;
  return new StepwellError("STORE_BUSY", `${name} is in use by process ${pid} on ${host}${where}.`, {
    hint: "Stop it first, or use another file.",
    details: { pid, host, address },
  });
}
