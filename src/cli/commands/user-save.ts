// `stepwell user save`: makes a user or a group, or says anew what it may do.

import { changeUser, userOf, userOperand } from "../change-user.ts";
import { defineCommand, type Command } from "../command.ts";

export const command: Command = defineCommand({
  operands: [userOperand],
  flags: {
    group: { value: "NAME", about: "a group that the user is in", isRepeated: true },
    key: { value: "KEY", about: "a permission: 130001.read, tool:feed.*", isRepeated: true },
  },
  details: "Whatever it was granted before is replaced; user grant and user revoke change one key.",
  examples: [
    "user save ann --group staff --key 130001.start --key 'tool:mail.*'",
    "user save group:staff --key 130001.read",
  ],
  act(call) {
    const user = userOf(call);
    const { group, key } = call.values;
    return changeUser(call, (access) => access.save(user, { groups: group, keys: key }));
  },
});
