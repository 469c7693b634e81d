// Servers as people have written them for other programs: from a value to entries, with a finding for whatever cannot be
// used. What is wrong with one server is that server's own: the others are taken. Keys that other programs read and this
// one does not know are passed over. Pure.

import { resolve } from "node:path";
import { parseDuration } from "../../flow/duration.ts";
import { isArray, isObject, own, type Json, type JsonObject } from "../../flow/json.ts";
import type { Effect } from "../../flow/plan.ts";
import { under, type Pointer } from "../../flow/pointer.ts";
import { nearest } from "../../flow/suggest.ts";
import type { Era, HttpTarget, ServerEntry, StdioTarget } from "./contract.ts";
import { findUnpinned } from "./unpinned.ts";

/** What is known of a server before anything in it is filled in. */
export type ConfiguredServer = {
  readonly entry: ServerEntry;
  /** A file of variables for a program, as it is written. */
  readonly envFile: string | null;
  /** Where the project lies: what `${workspaceFolder}` is, and where a program runs. */
  readonly folder: string;
  readonly inputs: readonly ServerInput[];
};

/** What an editor would ask for; here the environment or a secret says it. */
export type ServerInput = { readonly id: string; readonly fallback: string | null; readonly isPassword: boolean };

type ServerFinding = {
  readonly severity: "error" | "warning";
  /** null: the file as a whole. */
  readonly server: string | null;
  readonly pointer: Pointer;
  readonly message: string;
};

export type ParsedServers = {
  readonly servers: readonly ConfiguredServer[];
  readonly findings: readonly ServerFinding[];
};

export type ServersOrigin = {
  readonly file: string | null;
  readonly folder: string;
  /** Where somebody works just now. */
  readonly current?: string;
};

/** Steps could not tell them from the tools that come with the program; a test compares the two. */
export const builtinGroups: ReadonlySet<string> = new Set([
  "demo",
  "feed",
  "file",
  "http",
  "json",
  "log",
  "notify",
  "outcomes",
  "text",
  "time",
]);

const keyPattern = /^[A-Za-z0-9_-]{1,64}$/;
/** More in one file is a mistake, or meant to hurt. */
export const serversMax = 100;

/** Of a whole file: `mcpServers`, `servers` with `inputs`, or both below `mcp`; and what Claude Code keeps for the project
 *  around the current folder, which comes before what it has for all. */
export function parseServersFile(document: Json, origin: ServersOrigin): ParsedServers {
  const places = findServers(document, origin);
  if (places.length === 0) {
    const isElsewhere = isObject(document) && isObject(own(document, "projects"));
    const others = isElsewhere ? ` Those of its projects are for other folders than ${origin.current ?? ""}.` : "";
    const message = `There are no servers in it: none of mcpServers, servers and mcp.servers is a map.${others}`;
    return { servers: [], findings: [{ severity: "error", server: null, pointer: "", message }] };
  }
  const parsed = places.map(({ servers, inputs, pointer, folder }) => {
    const found = parseServers(servers, { ...origin, folder }, pointer);
    const asked = parseInputs(inputs);
    return { ...found, servers: found.servers.map((server) => ({ ...server, inputs: [...server.inputs, ...asked] })) };
  });
  // Also where it cannot be used: another one of the same name would go elsewhere, perhaps as somebody else.
  const servers = parsed.flatMap((found, place) => {
    const before = new Set(parsed.slice(0, place).flatMap((other) => keysOf(other)));
    return found.servers.filter(({ entry }) => !before.has(entry.key));
  });
  return { servers, findings: parsed.flatMap(({ findings }) => findings) };
}

function keysOf({ servers, findings }: ParsedServers): readonly string[] {
  const refused = findings.flatMap(({ severity, server }) => (severity === "error" && server !== null ? [server] : []));
  return [...servers.map(({ entry }) => entry.key), ...refused];
}

type ServersPlace = {
  readonly servers: JsonObject;
  readonly inputs: Json | undefined;
  readonly pointer: Pointer;
  readonly folder: string;
};

