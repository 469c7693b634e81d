// The lock file as a text: which server was agreed on, and each of its tools with its hash and as it is described. The
// order is always the same, so that a change in it can be read in a diff. Pure.

import { isObject, objectFrom, own, type Json, type JsonObject } from "../../flow/json.ts";
import { hashOf } from "../../flow/hash.ts";
import type { ToolDefinition } from "./contract.ts";
import { fromCanonical, toCanonical } from "./drift.ts";

export type LockedServer = {
  /** The program or the address, in one line, without secrets. */
  readonly target: string;
  readonly tools: ReadonlyMap<string, ToolDefinition>;
  /** Tools that went, as they were last: whatever comes back under their names was seen before. */
  readonly gone: ReadonlyMap<string, ToolDefinition>;
};

export type LockedServers = ReadonlyMap<string, LockedServer>;

const format = 1;

export function writeLock(servers: LockedServers): string {
  const document = {
    lockfile: format,
    servers: sorted(servers, ({ target, tools, gone }): JsonObject => ({
      target,
      tools: sorted(tools, writeTool),
      ...(gone.size === 0 ? {} : { gone: sorted(gone, writeTool) }),
    })),
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

function writeTool(tool: ToolDefinition): JsonObject {
  const definition = sortKeys(toCanonical(tool));
  return { sha256: hashOf(definition), definition };
}

/** A text: what is wrong with it. */
export function parseLock(text: string): LockedServers | string {
  const document = parseJson(text);
  if (!isObject(document)) return "it is not JSON";
  const version = own(document, "lockfile");
  if (version !== format) return typeof version === "number" ? "a newer version has written it" : "it is none of ours";
  const servers = new Map<string, LockedServer>();
  for (const [key, value] of Object.entries(mapIn(document, "servers"))) {
    const target = own(mapOf(value), "target");
    const tools = parseTools(mapIn(mapOf(value), "tools"), key);
    if (typeof tools === "string") return tools;
    const gone = parseTools(mapIn(mapOf(value), "gone"), key);
    if (typeof gone === "string") return gone;
    servers.set(key, { target: typeof target === "string" ? target : "", tools, gone });
  }
  return servers;
}

function parseTools(document: JsonObject, server: string): ReadonlyMap<string, ToolDefinition> | string {
  const tools = new Map<string, ToolDefinition>();
  for (const [name, kept] of Object.entries(document)) {
    const definition = own(mapOf(kept), "definition") ?? null;
    const tool = fromCanonical(definition);
    if (tool === undefined || tool.name !== name) return `${server}.${name} is no tool`;
    if (own(mapOf(kept), "sha256") !== hashOf(toCanonical(tool))) return `${server}.${name} does not fit its hash`;
    tools.set(name, tool);
  }
  return tools;
}

function parseJson(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return null;
  }
}

function sorted<Value>(map: ReadonlyMap<string, Value>, show: (value: Value) => Json): JsonObject {
  const entries = [...map].toSorted(([one], [other]) => (one < other ? -1 : 1));
  return objectFrom(entries.map(([key, value]) => [key, show(value)]));
}

/** Servers may write the same in another order each time. */
function sortKeys(value: Json): Json {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (!isObject(value)) return value;
  const keys = Object.keys(value).toSorted();
  return objectFrom(keys.map((key) => [key, sortKeys(value[key] ?? null)]));
}

function mapOf(value: Json): JsonObject {
  return isObject(value) ? value : {};
}

function mapIn(object: JsonObject, key: string): JsonObject {
  return mapOf(own(object, key) ?? null);
}
