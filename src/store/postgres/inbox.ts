// Messages of guests to the owner: rows that any process may append. Their ids come from a sequence, so one with a lower
// id may become visible after one with a higher: whoever watches keeps the ids that are open and handed over, never the
// last one.

import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { StepwellError } from "../../error.ts";
import type { Json } from "../../flow/json.ts";
import { movedKey, movedKind, refuseMoved } from "../moved.ts";
import type { InboxAnswer, InboxId, InboxMessage, Transaction } from "../store.ts";
import { quoteName, type Pool, type Settings } from "./connection.ts";

/** A post whose fate is unknown is repeated, with pauses that grow from the one to the other, until it is given up. */
const pauseMinMs = 50;
const pauseMaxMs = 1000;
const giveUpAfterMs = 30_000;

/** Messages that are handed over at once. */
const handedMax = 1000;
/** Open ones that one look goes through. */
const openMax = 10_000;

export type Post = { readonly message: Json; readonly by: string; readonly at: number };

/** Who posts the same again finds it there. A store that was moved takes no message: nobody would read it. */
const appendText = `insert into inbox (at, by, message, uid)
  select $1::bigint, $2::text, $3::text, $4::text
  where not exists (select from entries where kind = '${movedKind}' and key = '${movedKey}')
  on conflict (uid) do update set uid = excluded.uid returning id`;

async function refuseMovedStore(writer: Pool): Promise<void> {
  const text = `select value from entries where kind = '${movedKind}' and key = '${movedKey}'`;
  const [[value] = []] = await writer.rows("find_moved", text, []);
  if (typeof value === "string") refuseMoved({ value: JSON.parse(value) as Json }, "The store");
}

/** On disk when it answers, once, however often it was tried. */
export async function appendMessage(writer: Pool, post: Post, withinMs: number = giveUpAfterMs): Promise<InboxId> {
  const values = [post.at, post.by, JSON.stringify(post.message), randomUUID()];
  const deadline = performance.now() + withinMs;
  for (let pauseMs = pauseMinMs; ; pauseMs = Math.min(pauseMs * 2, pauseMaxMs)) {
    try {
      const [[id] = []] = await writer.rows("append_message", appendText, values);
      if (id === undefined) await refuseMovedStore(writer);
      return Number(id);
    } catch (error) {
      if (!(error instanceof StepwellError) || !passing.has(error.code)) throw error;
      if (performance.now() + pauseMs > deadline) throw notPosted(error);
    }
    await sleep(pauseMs);
  }
}

/** One of the tries may have arrived, though its answer has not. */
function notPosted(cause: StepwellError): StepwellError {
  const { code, message, details } = cause;
  return new StepwellError(
    code,
    `${message} Whether the message has arrived is not known; look before you repeat it.`,
    {
      ...(details === undefined ? {} : { details }),
      cause,
    },
  );
}

const passing: ReadonlySet<string> = new Set(["STORE_UNREACHABLE", "STORE_BUSY"]);

/** In a transaction of the embedding program: there when that one commits. Its session knows nothing of our schema, and
 *  may be on another database: it is the right one if the schema in it was made at the same instant. */
export async function appendWithin(transaction: Transaction, { settings, post, madeAt }: Within): Promise<InboxId> {
  const schema = quoteName(settings.schema);
  const { rows } = await transaction.query(
    `with posted as (
      insert into ${schema}.inbox (at, by, message, uid)
      select $1::bigint, $2::text, $3::text, $4::text
      where (select applied_at from ${schema}.schema_migrations where no = 1) = $5::bigint
        and not exists (select from ${schema}.entries where kind = '${movedKind}' and key = '${movedKey}')
      returning id
    ) select id, pg_notify($6::text, 'inbox') from posted`,
    [post.at, post.by, JSON.stringify(post.message), randomUUID(), madeAt, settings.channel],
  );
  const [posted] = rows;
  if (typeof posted === "object" && posted !== null && "id" in posted) return Number(posted.id);
  throw new StepwellError(
    "TX_NEEDS_POSTGRES",
    `The transaction is on another database than ${settings.name}, or that was moved; open the engine on the database of the transaction.`,
  );
}

type Within = { readonly settings: Settings; readonly post: Post; readonly madeAt: number };

export async function findAnswer(reader: Pool, id: InboxId): Promise<InboxAnswer | undefined> {
  const [[answer] = []] = await reader.rows("find_answer", "select answer from inbox where id = $1", [id]);
  return typeof answer === "string" ? { answer: JSON.parse(answer) as Json } : undefined;
}

/** Of the oldest rows, those that were answered and are older than `before`; at most as many as one look may cost. */
export async function pruneInbox(writer: Pool, before: number): Promise<void> {
  await writer.rows("prune_inbox", pruneText, [before]);
}

const pruneText = `delete from inbox where id in (
    select id from (select id, at, answer from inbox order by id limit 500) as oldest
    where answer is not null and at < $1
  )`;

/** Exported for the test that looks at how they are carried out. */
export const watchTexts: { readonly [name in "open" | "messages"]: string } = {
  open: "select id from inbox where answer is null order by id limit $1",
  messages: "select id, by, message from inbox where id = any($1) and answer is null order by id",
};

export type InboxWatch = {
  /** Looks now, or again when a look is under way. */
  readonly look: () => void;
  readonly stop: () => void;
};

export type InboxWatchOptions = {
  readonly reader: Pool;
  readonly listener: (messages: readonly InboxMessage[]) => void;
  readonly lookEveryMs: number;
};

/** Hands each message over once, oldest first; those that are open already at once. A look that fails is made up for by
 *  the next one: whether the store is still ours is no question of the inbox. */
export function watchInbox({ reader, listener, lookEveryMs }: InboxWatchOptions): InboxWatch {
  const handed = new Set<InboxId>();
  let isStopped = false;
  let looking: "no" | "yes" | "again" = "no";

  /** Some that are new; none: all that are open have been handed over. */
  const takeNew = async (): Promise<readonly InboxMessage[]> => {
    const open = (await reader.rows("inbox_open", watchTexts.open, [openMax])).map(([id]) => Number(id));
    const isOpen = new Set(open);
    const lastSeen = open.length < openMax ? Infinity : (open.at(-1) ?? Infinity);
    for (const id of handed) if (id <= lastSeen && !isOpen.has(id)) handed.delete(id);
    const fresh = open.filter((id) => !handed.has(id)).slice(0, handedMax);
    if (fresh.length === 0) return [];
    return (await reader.rows("inbox_messages", watchTexts.messages, [fresh])).map(toMessage);
  };

  const lookOnce = async (): Promise<void> => {
    for (;;) {
      const messages = await takeNew().catch(() => []);
      if (isStopped || messages.length === 0) return;
      for (const { id } of messages) handed.add(id);
      listener(messages);
    }
  };

  const look = (): void => {
    if (isStopped) return;
    if (looking !== "no") {
      looking = "again";
      return;
    }
    looking = "yes";
    const over = (): void => {
      const isWanted = looking === "again";
      looking = "no";
      if (isWanted) look();
    };
    void lookOnce().finally(over);
  };

  const timer = setInterval(look, lookEveryMs);
  timer.unref();
  queueMicrotask(look);
  return {
    look,
    stop: () => {
      isStopped = true;
      clearInterval(timer);
    },
  };
}

function toMessage([id, by, message]: readonly unknown[]): InboxMessage {
  if (typeof message !== "string") throw new StepwellError("STORE_CORRUPT", `Message ${String(id)} has no text.`);
  return { id: Number(id), by: String(by), message: JSON.parse(message) as Json };
}
