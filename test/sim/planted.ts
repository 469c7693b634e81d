// The planted bugs: the proof that the simulator can see. Each is the real kernel in the real executor with one thing
// done wrongly; the oracles must find it within so many seeds.

import { soundDuties } from "../../src/testing/simulator/executor.ts";
import type { OracleName } from "../../src/testing/simulator/oracles/oracle.ts";
import type { Duties } from "../../src/testing/simulator/process.ts";
import { createMemoryStore } from "../../src/testing/simulator/memory-store.ts";
import { simulate, type OpenStore } from "../../src/testing/simulator/simulate.ts";
import type { Decide } from "./altered.ts";
import * as decisions from "./planted-decisions.ts";
import * as executors from "./planted-executors.ts";
import * as stores from "./planted-stores.ts";

export type PlantedBug = {
  readonly name: string;
  readonly duties: Duties;
  readonly openStore: OpenStore;
  /** The oracles that may see it first. */
  readonly foundBy: readonly OracleName[];
  /** Seeds that are enough. */
  readonly within: number;
};

export type Found = { readonly seed: number; readonly oracle: string; readonly message: string };

/** Runs seeds from 1 on until an oracle sees the bug. */
export function findBug({ duties, openStore, within }: PlantedBug): Found | undefined {
  for (let seed = 1; seed <= within; seed++) {
    const [violation] = simulate(seed, duties, openStore).violations;
    if (violation !== undefined) return { seed, oracle: violation.oracle, message: violation.message };
  }
  return undefined;
}

function deciding(decide: Decide): Duties {
  return { ...soundDuties, decide };
}

type Planted = readonly [name: string, duties: Duties, foundBy: readonly OracleName[], within: number];

// Within: many times the seeds that it takes today, so that a change of the kernel, which makes other worlds of the same
// seeds, does not miss it by chance.
const planted: readonly Planted[] = [
  [
    "no fence: a result goes to whatever try runs now",
    deciding(decisions.noFence),
    ["late results are recorded", "result of its own call"],
    400,
  ],
  ["a late result is applied", deciding(decisions.lateResultApplied), ["terminal is final", "legal transitions"], 400],
  ["the join counter is kept in memory", executors.joinCounterLost, ["counters"], 100],
  ["calls go out before the commit", executors.dispatchBeforeCommit, ["intent before call"], 100],
  ["a call goes out twice", executors.calledTwice, ["intent before call"], 100],
  [
    "`ready` on a running row calls it again",
    deciding(decisions.doubleDispatch),
    ["intent before call", "messages are idempotent"],
    400,
  ],
  ["a call that goes on elsewhere is made anew", deciding(decisions.followedMadeAnew), ["followed in its row"], 400],
  ["alarms are only in memory", executors.alarmInMemory, ["prompt recovery"], 100],
  ["no recovery scan at start", executors.noRecoveryScan, ["prompt recovery"], 100],
  ["ready rows are forgotten at start", executors.readyForgotten, ["prompt recovery", "every run ends"], 400],
  ["a batch is kept behind one that was refused", executors.batchKept, ["memory equals disk", "no lost update"], 100],
  ["memory is kept after a refused commit", executors.memoryKept, ["memory equals disk", "no lost update"], 100],
  ["a sub-run is told outside the commit", executors.childOutsideCommit, ["waits have a name"], 400],
  ["a retry has a new key", deciding(decisions.newKeyPerAttempt), ["same key and args"], 100],
  ["a retry computes its args again", deciding(decisions.argsComputedAgain), ["same key and args"], 100],
  ["attempts are not counted", deciding(decisions.attemptsNotCounted), ["effects within attempts"], 100],
  [
    "a write of unknown outcome is just called again",
    deciding(decisions.unknownRetried),
    ["unknown outcome is asked"],
    100,
  ],
  ["poison is not noticed", deciding(decisions.poisonNotNoticed), ["effects within attempts"], 400],
  [
    "cancel forgets a pending row",
    deciding(decisions.cancelForgetsPending),
    ["preview tells the truth", "ending starts nothing new"],
    100,
  ],
  ["compensation begins with the oldest", deciding(decisions.compensationOldestFirst), ["compensation in order"], 400],
  [
    "what was undone is not remembered",
    deciding(decisions.compensationForgotten),
    ["one row per cause", "compensation in order"],
    400,
  ],
  ["a gate that expires is approved", deciding(decisions.expiryMeansYes), ["people decide"], 400],
  ["one person counts as two", deciding(decisions.samePersonTwice), ["people decide"], 400],
  ["an each leaves out its last item", deciding(decisions.eachOffByOne), ["each is whole", "counters"], 100],
  ["an each loses a result", deciding(decisions.eachResultShort), ["each is whole"], 100],
  ["a signal before its wait is lost", deciding(decisions.signalLost), ["signals are kept"], 100],
  ["a nested join is created twice", deciding(decisions.nestedJoinTwice), ["join once", "one row per cause"], 400],
  ["a join is entered at the first arrival", deciding(decisions.joinAtFirstArrival), ["join once", "counters"], 400],
  [
    "messages are decided twice",
    deciding(decisions.messagesForgotten),
    ["signals are kept", "messages are idempotent"],
    100,
  ],
  ["a paused run goes on", deciding(decisions.pauseDoesNotHold), ["pause holds"], 400],
  ["an each starts all its items at once", deciding(decisions.concurrencyIgnored), ["counters"], 400],
  ["alarms fire a minute early", deciding(decisions.alarmsEarly), ["nothing is early"], 400],
  ["a sub-run outlives its step", deciding(decisions.childOutlivesParent), ["waits have a name"], 400],
  ["a late result is not told of", deciding(decisions.lateResultNotTold), ["late results are recorded"], 100],
  ["a branch sees what its siblings do", deciding(decisions.siblingsSeen), ["history folds to the state"], 100],
  ["a run that is tried again does all of it again", deciding(decisions.doneAgain), ["done is taken over"], 400],
  ["a run that is tried again has new keys", deciding(decisions.newKeysPerRun), ["a retry keeps its keys"], 400],
  [
    "a run that has ended is resumed",
    deciding(decisions.endedRunResumed),
    ["legal transitions", "terminal is final"],
    100,
  ],
];

