// What happens, as it happens: one EventSource for all tabs of this browser. The tab that holds the lock listens, and hands
// on what it hears; when it is closed, the next one takes over, and goes on behind the same cursor.

import type { ProgressDocument } from "../../../src/server/contract.ts";
import { ask } from "./request.ts";
import type { Beside, Change } from "../model/change.ts";
import type { Line } from "../model/line.ts";
import type { StepProgress } from "../model/progress.ts";
import { mayDo, type Holder } from "../model/right.ts";
import type { RunStatus, StepStatus } from "../model/status.ts";

export type News =
  | { readonly kind: "changes"; readonly changes: readonly Change[] }
  | { readonly kind: "changed"; readonly what: Beside }
  | { readonly kind: "progress"; readonly progress: StepProgress }
  /** Read anew what there is. */
  | { readonly kind: "reset" };

export type Stream = { readonly close: () => void };

type Hearing = { readonly onNews: (news: News) => void; readonly onLine: (line: Line) => void };

type Word =
  | { readonly kind: "news"; readonly news: News; readonly cursor: string | null }
  | { readonly kind: "line"; readonly line: Line }
  | { readonly kind: "who" };

const channelName = "stepwell.live";
/** So long after it broke it is called offline. */
const offlineAfterMs = 2500;
const againAfterMs = 1500;

export function openStream(hearing: Hearing): Stream {
  const leaving = new AbortController();
  const channel = new BroadcastChannel(channelName);
  let line: Line = "connecting";
  let cursor: string | null = null;
  let isLeader = false;
  const tell = (word: Word): void => {
    if (word.kind === "news") {
      cursor = word.cursor ?? cursor;
      hearing.onNews(word.news);
    } else if (word.kind === "line" && word.line !== line) {
      line = word.line;
      hearing.onLine(line);
    }
  };
  channel.addEventListener("message", ({ data }: MessageEvent<Word>) => {
    if (data.kind === "who") {
      if (isLeader) channel.postMessage({ kind: "line", line } satisfies Word);
    } else if (!isLeader) tell(data);
  });
  channel.postMessage({ kind: "who" } satisfies Word);
  /** To the other tabs as well. */
  const say = (word: Word): void => {
    tell(word);
    channel.postMessage(word);
  };
  const lead = async (): Promise<void> => {
    if (leaving.signal.aborted) return;
    isLeader = true;
    const ended = Promise.withResolvers<void>();
    // Taken over from one that has gone: what was told meanwhile, and is not told again, is read when the line stands.
    if (cursor !== null) say({ kind: "line", line: "reconnecting" });
    const listener = listen(cursor, say);
    leaving.signal.addEventListener("abort", () => {
      listener.close();
      ended.resolve();
    });
    await ended.promise;
  };
  // Outside of secure contexts there are no locks, and every tab listens by itself.
  if ("locks" in navigator) void navigator.locks.request(channelName, { signal: leaving.signal }, lead).catch(() => {});
  else void lead();
  return {
    close: () => {
      leaving.abort();
      channel.close();
    },
  };
}

type ChangeDocument = {
  readonly run_id: number;
  readonly step_id: number | null;
  readonly name: string;
  readonly step: string | null;
  readonly status: RunStatus | StepStatus | "removed";
  readonly at: number;
};

type ProgressEvent = ProgressDocument & { readonly run_id: number; readonly step_id: number };

/** Comes back by itself, also where a browser would give up. */
function listen(after: string | null, tell: (word: Word) => void): Stream {
  let cursor = after;
  let source: EventSource | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let offline: ReturnType<typeof setTimeout> | undefined;
  let isClosed = false;
  const hear = (event: MessageEvent<string>, news: News): void => {
    cursor = event.lastEventId === "" ? cursor : event.lastEventId;
    tell({ kind: "news", news, cursor });
  };
  /** A browser does not tell why: where it is that nobody knows who is here, asking anything else does. Who may not see
   *  runs any more has to learn that, and the line is given up. */
  const askWhy = async (): Promise<void> => {
    const me = await ask<Holder>("/api/me").catch(() => undefined);
    if (me !== undefined && !mayDo(me, "read") && !isClosed) tell({ kind: "news", news: { kind: "reset" }, cursor });
  };
  const open = (): void => {
    const opened = new EventSource(cursor === null ? "/api/events" : `/api/events?after=${encodeURIComponent(cursor)}`);
    source = opened;
    opened.addEventListener("open", () => {
      clearTimeout(offline);
      offline = undefined;
      tell({ kind: "line", line: "live" });
    });
    opened.addEventListener("hello", (event) => hear(event, { kind: "reset" }));
    opened.addEventListener("reset", (event) => hear(event, { kind: "reset" }));
    opened.addEventListener("change", (event) => {
      const told = JSON.parse(event.data as string) as { readonly changes: readonly ChangeDocument[] };
      hear(event, { kind: "changes", changes: told.changes.map(toChange) });
    });
    opened.addEventListener("changed", (event) => {
      const { what } = JSON.parse(event.data as string) as { readonly what: Beside };
      hear(event, { kind: "changed", what });
    });
    opened.addEventListener("progress", (event) => {
      hear(event, { kind: "progress", progress: toProgress(JSON.parse(event.data as string) as ProgressEvent) });
    });
    opened.addEventListener("error", () => {
      const isRefused = opened.readyState === EventSource.CLOSED;
      opened.close();
      if (isClosed) return;
      if (isRefused) void askWhy();
      tell({ kind: "line", line: offline === undefined ? "reconnecting" : "offline" });
      offline ??= setTimeout(() => tell({ kind: "line", line: "offline" }), offlineAfterMs);
      timer = setTimeout(open, againAfterMs);
    });
  };
  open();
  return {
    close: () => {
      isClosed = true;
      clearTimeout(timer);
      clearTimeout(offline);
      source?.close();
    },
  };
}

function toChange({ run_id: run, step_id: step, name, step: stepName, status, at }: ChangeDocument): Change {
  return { run, step, name, stepName, status, at };
}

function toProgress({ run_id: run, step_id: step, fraction, message }: ProgressEvent): StepProgress {
  return { run, step, fraction, message };
}
