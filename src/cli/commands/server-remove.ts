// `stepwell server remove`: takes a server away that was added.

import { StepwellError } from "../../error.ts";
import { defineCommand, type Command } from "../command.ts";
import { openSession } from "../session.ts";

export const command: Command = defineCommand({
  operands: [{ name: "<server>", completes: "server" }],
  flags: {},
  details:
    "One that was added with server add or on the page: its program ends, its tools go, and what was agreed on about them.",
  examples: ["server remove files"],
  async act(call) {
    const { operands, out, usage } = call;
    const [key] = operands;
    if (key === undefined) throw new StepwellError("USAGE", "Say which server.", { hint: usage });
    await using session = await openSession(call);
    await session.engine.servers.remove(key);
    out.tell({ document: { removed: key }, ids: [key], lines: () => [key] });
    return 0;
  },
});