/** On the real SQLite store. */
const plantedInStore: readonly (readonly [
  name: string,
  openStore: OpenStore,
  foundBy: readonly OracleName[],
  within: number,
])[] = [
  ["SQLite: a batch is no transaction", stores.noTransaction, ["refused leaves nothing"], 100],
  ["SQLite: a batch is written behind one that was refused", stores.behindIsWritten, ["refused leaves nothing"], 100],
  ["SQLite: changes are not guarded by versions", stores.versionsNotGuarded, ["refused leaves nothing"], 100],
  ["SQLite: a row that is over stays live", stores.overStaysLive, ["read back as written"], 100],
  ["SQLite: what was visited is not found again", stores.scopesNotGathered, ["read back as written"], 100],
  ["SQLite: signals pile up", stores.signalsPileUp, ["commits are accepted", "read back as written"], 100],
  ["SQLite: later visits are not counted", stores.visitsNotCounted, ["read back as written"], 100],
  ["SQLite: the oldest row to undo is brought", stores.oldestUndone, ["brought as they are"], 100],
  ["SQLite: an item is not brought", stores.itemMissing, ["brought as they are"], 100],
  ["SQLite: rows of paused runs are due", stores.pausedAreDue, ["due is done"], 400],
  ["SQLite: what is due is not found", stores.dueNotFound, ["prompt recovery"], 100],
  ["SQLite: what was interrupted is not found", stores.interruptedNotFound, ["prompt recovery"], 100],
];

export const plantedBugs: readonly PlantedBug[] = [
  ...planted.map(([name, duties, foundBy, within]) => ({
    name,
    duties,
    openStore: createMemoryStore,
    foundBy,
    within,
  })),
  ...plantedInStore.map(([name, openStore, foundBy, within]) => ({
    name,
    duties: soundDuties,
    openStore,
    foundBy,
    within,
  })),
];
