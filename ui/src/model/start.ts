// What one fills in to start a run, as commands that do the same.

import { commandOf } from "./command.ts";
import { isObject, type Json, type JsonObject } from "./json.ts";

/** Of a flow in any notation: what it asks for, and what it begins with. */
export function inputOf(flow: Json, saved: Json): { readonly schema: Json; readonly defaults: JsonObject } {
  const schema = isObject(flow) && isObject(flow["input"]) ? flow["input"] : null;
  const given = isObject(flow) && isObject(flow["defaults"]) ? flow["defaults"]["input"] : undefined;
  return {
    schema,
    defaults: { ...(isObject(given ?? null) ? (given as JsonObject) : {}), ...(isObject(saved) ? saved : {}) },
  };
}

export type Wish = {
  readonly name: string;
  readonly input: Json;
  readonly schedule: string;
  readonly tz: string;
  readonly key: string;
};

/** As a shell takes a text, whatever stands in it. */
function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

export function toCommand({ name, input, schedule, key }: Wish, program?: string): string {
  const words = [commandOf("run", program), quote(name), "--input", quote(JSON.stringify(input))];
  if (schedule !== "") words.push("--at", quote(schedule));
  if (key !== "") words.push("--key", quote(key));
  return words.join(" ");
}

export function toCurl({ name, input, schedule, tz, key }: Wish, origin: string): string {
  const body = { name, input, ...(schedule === "" ? {} : { schedule, tz }) };
  const header = key === "" ? "" : ` -H ${quote(`Idempotency-Key: ${key}`)}`;
  return `curl ${origin}/api/workflow -H 'content-type: application/json'${header} -d ${quote(JSON.stringify(body))}`;
}

/** What an MCP client calls. */
export function toMcpCall({ name, input }: Wish): string {
  return JSON.stringify({ method: "tools/call", params: { name: `workflow:${name}`, arguments: input } }, null, 2);
}
