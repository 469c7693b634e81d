// The durable memory of a simulation on the real SQLite store: its schema, its writer, its readers and its queries, on a
// database in memory. Beside it stands a shelf with what was decided, for those who watch: after each commit both must
// say the same. The executor itself reads nothing but SQL.

import { createHeldRun, type HeldRun } from "../../../engine/held-run.ts";
import type { Row, RowId, RunId } from "../../../run/model.ts";
import { pickNeeded } from "../../../run/need.ts";
import { createShelf } from "../memory-store.ts";
import { documentOf } from "../library.ts";
import type { OracleName } from "../oracles/oracle.ts";
import { isSame } from "../same.ts";
import type { Question, Shelf, Store } from "../store.ts";
import type { World } from "../world.ts";
import { createAgenda } from "./agenda.ts";
import { soundCode, type StoreCode } from "./code.ts";
import { adopt, compareLoaded, compareRows } from "./compare.ts";
import { loseMemory, openDisk, type Disk } from "./disk.ts";
import { createDraft } from "./draft.ts";

/** Runs of more rows are read after some commits only. */
const rowsAtOnce = 40;
/** Every so many commits all rows of the runs in it are read, in between their frontiers. */
const fullyEvery = 5;

/** `code`: a store with a planted bug. */
export function createSqliteStore(world: World, code: StoreCode = soundCode): Store {
  const shelf = createShelf();
  const disk = openDisk({
    world,
    code,
    examineFully: (run) => examineRun(disk, shelf, run) ?? examineRows(disk, shelf, run),
  });
  const { database } = disk;
  let examined = 0;
  return {
    ...shelf,
    agenda: createAgenda(world, database, code),
    load: (run) => load(disk, shelf, run),
    bring: (question) => bring(disk, shelf, question),
    listReady: () => code.listReady(database, Number.MAX_SAFE_INTEGER),
    listInterrupted: (epoch) => code.listInterrupted(database, epoch),
    draft: (at) => createDraft(disk, at),
    lose: () => loseMemory(disk),
    examine(run) {
      examined += 1;
      // The more rows a run has, the more it costs to read them, and the less has changed.
      if (examined % Math.ceil(((shelf.find(run)?.rows.size ?? 0) + 1) / rowsAtOnce) !== 0) return undefined;
      return examined % fullyEvery === 0 ? disk.examineFully(run) : examineRun(disk, shelf, run);
    },
    close: () => database.close(),
  };
}

function examineRun({ code, database }: Disk, shelf: Shelf, run: RunId): string | undefined {
  const [loaded] = code.load(database, [run]);
  return compareLoaded(loaded?.frontier, shelf.find(run));
}

function examineRows({ queries }: Disk, shelf: Shelf, run: RunId): string | undefined {
  const stored = shelf.find(run);
  const kept = [...(stored?.rows.values() ?? [])].toSorted((one, other) => one.id - other.id);
  const problem = compareRows(queries.listRows(run), kept);
  if (problem !== undefined) return problem;
  return isSame(queries.listEvents(run), [...(stored?.events.values() ?? [])]) ? undefined : "the events differ";
}

function load(disk: Disk, shelf: Shelf, run: RunId): HeldRun | undefined {
  const { code, database, plans } = disk;
  const [loaded] = code.load(database, [run]);
  const stored = shelf.find(run);
  report(disk, "read back as written", compareLoaded(loaded?.frontier, stored), run);
  const plan = loaded === undefined ? undefined : plans.get(loaded.flow);
  if (loaded === undefined || stored === undefined || plan === undefined) return undefined;
  const { flow, frontier } = loaded;
  if (!isSame(disk.queries.findFlow(flow)?.source, documentOf(plan)))
    report(disk, "read back as written", "its flow is not what was written", run);
  adopt(stored, frontier);
  return createHeldRun({ plan, flow, frontier, written: frontier.run });
}

/** What is on disk, under what was decided of late: as the engine does it. */
function bring(disk: Disk, shelf: Shelf, { run, held, needs, unwritten }: Question): readonly (readonly Row[])[] {
  const { code, database } = disk;
  const recent = [...(held?.recent ?? [])];
  const unknown = needs.filter((need) => need.kind !== "row" || held?.recent.has(need.row) !== true);
  const stored = held === null || unknown.length === 0 ? [] : code.bring(database, run, unknown);
  const kept = new Map<RowId, Row>(shelf.find(run)?.rows);
  for (const [id, row] of unwritten()) kept.set(id, row);
  return needs.map((need) => {
    const rows = new Map((stored[unknown.indexOf(need)] ?? []).map((row) => [row.id, row]));
    for (const [id, { row }] of recent) rows.set(id, row);
    const picked = pickNeeded(need, rows);
    const problem = compareRows(byId(picked), byId(pickNeeded(need, kept)));
    report(disk, "brought as they are", problem === undefined ? undefined : `for ${need.kind} ${problem}`, run);
    return picked;
  });
}

function byId(rows: readonly Row[]): readonly Row[] {
  return rows.toSorted((one, other) => one.id - other.id);
}

function report({ world }: Disk, oracle: OracleName, problem: string | undefined, run: RunId): void {
  if (problem !== undefined) world.violate(oracle, `of run ${run}, ${problem}`);
}
