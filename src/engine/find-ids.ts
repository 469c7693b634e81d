// Which run or step somebody means: by its id, by the beginning of a run's id, or by a run's uid.

import type { RowId, RunId } from "../run/model.ts";
import { rangesOf } from "../store/lookup.ts";
import type { Store } from "../store/store.ts";

/** Of each two at most: whoever means one knows by the second that it takes more digits. */
export type FoundIds = {
  readonly runs: readonly RunId[];
  /** Only by their whole ids. */
  readonly steps: readonly { readonly id: RowId; readonly run: RunId }[];
};

/** Fewer digits are a slip of the pen. */
const digitsMin = 4;
const none: FoundIds = { runs: [], steps: [] };

/** `isSeen`: others' runs, and what their ids begin with, are not there for who may see only their own. */
export async function findIds(store: Store, text: string, isSeen: (createdBy: string) => boolean): Promise<FoundIds> {
  if (!/^\d{1,15}$/u.test(text)) return toRuns(await store.findRunByUid(text), isSeen);
  const run = await store.findRun(Number(text));
  if (run !== undefined) return toRuns(run, isSeen);
  const step = await store.findRow(Number(text));
  const owner = step === undefined ? undefined : await store.findRun(step.run);
  if (step !== undefined && owner !== undefined && isSeen(owner.run.createdBy))
    return { runs: [], steps: [{ id: step.row.id, run: step.run }] };
  return text.length < digitsMin ? none : { runs: await findByBeginning(store, text, isSeen), steps: [] };
}

function toRuns(found: Awaited<ReturnType<Store["findRun"]>>, isSeen: (createdBy: string) => boolean): FoundIds {
  return found !== undefined && isSeen(found.run.createdBy) ? { runs: [found.run.id], steps: [] } : none;
}

async function findByBeginning(
  store: Store,
  digits: string,
  isSeen: (createdBy: string) => boolean,
): Promise<readonly RunId[]> {
  const found: RunId[] = [];
  for (const [first, last] of rangesOf(digits)) {
    let before = last + 1;
    while (found.length < 2) {
      const heads = await store.listHeads(before, pageMax);
      const within = heads.filter(({ id }) => id >= first);
      found.push(...within.flatMap(({ id, createdBy }) => (isSeen(createdBy) ? [id] : [])));
      before = heads.at(-1)?.id ?? 0;
      if (within.length < pageMax) break;
    }
  }
  return found.slice(0, 2);
}

const pageMax = 100;