function findServers(document: Json, origin: ServersOrigin): readonly ServersPlace[] {
  if (!isObject(document)) return [];
  const inner = own(document, "mcp");
  const around: readonly (readonly [JsonObject, string, Pointer])[] = [
    [document, "mcpServers", "/mcpServers"],
    [document, "servers", "/servers"],
    ...(isObject(inner) ? ([[inner, "servers", "/mcp/servers"]] as const) : []),
    [document, "mcp.servers", "/mcp.servers"],
  ];
  const found = around.flatMap(([holder, key, pointer]): readonly ServersPlace[] => {
    const servers = own(holder, key);
    return isObject(servers) ? [{ servers, inputs: own(holder, "inputs"), pointer, folder: origin.folder }] : [];
  });
  return [...findOfProject(document, origin), ...found.slice(0, 1)];
}

/** Of the folder that lies nearest around the current one. */
function findOfProject(document: JsonObject, { current }: ServersOrigin): readonly ServersPlace[] {
  const projects = own(document, "projects");
  if (!isObject(projects) || current === undefined) return [];
  const isAround = (path: string): boolean =>
    current === path || current.startsWith(/[\\/]$/.test(path) ? path : `${path}/`) || current.startsWith(`${path}\\`);
  const places = Object.entries(projects).flatMap(([folder, project]): readonly ServersPlace[] => {
    const servers = isObject(project) ? own(project, "mcpServers") : undefined;
    const pointer = under("/projects", folder, "mcpServers");
    return isObject(servers) && isAround(folder) ? [{ servers, inputs: undefined, pointer, folder }] : [];
  });
  return places.toSorted((one, other) => other.folder.length - one.folder.length).slice(0, 1);
}

function parseInputs(given: Json | undefined): readonly ServerInput[] {
  return (isArray(given) ? given : []).flatMap((input) => {
    const id = isObject(input) ? own(input, "id") : undefined;
    const fallback = isObject(input) ? own(input, "default") : undefined;
    const isPassword = isObject(input) && own(input, "password") === true;
    return typeof id === "string" ? [{ id, fallback: typeof fallback === "string" ? fallback : null, isPassword }] : [];
  });
}

/** Of the map alone. */
export function parseServers(map: Json, origin: ServersOrigin, pointer: Pointer = ""): ParsedServers {
  if (!isObject(map)) {
    const message = "Servers are a map from their names to what they are.";
    return { servers: [], findings: [{ severity: "error", server: null, pointer, message }] };
  }
  const names = Object.keys(map);
  const findings: ServerFinding[] = [];
  if (names.length > serversMax) {
    const message = `There are ${names.length} servers; ${serversMax} are the most that are read.`;
    findings.push({ severity: "error", server: null, pointer, message });
  }
  const servers = names.slice(0, serversMax).flatMap((key) => {
    const reader = new EntryReader(key, under(pointer, key), findings);
    const parsed = reader.read(own(map, key) ?? null, origin);
    return parsed === undefined ? [] : [parsed];
  });
  return { servers, findings };
}

/** One entry while it is read: what is wrong with it is noted, and the rest is looked at all the same. */
class EntryReader {
  readonly #key: string;
  readonly #pointer: Pointer;
  readonly #findings: ServerFinding[];
  /** By which steps call it: also where it cannot be used, no other one of this name is taken in its place. */
  #name: string;
  #isUsable = true;

  constructor(key: string, pointer: Pointer, findings: ServerFinding[]) {
    this.#key = key;
    this.#name = key;
    this.#pointer = pointer;
    this.#findings = findings;
  }

