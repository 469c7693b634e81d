// `stepwell user grant`: one permission more, or several.

import { changeUser, keysOf, userOf, userOperand } from "../change-user.ts";
import { defineCommand, type Command } from "../command.ts";

export const command: Command = defineCommand({
  operands: [userOperand, { name: "<key …>", isRepeated: true }],
  flags: {},
  examples: ["user grant ann 130001.cancel.own", "user grant group:staff 'tool:feed.*' 130001.read"],
  act(call) {
    const user = userOf(call);
    const [first = "", ...others] = keysOf(call);
    return changeUser(call, async (access) => {
      let principal = await access.grant(user, first);
      for (const key of others) principal = await access.grant(user, key);
      return principal;
    });
  },
});
