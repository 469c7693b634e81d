// The command line on a server: what is wrong with an address is told in a sentence that says what to do, passwords are
// never shown, and commands about files say what to use instead.

import { randomBytes } from "node:crypto";
import { Client } from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../src/testing/postgres.ts";
import { demoFlow } from "./command.ts";
import { openInside, refusalOf, type Inside } from "./inside.ts";

let database: TestDatabase;
let inside: Inside;
const poor = `poor_${randomBytes(4).toString("hex")}`;

async function ask(text: string): Promise<void> {
  const client = new Client({ connectionString: database.url });
  await client.connect();
  await client.query(text);
  await client.end();
}

beforeAll(async () => {
  database = await createTestDatabase();
  await ask(`create role ${poor} login password 'poor-password'`);
});

afterAll(async () => {
  await database.drop();
  await using other = await createTestDatabase();
  database = other;
  await ask(`drop role ${poor}`);
});

beforeEach(() => {
  inside = openInside();
});

afterEach(() => inside.remove());

/** The address with parts of it replaced. */
function changed(change: (url: URL) => void): string {
  const url = new URL(database.url);
  change(url);
  return url.href;
}

type Wrong = {
  readonly what: string;
  readonly change: (url: URL) => void;
  readonly code: string;
  readonly exitCode: number;
  readonly sentence: RegExp;
};

const unreachable = { code: "STORE_UNREACHABLE", exitCode: 5 };
const misused = { code: "USAGE", exitCode: 2 };

test.each<Wrong>([
  {
    what: "a server that is not there",
    change: (url) => (url.port = "1"),
    ...unreachable,
    sentence: /check the host and the port in the address, and start the server\.$/,
  },
  {
    what: "a database that is not there",
    change: (url) => (url.pathname = "/nowhere"),
    ...unreachable,
    sentence: /create the database, or name another one in the address\.$/,
  },
  {
    what: "a wrong password",
    change: (url) => (url.password = "hush-hush"),
    ...unreachable,
    sentence: /check the user and the password in the address\.$/,
  },
  {
    what: "an option that is not known",
    change: (url) => url.searchParams.set("password", "hush-hush"),
    ...misused,
    sentence: /"password" is not known; use schema, /,
  },
  {
    what: "a schema that cannot be one",
    change: (url) => url.searchParams.set("schema", "a b"),
    ...misused,
    sentence: /"a b" cannot be the name of a schema/,
  },
])("$what is told", async ({ change, code, exitCode, sentence }) => {
  const address = changed(change);
  const { stdout, stderr } = await inside.call("list", "--store", address);
  expect(stdout + stderr).not.toContain("hush-hush");
  expect(stdout + stderr).not.toContain(new URL(database.url).password);
  expect(await refusalOf(inside, "list", "--store", address)).toEqual([
    code,
    exitCode,
    expect.stringMatching(sentence),
  ]);
});

test("who may not create a schema is told what to grant, and who may not read it too", async () => {
  const asPoor = (schema: string): string =>
    changed((url) => {
      url.username = poor;
      url.password = "poor-password";
      url.searchParams.set("schema", schema);
    });
  const refused = await refusalOf(inside, "run", demoFlow("hello"), "--store", asPoor("fresh"));
  expect(refused).toEqual([
    "STORE_READ_ONLY",
    5,
    expect.stringMatching(
      /permission denied for database .*; grant this user the right, or let another one create the schema\./,
    ),
  ]);
  await inside.call("run", demoFlow("hello"), "--store", `${database.url}?schema=taken`);
  expect((await refusalOf(inside, "list", "--store", asPoor("taken"))).slice(0, 2)).toEqual(["STORE_READ_ONLY", 5]);
});

test("looking makes no store, and says so", async () => {
  const address = `${database.url}?schema=unmade`;
  const refusal = await refusalOf(inside, "list", "--store", address);
  expect(refusal.slice(0, 2)).toEqual(["FILE_NOT_FOUND", 3]);
  const checks = await inside.list("doctor", "--store", address);
  expect(checks.find(({ name }) => name === "version")).toMatchObject({ state: "warning" });
  expect((await refusalOf(inside, "emit", "paid", "--store", address))[0]).toBe("FILE_NOT_FOUND");
});

test("doctor finds that all is well, and who owns the store", async () => {
  const address = `${database.url}?schema=well`;
  await inside.call("run", demoFlow("hello"), "--store", address);
  const checks = await inside.list("doctor", "--store", address);
  expect(checks.map(({ name, state }) => [name, state])).toEqual(
    ["program", "node", "store", "server", "sessions", "durability", "version", "owner", "space", "clock"].map(
      (name) => [name, "ok"],
    ),
  );
  const { openEngine } = await import("../../src/index.ts");
  await using _ = await openEngine({ store: address });
  expect((await inside.call("doctor", "--store", address)).stdout).toContain(`process ${process.pid} on `);
  expect(
    (
      await inside.call(
        "doctor",
        "--store",
        changed((url) => (url.port = "1")),
      )
    ).exitCode,
  ).toBe(5);
});

test("backup and restore name the server's own programs", async () => {
  const address = `${database.url}?schema=copied`;
  const saved = await inside.call("backup", "x.sql", "--store", address);
  expect([saved.exitCode, saved.stderr]).toEqual([
    2,
    expect.stringMatching(/hint: pg_dump -n copied postgres:\/\/[^:]+@\S+ > stepwell\.sql/),
  ]);
  const restored = await inside.call("restore", "x.sql", "--store", address);
  expect([restored.exitCode, restored.stderr]).toEqual([2, expect.stringContaining("drop schema copied cascade")]);
});

test("the address may stand in the environment or in the configuration, and is no path there", async () => {
  const address = `${database.url}?schema=told`;
  const told = openInside({ environment: { STEPWELL_STORE: address } });
  const { stderr } = await told.call("run", demoFlow("hello"));
  expect(stderr).toMatch(/^store: 'postgres:\/\/[^:]+@/);
  expect(await told.list("list")).toHaveLength(1);
  told.remove();
  const config = inside.write("stepwell.config.json", JSON.stringify({ store: address }));
  const configured = openInside({ environment: { STEPWELL_STORE: "", STEPWELL_CONFIG: config } });
  expect(await configured.list("list")).toHaveLength(1);
  configured.remove();
});
