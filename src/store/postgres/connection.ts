// Where the server is, and what each session must be before it is used: our schema alone in sight, a limit to every wait,
// plans that cannot change with the size of a table, and commits that are as durable as they were asked to be.

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type { ClientConfig } from "pg";
import { StepwellError } from "../../error.ts";
import { showAddress } from "../address.ts";
import type { Durability } from "../store.ts";
import { toStoreError } from "./problem.ts";
import { Session, type Bound, type Rows } from "./session.ts";

/** How long is waited for what; shorter in tests. */
export type Times = {
  /** An answer of the owning session; also how long it counts as fresh. */
  readonly answerWithinMs: number;
  /** The owning session is asked so often when it has nothing else to do. */
  readonly pingEveryMs: number;
  readonly heartbeatMs: number;
  /** An owner whose heart has not beaten for so long is ended by whoever claims next. */
  readonly deadAfterMs: number;
};

const defaultTimes: Times = {
  answerWithinMs: 10_000,
  pingEveryMs: 3000,
  heartbeatMs: 5000,
  deadAfterMs: 15_000,
};

export type Settings = {
  /** As people may see it: without the password. */
  readonly name: string;
  readonly schema: string;
  /** Of the advisory locks and of the channel: one for each schema. */
  readonly lockClass: number;
  readonly channel: string;
  readonly durability: Durability;
  readonly times: Times;
  readonly config: ClientConfig;
};

export type SettingsOptions = { readonly durability?: Durability } & Partial<Times>;

/** `own` writes batches, `write` all else; `migrate` may take its time. */
export type Purpose = "own" | "write" | "read" | "listen" | "migrate";

const schemaForm = /^[a-z_][a-z0-9_]{0,62}$/u;

/** `postgres://user:password@host:port/database?schema=stepwell&sslmode=verify-full`. */
export function openSettings(address: string, options: SettingsOptions = {}): Settings {
  const url = parseAddress(address);
  const { searchParams } = url;
  for (const name of searchParams.keys())
    if (!parameters.has(name)) throw refuse(url, `"${name}" is not known; use ${[...parameters].join(", ")}`);
  const schema = searchParams.get("schema") ?? "stepwell";
  if (!schemaForm.test(schema))
    throw refuse(url, `"${schema}" cannot be the name of a schema: lower-case letters, digits and "_", at most 63`);
  const { durability = "full", ...times } = options;
  return {
    name: showAddress(url.href),
    schema,
    lockClass: createHash("sha256").update(`stepwell ${schema}`).digest().readInt32BE(0) & 0x7fff_ffff,
    channel: `stepwell_${createHash("sha256").update(schema).digest("hex").slice(0, 16)}`,
    durability,
    times: { ...defaultTimes, ...withoutUndefined(times) },
    config: toConfig(url),
  };
}

/** What may stand behind the "?" of an address. */
const parameters: ReadonlySet<string> = new Set(["schema", "sslmode", "sslrootcert", "sslcert", "sslkey", "host"]);

function parseAddress(address: string): URL {
  const url = URL.parse(address);
  if (url !== null && (url.protocol === "postgres:" || url.protocol === "postgresql:")) return url;
  throw new StepwellError(
    "USAGE",
    'The address of the server is not one: write "postgres://user:password@host:5432/database", with %40 for an "@" in the password.',
  );
}

function refuse(url: URL, reason: string): StepwellError {
  return new StepwellError("USAGE", `The address ${showAddress(url.href)} cannot be used: ${reason}.`);
}

function toConfig(url: URL): ClientConfig {
  const host = url.searchParams.get("host") ?? decodeURIComponent(url.hostname.replaceAll(/^\[|\]$/gu, ""));
  const database = decodeURIComponent(url.pathname.slice(1));
  return {
    ...(host === "" ? {} : { host }),
    ...(url.port === "" ? {} : { port: Number(url.port) }),
    ...(url.username === "" ? {} : { user: decodeURIComponent(url.username) }),
    ...(url.password === "" ? {} : { password: decodeURIComponent(url.password) }),
    ...(database === "" ? {} : { database }),
    ...toTls(url),
    application_name: "stepwell",
    keepAlive: true,
    keepAliveInitialDelayMillis: 5000,
  };
}

