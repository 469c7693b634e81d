// Messages of guests to the owner: rows that any process may append. The owner looks whether anything was written since
// its last look (`data_version`, some microseconds), and only then at the rows.

import type { DatabaseSync } from "node:sqlite";
import { StepwellError } from "../../error.ts";
import type { Json } from "../../flow/json.ts";
import type { InboxAnswer, InboxId, InboxMessage } from "../store.ts";
import { movedKey, movedKind, refuseMoved } from "../moved.ts";
import { writeInTurn } from "./connection.ts";
import { isBusy } from "./problem.ts";

/** How often the owner looks: a guest's message waits 10 ms on average. */
const lookEveryMs = 20;

export type Post = { readonly message: Json; readonly by: string; readonly at: number };

/** On disk when it answers. A store that was moved takes no message: nobody would read it. */
export async function appendMessage(database: DatabaseSync, path: string, post: Post): Promise<InboxId> {
  const moved = "select value from entries where kind = :kind and key = :key";
  const statement = database.prepare(`insert into inbox (at, by, message) select :at, :by, :message
    where not exists (${moved})`);
  const mark = { ":kind": movedKind, ":key": movedKey };
  const values = { ...mark, ":at": post.at, ":by": post.by, ":message": JSON.stringify(post.message) };
  const { changes, lastInsertRowid } = await writeInTurn(path, () => statement.run(values));
  if (changes === 0) refuseMoved({ value: readJson(database.prepare(moved).get(mark)?.["value"]) }, path);
  return Number(lastInsertRowid);
}

function readJson(text: unknown): Json {
  return typeof text === "string" ? (JSON.parse(text) as Json) : null;
}

export function findAnswer(database: DatabaseSync, id: InboxId): InboxAnswer | undefined {
  const found = database.prepare("select answer from inbox where id = :id").get({ ":id": id });
  const answer = found?.["answer"];
  return typeof answer === "string" ? { answer: JSON.parse(answer) as Json } : undefined;
}

/** Of the oldest rows, those that were answered and are older than `before`; at most as many as one look may cost. */
export function pruneInbox({ reader, writer, before }: InboxPruning): void {
  if (reader.prepare(`${oldAnswered} limit 1`).get({ ":before": before }) === undefined) return;
  try {
    writer.prepare(`delete from inbox where id in (${oldAnswered})`).run({ ":before": before });
  } catch (error) {
    // The owner's own batches come first; the next look finds them again.
    if (!isBusy(error)) throw error;
  }
}

type InboxPruning = { readonly reader: DatabaseSync; readonly writer: DatabaseSync; readonly before: number };

const oldAnswered = `
  select id from (select id, at, answer from inbox order by id limit 500)
  where answer is not null and at < :before`;

export type InboxWatch = {
  /** Looks now, whether or not anything was written. */
  readonly look: () => void;
  readonly stop: () => void;
};

export type InboxWatchOptions = {
  readonly database: DatabaseSync;
  readonly listener: (messages: readonly InboxMessage[]) => void;
  /** Called at each look, before it. */
  readonly beforeLook: () => unknown;
  readonly onProblem: (error: unknown) => void;
};

/** Hands each message over once, oldest first; those that are open already at once. */
export function watchInbox({ database, listener, beforeLook, onProblem }: InboxWatchOptions): InboxWatch {
  const version = database.prepare("pragma data_version");
  const open = database.prepare(
    "select id, by, message from inbox where answer is null and id > :after order by id limit 1000",
  );
  let seenVersion: unknown;
  let lastId = 0;
  let isStopped = false;
  const look = (): void => {
    for (;;) {
      if (isStopped) return;
      let messages: readonly InboxMessage[];
      try {
        messages = open.all({ ":after": lastId }).map(toMessage);
      } catch (error) {
        onProblem(error);
        return;
      }
      if (messages.length === 0) return;
      lastId = messages.at(-1)?.id ?? lastId;
      listener(messages);
    }
  };
  const lookWhenWritten = (): void => {
    try {
      beforeLook();
      if (isStopped) return;
      const found = version.get()?.["data_version"];
      if (found === seenVersion) return;
      seenVersion = found;
    } catch (error) {
      onProblem(error);
      return;
    }
    look();
  };
  const timer = setInterval(lookWhenWritten, lookEveryMs);
  timer.unref();
  queueMicrotask(lookWhenWritten);
  return {
    look,
    stop: () => {
      isStopped = true;
      clearInterval(timer);
    },
  };
}

function toMessage(row: { readonly [column: string]: unknown }): InboxMessage {
  const { id, by, message } = row;
  if (typeof message !== "string") throw new StepwellError("STORE_CORRUPT", `Message ${String(id)} has no text.`);
  return { id: Number(id), by: String(by), message: JSON.parse(message) as Json };
}