  read(value: Json, origin: ServersOrigin): ConfiguredServer | undefined {
    const given = isObject(value) ? this.#text(value, "as") : undefined;
    if (given !== undefined && keyPattern.test(given)) this.#name = given;
    this.#checkKey(given ?? this.#key, given === undefined ? "" : "/as");
    if (!isObject(value)) {
      this.#refuse("", `expected a map with command or url, got ${nameType(value)}`);
      return undefined;
    }
    const target = this.#target(value);
    const entry = {
      key: given ?? this.#key,
      isDisabled: this.#flag(value, "disabled") === true || this.#flag(value, "enabled") === false,
      timeoutMs: this.#timeout(value),
      era: this.#era(value),
      callsMax: this.#concurrency(value),
      effects: this.#effects(value),
      file: origin.file,
    };
    const envFile = this.#text(value, "envFile") ?? null;
    const folder = resolve(origin.folder, this.#text(value, "folder") ?? "");
    if (target === undefined || !this.#isUsable) return undefined;
    this.#warnUnpinned(target);
    return { entry: { ...entry, target }, envFile, folder, inputs: parseInputs(own(value, "inputs")) };
  }

  #checkKey(key: string, place: Pointer): void {
    const cure = `write "as": "${usableKey(key)}" in it, or another name for it here`;
    if (!keyPattern.test(key)) {
      const rule = "1 to 64 letters, digits, _ and - are, since steps call its tools by it";
      this.#refuse(place, `is no name of a server: ${rule}; ${cure}`);
    } else if (builtinGroups.has(key))
      this.#refuse(place, `is taken by the tools ${key}.* that come with the program; ${cure}`);
  }

  #target(value: JsonObject): StdioTarget | HttpTarget | undefined {
    const command = this.#text(value, "command");
    const url = this.#text(value, "url") ?? this.#text(value, "serverUrl") ?? this.#text(value, "httpUrl");
    switch (this.#kind(value, command, url)) {
      case "stdio":
        return {
          kind: "stdio",
          command: command ?? "",
          args: this.#texts(value, "args"),
          env: this.#values(value, "env"),
          cwd: this.#text(value, "cwd") ?? null,
        };
      case "http":
        return { kind: "http", url: url ?? "", headers: this.#values(value, "headers") };
      case undefined:
        return undefined;
    }
  }

  #kind(value: JsonObject, command: string | undefined, url: string | undefined): "stdio" | "http" | undefined {
    const type = this.#text(value, "type");
    const asked = type === undefined ? undefined : kinds.get(type.toLowerCase());
    if (asked === "sse") return this.#refuse("/type", sseMessage);
    if (type !== undefined && asked === undefined)
      return this.#refuse("/type", `expected stdio or http, got "${show(type)}"`);
    if (command !== undefined && url !== undefined && asked === undefined)
      return this.#refuse("", "has both a command and a url; say which with type: stdio or http");
    const kind = asked ?? (command !== undefined ? "stdio" : url !== undefined ? "http" : undefined);
    if (kind === "stdio" && command === undefined) return this.#refuse("", "is a program without a command");
    if (kind === "http" && url === undefined) return this.#refuse("", "is a service without a url");
    if (kind === undefined && this.#isUsable) this.#refuse("", `has neither command nor url${guessKey(value)}`);
    return kind;
  }

  #timeout(value: JsonObject): number | null {
    const given = own(value, "timeout");
    if (given === undefined || given === null) return null;
    const ms = typeof given === "string" ? parseDuration(given) : given;
    if (typeof ms !== "number" || !(ms > 0) || ms > timeoutMaxMs) {
      this.#refuse("/timeout", "expected milliseconds, or a length of time such as 30s, of an hour at most");
      return null;
    }
    // Some programs count seconds there, others milliseconds; nobody means less than a second.
    return Math.ceil(typeof given === "number" && ms < 1000 ? ms * 1000 : ms);
  }

