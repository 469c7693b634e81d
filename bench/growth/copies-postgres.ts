// Fills a database with many runs like one that the engine has made, as copies.ts does it with a file.

import { createUid } from "../../src/store/uid.ts";
import { ask, run } from "../database.ts";
import { instants, runsPerTransaction, stepIds } from "./copies.ts";

/** Copies the only run of the database; ids go down from its own, so that the engine's next ids are free. */
export async function copyRunInDatabase(address: string, count: number): Promise<void> {
  const within = (text: string): Promise<void> =>
    // Nothing of this is acknowledged to anybody: it may be lost, and is then filled again.
    run(address, `set search_path to stepwell; set synchronous_commit to off; ${text}`);
  const [found] = await ask(
    address,
    `select (select count(*) from stepwell.runs)::integer as runs,
       (select max(steps.id) - max(runs.id) + 1 from stepwell.runs, stepwell.steps)::integer as stride,
       (select max(id) from stepwell.runs)::text as id`,
  );
  if (found?.["runs"] !== 1) throw new Error(`The database is to hold one run; it holds ${String(found?.["runs"])}.`);
  // Ids follow the clock: a run takes more of them than it has rows.
  const stride = Number(found["stride"]);
  const id = Number(found["id"]);
  await within("create table run as select * from runs; create table step as select * from steps");
  const copies = [await copyText(address, "runs", "run"), await copyText(address, "steps", "step")];
  for (let high = count; high > 0; high -= runsPerTransaction) {
    const low = Math.max(1, high - runsPerTransaction + 1);
    const backs = Array.from({ length: high - low + 1 }, (_, no) => high - no);
    const rows = backs.map((back) => `(${back}, ${back * stride}, '${createUid(id - back * stride, "copy")}')`);
    const given = `create temp table back (no, by, uid) as values ${rows.join(", ")}`;
    await within([given, ...copies].join("; "));
  }
  await within("drop table run, step");
  // Each alone, as they must be: what the server would do by itself within minutes.
  for (const table of ["runs", "steps"]) await ask(address, `vacuum analyze stepwell.${table}`);
  await ask(address, "checkpoint");
}

/** The oldest copies first, as time would have brought them. */
async function copyText(address: string, table: "runs" | "steps", template: string): Promise<string> {
  const columns = await ask(
    address,
    `select column_name as name from information_schema.columns
     where table_schema = 'stepwell' and table_name = '${table}' and is_generated = 'NEVER' order by ordinal_position`,
  );
  const names = columns.map((column) => String(column["name"]));
  const values = names.map((name) => {
    if (name === "uid") return "back.uid";
    if (name === "partition") return `(${template}.id - back.by) % 64`;
    const isMoved = instants.has(name) || (table === "steps" ? stepIds.has(name) : name === "id");
    return isMoved ? `${template}.${name} - back.by` : `${template}.${name}`;
  });
  return `insert into ${table} ("${names.join('", "')}")
    select ${values.join(", ")} from back cross join ${template} order by back.no desc, ${template}.id`;
}
