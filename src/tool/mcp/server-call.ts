// What a call of a tool of a server is about.

import type { Tool } from "../tool.ts";
import type { ToolDefinition } from "./contract.ts";
import type { McpServer } from "./mcp-server.ts";

export type ServerCall = {
  readonly server: McpServer;
  readonly definition: ToolDefinition;
  /** As steps see it. */
  readonly tool: Omit<Tool, "call">;
};
