// Servers that bring tools: how they are, and what is agreed on about their tools.

import { z } from "@hono/zod-openapi";
import type { App } from "../door.ts";
import {
  jsonSchema,
  type ChangedToolDocument,
  type LockDocument,
  type ServerDocument,
  type TriedServerDocument,
} from "../contract.ts";
import { toChangeDocument, toLockDocument, toServerDocument } from "../document/server.ts";
import { addRoute } from "../route.ts";
import { checkSameUser } from "../same-user.ts";

const tag = "Tools";

const serverSchema: z.ZodType<ServerDocument> = z
  .object({
    key: z.string().describe("Steps call its tools as key.tool"),
    status: z.enum(["idle", "starting", "ready", "waiting", "refused", "disabled"]),
    problem: z.string().nullable(),
    transport: z.enum(["stdio", "http"]).nullable().describe("A program, or an address"),
    target: z.string().describe("Its program or address, without secrets"),
    command: z
      .string()
      .nullable()
      .describe("The same with the paths of files; what may be a secret is left out; for admin alone"),
    file: z.string().nullable(),
    is_added: z.boolean().describe("Through this program; such a one can be removed"),
    era: z.string().nullable(),
    protocol: z.string().nullable().describe("The revision of the protocol that both have agreed on"),
    latency_ms: z.number().nullable().describe("How long its newest answer took, but for calls"),
    last_words: z
      .string()
      .nullable()
      .describe("The end of what its program writes on its standard error, without secrets; for admin alone"),
    name: z.string().nullable(),
    version: z.string().nullable(),
    tool_count: z.int(),
    changed_count: z.int().describe("Tools that are not what was agreed on"),
    restarts: z.int(),
    calls_under_way: z.int(),
    stray_lines: z.int(),
  })
  .openapi("ToolServer");

const triedSchema: z.ZodType<TriedServerDocument> = z
  .object({
    ok: z.boolean(),
    problem: z.string().nullable(),
    target: z.string().describe("Its program or address, without secrets"),
    name: z.string().nullable(),
    version: z.string().nullable(),
    era: z.string().nullable(),
    tools: z.array(z.object({ name: z.string(), description: z.string().nullable() })),
  })
  .openapi("TriedServer");

const givenSchema = z.strictObject({
  key: z.string().min(1).max(300).describe("Steps call its tools as key.tool"),
  server: z
    .record(z.string(), jsonSchema)
    .describe("As it stands in a file of servers: command, args, env, or url, headers. Placeholders stay as they are"),
});

const changeSchema: z.ZodType<ChangedToolDocument> = z
  .object({
    server: z.string(),
    tool: z.string(),
    kind: z.enum(["description", "additive", "narrowing", "new_required", "server", "gone"]),
    lines: z.array(z.string()).describe("For people"),
    hash: z.string().describe("Of the tool as it is now, and of what stands behind it"),
    since: z.int(),
  })
  .openapi("ChangedTool");

const lockSchema: z.ZodType<LockDocument> = z
  .object({
    file: z.string().nullable(),
    servers: z.array(
      z.object({
        key: z.string(),
        target: z.string(),
        tools: z.array(z.object({ name: z.string(), sha256: z.string() })),
      }),
    ),
    changes: z.array(changeSchema),
  })
  .openapi("Lock");

export function addServerRoutes(app: App): void {
  addServerChanges(app);
  addRoute(
    app,
    {
      method: "get",
      path: "/api/servers",
      about: "Servers that bring tools, and how they are",
      tag,
      right: "read",
      answer: z.array(serverSchema),
    },
    async ({ engine }) => (await engine.servers.list()).map(toServerDocument),
  );
  for (const verb of ["restart", "test"] as const)
    addRoute(
      app,
      {
        method: "post",
        path: `/api/servers/{key}/${verb}`,
        about: verb === "restart" ? "Connect to it anew" : "Connect to it, and ask which tools it has now",
        tag,
        right: "operate",
        answer: serverSchema,
      },
      async ({ engine, named }) => toServerDocument(await engine.servers[verb](named("key"))),
    );
  addRoute(
    app,
    {
      method: "get",
      path: "/api/lock",
      about: "What is agreed on about the tools of servers, and what has changed since",
      tag,
      right: "read",
      answer: lockSchema,
    },
    async ({ engine }) => toLockDocument(await engine.lock.show(), await engine.lock.changes()),
  );
  addRoute(
    app,
    {
      method: "post",
      path: "/api/lock/approve",
      about: "Agree to what a tool, or a whole server, has become; steps that wait for it go on",
      tag,
      right: "admin",
      body: z.strictObject({
        name: z.string().min(1).max(300).describe("server.tool, or a server"),
        hash: z
          .string()
          .max(100)
          .nullable()
          .optional()
          .describe("Of the change that was shown; null: none was. Refused when it is another one by now"),
      }),
      answer: z.object({ approved: z.array(changeSchema) }),
    },
    async ({ engine, body: { name, hash } }) => ({
      approved: (await engine.lock.approve(name, { expected: hash })).map(toChangeDocument),
    }),
  );
}

/** What starts and ends programs as the engine's own user: only for that user, or who has logged in. */
function addServerChanges(app: App): void {
  addRoute(
    app,
    {
      method: "post",
      path: "/api/servers",
      about: "Add a server: it is written down beside the store, and its tools are there at once",
      tag,
      right: "admin",
      body: givenSchema,
      answer: serverSchema,
      status: 201,
    },
    async ({ engine, context, body: { key, server } }) => {
      await checkSameUser(context, "programs");
      return toServerDocument(await engine.servers.add(key, server));
    },
  );
  addRoute(
    app,
    {
      method: "post",
      path: "/api/servers/test",
      about: "Try a server out: start it or connect, ask for its tools, end it; nothing is kept",
      tag,
      right: "admin",
      body: givenSchema,
      answer: triedSchema,
    },
    async ({ engine, context, body: { key, server } }) => {
      await checkSameUser(context, "programs");
      return engine.servers.tryOut(key, server);
    },
  );
  addRoute(
    app,
    {
      method: "delete",
      path: "/api/servers/{key}",
      about: "Remove a server that was added; what was started ends",
      tag,
      right: "admin",
      answer: z.object({ removed: z.string() }),
    },
    async ({ engine, context, named }) => {
      await checkSameUser(context, "programs");
      await engine.servers.remove(named("key"));
      return { removed: named("key") };
    },
  );
}
