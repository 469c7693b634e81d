// A schema as the source of a copy, by the ownership of whoever opens it: no batch is written meanwhile. Messages of
// guests wait until it is over, and what was read still holds when no other epoch has come in between.

import type { CopySource } from "../copy/ends.ts";
import { movedKey, movedKind, type MovedValue } from "../moved.ts";
import { Copying } from "./copying.ts";

export async function openCopySource(address: string, epoch: string): Promise<CopySource> {
  const copying = await Copying.open(address, epoch);
  await copying.run("lock table inbox in share row exclusive mode");
  return {
    name: copying.name,
    count: (table) => copying.count(table),
    read: (table) => copying.read(table),
    lastInboxId: async () => {
      const [[last] = []] = await copying.query("select pg_sequence_last_value(pg_get_serial_sequence('inbox', 'id'))");
      return Number(last ?? 0);
    },
    confirm: () => copying.confirm(),
    markMoved: async (to) => {
      const at = Date.now();
      await copying.query("insert into entries (kind, key, version, updated_at, value) values ($1, $2, 1, $3, $4)", [
        movedKind,
        movedKey,
        at,
        JSON.stringify({ to, at } satisfies MovedValue),
      ]);
      await copying.run("commit");
    },
    [Symbol.asyncDispose]: () => copying.end(),
  };
}
