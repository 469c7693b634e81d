// `stepwell user revoke`: one permission less, or several.

import { changeUser, keysOf, userOf, userOperand } from "../change-user.ts";
import { defineCommand, type Command } from "../command.ts";

export const command: Command = defineCommand({
  operands: [userOperand, { name: "<key …>", isRepeated: true }],
  flags: {},
  details: "Of runs that it started, the next call that needs the permission fails.",
  examples: ["user revoke ann 130001.cancel.own", "user revoke group:staff 'tool:feed.*' 130001.read"],
  act(call) {
    const user = userOf(call);
    const [first = "", ...others] = keysOf(call);
    return changeUser(call, async (access) => {
      let principal = await access.revoke(user, first);
      for (const key of others) principal = await access.revoke(user, key);
      return principal;
    });
  },
});
