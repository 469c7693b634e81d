// The file in which a project says how its commands run: `stepwell.config.json` or `.yaml` in the current folder. Paths in
// it are relative to it. The environment goes over it, and flags over both.

import { existsSync, readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { CallLimits } from "../engine/dispatcher.ts";
import type { Retention } from "../engine/retention.ts";
import { StepwellError } from "../error.ts";
import { parseDuration } from "../flow/duration.ts";
import { isArray, isObject, own, type Json, type JsonObject } from "../flow/json.ts";
import { isServerAddress } from "../store/address.ts";
import { configSchema } from "./config-schema.ts";

export type Config = {
  /** The file itself. */
  readonly path: string;
  readonly store?: string;
  readonly tools: readonly string[];
  readonly workflows: readonly string[];
  /** Files with servers that bring tools; this one among them, if there are some in it. */
  readonly mcp: readonly string[];
  readonly lock?: string;
  readonly filesFolder?: string;
  readonly httpHosts: readonly string[];
  readonly tz?: string;
  readonly durability?: string;
  readonly limits: Partial<CallLimits>;
  readonly retention: Partial<Retention>;
};

const names = ["stepwell.config.json", "stepwell.config.yaml", "stepwell.config.yml"];

/** null: there is none. */
export async function findConfig(environment: { readonly [name: string]: string | undefined }): Promise<Config | null> {
  const named = environment["STEPWELL_CONFIG"] || undefined;
  if (named !== undefined && !existsSync(named)) {
    throw new StepwellError("FILE_NOT_FOUND", `There is no file "${named}".`, { hint: "STEPWELL_CONFIG names it" });
  }
  const [path, second] = named === undefined ? names.filter((name) => existsSync(name)) : [named];
  if (path === undefined) return null;
  if (second !== undefined) throw refuse(`There are ${path} and ${second}; keep one of them.`);
  return readConfig(path);
}

async function readConfig(path: string): Promise<Config> {
  const { readText } = await import("../flow/source/read.ts");
  const { value = null, findings } = readText(readFileSync(path, "utf8"));
  const [problem] = findings;
  if (problem !== undefined) throw refuse(`${path}:${problem.line ?? 1}:${problem.column ?? 1} ${problem.message}`);
  await check(value, path);
  return toConfig(isObject(value) ? value : {}, path);
}

async function check(value: Json, path: string): Promise<void> {
  const [{ compileToolSchema }, { describeErrors }] = await Promise.all([
    import("../tool/schema.ts"),
    import("../tool/flaws.ts"),
  ]);
  const compiled = compileToolSchema(configSchema);
  const checked = compiled.ok ? compiled.check(value) : undefined;
  if (checked?.kind !== "checked" || checked.errors.length === 0) return;
  const given = isObject(value) ? value : {};
  const missing = keys.filter((key) => !Object.hasOwn(given, key));
  throw refuse(`${path} is not right: ${describeErrors(checked.errors, { value, canShow: () => true, missing })}.`);
}

const keys: readonly string[] = Object.keys(isObject(configSchema["properties"]) ? configSchema["properties"] : {});

function refuse(message: string): StepwellError {
  return new StepwellError("INPUT_INVALID", message, { hint: "stepwell schema config says what may stand in it" });
}

/** What the schema has let through. */
function toConfig(document: JsonObject, path: string): Config {
  const folder = dirname(path);
  const text = (key: string): string | undefined => {
    const value = own(document, key);
    return typeof value === "string" ? value : undefined;
  };
  const place = (given: string): string => (folder === "." ? given : resolve(folder, given));
  const store = text("store");
  const filesFolder = text("files_folder");
  const tz = text("tz");
  const durability = text("durability");
  const lock = text("lock");
  return {
    path,
    tools: textsOf(own(document, "tools")).map(place),
    workflows: textsOf(own(document, "workflows")).map(place),
    mcp: [...(own(document, "mcpServers") === undefined ? [] : [path]), ...textsOf(own(document, "mcp")).map(place)],
    httpHosts: textsOf(own(document, "http_hosts")),
    limits: toLimits(own(document, "limits")),
    retention: toRetention(own(document, "retention"), path),
    ...(store === undefined ? {} : { store: isServerAddress(store) ? store : place(store) }),
    ...(filesFolder === undefined ? {} : { filesFolder: place(filesFolder) }),
    ...(lock === undefined ? {} : { lock: place(lock) }),
    ...(tz === undefined ? {} : { tz }),
    ...(durability === undefined ? {} : { durability }),
  };
}

/** One text, or several. */
function textsOf(value: Json | undefined): readonly string[] {
  if (typeof value === "string") return [value];
  return value !== undefined && isArray(value) ? value.filter((each) => typeof each === "string") : [];
}

function toRetention(value: Json | undefined, path: string): Partial<Retention> {
  if (!isObject(value)) return {};
  const { age, runs, bytes } = value;
  const ageMs = typeof age === "string" ? parseDuration(age) : undefined;
  if (typeof age === "string" && ageMs === undefined) throw refuse(`${path}: "${age}" is no length of time.`);
  return {
    ...(ageMs === undefined ? {} : { ageMs }),
    ...(typeof runs === "number" ? { runsMax: runs } : {}),
    ...(typeof bytes === "number" ? { bytesMax: bytes } : {}),
  };
}

const limitNames = {
  calls: "calls",
  calls_per_tool: "callsPerTool",
  calls_per_workflow: "callsPerWorkflow",
  calls_per_user: "callsPerUser",
  rate_per_tool: "ratePerTool",
  rate_per_user: "ratePerUser",
} as const satisfies Readonly<Record<string, keyof CallLimits>>;

/** By the names that they have in the library. */
function toLimits(value: Json | undefined): Partial<CallLimits> {
  if (!isObject(value)) return {};
  return Object.fromEntries(
    Object.entries(limitNames).flatMap(([name, known]) => {
      const given = own(value, name);
      return given === undefined ? [] : [[known, given]];
    }),
  );
}