/** The modes mean what they mean to the server's own clients. */
function toTls(url: URL): Pick<ClientConfig, "ssl"> {
  const read = (name: string): Buffer | undefined => {
    const path = url.searchParams.get(name);
    return path === null ? undefined : readCertificate(url, path);
  };
  const mode = url.searchParams.get("sslmode");
  const [ca, cert, key] = [read("sslrootcert"), read("sslcert"), read("sslkey")];
  const files = withoutUndefined({ ca, cert, key });
  switch (mode) {
    case null:
      return Object.keys(files).length === 0 ? {} : { ssl: files };
    case "disable":
      return { ssl: false };
    case "require":
    case "no-verify":
      return { ssl: { ...files, rejectUnauthorized: ca !== undefined, checkServerIdentity: () => undefined } };
    case "verify-ca":
      return { ssl: { ...files, checkServerIdentity: () => undefined } };
    case "verify-full":
      return { ssl: files };
    default:
      throw refuse(url, `"sslmode=${mode}" promises nothing; write verify-full, verify-ca, require or disable`);
  }
}

function readCertificate(url: URL, path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    throw refuse(url, `${path} cannot be read (${error instanceof Error ? error.message : String(error)})`);
  }
}

function withoutUndefined<T extends object>(fields: T): { [Name in keyof T]: Exclude<T[Name], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never;
}

/** A schema's name as it stands in SQL; it is of a form that needs no more. */
export function quoteName(name: string): string {
  return `"${name}"`;
}

/** Connected, and as it must be for its purpose. */
export async function openSession(settings: Settings, purpose: Purpose): Promise<Session> {
  let session: Session;
  try {
    const config = { ...settings.config, connectionTimeoutMillis: connectWithinMs };
    session = await Session.connect(config, { answerWithinMs: waitFor(settings, purpose) });
  } catch (error) {
    throw toStoreError(error, settings.name);
  }
  try {
    const answers = await session.run(toSettingsText(settings, purpose));
    if (settings.durability === "full" && (purpose === "own" || purpose === "write"))
      refuseUndurable(settings.name, answers.at(-1)?.[0] ?? []);
    return session;
  } catch (error) {
    session.destroy(error instanceof Error ? error : new Error(String(error)));
    throw toStoreError(error, settings.name);
  }
}

/** Also of the owner: what it takes to begin a session says nothing of how long an answer takes. */
const connectWithinMs = 10_000;

/** A migration of a large table takes what it takes. */
function waitFor({ times }: Settings, purpose: Purpose): number {
  return purpose === "migrate" ? 3_600_000 : purpose === "own" ? times.answerWithinMs : 30_000;
}

/** All at once; the last answer tells how durable a commit is. */
function toSettingsText(settings: Settings, purpose: Purpose): string {
  const isPatient = purpose === "migrate";
  const wanted: readonly (readonly [string, string | number])[] = [
    ["search_path", quoteName(settings.schema)],
    // The server gives up before we do: then it is known that nothing was done.
    ["statement_timeout", isPatient ? 0 : Math.ceil(waitFor(settings, purpose) * 0.8)],
    ["lock_timeout", isPatient ? 60_000 : Math.min(5000, Math.ceil(waitFor(settings, purpose) / 2))],
    ["idle_in_transaction_session_timeout", isPatient ? 0 : 15_000],
    // A client that is gone without a word is noticed by the server as soon as it has something to say.
    ["tcp_user_timeout", 10_000],
    ["tcp_keepalives_idle", 5],
    ["tcp_keepalives_interval", 2],
    ["tcp_keepalives_count", 3],
    ["jit", "off"],
    ...(isPatient ? [] : planSettings),
  ];
  return [
    ...wanted.map(([name, value]) => `set ${name} to ${value}`),
    durableTexts[settings.durability],
    readText,
  ].join("; ");
}

/** A server that waits for more than its own disk goes on doing so. */
const durableTexts: { readonly [durability in Durability]: string } = {
  full: `select set_config('synchronous_commit',
    case current_setting('synchronous_commit') when 'remote_apply' then 'remote_apply' else 'on' end, false)`,
  fast: "set synchronous_commit to off",
};

const readText = "select current_setting('fsync'), current_setting('synchronous_commit')";

/** Every statement finds its rows by an index, however many rows there are and whatever the server believes of them:
 *  one plan for each statement, made once. */
const planSettings: readonly (readonly [string, string])[] = [
  ["plan_cache_mode", "force_generic_plan"],
  ["enable_seqscan", "off"],
  ["enable_hashjoin", "off"],
  ["enable_mergejoin", "off"],
];

/** What was set is believed only when the server says the same. */
function refuseUndurable(name: string, [fsync, synchronous]: readonly unknown[]): void {
  if (fsync === "on" && (synchronous === "on" || synchronous === "remote_apply")) return;
  throw new StepwellError(
    "STORE_NOT_DURABLE",
    `${name} does not keep what it acknowledges: "fsync" is ${String(fsync)}, "synchronous_commit" is ${String(synchronous)}. Switch both on, or open the store with the durability "fast".`,
    { details: { name } },
  );
}

