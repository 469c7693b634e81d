// A tool server as small as one can be: it answers with what it is given. Both sides of the measurement call it.

import { Server } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";

const tool = {
  name: "say",
  description: "Answers with what it is given.",
  inputSchema: { type: "object" as const, properties: { text: { type: "string" } } },
  annotations: { readOnlyHint: true },
};

serveStdio(() => {
  const server = new Server({ name: "echo", version: "1.0.0" }, { capabilities: { tools: {} } });
  server.setRequestHandler("tools/list", () => ({ tools: [tool] }));
  server.setRequestHandler("tools/call", ({ params }) => ({
    content: [{ type: "text", text: JSON.stringify(params.arguments ?? {}) }],
  }));
  return server;
});
