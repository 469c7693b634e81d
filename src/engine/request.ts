// What any door asks of the engine: plain data, so that a guest can put it into the inbox and the owner take it from
// there. Both answer alike.

import type { Asker } from "../access/permission.ts";
import { StepwellError, errorCodes, type ErrorCode } from "../error.ts";
import { isObject, own, type Json, type JsonObject } from "../flow/json.ts";
import { depthLimit } from "../flow/source/limits.ts";
import { isTooDeep } from "../flow/source/value.ts";
import type { Reply } from "../run/decision.ts";
import type { Message } from "../run/message.ts";
import type { RowId, RunId } from "../run/model.ts";
import type { ClerkName } from "./clerk.ts";

type Without<Kind, Field extends PropertyKey> = Kind extends unknown ? Omit<Kind, Field> : never;

/** A message of the kernel whose id is the request's. */
export type Said = Without<
  Extract<
    Message,
    {
      kind:
        | "ready"
        | "answer"
        | "signal"
        | "event"
        | "cancel"
        | "pause"
        | "resume"
        | "resolve"
        | "skip"
        | "choose"
        | "fire";
    }
  >,
  "id"
>;

export type StartRequest = {
  readonly kind: "start";
  readonly flow: Json;
  readonly name: string | null;
  readonly input: Json;
  readonly by: string;
  readonly via: string | null;
  readonly at: number | null;
  readonly startKey: string | null;
  /** What was said of when it is to begin, as it was said: words mean another instant each time. */
  readonly asked?: string;
  /** It is only checked, and given its ids: the program's own transaction brings the start itself. */
  readonly isReserved?: true;
  /** The ids that it was given. */
  readonly place?: ReservedPlace;
};

export type ReservedPlace = { readonly id: RunId; readonly uid: string };

/** An ended run once more, as a new one. */
export type AgainRequest = {
  readonly kind: "again";
  readonly run: RunId;
  readonly how: "retry" | "rerun" | "fork";
  /** A row, or the step whose newest visit it is; null: the start, and of a retry what failed. */
  readonly from: RowId | string | null;
  /** null: as it was. */
  readonly input: Json;
  readonly by: string;
  readonly via?: string | null;
  /** As of a start. */
  readonly startKey?: string;
};

/** `as`: who asks, whatever the request says itself; unless given, it is the program, or whom it names. `source`: where it
 *  comes from, for the audit. */
export type Request = { readonly as?: Asker; readonly source?: string } & (
  | StartRequest
  | AgainRequest
  /** `run` null: of the row that the message names. */
  | {
      readonly kind: "say";
      readonly id: string;
      readonly run: RunId | null;
      readonly said: Said;
      readonly expectedVersion?: number;
    }
  /** To every wait for it that is open. */
  | { readonly kind: "emit"; readonly id: string; readonly event: string; readonly data: Json }
  /** What a cancel would do; changes nothing. */
  | {
      readonly kind: "preview";
      readonly run: RunId;
      /** Only whether it may be, and which transitions may be fired. */
      readonly isShort?: boolean;
    }
  /** Runs that ended before this instant, or whenever, are to go, all of them or those of a name; how many did. Twice does no
   *  more than once. */
  | { readonly kind: "prune"; readonly endedBefore: number | null; readonly name?: string }
  /** This run is to go, with its sub-runs; how many did. Asked again, there is none. */
  | { readonly kind: "remove"; readonly run: RunId }
  /** For whoever keeps something beside the runs. */
  | { readonly kind: "keep"; readonly clerk: ClerkName; readonly ask: Json; readonly by: string }
  /** Somebody else wants to be the owner. */
  | { readonly kind: "hand_over" }
);

export interface Door {
  /** The answer, once it is on disk; throws what the engine refuses. */
  ask(request: Request): Promise<Json>;
}

export type Started = {
  readonly id: RunId;
  readonly uid: string;
  readonly status: string;
  /** When it begins; null: now. */
  readonly scheduledAt: number | null;
  readonly warnings: readonly string[];
};

/** The row that a message is about; undefined: it is about the run. */
export function rowOf(said: Said): RowId | undefined {
  return "row" in said ? said.row : undefined;
}

/** Throws what was refused, in the same words at every door. */
export function refused(code: string, message: string): StepwellError {
  switch (code) {
    case "run_not_found":
      return new StepwellError("RUN_NOT_FOUND", message);
    case "not_allowed":
      return new StepwellError("NOT_ALLOWED", message, { details: { code } });
    case "key_reused":
      return new StepwellError("KEY_REUSED", message, { details: { code } });
    case "engine_stopped":
      return new StepwellError("ENGINE_STOPPED", message);
    case "outcome_unknown":
      return new StepwellError("OUTCOME_UNKNOWN", message);
    case "store_full":
      return new StepwellError("STORE_FULL", message);
    default:
      return new StepwellError("REFUSED", message, { details: { code } });
  }
}

/** The answer as it is written into the inbox, for a guest to read. */
export function answerTo(reply: Reply): Json {
  return reply.kind === "ok" ? { ok: reply.value } : { error: toWire(refused(reply.code, reply.message)) };
}

const kinds: ReadonlySet<string> = new Set<Request["kind"]>([
  "start",
  "again",
  "say",
  "emit",
  "preview",
  "prune",
  "remove",
  "keep",
  "hand_over",
]);

/** A guest is a process of ours with the same rights to the file: only what another version may send is looked at. */
export function parseRequest(message: Json): Request {
  const kind = isObject(message) ? own(message, "kind") : undefined;
  if (typeof kind === "string" && kinds.has(kind)) return message as Request;
  throw new StepwellError("REFUSED", "The message is none that this version knows.", {
    details: { code: "unknown_request" },
  });
}

/** Plain data of its own: whoever asked may change what they gave. */
export function toPlain(request: Request): Request {
  const plain = copy(request);
  if (isTooDeep(plain, depthLimit + ownLevels))
    throw new StepwellError("INPUT_INVALID", `What was given is nested more than ${depthLimit} deep.`);
  return plain as Request;
}

/** The request around what was given. */
const ownLevels = 4;

function copy(request: Request): Json {
  try {
    return JSON.parse(JSON.stringify(request)) as Json;
  } catch (error) {
    const told = error instanceof Error ? error.message : String(error);
    throw new StepwellError("INPUT_INVALID", `What was given is not JSON: ${told}`, { cause: error });
  }
}

/** An error as a guest reads it from the inbox. */
export function toWire(error: unknown): JsonObject {
  if (!(error instanceof StepwellError)) return { code: "REFUSED", message: String(error) };
  const { code, message, hint, details } = error;
  return {
    code,
    message,
    hint: hint ?? null,
    details: details === undefined ? null : JSON.parse(JSON.stringify(details)),
  };
}

export function fromWire(wire: Json): StepwellError {
  const code = isObject(wire) ? own(wire, "code") : undefined;
  const message = isObject(wire) ? own(wire, "message") : undefined;
  const hint = isObject(wire) ? own(wire, "hint") : undefined;
  const details = isObject(wire) ? own(wire, "details") : undefined;
  return new StepwellError(
    isCode(code) ? code : "REFUSED",
    typeof message === "string" ? message : "The owner refused it.",
    {
      ...(typeof hint === "string" ? { hint } : {}),
      ...(details !== undefined && isObject(details) ? { details } : {}),
    },
  );
}

function isCode(code: unknown): code is ErrorCode {
  return typeof code === "string" && Object.hasOwn(errorCodes, code);
}
