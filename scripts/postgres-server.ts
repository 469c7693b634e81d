// A PostgreSQL server for whatever needs one: `node scripts/postgres-server.ts` tells its address and serves until it is
// interrupted; with a command behind it, that command has the address in TEST_DATABASE_URL, and the server ends with it.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { startServer } from "./postgres/server.ts";

if (process.env["TEST_DATABASE_URL"] !== undefined)
  throw new Error("TEST_DATABASE_URL is set: there is a server already");
await using server = await startServer();
const [command, ...words] = process.argv.slice(2);
if (command === undefined) {
  console.log(`TEST_DATABASE_URL=${server.url}`);
  // The server does not keep the program alive, and to wait for a signal does not either.
  const alive = setInterval(() => {}, 60_000);
  await Promise.race([once(process, "SIGINT"), once(process, "SIGTERM")]);
  clearInterval(alive);
  process.exitCode = 130;
} else {
  const child = spawn(command, words, { stdio: "inherit", env: { ...process.env, TEST_DATABASE_URL: server.url } });
  // The terminal tells both; the command decides.
  process.on("SIGINT", () => {});
  const [code] = await once(child, "exit");
  process.exitCode = typeof code === "number" ? code : 1;
}
