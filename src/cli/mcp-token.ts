// The token with which programs on this machine speak MCP to the service: to read and to run, and nothing else. It lies in
// a file that nobody else may read, beside the store, and is made anew when it is good no more.

import { mkdirSync, realpathSync } from "node:fs";
import { dirname } from "node:path";
import { serverKeyPath } from "../access/key-folder.ts";
import { localUser } from "../access/principal.ts";
import { readPrivateFile, replacePrivateFile } from "../access/private-file.ts";
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
    const file = readPrivateFile(path);
    return file.kind === "private" ? file.text.trim() : undefined;
  } catch {
    // Nobody can read it: a new one takes its place.
    return undefined;
  }
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  replacePrivateFile(path, `${text}\n`);
}
