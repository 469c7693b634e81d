// A server that somebody adds or tries out, by the same rules as what stands in a file.

import { isDeepStrictEqual } from "node:util";
import { StepwellError } from "../../error.ts";
import { isObject, own, type Json, type JsonObject } from "../../flow/json.ts";
import { folderOf } from "./config.ts";
import { parseServers, type ConfiguredServer } from "./parse-servers.ts";

export type AddedSettings = {
  readonly configured: ConfiguredServer;
  readonly given: JsonObject;
  /** As it is written down: whoever reads it later works in another folder. */
  readonly written: JsonObject;
};

const settingsLengthMax = 65_536;

/** `path`: where it is written; null: nowhere. Throws when it cannot be a server. */
export function parseAdded(key: string, settings: JsonObject, path: string | null): AddedSettings {
  // What it is called is said beside it.
  const { as: _, ...given } = settings;
  if (JSON.stringify(given).length > settingsLengthMax)
    throw new StepwellError("INPUT_INVALID", `What is said of the server "${key}" is longer than 64 kB.`);
  const around = path === null || !isFileOfStore(path) ? process.cwd() : folderOf(path);
  const { servers, findings } = parseServers({ [key]: given }, { file: path, folder: around });
  const [configured] = servers;
  if (configured === undefined) {
    const problems = findings.flatMap(({ severity, message }) => (severity === "error" ? [message] : []));
    throw new StepwellError("INPUT_INVALID", problems.join(" "));
  }
  const isSameAgain = path === null || folderOf(path) === around;
  return { configured, given, written: isSameAgain ? given : { ...given, folder: configured.folder } };
}

/** `before`: as it stands in the file. Where nobody has said a folder, the first who added it has chosen one. */
export function isSameAdded(before: Json | undefined, { given, written }: AddedSettings): boolean {
  if (isDeepStrictEqual(before, written)) return true;
  if (before === undefined || !isObject(before) || own(given, "folder") !== undefined) return false;
  const { folder: _, ...rest } = before;
  return isDeepStrictEqual(rest, given);
}

/** That of a database on a server lies among what programs keep for themselves, where nobody works. */
function isFileOfStore(path: string): boolean {
  return path.endsWith("-servers.json");
}
