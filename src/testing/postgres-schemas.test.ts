import { expect, test } from "vitest";
import { openEngine } from "../open-engine.ts";
import { openSession, openSettings } from "../store/postgres/connection.ts";
import { createTestSchemas } from "./postgres-schemas.ts";

const flow = { start: { set: { a: 1 }, done: true } };

/** A store at this address, in which one run has ended. */
async function useStore(address: string): Promise<number> {
  await using engine = await openEngine({ store: address });
  const { id } = await engine.start(flow);
  await engine.result(id);
  return id;
}

async function askIn(address: string, text: string): Promise<readonly unknown[]> {
  const session = await openSession(openSettings(address), "read");
  try {
    return (await session.run(text)).flat(2);
  } finally {
    await session.end();
  }
}

const whatIsThere = `select count(*) from runs; select count(*) from commits; select count(*) from schema_migrations;
  select count(*) from partitions where epoch <> ''; select to_regclass('notes') is not null`;

test("a schema that was given back is there again under another name, with nothing in it", async () => {
  const schemas = createTestSchemas();
  const first = schemas.take();
  await useStore(first);
  const migrations = (await askIn(first, whatIsThere))[2];
  schemas.giveBack(first);
  await schemas.recycleAll();
  const again = schemas.take();
  expect(again).not.toBe(first);
  expect(await askIn(again, whatIsThere)).toEqual([0, 0, migrations, 0, false]);
  await useStore(again);
  expect((await askIn(again, whatIsThere))[0]).toBe(1);
  await expect(askIn(first, "select count(*) from runs")).rejects.toThrow(/does not exist/);
});

test("one that somebody owns, or in which more than rows was changed, is left alone", async () => {
  const schemas = createTestSchemas();
  const [owned, changed] = [schemas.take(), schemas.take()];
  await using engine = await openEngine({ store: owned });
  await useStore(changed);
  await askIn(changed, "create table notes (text text)");
  await schemas.recycleAll();
  await expect(askIn(schemas.take(), "select count(*) from runs")).rejects.toThrow(/does not exist/);
  expect(await askIn(changed, "select count(*) from runs; select to_regclass('notes') is not null")).toEqual([1, true]);
  const { id } = await engine.start(flow);
  await engine.result(id);
});
