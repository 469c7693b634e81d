// Databases for tests on the server whose address is in TEST_DATABASE_URL: that of the user, or the one that the tests
// started (scripts/postgres).

import { randomBytes } from "node:crypto";
import { Client } from "pg";

export type TestDatabase = AsyncDisposable & {
  /** An address as users write it, with the password. */
  readonly url: string;
  /** Whoever is still connected is thrown out. */
  readonly drop: () => Promise<void>;
};

/** A fresh, empty database, until it is dropped. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const address = findServer();
  const name = `stepwell_test_${randomBytes(8).toString("hex")}`;
  await askServer(address, `create database ${name}`);
  const url = new URL(address);
  url.pathname = `/${name}`;
  const drop = (): Promise<void> => askServer(address, `drop database if exists ${name} with (force)`);
  return { url: url.href, drop, [Symbol.asyncDispose]: drop };
}

/** The address of a schema that is not there yet, in the database that this run of the tests has: it takes no time to make,
 *  and all of them go with the database. */
export function nameTestSchema(): string {
  const url = new URL(findInEnvironment("STEPWELL_TEST_DATABASE"));
  url.searchParams.set("schema", `test_${randomBytes(8).toString("hex")}`);
  return url.href;
}

/** Of a superuser, or of somebody who may create databases. */
export function findServer(): string {
  return findInEnvironment("TEST_DATABASE_URL");
}

function findInEnvironment(name: string): string {
  const address = process.env[name];
  if (address !== undefined && address !== "") return address;
  throw new Error(
    "No PostgreSQL server for the tests: run them with npm test or npx vitest, which start one, or put " +
      "`node scripts/postgres-server.ts` in front of the command.",
  );
}

async function askServer(address: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: address });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
