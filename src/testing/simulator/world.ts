// The world of one seed: its randomness, its time, what is still to happen in it, and the trace of what has. One thread
// and one order: the same seed makes the same world, down to the hash of its trace.

import { createRandom, type Random } from "../random.ts";
import { createHeap } from "./heap.ts";

export interface World {
  readonly seed: number;
  readonly random: Random;
  /** Virtual milliseconds since the beginning; never goes back. */
  readonly time: number;
  /** What the wall clock shows; it jumps. */
  readonly now: number;
  readonly trace: Trace;
  readonly violations: readonly Violation[];
  after(delayMs: number, happen: () => void): void;
  jumpClock(byMs: number): void;
  /** An id that was never given before, for rows and runs. */
  newId(): number;
  note(line: string): void;
  /** An oracle has seen something that must not be; the world stops. */
  violate(oracle: string, message: string): void;
  /** Lets things happen until `untilTime`, or until nothing is left to happen. */
  run(untilTime: number): void;
}

export type Violation = {
  readonly oracle: string;
  readonly message: string;
  readonly event: number;
  readonly time: number;
};

interface Trace {
  readonly events: number;
  readonly hash: string;
  /** The newest lines, oldest first. */
  last(): readonly string[];
}

/** The clock begins two days before the instant that random flows wait for. */
const beginning = Date.UTC(2029, 11, 30, 9);

export function createWorld(seed: number): World {
  const happenings = createHeap<() => void>();
  const trace = createTrace();
  const violations: Violation[] = [];
  let time = 0;
  let jumped = 0;
  let lastId = 1000;
  return {
    seed,
    random: createRandom(seed),
    trace,
    violations,
    get time() {
      return time;
    },
    get now() {
      return beginning + time + jumped;
    },
    after(delayMs, happen) {
      happenings.push(time + Math.max(0, delayMs), happen);
    },
    jumpClock(byMs) {
      jumped += byMs;
    },
    newId() {
      lastId += 1;
      return lastId;
    },
    note(line) {
      trace.add(time, line);
    },
    violate(oracle, message) {
      violations.push({ oracle, message, event: trace.events, time });
      trace.add(time, `VIOLATION of ${oracle}: ${message}`);
    },
    run(untilTime) {
      for (let at = happenings.firstAt(); at !== undefined && at <= untilTime; at = happenings.firstAt()) {
        time = Math.max(time, at);
        happenings.pop()?.();
        if (violations.length > 0) return;
      }
      time = Math.max(time, untilTime);
    },
  };
}

const kept = 50;

type TraceInTheMaking = Trace & { add(time: number, line: string): void };

function createTrace(): TraceInTheMaking {
  const lines: string[] = [];
  let [events, high, low] = [0, 0x811c9dc5, 0xdeadbeef];
  return {
    get events() {
      return events;
    },
    get hash() {
      return [high, low].map((half) => (half >>> 0).toString(16).padStart(8, "0")).join("");
    },
    add(time, line) {
      lines[events % kept] = `${time} ${line}`;
      events += 1;
      [high, low] = [hashOnto(high, line), Math.imul(low ^ time, 0x85ebca6b) ^ hashOnto(low, line)];
    },
    last: () => [...lines.slice(events % kept), ...lines.slice(0, events % kept)],
  };
}

/** FNV-1a, over UTF-16 units. */
function hashOnto(start: number, text: string): number {
  let hash = start;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash;
}
