// What `npm run crash` is asked for.

import { parseArgs } from "node:util";

const partNames = [
  "points",
  "kills",
  "strace",
  "fsync",
  "power",
  "disk",
  "corrupt",
  "clock",
  "guests",
  "controls",
] as const;
export type PartName = (typeof partNames)[number];

export type CrashArguments = {
  readonly only: readonly PartName[];
  readonly kills: number;
  readonly runs: number;
  readonly hits: number;
  readonly rounds: number;
  readonly seed: number;
};

export type ParsedArguments =
  | { readonly ok: true; readonly value: CrashArguments }
  | { readonly ok: false; readonly problem: string };

export const usage: string = [
  "Usage: npm run crash -- [--only PARTS] [--kills N] [--runs N] [--hits N] [--rounds N] [--seed S]",
  `  --only PARTS  some of ${partNames.join(",")}; all unless given`,
  "  --kills N     random kills, 20 unless given",
  "  --runs N      runs under way meanwhile, 300 unless given",
  "  --hits N      how often each named crash point is hit at most, 5 unless given; with it grow fsync and corrupt",
  "  --rounds N    power cuts, and owners killed with a guest waiting, 5 unless given",
  "  --seed S      of all chance, 1 unless given",
].join("\n");

export function parseArguments(args: readonly string[]): ParsedArguments {
  const text = { type: "string" } as const;
  const options = { only: text, kills: text, runs: text, hits: text, rounds: text, seed: text };
  try {
    const { values } = parseArgs({ args: [...args], options, strict: true, allowPositionals: false });
    return {
      ok: true,
      value: {
        only: values.only === undefined ? partNames : values.only.split(",").map(toPart),
        kills: wholeNumber("kills", values.kills, 20),
        runs: wholeNumber("runs", values.runs, 300),
        hits: wholeNumber("hits", values.hits, 5),
        rounds: wholeNumber("rounds", values.rounds, 5),
        seed: wholeNumber("seed", values.seed, 1),
      },
    };
  } catch (error) {
    return { ok: false, problem: error instanceof Error ? error.message : String(error) };
  }
}

function toPart(text: string): PartName {
  const found = partNames.find((name) => name === text);
  if (found === undefined) throw new Error(`There is no part "${text}"; there are ${partNames.join(", ")}.`);
  return found;
}

function wholeNumber(name: string, text: string | undefined, otherwise: number): number {
  if (text === undefined) return otherwise;
  const plain = text.replaceAll(/[,_]/g, "");
  if (!/^\d{1,9}$/.test(plain)) throw new Error(`--${name} takes a whole number, not "${text}".`);
  return Number(plain);
}
