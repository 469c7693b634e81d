// A flow as somebody writes it, and the tools it calls, for tests of the editor.

import { defineTool } from "../../../src/tool/function.ts";
import type { Tools } from "../../../src/tool/registry.ts";

const write = defineTool({
  name: "app.write",
  description: "Writes a letter",
  effect: "read",
  input: {
    type: "object",
    required: ["title"],
    properties: { title: { type: "string", title: "Title" }, tone: { enum: ["warm", "dry"] } },
  },
  call: ({ title }: { title: string }) => ({ letter: `All about ${title}` }),
});
const send = defineTool({ name: "app.send", call: () => "sent" });

export const letterTools: Tools = { [write.name]: write, [send.name]: send };

/** As somebody writes it: with comments and a layout of their own. */
export function flowOf(name: string): string {
  return `# Written by hand.
name: ${name}
start: draft
steps:
  draft: # the first
    tool: app.write
    args: { title: Tides }
    next: post
  post:
    tool: app.send
    args: { to: ann }
    done: true
`;
}