/** Behind a pooler that shares sessions, locks and settings are lost. */
export async function refusePooling(settings: Settings): Promise<void> {
  const [first, second] = await Promise.all([openSession(settings, "read"), openSession(settings, "read")]);
  try {
    await refuseShared(settings, first, second);
  } finally {
    await Promise.all([first.end(), second.end()]);
  }
}

/** Asks twice through two sessions who answers. */
async function refuseShared(settings: Settings, first: Session, second: Session): Promise<void> {
  try {
    const before = await findServerProcess(first);
    await second.run("begin");
    const other = await findServerProcess(second);
    const after = await findServerProcess(first);
    await second.run("rollback");
    if (before === after && before !== other) return;
  } catch (error) {
    throw toStoreError(error, settings.name);
  }
  throw new StepwellError(
    "STORE_POOLED",
    `${settings.name} is a pooler that gives each transaction another session, and locks would be lost; give the address of the server itself, or set the pooler to session mode.`,
    { details: { name: settings.name } },
  );
}

async function findServerProcess(session: Session): Promise<unknown> {
  const [[process] = []] = await session.query("select pg_backend_pid()");
  return process;
}

/** A few sessions that come and go as they are needed; each query is one transaction. */
export type Pool = {
  /** As people know the store. */
  readonly name: string;
  /** Named statements, prepared once for each session. */
  readonly rows: (name: string, text: string, values: readonly Bound[]) => Promise<Rows>;
  /** How many are waited for. */
  readonly underWay: () => number;
  /** What is asked from now on goes through new sessions: those that are there may be dead without a word. */
  readonly renew: () => void;
  readonly close: () => Promise<void>;
};

/** Enough that a long list does not hold up those who read by key. */
const poolSize = 4;

export type Pools = { readonly writer: Pool; readonly reader: Pool };

/** One for each purpose, with a first session that shows what kind of server it is: none that shares sessions, and, since
 *  it is to write, one that keeps what it acknowledges. */
export async function openPools(settings: Settings): Promise<Pools> {
  const opening = [openSession(settings, "write"), openSession(settings, "read")] as const;
  try {
    const [write, read] = await Promise.all(opening);
    await refuseShared(settings, write, read);
    return { writer: createPool(settings, "write", write), reader: createPool(settings, "read", read) };
  } catch (error) {
    await Promise.allSettled(opening.map(async (session) => (await session).end()));
    throw error;
  }
}

export function createPool(settings: Settings, purpose: "read" | "write" = "read", first?: Session): Pool {
  const sessions = new Map<Promise<Session>, number>();
  let isClosed = false;

  const keep = (opening: Promise<Session>): Promise<Session> => {
    sessions.set(opening, 0);
    opening.then(
      (session) => session.onEnd(() => sessions.delete(opening)),
      () => sessions.delete(opening),
    );
    return opening;
  };
  const open = (): Promise<Session> => keep(openSession(settings, purpose));
  if (first !== undefined) void keep(Promise.resolve(first));

  /** One that has nothing to do, or a new one; when there are enough, the one with the least to do. */
  const choose = (): Promise<Session> => {
    const [least] = [...sessions].toSorted(([, one], [, other]) => one - other);
    return least === undefined || (least[1] > 0 && sessions.size < poolSize) ? open() : least[0];
  };

  const rows = async (name: string, text: string, values: readonly Bound[]): Promise<Rows> => {
    if (isClosed) throw new StepwellError("STORE_LOST", `${settings.name} was closed.`);
    const opening = choose();
    const count = (by: number): void => {
      const before = sessions.get(opening);
      if (before !== undefined) sessions.set(opening, before + by);
    };
    count(1);
    try {
      const [found = []] = await (await opening).pipeline([{ name, text, values }]);
      return found;
    } catch (error) {
      throw toStoreError(error, settings.name);
    } finally {
      count(-1);
    }
  };

  return {
    name: settings.name,
    rows,
    underWay: () => [...sessions.values()].reduce((sum, count) => sum + count, 0),
    renew: () => {
      for (const opening of sessions.keys()) {
        sessions.delete(opening);
        // What is under way there may still be answered.
        opening.then(
          (session) => session.end(settings.times.answerWithinMs),
          () => {},
        );
      }
    },
    close: async () => {
      isClosed = true;
      const { answerWithinMs } = settings.times;
      const ended = [...sessions.keys()].map(async (opening) => (await opening).end(answerWithinMs));
      // A session that is still being opened may never be.
      await Promise.race([Promise.allSettled(ended), sleep(answerWithinMs * 2, undefined, { ref: false })]);
    },
  };
}
