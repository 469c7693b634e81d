// `stepwell user remove`: with its tokens and its memberships.

import { confirm } from "../ask.ts";
import { userOf, userOperand } from "../change-user.ts";
import { defineCommand, type Command } from "../command.ts";
import { openSession } from "../session.ts";
import { refuseMissing } from "../view.ts";

export const command: Command = defineCommand({
  operands: [userOperand],
  flags: {},
  details: "Its tokens go with it, and runs that it started fail at their next call. Asks first.",
  examples: ["user remove ann --yes"],
  async act(call) {
    const { out } = call;
    const user = userOf(call);
    await refuseMissing(call);
    if (!(await confirm(`Remove ${user} with its tokens?`, call))) {
      out.say("Nobody was removed.");
      return 0;
    }
    await using session = await openSession(call);
    await session.engine.access.remove(user);
    out.tell({ document: { id: user, removed: true }, lines: () => [user] });
    out.say(`removed: ${user}`);
    return 0;
  },
});
