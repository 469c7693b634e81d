// A server that somebody adds or tries out, by the same rules as what stands in a file.

import { StepwellError } from "../../error.ts";
import type { JsonObject } from "../../flow/json.ts";
import { folderOf } from "./config.ts";
import { parseServers, type ConfiguredServer } from "./parse-servers.ts";

export type AddedSettings = {
  readonly configured: ConfiguredServer;
  /** As it is written down. */
  readonly written: JsonObject;
};

const settingsLengthMax = 65_536;

/** `path`: where it is written; null: nowhere. Throws when it cannot be a server. */
export function parseAdded(key: string, settings: JsonObject, path: string | null): AddedSettings {
  // What it is called is said beside it.
  const { as: _, ...written } = settings;
  if (JSON.stringify(written).length > settingsLengthMax)
    throw new StepwellError("INPUT_INVALID", `What is said of the server "${key}" is longer than 64 kB.`);
  const folder = path === null || !isFileOfStore(path) ? process.cwd() : folderOf(path);
  const { servers, findings } = parseServers({ [key]: written }, { file: path, folder });
  const [configured] = servers;
  if (configured !== undefined) return { configured, written };
  const problems = findings.flatMap(({ severity, message }) => (severity === "error" ? [message] : []));
  throw new StepwellError("INPUT_INVALID", problems.join(" "));
}

/** That of a database on a server lies among what programs keep for themselves, where nobody works. */
function isFileOfStore(path: string): boolean {
  return path.endsWith("-servers.json");
}
