// What happens on a server, as it happens: one stream after another, each from where the last one ended, so that a server
// may be away for a while and nothing is missed.

import type { ChangesQuery, StoreChange, StoreNews } from "../engine/changes.ts";
import { StepwellError } from "../error.ts";
import type { JsonObject } from "../flow/json.ts";
import { readEventStream, type StreamEvent } from "./event-stream.ts";
import { parseMaybe, type Failure } from "./failure.ts";
import { fieldIn, listIn, numberIn, objectIn, take, textIn } from "./fields.ts";
import { pauseAfter, stopped, StreamFailure, type Wire } from "./wire.ts";

type LiveChange = StoreChange & { readonly at: number };

type ChangedNews = Extract<StoreNews, { kind: "changed" }>;
type ProgressNews = Extract<StoreNews, { kind: "progress" }>;

export type LiveNews =
  | { readonly kind: "changes"; readonly cursor: string; readonly at: number; readonly changes: readonly LiveChange[] }
  | ChangedNews
  | ProgressNews
  | { readonly kind: "told" | "reset"; readonly cursor: string };

/** A server says something every 15 seconds; one that is silent for longer is gone. */
const silenceMaxMs = 45_000;

/** A stream that lasted so long was a good one: the next is opened soon. */
const goodMs = 1000;

/** Until `signal` is aborted. Throws what the server refuses, and when it was away for too long. */
export async function* followNews(wire: Wire, query: ChangesQuery): AsyncGenerator<LiveNews, void, undefined> {
  const { run, workflow, signal } = query;
  const wanted = { path: "api/events", query: { run, workflow } };
  const leaving = new AbortController();
  const ending = AbortSignal.any([wire.closing, leaving.signal, ...(signal === undefined ? [] : [signal])]);
  let cursor = query.after ?? null;
  /** Since when nobody answers. */
  let awayAt = wire.clock.elapsed();
  try {
    for (let tries = 0; !ending.aborted; tries++) {
      let openedAt: number | null = null;
      let failure: Failure | null = null;
      try {
        for await (const event of openStream(wire, { ...wanted, after: cursor }, ending)) {
          openedAt ??= wire.clock.elapsed();
          if (event === "open") continue;
          cursor = event.id ?? cursor;
          const news = toNews(event);
          if (news !== null) yield news;
        }
      } catch (error) {
        if (ending.aborted) break;
        failure = toFailure(wire, error);
        if (failure.kind === "refused") throw failure.error;
      }
      if (ending.aborted) break;
      const now = wire.clock.elapsed();
      if (openedAt !== null) awayAt = now;
      if (openedAt !== null && now - openedAt >= goodMs) tries = 0;
      const waitMs = failure?.waitMs ?? pauseAfter(tries);
      if (failure !== null && now + waitMs - awayAt > wire.patienceMs) throw failure.error;
      await wire.pause(waitMs, ending);
    }
    if (wire.closing.aborted) throw stopped();
  } finally {
    leaving.abort();
  }
}

type Wish = Parameters<Wire["open"]>[0];

/** `open` first, then what comes. One that says nothing for too long is let go; while nobody listens, nobody counts. */
async function* openStream(
  wire: Wire,
  wish: Wish,
  ending: AbortSignal,
): AsyncGenerator<StreamEvent | "open", void, undefined> {
  const silence = new AbortController();
  const giveUp = (): void => silence.abort(new DOMException("The server is silent.", "TimeoutError"));
  const listen = (delayMs: number): ReturnType<typeof wire.clock.after> => wire.clock.after(delayMs, giveUp, "duty");
  let timer = listen(Math.min(silenceMaxMs, wire.patienceMs));
  try {
    const { body } = await wire.open(wish, AbortSignal.any([ending, silence.signal]));
    timer.cancel();
    yield "open";
    if (body === null) return;
    timer = listen(silenceMaxMs);
    for await (const event of readEventStream(body)) {
      timer.cancel();
      yield event;
      timer = listen(silenceMaxMs);
    }
  } finally {
    timer.cancel();
    silence.abort();
  }
}

/** A connection that breaks comes back; what the server refuses stays refused, and nonsense is told as such. */
function toFailure(wire: Wire, error: unknown): Failure {
  if (error instanceof StreamFailure) return error.failure;
  if (error instanceof StepwellError) return { kind: "refused", error };
  return { kind: "lost", error: wire.failureOf(error).error };
}

/** null: it tells nothing. */
function toNews({ event, data, id }: StreamEvent): LiveNews | null {
  if (event === null) return id === null ? null : { kind: "told", cursor: id };
  const told = objectIn(parseMaybe(data));
  if (event === "progress") return toProgress(told, id ?? "");
  const cursor = textIn(told, "cursor");
  if (event === "hello") return { kind: "told", cursor };
  if (event === "reset") return { kind: "reset", cursor };
  if (event === "changed") return { kind: "changed", cursor, ...take<ChangedNews, "what">(told, ["what"]) };
  if (event !== "change") return null;
  const changes = listIn(fieldIn(told, "changes")).map(toChange);
  return { kind: "changes", cursor, at: numberIn(told, "at"), changes };
}

function toProgress(told: JsonObject, cursor: string): LiveNews {
  const progress = take<ProgressNews["progress"]>(told, ["fraction", "message"]);
  return { kind: "progress", cursor, run: numberIn(told, "run_id"), step: numberIn(told, "step_id"), progress };
}

function toChange(document: JsonObject): LiveChange {
  const step = fieldIn(document, "step_id");
  const stepName = fieldIn(document, "step");
  return {
    ...take<LiveChange, "name" | "status" | "at">(document, ["name", "status", "at"]),
    run: numberIn(document, "run_id"),
    step: typeof step === "number" ? step : null,
    stepName: typeof stepName === "string" ? stepName : null,
  };
}
