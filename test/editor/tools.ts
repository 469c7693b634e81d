// Two tools as a server would describe them.

import type { ToolSchema } from "../../src/flow/schema/tools.ts";

export const tools: readonly ToolSchema[] = [
  {
    name: "mail.send",
    description: "Sends a mail.",
    inputSchema: {
      type: "object",
      required: ["to", "subject"],
      additionalProperties: false,
      properties: {
        to: { type: "string", description: "Who gets it." },
        subject: { type: "string" },
        priority: { enum: ["low", "high"] },
        copies: { type: "integer" },
      },
    },
  },
  { name: "chat.post", inputSchema: { type: "object", properties: { text: { type: "string" } } } },
];
