// The server of a run: on a disk, with the settings of the peers' harness.

import { startServer, type PostgresServer } from "../scripts/postgres/server.ts";
import { ask } from "./database.ts";
import { raiseServer } from "./priority.ts";

/** The first three are the defaults of PostgreSQL, written down: what is acknowledged is on the disk. */
const settings = {
  fsync: "on",
  synchronous_commit: "on",
  full_page_writes: "on",
  shared_buffers: "512MB",
  max_wal_size: "4GB",
  jit: "off",
} as const;

export async function startBenchServer(folder: string): Promise<PostgresServer> {
  const server = await startServer({ place: folder, settings });
  raiseServer(server.pid());
  return server;
}

/** As it says itself. */
export async function describeServer(address: string): Promise<string> {
  const names = Object.keys(settings).filter((name) => name !== "jit");
  const shown = names.map((name) => `current_setting('${name}')`).join(", ");
  const [row] = await ask(address, `select current_setting('server_version') as version, array[${shown}] as values`);
  const values = row?.["values"];
  const told = Array.isArray(values) ? names.map((name, no) => `${name}=${String(values[no])}`) : [];
  const [version = ""] = String(row?.["version"]).split(" ");
  return `PostgreSQL ${version} (${told.join(" ")})`;
}
