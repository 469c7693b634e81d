// Where the key for the secrets of a server's database is kept: there is no file beside it, and a key in the database
// itself would protect nothing. It lies in the folder where programs of this user keep their state, one file for each
// database and schema. Other machines need a copy of it, or `STEPWELL_SECRET_KEY`.

import { createHash } from "node:crypto";
import { readlinkSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { isServerAddress, splitSchema } from "../store/address.ts";

type Environment = { readonly [name: string]: string | undefined };

/** `~/.local/state/stepwell/db.example.com-app-stepwell-1f0c3a9d2b41.key` */
export function serverKeyPath(address: string, environment: Environment): string {
  const { address: server, schema } = splitSchema(address);
  const { host, port, database } = partsOf(server, environment);
  const identity = [host, port, database, schema];
  // The readable part is for people; names that differ only in what cannot stand in a file's name differ in the rest.
  const shown = [host, database, schema].map((part) => part.replaceAll(/[^\w.-]+/g, "_").slice(0, 40)).join("-");
  const hash = createHash("sha256").update(JSON.stringify(identity)).digest("hex").slice(0, 12);
  return join(stateFolder(environment), "stepwell", `${shown}-${hash}.key`);
}

/** Of what is agreed on about tools: beside a file; null: a store in memory has no place. */
export function lockPathOf(address: string, environment: Environment = process.env): string | null {
  if (address === ":memory:") return null;
  if (!isServerAddress(address)) return join(dirname(resolve(address)), "stepwell.lock.json");
  return serverKeyPath(address, environment).replace(/\.key$/, ".lock.json");
}

/** Of the servers that were added through this program: one file for each store; null: a store in memory has no place. */
export function serversPathOf(address: string, environment: Environment = process.env): string | null {
  if (address === ":memory:") return null;
  if (!isServerAddress(address)) return `${followLinks(resolve(address))}-servers.json`;
  return serverKeyPath(address, environment).replace(/\.key$/, ".servers.json");
}

/** Two names of one database have one list. It may be there later, or its folder. */
function followLinks(path: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    const isMissing = error instanceof Error && "code" in error && error.code === "ENOENT";
    if (!isMissing || dirname(path) === path) return path;
  }
  const target = readLink(path);
  return target === undefined
    ? join(followLinks(dirname(path)), basename(path))
    : followLinks(resolve(dirname(path), target));
}

/** undefined: it is none. */
function readLink(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}

function partsOf(
  server: string,
  environment: Environment,
): { readonly host: string; readonly port: string; readonly database: string } {
  const url = URL.parse(server);
  // A socket's folder may be named in place of a host; a server on this machine has many names.
  const named = (url?.searchParams.get("host") ?? url?.hostname) || environment["PGHOST"] || "localhost";
  const isLocal = named.startsWith("/") || /^(?:127(?:\.\d+){3}|\[::1\])$/.test(named);
  return {
    host: isLocal ? "localhost" : named.toLowerCase(),
    port: url?.port || environment["PGPORT"] || "5432",
    database: decodeURIComponent(url?.pathname.slice(1) ?? "") || environment["PGDATABASE"] || url?.username || "",
  };
}

function stateFolder(environment: Environment): string {
  const { XDG_STATE_HOME: state, LOCALAPPDATA: local } = environment;
  if (state !== undefined && state !== "") return state;
  return process.platform === "win32" && local !== undefined ? local : join(homedir(), ".local", "state");
}
