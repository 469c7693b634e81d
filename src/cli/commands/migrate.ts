// `stepwell migrate`: moves a store to another place, a file or a server, with everything in flight.

import { realpathSync } from "node:fs";
import { resolve } from "node:path";
import { StepwellError } from "../../error.ts";
import { isServerAddress, showAddress } from "../../store/address.ts";
import type { Progress } from "../../store/copy/copy.ts";
import type { StoreMigrated } from "../../store/copy/migrate.ts";
import { defineCommand, type Call, type Command } from "../command.ts";
import { showDuration } from "../time.ts";
import { isThere, showStore } from "../view.ts";

export const command: Command = defineCommand({
  operands: [
    { name: "<from>", completes: "file" },
    { name: "<to>", completes: "file" },
  ],
  flags: { keep: { about: "leave the old one as it is: a copy, and both can be used" } },
  details:
    "Files and postgres://…, in either direction. The new place must be empty, and every row is compared before it counts. The old store stays to be read, and names the new one to whoever wants to go on with it.",
  isLocal: true,
  examples: [
    "migrate .stepwell/stepwell.db postgres://ann@localhost/app",
    "migrate postgres://ann@localhost/app copy.db --keep",
  ],
  async act(call) {
    const { operands, values, out, usage } = call;
    const [from, to] = operands;
    if (from === undefined || to === undefined)
      throw new StepwellError("USAGE", "Say from where to where.", { hint: usage });
    await check(from, to);
    const { migrateStore } = await import("../../store/copy/migrate.ts");
    const { carryKeys } = await import("../carry-keys.ts");
    const beganAt = performance.now();
    const migrated = await migrateStore(from, to, {
      keep: values.keep,
      tell: createTeller(out.say),
      onComplete: () => carryKeys(from, to),
    });
    tellMigrated(call, migrated, { isKept: values.keep, durationMs: Math.round(performance.now() - beganAt) });
    out.say(
      values.keep
        ? "Both can be used; neither knows what the other does from now on."
        : `From now on: --store ${showStore(to)}`,
    );
    return 0;
  },
});

/** What can be known before anything is opened. */
async function check(from: string, to: string): Promise<void> {
  for (const address of [from, to]) {
    if (address === ":memory:")
      throw new StepwellError("USAGE", "A store in memory belongs to one process, and goes with it.");
  }
  if (!(await isThere(from))) {
    throw new StepwellError("FILE_NOT_FOUND", `There is no store "${showAddress(from)}".`, {
      hint: "the first word is the store that is there, the second where it goes",
    });
  }
  const isSame = isServerAddress(from) ? from === to : realpathSync(from) === findPath(to);
  if (isSame) throw new StepwellError("USAGE", "Both are the same store.");
}

function findPath(address: string): string {
  try {
    return realpathSync(address);
  } catch {
    // It is not there yet.
    return resolve(address);
  }
}

type Told = { readonly isKept: boolean; readonly durationMs: number };

function tellMigrated({ out }: Pick<Call, "out">, migrated: StoreMigrated, { isKept, durationMs }: Told): void {
  const { from, to, tables, wasThere } = migrated;
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  const runs = tables.find(({ name }) => name === "runs")?.rows ?? 0;
  out.tell({
    document: {
      from,
      to,
      is_kept: isKept,
      was_there: wasThere,
      runs,
      rows,
      duration_ms: durationMs,
      tables: tables.map((table) => ({ ...table })),
    },
    ids: [to],
    lines: () => [
      `${runs} ${runs === 1 ? "run" : "runs"} in ${rows} rows, the same in both: ${showDuration(durationMs)}`,
    ],
  });
  if (wasThere) out.say(`${to} had all of it already.`);
}

/** What takes no longer needs no words. */
const tellEveryMs = 1000;

function createTeller(say: (text: string) => void): (progress: Progress) => void {
  let nextAt: number | undefined;
  return ({ phase, table, rows, of }) => {
    nextAt ??= performance.now() + tellEveryMs;
    if (performance.now() < nextAt) return;
    nextAt = performance.now() + tellEveryMs;
    say(`${phase === "copy" ? "copying" : "comparing"} ${table}: ${rows} of ${of}`);
  };
}
