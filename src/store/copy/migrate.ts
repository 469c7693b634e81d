// Moves a store to another place, of the same kind or of another, with everything in flight. Whenever it is killed, the
// old one is whole, and the new one empty or complete: the new one counts by one commit, or by its name, after every row
// was compared; only then is the old one marked. Whoever does it again after that commit finds a copy, and only marks.

import { crashPoint } from "../../crash-point.ts";
import { StepwellError } from "../../error.ts";
import { isServerAddress } from "../address.ts";
import { openStore } from "../open.ts";
import type { OwnerCard } from "../store.ts";
import { compareAll, copyAll, type CopiedTable, type Progress } from "./copy.ts";
import type { CopySource, CopyTarget } from "./ends.ts";
import { createCard, holdStore } from "./hold.ts";

export type MigrateOptions = {
  /** The old one is not marked: a copy is made. */
  readonly keep?: boolean;
  readonly tell?: (progress: Progress) => void;
  /** The new one is complete, and the old one still as it was. */
  readonly onComplete?: () => void;
  /** How long an owner may take to hand over. */
  readonly waitMs?: number;
};

export type StoreMigrated = {
  /** As people know them. */
  readonly from: string;
  readonly to: string;
  readonly tables: readonly CopiedTable[];
  /** The new one had it all already: another attempt had come that far. */
  readonly wasThere: boolean;
};

/** Both by their addresses; `to` must be empty. */
export async function migrateStore(from: string, to: string, options: MigrateOptions = {}): Promise<StoreMigrated> {
  const card = createCard();
  const { tell = () => {}, onComplete = () => {} } = options;
  await using source = await openSource(from, card, options);
  await using target = await openTarget(to, card, options);
  if (target.isEmpty) await copyAll(source, target, tell);
  const tables = await compare(source, target, tell);
  await source.confirm();
  crashPoint("after-compare");
  await target.commit();
  crashPoint("after-copy");
  onComplete();
  if (options.keep !== true) await source.markMoved(target.name);
  return { from: source.name, to: target.name, tables, wasThere: !target.isEmpty };
}

async function compare(
  source: CopySource,
  target: CopyTarget,
  tell: (progress: Progress) => void,
): Promise<readonly CopiedTable[]> {
  try {
    return await compareAll(source, target, tell);
  } catch (error) {
    if (target.isEmpty || !(error instanceof StepwellError) || error.code !== "REFUSED") throw error;
    throw new StepwellError(
      "REFUSED",
      `${target.name} is not empty, and is no copy of ${source.name} either; name another place. Nothing was changed.`,
      { details: { code: "store_not_empty" }, cause: error },
    );
  }
}

type Opening = Pick<MigrateOptions, "waitMs">;

async function openSource(address: string, card: OwnerCard, { waitMs }: Opening): Promise<CopySource> {
  const store = await openStore(address);
  try {
    const { epoch } = await holdStore(store, card, waitMs);
    const { openCopySource } = await (isServerAddress(address)
      ? import("../postgres/copy-source.ts")
      : import("../sqlite/copy-source.ts"));
    const source = await openCopySource(isServerAddress(address) ? address : store.name, epoch);
    return closeWith(source, () => store.close());
  } catch (error) {
    await store.close();
    throw error;
  }
}

async function openTarget(address: string, card: OwnerCard, { waitMs }: Opening): Promise<CopyTarget> {
  if (!isServerAddress(address)) return (await import("../sqlite/copy-target.ts")).openCopyTarget(address);
  const store = await openStore(address);
  try {
    const { epoch } = await holdStore(store, card, waitMs);
    const { openCopyTarget } = await import("../postgres/copy-target.ts");
    return closeWith(await openCopyTarget(address, epoch), () => store.close());
  } catch (error) {
    await store.close();
    throw error;
  }
}

/** The ownership goes last. */
function closeWith<End extends AsyncDisposable>(end: End, close: () => Promise<void>): End {
  return {
    ...end,
    [Symbol.asyncDispose]: async () => {
      try {
        await end[Symbol.asyncDispose]();
      } finally {
        await close();
      }
    },
  };
}
