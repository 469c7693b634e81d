// What `npm run bench` is asked for.

import { parseArgs } from "node:util";

export type Dialect = "sqlite" | "postgres";

export type BenchArguments = {
  readonly dialect: Dialect;
  readonly peers: readonly string[];
  /** Instead of the workloads: stores that have grown large. */
  readonly isGrowth: boolean;
  /** Only these workloads; empty: all. */
  readonly only: readonly string[];
  readonly isTiny: boolean;
  readonly profileFolder: string | undefined;
  /** Where the files are made; on a disk. */
  readonly folder: string | undefined;
};

export type ParsedArguments =
  | { readonly ok: true; readonly value: BenchArguments }
  | { readonly ok: false; readonly problem: string };

export const usage: string = [
  "Usage: npm run bench -- [postgres] [--peers a,b] [--growth] [--only W1,W2] [--tiny] [--profile FOLDER] [--folder FOLDER]",
  "  --peers a,b       beside us, when ../shared/bench is there: restate,pg-boss,bullmq-always,dbos-pg,openworkflow-sqlite",
  "  postgres          on a PostgreSQL server of its own, beside the peers that use one (--peers none: alone)",
  "  mcp [everything]  steps that call a tool server, the smallest or a reference server, beside the bare client (alone)",
  "  --growth          stores that have grown large, instead of the workloads",
  "  --only W1,W2      only these; the kept results are left alone",
  "  --tiny            sizes that say nothing, to see whether all works; the kept results are left alone",
  "  --profile FOLDER  a processor profile of each child",
  "  --folder FOLDER   where the files are made (.stepwell unless given); it must be on a disk",
].join("\n");

const options = {
  peers: { type: "string" },
  growth: { type: "boolean" },
  only: { type: "string" },
  tiny: { type: "boolean" },
  profile: { type: "string" },
  folder: { type: "string" },
} as const;

const defaultPeers: { readonly [dialect in Dialect]: readonly string[] } = {
  sqlite: [],
  postgres: ["dbos-pg", "pg-boss", "graphile-worker", "openworkflow-postgres"],
};

export function parseArguments(args: readonly string[]): ParsedArguments {
  try {
    const { values, positionals } = parseArgs({ args: [...args], options, strict: true, allowPositionals: true });
    const [named, ...others] = positionals;
    const unknown = named === undefined || named === "mcp" || named in defaultPeers ? others.at(-1) : named;
    if (unknown !== undefined) return { ok: false, problem: `"${unknown}" is not known.` };
    if (named === "mcp") return { ok: false, problem: "mcp is measured by itself, without options." };
    const dialect = named === "postgres" ? "postgres" : "sqlite";
    return {
      ok: true,
      value: {
        dialect,
        peers: values.peers === undefined ? defaultPeers[dialect] : listOf(values.peers).filter(isPeer),
        isGrowth: values.growth === true,
        only: listOf(values.only),
        isTiny: values.tiny === true,
        profileFolder: values.profile,
        folder: values.folder,
      },
    };
  } catch (error) {
    return { ok: false, problem: error instanceof Error ? error.message : String(error) };
  }
}

function isPeer(name: string): boolean {
  return name !== "none";
}

function listOf(text: string | undefined): readonly string[] {
  return (text ?? "").split(",").filter((name) => name !== "");
}
