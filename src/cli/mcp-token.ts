// The token with which programs on this machine speak MCP to the service: to read and to run, and nothing else. It lies in
// a file that nobody else may read, beside the store, and is made anew when it is good no more.

import {
  closeSync,
  fstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import { randomBytes } from "node:crypto";
import { dirname } from "node:path";
import { serverKeyPath } from "../access/key-folder.ts";
import { localUser } from "../access/principal.ts";
import type { Engine } from "../engine/engine.ts";
import { findLocalOwner } from "../server/visitor.ts";
import { isServerAddress } from "../store/address.ts";

/** Where it lies; null: of a store in memory nowhere. */
export async function provideToken(engine: Engine, store: string): Promise<string | null> {
  const path = pathOf(store);
  if (path === null) return null;
  const user = await findUser(engine);
  const known = await engine.access.tokens.check(readOwn(path) ?? "");
  if (known?.user === user) return path;
  // Whoever it was made for is not who they were: nobody comes with it any more.
  if (known !== null && known.via !== null) await engine.access.tokens.revoke(known.via);
  const { text } = await engine.access.tokens.create({ user, name: "mcp on this machine", scopes: ["read", "run"] });
  write(path, text);
  return path;
}

function pathOf(store: string): string | null {
  if (store === ":memory:") return null;
  if (!isServerAddress(store)) return `${realpathSync(store)}-mcp-token`;
  return serverKeyPath(store, process.env).replace(/\.key$/u, ".mcp-token");
}

/** As long as nobody is known, whoever has the machine; then the same user, or the program itself where that is nobody. */
async function findUser(engine: Engine): Promise<string> {
  const owner = findLocalOwner();
  const principals = await engine.access.list();
  return principals.length === 0 || principals.some(({ id }) => id === `user:${owner}`) ? owner : localUser;
}

/** What others could read may be known to them. */
function readOwn(path: string): string | undefined {
  try {
    const file = openSync(path, "r");
    try {
      const isOpen = process.platform !== "win32" && (fstatSync(file).mode & 0o077) !== 0;
      return isOpen ? undefined : readFileSync(file, "utf8").trim();
    } finally {
      closeSync(file);
    }
  } catch {
    // There is none yet, or nobody can read it: a new one takes its place.
    return undefined;
  }
}

/** It appears as a whole. */
function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const draft = `${path}-${randomBytes(6).toString("hex")}`;
  try {
    const file = openSync(draft, "wx", 0o600);
    try {
      writeSync(file, `${text}\n`);
    } finally {
      closeSync(file);
    }
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}
