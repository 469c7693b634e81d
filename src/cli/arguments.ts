// What every command takes, and how a command line that is not understood is refused.

import { userInfo } from "node:os";
import { parseArgs, type ParseArgsOptionsConfig } from "node:util";
import { StepwellError } from "../error.ts";
import { parseDuration } from "../flow/duration.ts";
import type { Durability } from "../store/store.ts";

/** Of commands that open a store. */
export const storeOptions = {
  store: { type: "string", default: ".stepwell/stepwell.db" },
  durability: { type: "string", default: "full" },
  as: { type: "string" },
  json: { type: "boolean", default: false },
  jsonl: { type: "boolean", default: false },
  "no-color": { type: "boolean", default: false },
} as const;

type Parsed<Options extends ParseArgsOptionsConfig> = ReturnType<
  typeof parseArgs<{ args: string[]; options: Options; allowPositionals: true }>
>;

export function parseOptions<const Options extends ParseArgsOptionsConfig>(
  args: readonly string[],
  options: Options,
  usage: string,
): Parsed<Options> {
  try {
    return parseArgs<{ args: string[]; options: Options; allowPositionals: true }>({
      args: [...args],
      options,
      allowPositionals: true,
    });
  } catch (cause) {
    throw new StepwellError("USAGE", cause instanceof Error ? cause.message : String(cause), { hint: usage, cause });
  }
}

export function readDurability(text: string): Durability {
  if (text === "full" || text === "fast") return text;
  throw new StepwellError("USAGE", `There is no durability "${text}".`, { hint: "--durability full, or fast" });
}

export function readTimeout(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const ms = parseDuration(text);
  if (ms !== undefined) return ms;
  throw new StepwellError("USAGE", `"${text}" is no length of time.`, { hint: "--timeout 30s, 5m or 1h30m" });
}

/** Who acts, when nobody says so: the user of the system. */
export function readUser(given: string | undefined): string {
  if (given !== undefined) return given;
  try {
    return userInfo().username;
  } catch {
    // A user without an entry in the system's list, as in some containers.
    return "somebody";
  }
}
