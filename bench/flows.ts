// The flows that the workloads run. Every tool step calls `work`, which returns a small object and does nothing else.

import type { Json, JsonObject } from "../src/flow/json.ts";

/** Steps one after the other. */
export function chainFlow(steps: number): JsonObject {
  const entries = Array.from({ length: steps }, (_, index): readonly [string, Json] => [
    `s${index}`,
    { tool: "work", args: { i: index }, ...(index + 1 < steps ? { next: `s${index + 1}` } : { done: true }) },
  ]);
  return { name: `chain-${steps}`, start: "s0", steps: Object.fromEntries(entries) };
}

/** A fork of so many one-step branches, and their join. */
export function forkFlow(branches: number): JsonObject {
  const heads = Array.from({ length: branches }, (_, index) => `p${index}`);
  const entries = heads.map((head, index): readonly [string, Json] => [
    head,
    { tool: "work", args: { i: index }, join: "joined" },
  ]);
  const split = { set: {}, parallel: heads };
  const joined = { set: { arrived: "{{ size(previous) }}" }, done: true };
  return { name: `fork-${branches}`, start: "split", steps: { split, ...Object.fromEntries(entries), joined } };
}

/** One step, called once for each item of the input. */
export function eachFlow(concurrency: number): JsonObject {
  const all = {
    tool: "work",
    args: { i: "{{ item }}" },
    each: { items: "{{ input.items }}", concurrency },
    done: true,
  };
  return { name: "each", start: "all", steps: { all } };
}
