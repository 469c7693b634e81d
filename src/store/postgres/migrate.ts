// Brings a schema to the version of this program: `sql/postgres/NNNN_name.sql`, forward only, each in one transaction
// with its number, under a lock of its own. It needs no ownership: whoever owns the schema is put out by the same
// transaction, since its batches are of the version before. They wait for the table of owners, find another epoch there
// than their own, and change nothing.

import { StepwellError } from "../../error.ts";
import { checksumOf, latestOf, readMigrations, type Migration } from "../migration.ts";
import { openSession, quoteName, type Settings } from "./connection.ts";
import { toStoreError } from "./problem.ts";
import type { Bound, Rows, Session } from "./session.ts";

/** What was done to a schema that was there before. */
export type Migrated = { readonly from: number; readonly to: number };

/** Beside the locks of the partitions, which count from 0. */
const migrationLock = -1;

/** Columns that are generated came with 12; nobody tests what is out of support. */
const serverVersionMin = 130_000;

const ownColumns = "no,name,checksum,applied_at";

export function listMigrations(): readonly Migration[] {
  return readMigrations("postgres");
}

type Versioned = { readonly settings: Settings; readonly migrations: readonly Migration[] };

/** Undefined when there was nothing to do, or no schema before. */
export async function migrate(versioned: Versioned, now: number): Promise<Migrated | undefined> {
  const { settings, migrations } = versioned;
  const session = await openSession(settings, "migrate");
  const ask: Ask = (_name, text, values) => session.query(text, values);
  try {
    const from = await readVersion(ask, versioned);
    const to = latestOf(migrations);
    for (let version = from; version < to;) version = await applyNext(session, versioned, now);
    return from === 0 || from === to ? undefined : { from, to };
  } catch (error) {
    throw toStoreError(error, settings.name);
  } finally {
    await session.end();
  }
}

/** Whether there are tables of others is asked only of a schema without ours: the server has to look through all the
 *  tables of the database for that. */
const stateText = `select
    current_setting('server_version_num')::int,
    current_setting('server_encoding'),
    (select string_agg(attname, ',' order by attnum) from pg_attribute
      where attrelid = to_regclass(quote_ident($1) || '.schema_migrations') and attnum > 0 and not attisdropped),
    case when to_regclass(quote_ident($1) || '.schema_migrations') is null and to_regnamespace(quote_ident($1)) is not null
      then exists (select from pg_class where relnamespace = to_regnamespace(quote_ident($1))::oid)
      else false
    end`;

/** A session, or any of several: each question is by itself. Whoever asks often may prepare it under its name. */
type Ask = (name: string, text: string, values: readonly Bound[]) => Promise<Rows>;

/** The version of the schema, 0 when there is none or nothing in it; refuses what is not ours, newer or different. */
export async function readVersion(ask: Ask, { settings, migrations }: Versioned): Promise<number> {
  const { name, schema } = settings;
  const [state = []] = await ask("schema_state", stateText, [schema]);
  const [serverVersion, encoding, columns, hasOthers] = state;
  refuseServer(name, Number(serverVersion), String(encoding));
  if (columns === null && hasOthers === false) return 0;
  if (columns !== ownColumns) {
    throw new StepwellError(
      "STORE_NOT_OURS",
      `The schema "${schema}" of ${name} holds the tables of another program; name another one with ?schema=name. Nothing was changed.`,
      { details: { name, schema } },
    );
  }
  const appliedText = `select no, name, checksum from ${quoteName(schema)}.schema_migrations order by no`;
  const applied = await ask("schema_applied", appliedText, []);
  const version = Number(applied.at(-1)?.[0] ?? 0);
  refuseNewer(version, { settings, migrations });
  for (const [no, file, checksum] of applied) {
    const known = migrations.find((migration) => migration.no === no);
    if (known === undefined || checksumOf(known) === checksum) continue;
    throw new StepwellError(
      "STORE_NOT_OURS",
      `The schema "${schema}" of ${name} was made by another text of ${String(file)} than this program has: it belongs to another build. Use that one, or name another schema with ?schema=name. Nothing was changed.`,
      { details: { name, schema, migration: file } },
    );
  }
  return version;
}

function refuseServer(name: string, version: number, encoding: string): void {
  if (version < serverVersionMin) {
    throw new StepwellError(
      "STORE_UNREADABLE",
      `${name} is PostgreSQL ${Math.floor(version / 10_000)}; Stepwell needs ${serverVersionMin / 10_000} or newer.`,
    );
  }
  if (encoding === "UTF8") return;
  throw new StepwellError(
    "STORE_UNREADABLE",
    `${name} keeps its texts as ${encoding}, which cannot hold all that a run may have; create a database with the encoding UTF8.`,
  );
}

/** A newer program has been here, perhaps while this one ran. */
function refuseNewer(version: number, { settings: { name }, migrations }: Versioned): void {
  const latest = latestOf(migrations);
  if (version <= latest) return;
  throw new StepwellError(
    "STORE_NEWER",
    `${name} was written by a newer version of Stepwell (its version is ${version}, this program knows ${latest}); install the newer one. Nothing was changed.`,
    { details: { name, version, latest } },
  );
}

/** The version that it leads to. */
async function applyNext(session: Session, versioned: Versioned, now: number): Promise<number> {
  const { settings, migrations } = versioned;
  const ask: Ask = (_name, text, values) => session.query(text, values);
  let migration: Migration | undefined;
  try {
    await session.run("begin");
    await session.query("select pg_advisory_xact_lock($1, $2)", [settings.lockClass, migrationLock]);
    // Another process may have done it meanwhile.
    const version = await readVersion(ask, versioned);
    migration = migrations.find(({ no }) => no > version);
    if (migration !== undefined) await apply(session, migration, { settings, version, now });
    await session.run("commit");
    return migration?.no ?? version;
  } catch (error) {
    if (session.isOpen) await session.run("rollback").catch(() => {});
    if (migration === undefined) throw error;
    const { code, message } = toStoreError(error, settings.name);
    throw new StepwellError(code, `${migration.name} could not be applied. ${message} It is as it was before.`, {
      details: { name: settings.name, migration: migration.name },
      cause: error,
    });
  }
}

type Applying = { readonly settings: Settings; readonly version: number; readonly now: number };

async function apply(session: Session, migration: Migration, { settings, version, now }: Applying): Promise<void> {
  if (version === 0) await createSchema(session, settings.schema);
  else await session.run("lock table partitions in access exclusive mode; update partitions set epoch = ''");
  await session.run(migration.text);
  await session.query("insert into schema_migrations (no, name, checksum, applied_at) values ($1, $2, $3, $4)", [
    migration.no,
    migration.name,
    checksumOf(migration),
    now,
  ]);
}

/** Who may not create schemas is given an empty one. */
async function createSchema(session: Session, schema: string): Promise<void> {
  const [found] = await session.query("select 1 from pg_namespace where nspname = $1", [schema]);
  if (found === undefined) await session.run(`create schema ${quoteName(schema)}`);
  await session.run(`create table schema_migrations (
    no integer primary key, name text not null, checksum text not null, applied_at bigint not null)`);
}
