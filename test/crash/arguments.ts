// What `npm run crash` is asked for.

import { parseArgs } from "node:util";

const fileParts = [
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
export type FilePart = (typeof fileParts)[number];

const postgresParts = [
  "points",
  "kills",
  "server",
  "cuts",
  "silent",
  "listener",
  "takeover",
  "stops",
  "conflicts",
  "controls",
] as const;
export type PostgresPart = (typeof postgresParts)[number];

type Counts = {
  readonly kills: number;
  readonly runs: number;
  readonly hits: number;
  readonly rounds: number;
  readonly serverKills: number;
  readonly cuts: number;
  readonly stops: number;
  readonly seed: number;
};

export type CrashArguments = Counts &
  (
    | { readonly store: "file"; readonly only: readonly FilePart[] }
    | { readonly store: "postgres"; readonly only: readonly PostgresPart[] }
  );

export type ParsedArguments =
  | { readonly ok: true; readonly value: CrashArguments }
  | { readonly ok: false; readonly problem: string };

export const usage: string = [
  "Usage: npm run crash -- [postgres] [--only PARTS] [--kills N] [--runs N] [--hits N] [--rounds N] [--seed S]",
  `  --only PARTS      some of ${fileParts.join(",")}; all unless given;`,
  `                    on PostgreSQL some of ${postgresParts.join(",")}`,
  "  --kills N         random kills, 20 unless given",
  "  --runs N          runs under way meanwhile, 300 unless given",
  "  --hits N          how often each named crash point is hit at most, 5 unless given; with it grow fsync and corrupt",
  "  --rounds N        power cuts, silences, owners killed or told to go with a guest waiting, 5 unless given",
  "  --server-kills N  kills of the server, 20 unless given",
  "  --cuts N          cuts of its connections, 100 unless given",
  "  --stops N         owners stopped or cut off for 45 s, of each kind, 2 unless given",
  "  --seed S          of all chance, 1 unless given",
].join("\n");

const text = { type: "string" } as const;
const options = {
  only: text,
  kills: text,
  runs: text,
  hits: text,
  rounds: text,
  "server-kills": text,
  cuts: text,
  stops: text,
  seed: text,
};

export function parseArguments(args: readonly string[]): ParsedArguments {
  try {
    const { values, positionals } = parseArgs({ args: [...args], options, strict: true, allowPositionals: true });
    const [store = "file", ...more] = positionals;
    if ((store !== "file" && store !== "postgres") || more.length > 0)
      throw new Error(`"${positionals.join(" ")}" is no store; there are file and postgres.`);
    const counts: Counts = {
      kills: wholeNumber("kills", values.kills, 20),
      runs: wholeNumber("runs", values.runs, 300),
      hits: wholeNumber("hits", values.hits, 5),
      rounds: wholeNumber("rounds", values.rounds, 5),
      serverKills: wholeNumber("server-kills", values["server-kills"], 20),
      cuts: wholeNumber("cuts", values.cuts, 100),
      stops: wholeNumber("stops", values.stops, 2),
      seed: wholeNumber("seed", values.seed, 1),
    };
    const value: CrashArguments =
      store === "file"
        ? { ...counts, store, only: choose(values.only, fileParts) }
        : { ...counts, store, only: choose(values.only, postgresParts) };
    return { ok: true, value };
  } catch (error) {
    return { ok: false, problem: error instanceof Error ? error.message : String(error) };
  }
}

function choose<Name extends string>(asked: string | undefined, names: readonly Name[]): readonly Name[] {
  if (asked === undefined) return names;
  return asked.split(",").map((word) => {
    const found = names.find((name) => name === word);
    if (found === undefined) throw new Error(`There is no part "${word}"; there are ${names.join(", ")}.`);
    return found;
  });
}

function wholeNumber(name: string, given: string | undefined, otherwise: number): number {
  if (given === undefined) return otherwise;
  const plain = given.replaceAll(/[,_]/g, "");
  if (!/^\d{1,9}$/.test(plain)) throw new Error(`--${name} takes a whole number, not "${given}".`);
  return Number(plain);
}
