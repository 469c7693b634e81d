// What `npm run sim` is asked for.

import { parseArgs } from "node:util";

export type SimArguments = {
  readonly firstSeed: number;
  readonly seeds: number;
  /** One seed, told with its last events. */
  readonly isAlone: boolean;
  /** Looks for the planted bugs instead. */
  readonly isPlanted: boolean;
  readonly store: StoreName;
};

export type StoreName = "memory" | "sqlite";

export type ParsedArguments =
  | { readonly ok: true; readonly value: SimArguments }
  | { readonly ok: false; readonly problem: string };

export const usage: string = [
  "Usage: npm run sim -- [--store memory|sqlite] [--seeds N] [--seed S] [--planted]",
  "  --store     what survives a crash: maps (memory, unless given), or the real SQLite store (sqlite)",
  "  --seeds N   how many seeds, 1,000 unless given",
  "  --seed S    the first of them; alone: this seed, with its last 50 events",
  "  --planted   look for each planted bug, and say which oracle saw it after how many seeds",
].join("\n");

export function parseArguments(args: readonly string[]): ParsedArguments {
  const options = {
    seeds: { type: "string" },
    seed: { type: "string" },
    planted: { type: "boolean" },
    store: { type: "string" },
  } as const;
  try {
    const { values } = parseArgs({ args: [...args], options, strict: true, allowPositionals: false });
    const isAlone = values.seed !== undefined && values.seeds === undefined;
    return {
      ok: true,
      value: {
        firstSeed: wholeNumber("seed", values.seed, 1),
        seeds: isAlone ? 1 : wholeNumber("seeds", values.seeds, 1000),
        isAlone,
        isPlanted: values.planted === true,
        store: storeName(values.store ?? "memory"),
      },
    };
  } catch (error) {
    return { ok: false, problem: error instanceof Error ? error.message : String(error) };
  }
}

function storeName(text: string): StoreName {
  if (text === "memory" || text === "sqlite") return text;
  throw new Error(`--store takes memory or sqlite, not "${text}".`);
}

function wholeNumber(name: string, text: string | undefined, otherwise: number): number {
  if (text === undefined) return otherwise;
  const plain = text.replaceAll(/[,_]/g, "");
  if (!/^\d{1,10}$/.test(plain)) throw new Error(`--${name} takes a whole number, not "${text}".`);
  return Number(plain);
}