  #era(value: JsonObject): Era | "auto" {
    const given = own(value, "era") ?? own(value, "protocolEra") ?? "auto";
    if (given === "legacy" || given === "modern" || given === "auto") return given;
    this.#refuse("/era", "expected legacy, modern or auto");
    return "auto";
  }

  #concurrency(value: JsonObject): number | null {
    const given = own(value, "concurrency") ?? null;
    if (given === null || (typeof given === "number" && Number.isSafeInteger(given) && given > 0)) return given;
    return (
      this.#refuse("/concurrency", "expected how many calls may be under way at once, a whole number from 1 on") ?? null
    );
  }

  #effects(value: JsonObject): Readonly<Record<string, Effect>> {
    const entries = Object.entries(this.#values(value, "effects"));
    return Object.fromEntries(
      entries.flatMap(([tool, effect]) => {
        if (isEffect(effect)) return [[tool, effect]];
        this.#refuse(under("/effects", tool), "expected read, idempotent or write");
        return [];
      }),
    );
  }

  #flag(value: JsonObject, name: string): boolean | undefined {
    const given = own(value, name);
    if (given === undefined || typeof given === "boolean") return given;
    if (typeof given === "string" && /^(?:true|false)$/i.test(given)) return given.toLowerCase() === "true";
    this.#refuse(under("", name), `expected true or false, got ${nameType(given)}`);
    return undefined;
  }

  #text(value: JsonObject, name: string): string | undefined {
    const given = own(value, name);
    if (given === undefined || given === null) return undefined;
    if (typeof given === "string" && given !== "" && !given.includes("\0")) return given;
    this.#refuse(
      under("", name),
      typeof given === "string"
        ? "is empty, or holds what no program can be given"
        : `expected text, got ${nameType(given)}`,
    );
    return undefined;
  }

  #texts(value: JsonObject, name: string): readonly string[] {
    const given = own(value, name) ?? [];
    if (isArray(given) && given.every(isText)) return given;
    this.#refuse(under("", name), "expected a list of texts");
    return [];
  }

  /** Numbers and yes or no are written without quotes by many; null: it is not there. */
  #values(value: JsonObject, name: string): Readonly<Record<string, string>> {
    const given = own(value, name) ?? {};
    if (!isObject(given)) {
      this.#refuse(under("", name), `expected a map of texts, got ${nameType(given)}`);
      return {};
    }
    const entries = Object.entries(given).flatMap(([key, each]) => {
      if (each === null) return [];
      if (typeof each !== "object" && !String(each).includes("\0")) return [[key, String(each)]];
      this.#refuse(under("", name, key), `expected text, got ${nameType(each)}`);
      return [];
    });
    return Object.fromEntries(entries) as Record<string, string>;
  }

  #warnUnpinned(target: StdioTarget | HttpTarget): void {
    const unpinned = target.kind === "stdio" ? findUnpinned(target) : undefined;
    if (unpinned === undefined) return;
    const message = `"${unpinned}" names no version: whatever is the newest is run. Write it as ${unpinned.replace(/@[a-z]+$/, "")}@1.2.3.`;
    this.#findings.push({ severity: "warning", server: this.#key, pointer: under(this.#pointer, "args"), message });
  }

  #refuse(place: Pointer, message: string): undefined {
    this.#isUsable = false;
    const where = place === "" ? `The server "${show(this.#key)}"` : `${place.slice(1).replaceAll("/", ".")} of it:`;
    const told = place === "" ? `${where} ${message}.` : `The server "${show(this.#key)}", ${where} ${message}.`;
    this.#findings.push({ severity: "error", server: this.#name, pointer: this.#pointer + place, message: told });
  }
}

/** As other programs write them, in small letters. */
const kinds: ReadonlyMap<string, "stdio" | "http" | "sse"> = new Map([
  ["stdio", "stdio"],
  ["local", "stdio"],
  ["http", "http"],
  ["streamable-http", "http"],
  ["streamablehttp", "http"],
  ["streamable_http", "http"],
  ["sse", "sse"],
]);

const sseMessage =
  "sse is a transport that the protocol has given up, and is not spoken here; most servers answer to type http at another address";

const timeoutMaxMs = 3_600_000;

/** One that could stand in its place. */
function usableKey(key: string): string {
  const plain = key.replaceAll(/[^A-Za-z0-9_-]+/g, "_").replaceAll(/^_+|_+$/g, "");
  if (builtinGroups.has(plain)) return `mcp-${plain}`;
  return plain === "" ? "mcp" : plain.slice(0, 64);
}

function guessKey(value: JsonObject): string {
  for (const key of Object.keys(value)) {
    const meant = nearest(key, ["command", "url"]);
    if (meant !== undefined) return `; did you mean "${meant}" by "${show(key)}"?`;
  }
  return "";
}

function isEffect(text: string): text is Effect {
  return text === "read" || text === "idempotent" || text === "write";
}

function isText(value: Json): value is string {
  return typeof value === "string" && !value.includes("\0");
}

function nameType(value: Json): string {
  if (value === null) return "nothing";
  if (typeof value === "object") return isArray(value) ? "a list" : "a map";
  return typeof value === "string" ? "text" : typeof value === "number" ? "a number" : "yes or no";
}

function show(text: string): string {
  return text.length > 80 ? `${text.slice(0, 77)}...` : text;
}
