// Looks at a schema on a server as a doctor does: touches nothing, and says of each thing whether it is as it should be.
// Damage to its files is the server's own to find.

import { StepwellError } from "../../error.ts";
import { examineClock, failed, ok, warning, type Examined } from "../examined.ts";
import { latestOf } from "../migration.ts";
import { openSession, openSettings, refusePooling, type Settings } from "./connection.ts";
import { listMigrations, readVersion } from "./migrate.ts";
import { toStoreError } from "./problem.ts";
import type { Session } from "./session.ts";

/** An engine has about so many sessions, and a command comes beside it. */
const sessionsMin = 12;
/** Clocks of two machines may be so far apart. */
const apartMaxMs = 5000;

export async function examineServer(address: string, now: number): Promise<readonly Examined[]> {
  let session: Session | undefined;
  try {
    const settings = openSettings(address);
    session = await openSession(settings, "read");
    return [ok("store", settings.name), ...(await examine(settings, session, now))];
  } catch (error) {
    return [failed("store", toStoreError(error, "The server").message)];
  } finally {
    await session?.end();
  }
}

async function examine(settings: Settings, session: Session, now: number): Promise<readonly Examined[]> {
  const migrations = listMigrations();
  const latest = latestOf(migrations);
  const version = await readVersion((_name, text, values) => session.query(text, values), { settings, migrations });
  const around = [
    await examineServerItself(session, now),
    await examineSessions(settings, session),
    await examineDurability(session),
  ].flat();
  if (version === 0) {
    return [
      ...around,
      warning("version", `there is no store in the schema "${settings.schema}"; stepwell run makes one`),
    ];
  }
  if (version < latest) return [...around, warning("version", `${version}; the next start brings it to ${latest}`)];
  const [[last] = []] = await session.query("select coalesce(max(at), 0) from commits");
  return [
    ...around,
    ok("version", `${version}, the newest that this program knows`),
    await examineOwner(settings, session),
    await examineSpace(settings, session),
    examineClock(Number(last), now),
  ];
}

async function examineServerItself(session: Session, now: number): Promise<readonly Examined[]> {
  const [[version, clock] = []] = await session.query(
    "select current_setting('server_version'), (extract(epoch from clock_timestamp()) * 1000)::bigint",
  );
  const apartMs = Math.abs(Number(clock) - now);
  return [
    apartMs <= apartMaxMs
      ? ok("server", `PostgreSQL ${String(version)}`)
      : warning(
          "server",
          `PostgreSQL ${String(version)}; its clock is ${Math.round(apartMs / 1000)} s apart from ours`,
        ),
  ];
}

async function examineSessions(settings: Settings, session: Session): Promise<readonly Examined[]> {
  const [[max, used] = []] = await session.query(
    "select current_setting('max_connections')::int, (select count(*) from pg_stat_activity where backend_type = 'client backend')",
  );
  const free = Number(max) - Number(used);
  const room = `${free} of ${Number(max)} free`;
  const sessions = free < sessionsMin ? warning("sessions", `${room}; raise max_connections`) : ok("sessions", room);
  try {
    await refusePooling(settings);
    return [sessions];
  } catch (error) {
    if (!(error instanceof StepwellError) || error.code !== "STORE_POOLED") throw error;
    return [sessions, failed("pooler", error.message)];
  }
}

async function examineDurability(session: Session): Promise<Examined> {
  const [[fsync, synchronous, pages] = []] = await session.query(
    "select current_setting('fsync'), current_setting('synchronous_commit'), current_setting('full_page_writes')",
  );
  if (fsync !== "on") return failed("durability", "fsync is off; a power cut can destroy everything. Switch it on");
  if (pages !== "on") return warning("durability", "full_page_writes is off; a power cut can tear pages");
  const level = synchronous === "on" ? "" : ` (its synchronous_commit is ${String(synchronous)}; ours is on)`;
  return ok("durability", `what is acknowledged survives a power cut${level}`);
}

async function examineOwner(settings: Settings, session: Session): Promise<Examined> {
  const [[card, beatAgoMs, isHeld] = []] = await session.query(ownerText, [settings.lockClass]);
  if (isHeld !== true) return ok("owner", "none; the next command is");
  const owner =
    typeof card === "string" ? (JSON.parse(card) as { pid: number; host: string; role: string }) : undefined;
  const who =
    owner === undefined
      ? "a process that has not said who it is"
      : `process ${owner.pid} on ${owner.host} (${owner.role})`;
  const beat = `heard of ${Math.round(Number(beatAgoMs) / 1000)} s ago`;
  return Number(beatAgoMs) > settings.times.deadAfterMs
    ? warning("owner", `${who}, ${beat}; whoever comes next takes over`)
    : ok("owner", `${who}, ${beat}`);
}

/** A lock of ours, by its class and the number of its part. */
const ownerText = `select owner, (extract(epoch from clock_timestamp() - heartbeat_at) * 1000)::bigint,
    exists (
      select from pg_locks
      where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())
        and classid::bigint = (case when $1::bigint < 0 then $1::bigint + 4294967296 else $1::bigint end) and objid = 0
        and objsubid = 2 and granted
    )
  from partitions where no = 0`;

async function examineSpace({ schema }: Settings, session: Session): Promise<Examined> {
  const [[bytes] = []] = await session.query(
    `select coalesce(sum(pg_total_relation_size(pg_class.oid)), 0)::bigint from pg_class
      join pg_namespace on pg_namespace.oid = relnamespace where nspname = $1 and relkind = 'r'`,
    [schema],
  );
  return ok("space", `${Math.ceil(Number(bytes) / 1_000_000)} MB in the schema "${schema}"`);
}
