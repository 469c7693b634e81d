// `stepwell secret remove`: steps that need it fail from then on.

import { StepwellError } from "../../error.ts";
import { confirm } from "../ask.ts";
import { defineCommand, type Command } from "../command.ts";
import { openSession } from "../session.ts";
import { refuseMissing } from "../view.ts";

export const command: Command = defineCommand({
  operands: [{ name: "<name>" }],
  flags: {},
  details: "Steps that need it fail with secret_missing, before anything is called. Asks first.",
  examples: ["secret remove API_KEY --yes"],
  async act(call) {
    const { operands, out, usage } = call;
    const [name] = operands;
    if (name === undefined) throw new StepwellError("USAGE", "Say which secret.", { hint: usage });
    await refuseMissing(call);
    if (!(await confirm(`Remove the secret ${name}?`, call))) {
      out.say("Nothing was removed.");
      return 0;
    }
    await using session = await openSession(call);
    await session.engine.secrets.remove(name);
    out.tell({ document: { name, removed: true }, ids: [name], lines: () => [name] });
    out.say(`removed: ${name}`);
    return 0;
  },
});
