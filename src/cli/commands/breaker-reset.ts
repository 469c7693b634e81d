// `stepwell breaker reset`: a tool is called again at once, and its failures are forgotten.

import { StepwellError } from "../../error.ts";
import { defineCommand, type Command } from "../command.ts";
import { openSession } from "../session.ts";
import { refuseMissing } from "../view.ts";

export const command: Command = defineCommand({
  operands: [{ name: "<tool …>", completes: "tool", isRepeated: true }],
  flags: {},
  examples: ["breaker reset feed.fetch"],
  async act(call) {
    const { operands, out, usage } = call;
    if (operands.length === 0) throw new StepwellError("USAGE", "Say which tool.", { hint: usage });
    await refuseMissing(call);
    await using session = await openSession(call);
    const documents: { readonly tool: string; readonly reset: boolean }[] = [];
    for (const tool of new Set(operands)) {
      const reset = await session.engine.breakers.reset(tool);
      documents.push({ tool, reset });
      out.say(reset ? `reset: ${tool} is called again` : `nothing to forget: ${tool} has not failed`);
    }
    const told = documents.flatMap(({ tool, reset }) => (reset ? [tool] : []));
    out.tell({ document: documents, ids: told, lines: () => told });
    return 0;
  },
});
