// What the server itself saw: every change of the owner and every batch, by which of its sessions, noted by triggers of the
// harness in the same transaction. So nobody who writes can keep it to themselves.

import { openPostgres } from "../../../src/store/postgres/open.ts";
import type { Columns } from "../database.ts";
import { look } from "../rows.ts";
import { openClient } from "./look.ts";

export type ClaimRecord = {
  readonly no: number;
  readonly at: number;
  readonly session: number;
  readonly epoch: string;
  /** The process that owns it since. */
  readonly pid: number;
};

export type BatchRecord = {
  readonly no: number;
  readonly at: number;
  readonly session: number;
  /** The claim that counted when it was written. */
  readonly claim: number;
};

const auditText = `
  create schema harness;
  create table harness.claims (no bigserial primary key, at bigint, session int, epoch text, owner text);
  create table harness.batches (no bigint, at bigint, session int, claim bigint);
  create function harness.now_ms() returns bigint language sql volatile as
    'select (extract(epoch from clock_timestamp()) * 1000)::bigint';
  create function harness.note_claim() returns trigger language plpgsql as $$ begin
    insert into harness.claims (at, session, epoch, owner)
      values (harness.now_ms(), pg_backend_pid(), new.epoch, new.owner);
    return null;
  end $$;
  create function harness.note_batch() returns trigger language plpgsql as $$ begin
    insert into harness.batches
      values (new.no, harness.now_ms(), pg_backend_pid(), (select max(no) from harness.claims));
    return null;
  end $$;
  create trigger note_claim after update of epoch on stepwell.partitions
    for each row when (new.no = 0) execute function harness.note_claim();
  create trigger note_batch after insert on stepwell.commits
    for each row execute function harness.note_batch()`;

/** Makes the store, and writes down from now on what becomes of it. */
export async function installAudit(address: string): Promise<void> {
  await (await openPostgres(address)).close();
  const client = await openClient(address);
  try {
    await client.query(auditText);
  } finally {
    await client.end();
  }
}

export async function readClaims(address: string): Promise<readonly ClaimRecord[]> {
  const rows = await look(address, (database) => database.all("select * from harness.claims order by no"));
  return (rows ?? []).map((row) => ({ ...toRecord(row), epoch: String(row["epoch"]), pid: pidOf(row["owner"]) }));
}

export async function readBatches(address: string): Promise<readonly BatchRecord[]> {
  const rows = await look(address, (database) => database.all("select * from harness.batches order by no"));
  return (rows ?? []).map((row) => ({ ...toRecord(row), claim: Number(row["claim"]) }));
}

function toRecord(row: Columns): { readonly no: number; readonly at: number; readonly session: number } {
  return { no: Number(row["no"]), at: Number(row["at"]), session: Number(row["session"]) };
}

function pidOf(owner: Columns[string] | undefined): number {
  const card = typeof owner === "string" ? (JSON.parse(owner) as { readonly pid?: number }) : {};
  return card.pid ?? 0;
}

/** Batches of a session whose claim no longer counted. */
export function findForeign(claims: readonly ClaimRecord[], batches: readonly BatchRecord[]): readonly string[] {
  const sessions = new Map(claims.map(({ no, session }) => [no, session]));
  return batches.flatMap(({ no, session, claim }) =>
    sessions.get(claim) === session
      ? []
      : [`batch ${no} was written by session ${session}, the store was of session ${sessions.get(claim) ?? "none"}`],
  );
}

export async function judgeAudit(address: string): Promise<readonly string[]> {
  const [claims, batches] = [await readClaims(address), await readBatches(address)];
  if (claims.length === 0 || batches.length === 0) return ["the server noted no claim or no batch"];
  return findForeign(claims, batches);
}
