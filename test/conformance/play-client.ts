// What we do with a server of the official suite: it is one of a pool, like any that is configured, and every tool that the
// pool offers is called, all at the same time; people accept what a server proposes. What came of it the suite sees itself.

import { isObject, own, type Json, type JsonObject } from "../../src/flow/json.ts";
import type { Question, QuestionAnswer, Tool } from "../../src/tool/tool.ts";
import { call, createServers, entryOf } from "../mcp/servers.ts";

/** Of some scenarios the suite says what is to be called. */
export type Scenario = {
  readonly url: string;
  readonly toolCalls?: readonly { readonly name: string; readonly arguments: JsonObject }[];
};

export type Played = { readonly hasConnected: boolean; readonly report: string };

type Wanted = { readonly name: string; readonly input: JsonObject };

const key = "suite";

/** By the names that the suite's servers give their tools; the others take none. */
const inputs: Readonly<Record<string, JsonObject>> = {
  add_numbers: { a: 2, b: 3 },
  valid_tool: { region: "us-west1" },
  lookup_user: { id: "ada" },
  json_schema_2020_12_tool: { name: "Ada", contactMethod: "email", email: "ada@example.org" },
};

export async function playClient({ url, toolCalls }: Scenario): Promise<Played> {
  await using servers = createServers([entryOf(key, { kind: "http", url, headers: {} })]);
  // However long it takes: the suite may have started fifty of us.
  await servers.test(key);
  const tools = servers.tools();
  const wanted: readonly Wanted[] =
    toolCalls?.map(({ name, arguments: given }) => ({ name: `${key}.${name}`, input: withoutNulls(given) })) ??
    tools.map((tool) => ({ name: tool.name, input: inputFor(tool, tools) }));
  const answers = await Promise.all(wanted.map(({ name, input }) => call(servers, name, { input, ask })));
  const [health] = servers.health();
  const report = JSON.stringify({ health, problems: servers.problems, wanted, answers });
  return { hasConnected: health?.status === "ready", report };
}

function inputFor({ name }: Tool, tools: readonly Tool[]): JsonObject {
  const plain = name.slice(key.length + 1);
  // What we know of the other tool's schema goes back as it is.
  if (plain === "json_schema_echo") return { schema: tools.find((one) => one.name !== name)?.input ?? null };
  return inputs[plain] ?? {};
}

/** What is null would not be sent where a yes or no is wanted: it is left out, as a flow leaves it out. */
function withoutNulls(given: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null));
}

/** Accepts with what the form proposes, and says yes where it proposes nothing. */
function ask({ form }: Question): Promise<QuestionAnswer> {
  const properties = isObject(form) ? own(form, "properties") : undefined;
  const content: { [name: string]: Json } = {};
  for (const [name, field] of Object.entries(isObject(properties) ? properties : {})) {
    const proposed = isObject(field) ? own(field, "default") : undefined;
    const isYesOrNo = isObject(field) && own(field, "type") === "boolean";
    if (proposed !== undefined) content[name] = proposed;
    else if (isYesOrNo) content[name] = true;
  }
  return Promise.resolve({ kind: "accepted", content });
}
