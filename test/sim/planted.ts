// The planted bugs: the proof that the simulator can see. Each is the real kernel in the real executor with one thing
// done wrongly; the oracles must find it within so many seeds.

import { soundDuties } from "../../src/testing/simulator/executor.ts";
import type { OracleName } from "../../src/testing/simulator/oracles/oracle.ts";
import type { Duties } from "../../src/testing/simulator/process.ts";
import { simulate } from "../../src/testing/simulator/simulate.ts";
import type { Decide } from "./altered.ts";
import * as decisions from "./planted-decisions.ts";
import * as executors from "./planted-executors.ts";

export type PlantedBug = {
  readonly name: string;
  readonly duties: Duties;
  /** The oracles that may see it first. */
  readonly foundBy: readonly OracleName[];
  /** Seeds that are enough. */
  readonly within: number;
};

export type Found = { readonly seed: number; readonly oracle: string; readonly message: string };

/** Runs seeds from 1 on until an oracle sees the bug. */
export function findBug({ duties, within }: PlantedBug): Found | undefined {
  for (let seed = 1; seed <= within; seed++) {
    const [violation] = simulate(seed, duties).violations;
    if (violation !== undefined) return { seed, oracle: violation.oracle, message: violation.message };
  }
  return undefined;
}

function deciding(decide: Decide): Duties {
  return { ...soundDuties, decide };
}

export const plantedBugs: readonly PlantedBug[] = [
  { name: "no fence: a result goes to whatever try runs now", duties: deciding(decisions.noFence), foundBy: ["result of its own call"], within: 400 },
  { name: "a late result is applied", duties: deciding(decisions.lateResultApplied), foundBy: ["legal transitions"], within: 400 },
  { name: "the join counter is kept in memory", duties: executors.joinCounterLost, foundBy: ["counters"], within: 400 },
  { name: "calls go out before the commit", duties: executors.dispatchBeforeCommit, foundBy: ["intent before call"], within: 400 },
  { name: "a call goes out twice", duties: executors.calledTwice, foundBy: ["intent before call"], within: 400 },
  { name: "`ready` on a running row calls it again", duties: deciding(decisions.doubleDispatch), foundBy: ["intent before call"], within: 400 },
  { name: "alarms are only in memory", duties: executors.alarmInMemory, foundBy: ["prompt recovery"], within: 400 },
  { name: "no recovery scan at start", duties: executors.noRecoveryScan, foundBy: ["prompt recovery"], within: 400 },
  { name: "ready rows are forgotten at start", duties: executors.readyForgotten, foundBy: ["prompt recovery"], within: 400 },
  { name: "a batch is kept behind one that was refused", duties: executors.batchKept, foundBy: ["no lost update"], within: 400 },
  { name: "memory is kept after a refused commit", duties: executors.memoryKept, foundBy: ["memory equals disk"], within: 400 },
  { name: "a sub-run is told outside the commit", duties: executors.childOutsideCommit, foundBy: ["waits have a name"], within: 400 },
  { name: "a retry has a new key", duties: deciding(decisions.newKeyPerAttempt), foundBy: ["same key and args"], within: 400 },
  { name: "a retry computes its args again", duties: deciding(decisions.argsComputedAgain), foundBy: ["same key and args"], within: 400 },
  { name: "attempts are not counted", duties: deciding(decisions.attemptsNotCounted), foundBy: ["effects within attempts"], within: 400 },
  { name: "a write of unknown outcome is just called again", duties: deciding(decisions.unknownRetried), foundBy: ["unknown outcome is asked"], within: 400 },
  { name: "poison is not noticed", duties: deciding(decisions.poisonNotNoticed), foundBy: ["effects within attempts"], within: 400 },
  { name: "cancel forgets a pending row", duties: deciding(decisions.cancelForgetsPending), foundBy: ["ending starts nothing new"], within: 400 },
  { name: "compensation begins with the oldest", duties: deciding(decisions.compensationOldestFirst), foundBy: ["compensation in order"], within: 400 },
  { name: "what was undone is not remembered", duties: deciding(decisions.compensationForgotten), foundBy: ["compensation in order"], within: 400 },
  { name: "a gate that expires is approved", duties: deciding(decisions.expiryMeansYes), foundBy: ["people decide"], within: 400 },
  { name: "one person counts as two", duties: deciding(decisions.samePersonTwice), foundBy: ["people decide"], within: 400 },
  { name: "an each leaves out its last item", duties: deciding(decisions.eachOffByOne), foundBy: ["counters"], within: 400 },
  { name: "an each loses a result", duties: deciding(decisions.eachResultShort), foundBy: ["each is whole"], within: 400 },
  { name: "a signal before its wait is lost", duties: deciding(decisions.signalLost), foundBy: ["signals are kept"], within: 400 },
  { name: "a nested join is created twice", duties: deciding(decisions.nestedJoinTwice), foundBy: ["join once"], within: 400 },
  { name: "a join is entered at the first arrival", duties: deciding(decisions.joinAtFirstArrival), foundBy: ["counters"], within: 400 },
  { name: "messages are decided twice", duties: deciding(decisions.messagesForgotten), foundBy: ["messages are idempotent"], within: 400 },
  { name: "a paused run goes on", duties: deciding(decisions.pauseDoesNotHold), foundBy: ["pause holds"], within: 400 },
  { name: "a run that has ended is resumed", duties: deciding(decisions.endedRunResumed), foundBy: ["terminal is final"], within: 400 },
];
