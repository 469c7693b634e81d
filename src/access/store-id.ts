// By what a program knows its own store again when somebody else speaks of it: the same for two names of one file, and
// without anything that would let anybody in.

import { createHash, randomUUID } from "node:crypto";
import { realpathSync } from "node:fs";
import { resolve } from "node:path";
import { isServerAddress } from "../store/address.ts";
import { serverKeyPath } from "./key-folder.ts";

/** A store in memory is this process's own. */
const memoryId = randomUUID();

/** `address`: a path, `postgres://…` or `:memory:`. */
export function storeIdOf(address: string): string {
  return createHash("sha256").update(identityOf(address)).digest("hex");
}

function identityOf(address: string): string {
  if (address === ":memory:") return `memory ${memoryId}`;
  // Host, port, database and schema: who comes there, and with which password, makes no other store of it.
  if (isServerAddress(address)) return `server ${serverKeyPath(address, { ...process.env, XDG_STATE_HOME: "/" })}`;
  try {
    return `file ${realpathSync(address)}`;
  } catch {
    // It is not there yet.
    return `file ${resolve(address)}`;
  }
}
