// Why an engine does not start, or stops by itself.

import { StepwellError } from "../error.ts";
import { formatDuration } from "../flow/duration.ts";
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

/** What a client is told; it cannot know whether nobody is there, or somebody is slow. */
export function noAnswer(store: string, timeoutMs: number): StepwellError {
  const message = `No engine that owns ${store} has answered within ${formatDuration(timeoutMs)}. What was asked waits in it, and is done by the next one that opens it.`;
  return new StepwellError("NO_ANSWER", message, {
    hint: "Start an engine on this store. A start that is asked again with the same idempotencyKey gives the same run.",
    details: { store, timeoutMs },
  });
}

/** A commit failed in a way that leaves open whether it is on disk. */
export function outcomeUnknown(cause: unknown): StepwellError {
  const told = cause instanceof Error ? cause.message : String(cause);
  return new StepwellError("OUTCOME_UNKNOWN", `The store did not say whether the last changes are on disk: ${told}`, {
    hint: "The rows tell: an engine that starts on this store reads them and goes on from there.",
    cause,
  });
}

/** The store does not answer any more, or is no longer ours: nothing is wrong with what was being decided. */
export function isStoreGone(error: unknown): error is StepwellError {
  return error instanceof StepwellError && (error.code === "STORE_UNREACHABLE" || error.code === "STORE_LOST");
}

export function storeLost(name: string, cause: StepwellError): StepwellError {
  const message = `The connection to ${name} was lost; it is taken up again as soon as the server answers. (${cause.message})`;
  return new StepwellError("STORE_LOST", message, { hint: "Nothing that was acknowledged is lost.", cause });
}

/** Another one that serves others has the store, and keeps it. */
export function inUse(name: string, { pid, host, address }: OwnerCard): StepwellError {
  const where = address === null ? "" : ` at ${address}`;
  return new StepwellError("STORE_BUSY", `${name} is in use by process ${pid} on ${host}${where}.`, {
    hint: "Stop it first, or use another file.",
    details: { pid, host, address },
  });
}

/** Of what went wrong with the store, as far as anybody can tell. */
export function asStoreProblem(error: unknown): StepwellError {
  return error instanceof StepwellError
    ? error
    : new StepwellError("STORE_UNREADABLE", String(error), { cause: error });
}
