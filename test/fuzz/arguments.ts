// What `npm run fuzz` is asked for.

import { parseArgs } from "node:util";

export type FuzzArguments = {
  readonly documents: number;
  readonly expressions: number;
  /** Requests to the service; with them alone nothing else is tried. */
  readonly rest: number;
  readonly seed: number;
};

export type ParsedArguments =
  | { readonly ok: true; readonly value: FuzzArguments }
  | { readonly ok: false; readonly problem: string };

export const usage: string = [
  "Usage: npm run fuzz -- [--documents N] [--expressions N] [--rest N] [--seed S]",
  "  --documents N    how many documents, 5,000 unless given",
  "  --expressions N  how many expressions, 50,000 unless given",
  "  --rest N         only this: so many requests to the service",
  "  --seed S         the seed of the first; one seed always makes the same document",
].join("\n");

/** `seed`: the one to take when none is given. */
export function parseArguments(args: readonly string[], seed: number): ParsedArguments {
  const options = {
    documents: { type: "string" },
    expressions: { type: "string" },
    rest: { type: "string" },
    seed: { type: "string" },
  } as const;
  try {
    const { values } = parseArgs({ args: [...args], options, strict: true, allowPositionals: false });
    return {
      ok: true,
      value: {
        documents: wholeNumber("documents", values.documents, 5000),
        expressions: wholeNumber("expressions", values.expressions, 50_000),
        rest: wholeNumber("rest", values.rest, 0),
        seed: wholeNumber("seed", values.seed, seed),
      },
    };
  } catch (error) {
    return { ok: false, problem: error instanceof Error ? error.message : String(error) };
  }
}

function wholeNumber(name: string, text: string | undefined, otherwise: number): number {
  if (text === undefined) return otherwise;
  const plain = text.replaceAll(/[,_]/g, "");
  if (!/^\d{1,10}$/.test(plain)) throw new Error(`--${name} takes a whole number, not "${text}".`);
  return Number(plain);
}
