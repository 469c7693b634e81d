// What steps can call: which tools there are, and one call by hand.

import { z } from "@hono/zod-openapi";
import type { App } from "../door.ts";
import { failureSchema, jsonSchema, type CallDocument, type ToolDocument } from "../contract.ts";
import { toCallDocument, toToolDocument } from "../document/tool.ts";
import { addRoute } from "../route.ts";

const tag = "Tools";

const toolSchema: z.ZodType<ToolDocument> = z
  .object({
    name: z.string(),
    description: z.string().nullable(),
    effect: z.string(),
    input: jsonSchema.describe("JSON Schema of its arguments; null: anything"),
    output: jsonSchema,
    outcomes: z.array(z.string()),
    server: z.string().nullable().describe("The server that brings it; null: it is the engine's own"),
  })
  .openapi("Tool");

const callSchema: z.ZodType<CallDocument> = z.object({
  workflow_id: z.int(),
  tool: z.string(),
  ok: z.boolean(),
  outcome: z.string().nullable(),
  result: jsonSchema,
  error: failureSchema,
});

const callBody = z.strictObject({
  args: z.record(z.string(), jsonSchema).optional().describe("Texts may hold {{ secrets.NAME }}"),
  timeout_ms: z.int().min(1).max(600_000).optional().describe("Wait so long for the result; the call goes on"),
});

export function addToolRoutes(app: App): void {
  addRoute(
    app,
    { method: "get", path: "/api/tools", about: "Tools, by name", tag, right: "read", answer: z.array(toolSchema) },
    async ({ engine }) => {
      const tools = await engine.tools.list();
      return tools.toSorted((one, other) => (one.name < other.name ? -1 : 1)).map(toToolDocument);
    },
  );
  addRoute(
    app,
    {
      method: "get",
      path: "/api/tools/{name}",
      about: "What a tool takes and gives",
      tag,
      right: "read",
      answer: toolSchema,
    },
    async ({ engine, named }) => toToolDocument(await engine.tools.get(named("name"))),
  );
  addRoute(
    app,
    {
      method: "post",
      path: "/api/tools/{name}/call",
      about: "Call a tool once: a run of one step, with all that holds for steps",
      tag,
      right: "start",
      body: callBody,
      answer: callSchema,
    },
    async ({ engine, visitor, named, body: { args = {}, timeout_ms: timeoutMs } }) => {
      const name = named("name");
      const options = { as: visitor.user, ...(timeoutMs === undefined ? {} : { timeoutMs }) };
      return toCallDocument(name, await engine.tools.call(name, args, options));
    },
  );
}
