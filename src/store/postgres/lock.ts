// Who owns a schema: advisory locks of one session, one for each of its 64 parts, all or none. The server frees them when
// the session ends, however it ends. Whoever holds them for longer than its heart has been heard of is ended by whoever
// comes next: exactly that session, and only while all this is still so.

import { setTimeout as sleep } from "node:timers/promises";
import type { Pool, Settings } from "./connection.ts";
import type { Session } from "./session.ts";

/** How long the locks of a session that was ended may take to become free. */
const endingMs = 3000;
const lookAgainMs = 20;

/** All of them, or none: then false. */
export async function tryLock(session: Session, settings: Settings): Promise<boolean> {
  const deadline = performance.now() + endingMs;
  while (!(await takeAll(session, settings))) {
    if ((await isHeldByLiving(session, settings)) || performance.now() > deadline) return false;
    await sleep(lookAgainMs);
  }
  return true;
}

const heldText = (): string => `select 1
  from ${holders} join partitions on partitions.no = 0
  where partitions.session_pid = holders.pid
    and partitions.heartbeat_at > clock_timestamp() - make_interval(secs => $2::float8 / 1000)
  limit 1`;

/** Somebody alive has them: guests ask this again and again, and it takes no session of their own. */
export async function isTaken(reader: Pool, { lockClass, times }: Settings): Promise<boolean> {
  return (await reader.rows("is_taken", heldText(), [lockClass, times.deadAfterMs])).length > 0;
}

/** The first one decides: nobody takes another without it. */
const takeText = `select case when pg_try_advisory_lock($1, 0)
    then (select bool_and(pg_try_advisory_lock($1, no)) from generate_series(1, 63) as no)
    else false
  end`;

async function takeAll(session: Session, { lockClass }: Settings): Promise<boolean> {
  const [[areOurs] = []] = await session.query(takeText, [lockClass]);
  if (areOurs === true) return true;
  await unlock(session);
  return false;
}

export async function unlock(session: Session): Promise<void> {
  await session.query("select pg_advisory_unlock_all()");
}

/** $1: the class of the locks. */
const holders = `(
      select distinct pid from pg_locks
      where locktype = 'advisory' and granted and objsubid = 2 and pid <> pg_backend_pid()
        and database = (select oid from pg_database where datname = current_database())
        and classid = $1::bigint::oid and objid::bigint < 64
    ) as holders`;

/** A session that holds the locks and has written no card is on its way to it, unless it takes as long as dying does. */
const lookText = `select case
    when coalesce(partitions.heartbeat_at < clock_timestamp() - make_interval(secs => $2::float8 / 1000), true)
      and (
        partitions.session_pid = holders.pid
        or activity.backend_start < clock_timestamp() - make_interval(secs => $2::float8 / 1000)
      )
    then not pg_terminate_backend(holders.pid)
    else true
  end
  from ${holders}
    join pg_stat_activity as activity on activity.pid = holders.pid
    join partitions on partitions.no = 0`;

/** One that is dead is ended; false: nobody alive holds any of them. */
async function isHeldByLiving(session: Session, { lockClass, times }: Settings): Promise<boolean> {
  const found = await session.query(lookText, [lockClass, times.deadAfterMs]);
  return found.some(([isAlive]) => isAlive === true);
}

const endText = `select pg_terminate_backend(holders.pid)
  from ${holders} join partitions on partitions.no = 0
  where partitions.session_pid = holders.pid and partitions.epoch = $2`;

/** Ends the session of an ownership that was given up, if the server has not noticed yet: who claims next, most likely
 *  this very process, need not wait for that. */
export async function endLost(writer: Pool, { lockClass }: Settings, epoch: string): Promise<void> {
  await writer.rows("end_lost", endText, [lockClass, epoch]);
}
