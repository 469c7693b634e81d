// `stepwell token revoke`: nobody comes in with it any more.

import { StepwellError } from "../../error.ts";
import { defineCommand, type Command } from "../command.ts";
import { openSession } from "../session.ts";
import { refuseMissing } from "../view.ts";

export const command: Command = defineCommand({
  operands: [{ name: "<token id …>", isRepeated: true }],
  flags: {},
  details: "By its id, tok_…, as token list shows it.",
  examples: ["token revoke tok_3mWnT0pQ4xYz"],
  async act(call) {
    const { operands, out, usage } = call;
    if (operands.length === 0) throw new StepwellError("USAGE", "Say which token, by its id.", { hint: usage });
    await refuseMissing(call);
    await using session = await openSession(call);
    for (const id of operands) await session.engine.access.tokens.revoke(id);
    out.tell({ document: operands.map((id) => ({ id, revoked: true })), lines: () => operands });
    out.say(`revoked: ${operands.length === 1 ? "1 token" : `${operands.length} tokens`}`);
    return 0;
  },
});
