// Where servers are written down: in files that people already have for other programs, or in the program itself. Files
// are read only when somebody names them. What is wrong with a file as a whole is thrown; what is wrong with one server
// refuses that one, and is told with its place.

import { existsSync } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { basename, dirname, resolve } from "node:path";
import { StepwellError } from "../../error.ts";
import { copyJson } from "../../flow/json.ts";
import type { Effect } from "../../flow/plan.ts";
import type { Pointer } from "../../flow/pointer.ts";
import { readText } from "../../flow/source/read.ts";
import type { Era } from "./contract.ts";
import { toPlainJson } from "./jsonc.ts";
import { parseServers, parseServersFile, type ConfiguredServer, type ParsedServers } from "./parse-servers.ts";

/** One server, as a program says it. */
export type ServerSettings = {
  /** A program that is started, and spoken to over its standard input and output. */
  readonly command?: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly envFile?: string;
  readonly cwd?: string;
  /** Or a service that is there already. */
  readonly url?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly type?: "stdio" | "http";
  readonly disabled?: boolean;
  /** By which steps call it, where its key cannot be or shall not. */
  readonly as?: string;
  /** For a request that no step stands for, in milliseconds or as `30s`. */
  readonly timeout?: number | string;
  /** Which generation of the protocol it speaks; found out unless given. */
  readonly era?: Era | "auto";
  /** How many calls may be at work there at once; as many as there are unless given. */
  readonly concurrency?: number;
  /** What is known of its tools, whatever it says itself. */
  readonly effects?: Readonly<Record<string, Effect>>;
};

export type ServersWish = {
  readonly mcpServers?: Readonly<Record<string, ServerSettings>> | undefined;
  /** Files; of one key the first counts. */
  readonly mcpConfig?: string | readonly string[] | undefined;
  /** Where those stand that were added through this program; null: nowhere. It need not be there, and comes last. */
  readonly added?: string | null | undefined;
};

export type RefusedServer = { readonly key: string; readonly file: string | null; readonly problem: string };

export type ServersReading = {
  readonly servers: readonly ConfiguredServer[];
  readonly refused: readonly RefusedServer[];
  readonly warnings: readonly string[];
};

/** Of a file: more is no configuration. */
export const bytesMax = 1_048_576;

export async function readServers({ mcpServers, mcpConfig, added = null }: ServersWish): Promise<ServersReading> {
  const own = mcpServers === undefined ? [] : [readValue(mcpServers)];
  const files = await Promise.all([mcpConfig ?? []].flat().map(readServersFile));
  return withAdded(merge([...own, ...files]), added);
}

/** Those that were added come last. Nobody has named that file: if it cannot be used that is told, and all else works. */
export async function withAdded(named: ServersReading, path: string | null): Promise<ServersReading> {
  if (path === null || !existsSync(path)) return named;
  try {
    return merge([named, await readServersFile(path)]);
  } catch (error) {
    if (!(error instanceof StepwellError)) throw error;
    // It has gone in between.
    if (error.code === "FILE_NOT_FOUND") return named;
    const told = `${error.message} Servers that were added are missing until it is mended, or taken away, and the engine starts anew.`;
    return { ...named, warnings: [...named.warnings, told] };
  }
}

function readValue(mcpServers: Readonly<Record<string, ServerSettings>>): ServersReading {
  // Whoever has no types may have given anything that has a text.
  const map = copyJson(mcpServers);
  return toReading(parseServers(map, { file: null, folder: process.cwd() }), "mcpServers", () => ":");
}

async function readServersFile(path: string): Promise<ServersReading> {
  const text = await readWhole(path);
  const isYaml = /\.ya?ml$/i.test(path);
  const source = readText(isYaml ? text : toPlainJson(text), { syntax: isYaml ? "yaml" : "json" });
  if (source.value === undefined) {
    const [problem] = source.findings;
    const place = `${path}:${problem?.line ?? 1}:${problem?.column ?? 1}`;
    throw unusable(text.trim() === "" ? `${path} is empty.` : `${place} ${problem?.message ?? "It cannot be read."}`);
  }
  const parsed = parseServersFile(source.value, { file: path, folder: folderOf(path), current: process.cwd() });
  const placeOf = (pointer: Pointer): string => {
    const place = source.locateKey(pointer);
    return place === undefined ? ":" : `:${place.line}:${place.column}`;
  };
  const twice = source.findings
    .filter(({ code }) => code === "duplicate_key")
    .map(({ line = 1, column = 1, message }) => `${path}:${line}:${column} ${message}`);
  const reading = toReading(parsed, path, placeOf);
  return { ...reading, warnings: [...twice, ...reading.warnings] };
}

async function readWhole(path: string): Promise<string> {
  try {
    const { size } = await stat(path);
    if (size > bytesMax)
      throw unusable(`${path} is larger than 1 MB; copy the servers that you need into a file of their own.`);
    return await readFile(path, "utf8");
  } catch (error) {
    if (error instanceof StepwellError) throw error;
    const isMissing = error instanceof Error && "code" in error && error.code === "ENOENT";
    if (isMissing) throw new StepwellError("FILE_NOT_FOUND", `There is no file "${path}" with servers.`, { hint });
    const told = error instanceof Error ? error.message : String(error);
    throw unusable(`${path} cannot be read: ${told}`);
  }
}

const hint = 'It holds {"mcpServers": {"files": {"command": "…", "args": []}}}, as for other programs';

function unusable(message: string): StepwellError {
  return new StepwellError("INPUT_INVALID", message, { hint });
}

/** Editors keep theirs one folder below the project, and so do we. */
export function folderOf(path: string): string {
  const folder = dirname(resolve(path));
  return [".vscode", ".cursor", ".stepwell"].includes(basename(folder)) ? dirname(folder) : folder;
}

function toReading(parsed: ParsedServers, name: string, placeOf: (pointer: Pointer) => string): ServersReading {
  const whole = parsed.findings.find(({ severity, server }) => severity === "error" && server === null);
  if (whole !== undefined) throw unusable(`${name}${placeOf(whole.pointer)} ${whole.message}`);
  const file = parsed.servers[0]?.entry.file ?? (name === "mcpServers" ? null : name);
  const refused = new Map<string, string>();
  const warnings: string[] = [];
  for (const { severity, server, pointer, message } of parsed.findings) {
    const told = `${name}${placeOf(pointer)} ${message}`;
    if (severity === "warning") warnings.push(told);
    else if (server !== null)
      refused.set(server, [...(refused.has(server) ? [refused.get(server)] : []), told].join(" "));
  }
  return {
    servers: parsed.servers,
    refused: [...refused].map(([key, problem]) => ({ key, file, problem })),
    warnings,
  };
}

function merge(readings: readonly ServersReading[]): ServersReading {
  const byKey = new Map<string, ConfiguredServer>();
  const refused = new Map<string, ServersReading["refused"][number]>();
  const warnings = readings.flatMap((reading) => reading.warnings);
  for (const reading of readings) {
    for (const server of reading.servers) {
      const { key, file } = server.entry;
      const first = byKey.get(key);
      // One that cannot be used is not replaced in silence: another of its name may go elsewhere, as somebody else.
      if (refused.has(key)) continue;
      if (first === undefined) byKey.set(key, server);
      else
        warnings.push(
          `The server "${key}" stands in ${first.entry.file ?? "mcpServers"} and in ${file ?? "mcpServers"}; the first of them is taken.`,
        );
    }
    for (const one of reading.refused) if (!byKey.has(one.key) && !refused.has(one.key)) refused.set(one.key, one);
  }
  return { servers: [...byKey.values()], refused: [...refused.values()], warnings };
}
