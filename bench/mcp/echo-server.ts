// A tool server as small as one can be: it answers with what it is given. Both sides of the measurement call it. What is not
// measured is `together`: it answers a little later, with the most calls that it has had before it at once.

import { setTimeout } from "node:timers/promises";
import { Server } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";

const inputSchema = { type: "object" as const, properties: { text: { type: "string" } } };
const annotations = { readOnlyHint: true };
const tools = [
  { name: "say", description: "Answers with what it is given.", inputSchema, annotations },
  { name: "together", description: "Answers with the most calls at once.", inputSchema, annotations },
];

let open = 0;
let openMost = 0;

async function countTogether(): Promise<number> {
  open += 1;
  openMost = Math.max(openMost, open);
  await setTimeout(5);
  open -= 1;
  return openMost;
}

serveStdio(() => {
  const server = new Server({ name: "echo", version: "1.0.0" }, { capabilities: { tools: {} } });
  server.setRequestHandler("tools/list", () => ({ tools }));
  server.setRequestHandler("tools/call", ({ params }) => {
    if (params.name === "together") return countTogether().then((most) => answer(most));
    return answer(params.arguments ?? {});
  });
  return server;
});

function answer(value: unknown): { content: { type: "text"; text: string }[] } {
  return { content: [{ type: "text", text: JSON.stringify(value) }] };
}
