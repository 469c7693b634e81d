// A server as it is typed, in the words of a file of servers. Pure.

import { StepwellError } from "../error.ts";
import type { JsonObject } from "../flow/json.ts";

export type TypedServer = {
  /** A program, or an address. */
  readonly target: string;
  readonly args: readonly string[];
  readonly env: readonly string[];
  readonly headers: readonly string[];
  /** Relative paths in it are meant from the current folder. */
  readonly isHere: boolean;
};

export function toSettings({ target, args, env, headers, isHere }: TypedServer): JsonObject {
  if (/^https?:\/\//i.test(target)) {
    if (args.length > 0 || env.length > 0)
      throw new StepwellError("USAGE", "An address takes neither arguments nor --env.", {
        hint: "--header NAME=VALUE",
      });
    return { url: target, ...(headers.length === 0 ? {} : { headers: toPairs(headers, "--header") }) };
  }
  if (headers.length > 0) throw new StepwellError("USAGE", "A program takes no headers.", { hint: "--env NAME=VALUE" });
  return {
    command: target,
    args,
    ...(env.length === 0 ? {} : { env: toPairs(env, "--env") }),
    ...(isHere ? { folder: process.cwd() } : {}),
  };
}

/** What stands before the first = is the name; the rest may be a secret, and is not repeated. */
function toPairs(given: readonly string[], flag: string): JsonObject {
  return Object.fromEntries(
    given.map((pair) => {
      const at = pair.indexOf("=");
      if (at < 1) throw new StepwellError("USAGE", `${flag} takes NAME=VALUE.`, { hint: `${flag} TOKEN='\${TOKEN}'` });
      return [pair.slice(0, at), pair.slice(at + 1)];
    }),
  );
}
