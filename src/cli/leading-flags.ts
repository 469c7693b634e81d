// Where the name of a command begins: flags of every command may stand before it.

import { globalFlags } from "./global-flags.ts";

export type SplitArguments = {
  readonly before: readonly string[];
  /** The command's name, and what follows it. */
  readonly words: readonly string[];
};

export function splitArguments(args: readonly string[]): SplitArguments {
  let start = 0;
  for (; start < args.length; start += 1) {
    const arg = args[start] ?? "";
    if (!arg.startsWith("-")) break;
    const flag = Object.entries(globalFlags).find(([name]) => arg === `--${name}`)?.[1];
    if (flag !== undefined && "value" in flag) start += 1;
  }
  const words = args.slice(start);
  // The older word for the same.
  return { before: args.slice(0, start), words: words[0] === "template" ? ["workflow", ...words.slice(1)] : words };
}
