// Why a program could not be started. The message of such an error holds the command, which may hold a secret; its code
// does not, nor does the folder from which the program was looked for.

import { existsSync } from "node:fs";
import type { StdioTarget } from "./contract.ts";

/** What follows "Its program cannot be started". */
export function sayUnstarted(
  error: unknown,
  { command, cwd }: Pick<StdioTarget, "command" | "cwd">,
  hide: (text: string) => string,
): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (typeof code !== "string") return "";
  const told = code === "ENOENT" ? sayWhere(command, cwd ?? process.cwd(), hide) : "";
  return ` (${code})${told}`;
}

function sayWhere(command: string, folder: string, hide: (text: string) => string): string {
  // The system says the same of a folder that is not there.
  if (!existsSync(folder)) return `: the folder ${hide(folder)}, in which it is to run, is not there`;
  if (/^(?:[\\/]|[a-z]:)/iu.test(command)) return "";
  if (/[\\/]/u.test(command)) return `: it was looked for from the folder ${hide(folder)}`;
  return `: no folder of PATH has it, and it would run in ${hide(folder)}`;
}
