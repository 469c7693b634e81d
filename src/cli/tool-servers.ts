// The servers of tools that a command is about.

import type { UserEngine } from "../engine/engine.ts";

/** Those that are named, each once; else all that are not disabled. */
export async function chooseServers(
  servers: UserEngine["servers"],
  named: readonly string[],
): Promise<readonly string[]> {
  if (named.length > 0) return [...new Set(named)];
  return (await servers.list()).filter(({ status }) => status !== "disabled").map(({ key }) => key);
}

/** `files` of `files.read_file`. */
export function serverOf(name: string): string {
  return name.split(".", 1)[0] ?? name;
}
