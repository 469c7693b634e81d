// What `npm run lists` is asked for.

import { parseArgs } from "node:util";

export type StoreName = "memory" | "file" | "postgres";

export type ListArguments = {
  readonly firstSeed: number;
  readonly lists: number;
  readonly commandsMax: number;
  /** What is compared with SQLite in memory. */
  readonly store: StoreName;
};

export type ParsedArguments =
  | { readonly ok: true; readonly value: ListArguments }
  | { readonly ok: false; readonly problem: string };

export const usage: string = [
  "Usage: npm run lists -- [--lists N] [--seed S] [--commands N] [--store postgres|file|memory]",
  "  --lists N     how many lists, 1,000 unless given; with --seed alone, that one",
  "  --seed S      the seed of the first; one seed always makes the same list",
  "  --commands N  how many commands a list has at most, 7 unless given",
  "  --store NAME  what is compared with SQLite in memory, PostgreSQL unless given",
].join("\n");

/** As many commands as a list has at least, and more than anybody reads. */
const commandsLeast = 3;
const commandsMost = 1000;

export function parseArguments(args: readonly string[]): ParsedArguments {
  const options = {
    lists: { type: "string" },
    seed: { type: "string" },
    commands: { type: "string" },
    store: { type: "string" },
  } as const;
  try {
    const { values } = parseArgs({ args: [...args], options, strict: true, allowPositionals: false });
    const isAlone = values.seed !== undefined && values.lists === undefined;
    return {
      ok: true,
      value: {
        firstSeed: wholeNumber("seed", values.seed, 1),
        lists: isAlone ? 1 : wholeNumber("lists", values.lists, 1000),
        commandsMax: commandCount(wholeNumber("commands", values.commands, 7)),
        store: storeName(values.store ?? "postgres"),
      },
    };
  } catch (error) {
    return { ok: false, problem: error instanceof Error ? error.message : String(error) };
  }
}

function storeName(text: string): StoreName {
  if (text === "memory" || text === "file" || text === "postgres") return text;
  throw new Error(`--store takes postgres, file or memory, not "${text}".`);
}

function commandCount(count: number): number {
  if (count >= commandsLeast && count <= commandsMost) return count;
  throw new Error(`--commands takes a number from ${commandsLeast} to ${commandsMost}, not ${count}.`);
}

function wholeNumber(name: string, text: string | undefined, otherwise: number): number {
  if (text === undefined) return otherwise;
  const plain = text.replaceAll(/[,_]/g, "");
  if (!/^\d{1,10}$/.test(plain)) throw new Error(`--${name} takes a whole number, not "${text}".`);
  return Number(plain);
}
