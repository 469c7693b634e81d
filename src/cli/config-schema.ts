// What may stand in `stepwell.config.json`; `stepwell schema config` prints it for editors.

import type { JsonObject } from "../flow/json.ts";

const path: JsonObject = { type: "string", minLength: 1 };
const paths: JsonObject = { anyOf: [path, { type: "array", items: path }] };

const count: JsonObject = { type: "integer", minimum: 1 };
const rate: JsonObject = { type: "string", minLength: 1 };

const limits: JsonObject = {
  type: "object",
  additionalProperties: false,
  description: "How many calls of tools are under way at once, and how often tools may be called",
  properties: {
    calls: { ...count, description: "In all; 1000 unless given" },
    calls_per_tool: { type: "object", additionalProperties: count, description: 'Of a tool: { "github.search": 2 }' },
    calls_per_workflow: { ...count, description: "Of all runs of one workflow" },
    calls_per_user: { ...count, description: "Of all runs of one user" },
    rate_per_tool: {
      type: "object",
      additionalProperties: rate,
      description:
        'How often: { "github.search": "30/m", "github.*": "5000/h" }; with a star, all tools of a server together',
    },
    rate_per_user: { ...rate, description: 'How often each user may call tools, such as "600/m"' },
  },
};

export const configSchema: JsonObject = {
  $schema: "http://json-schema.org/draft-07/schema#",
  $id: "https://stepwell.dev/schema/config.json",
  title: "Stepwell configuration",
  type: "object",
  additionalProperties: false,
  properties: {
    $schema: { type: "string", description: "For the editor" },
    store: { ...path, description: "The database: a file, or postgres://…; .stepwell/stepwell.db unless given" },
    tools: { ...paths, description: "Modules (.ts, .js, .mjs) whose exports are tools or functions" },
    workflows: { ...paths, description: "Folders, files or patterns of workflows that are read and watched" },
    mcpServers: {
      type: "object",
      description: "MCP servers whose tools steps call as key.tool: command, args, env, or url, headers",
      additionalProperties: { type: "object" },
    },
    mcp: { ...paths, description: "Files with MCP servers, as other programs have them: .mcp.json, .vscode/mcp.json" },
    lock: {
      ...path,
      description: "What is agreed on about their tools; stepwell.lock.json beside the store unless given",
    },
    files_folder: { ...path, description: "The one folder for file.read and file.write" },
    http_hosts: {
      type: "array",
      items: { type: "string", minLength: 1 },
      description: "Hosts for http.request and feed.fetch: api.example.com, *.example.com, private:localhost:3000",
    },
    tz: { type: "string", description: "The time zone in which times are shown and read, such as Europe/Berlin" },
    durability: { enum: ["full", "fast"], description: "full: what is acknowledged survives a power cut" },
    limits,
    retention: {
      type: "object",
      additionalProperties: false,
      description: "How long ended runs are kept; all of them unless given",
      properties: {
        age: { type: "string", description: "As long as this: 30d" },
        runs: { type: "integer", minimum: 0, description: "As many as this" },
        bytes: { type: "integer", minimum: 1_000_000, description: "As many as fit into a file of this size" },
      },
    },
  },
};
