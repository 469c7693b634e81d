// With what a command opens its engine: what a flag says, else the environment, else the configuration.

import { delimiter } from "node:path";
import type { CallLimits } from "../engine/dispatcher.ts";
import type { Retention } from "../engine/retention.ts";
import { StepwellError } from "../error.ts";
import { parseDuration } from "../flow/duration.ts";
import type { EngineOptions } from "../open-engine.ts";
import type { Call } from "./command.ts";

export type Settings = {
  /** Modules with tools. */
  readonly tools: readonly string[];
  readonly workflows: readonly string[];
  /** Files with servers that bring tools. */
  readonly mcp: readonly string[];
  /** What is agreed on about their tools; undefined: in the usual place. */
  readonly lock: string | undefined;
  readonly filesFolder: string | undefined;
  readonly httpHosts: readonly string[];
  readonly limits: Partial<CallLimits>;
  readonly retention: Partial<Retention>;
};

type Wish = Pick<Call, "values" | "surroundings">;

export function readSettings({ values, surroundings }: Wish): Settings {
  const { environment, config } = surroundings;
  const from = (name: string): string | undefined => environment[`STEPWELL_${name}`] || undefined;
  return {
    tools: values.tools.length > 0 ? values.tools : (split(from("TOOLS"), delimiter) ?? config?.tools ?? []),
    workflows: split(from("WORKFLOWS"), delimiter) ?? config?.workflows ?? [],
    mcp: values.mcp.length > 0 ? values.mcp : (split(from("MCP"), delimiter) ?? config?.mcp ?? []),
    lock: from("LOCK") ?? config?.lock,
    filesFolder: values["files-folder"] ?? from("FILES_FOLDER") ?? config?.filesFolder,
    httpHosts: split(values["http-hosts"], ",") ?? split(from("HTTP_HOSTS"), ",") ?? config?.httpHosts ?? [],
    limits: config?.limits ?? {},
    retention: { ...config?.retention, ...readRetention(from) },
  };
}

/** What of them an engine is opened with as it is. */
export function forEngine({
  workflows,
  mcp,
  lock,
  limits,
  retention,
}: Settings): Pick<EngineOptions, "workflows" | "mcpConfig" | "lock" | "limits" | "retention"> {
  return { workflows, mcpConfig: mcp, limits, retention, ...(lock === undefined ? {} : { lock }) };
}

/** What of it stands in the flags of every command; what was given there stays. */
export function withDefaults<Given extends Wish["values"]>(
  values: Given,
  { environment, config }: Wish["surroundings"],
): Given {
  const tz = values.tz ?? (environment["STEPWELL_TZ"] || config?.tz);
  const durability = values.durability ?? (environment["STEPWELL_DURABILITY"] || config?.durability);
  if (durability !== undefined && durability !== "full" && durability !== "fast") {
    throw new StepwellError("USAGE", `There is no durability "${durability}".`, {
      hint: "STEPWELL_DURABILITY=full or fast",
    });
  }
  return { ...values, tz, durability };
}

function split(text: string | undefined, by: string): readonly string[] | undefined {
  return text?.split(by).flatMap((part) => (part.trim() === "" ? [] : [part.trim()]));
}

function readRetention(from: (name: string) => string | undefined): Partial<Retention> {
  const age = from("RETENTION_AGE");
  const ageMs = age === undefined ? undefined : parseDuration(age);
  if (age !== undefined && ageMs === undefined) throw wrong("RETENTION_AGE", age, "30d");
  const runsMax = readCount("RETENTION_RUNS", from);
  const bytesMax = readCount("RETENTION_BYTES", from);
  return {
    ...(ageMs === undefined ? {} : { ageMs }),
    ...(runsMax === undefined ? {} : { runsMax }),
    ...(bytesMax === undefined ? {} : { bytesMax }),
  };
}

function readCount(name: string, from: (name: string) => string | undefined): number | undefined {
  const text = from(name);
  if (text === undefined) return undefined;
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw wrong(name, text, "1000");
}

function wrong(name: string, text: string, example: string): StepwellError {
  return new StepwellError("USAGE", `STEPWELL_${name} is "${text}", which is not understood.`, {
    hint: `STEPWELL_${name}=${example}`,
  });
}
