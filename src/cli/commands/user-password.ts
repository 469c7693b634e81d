// `stepwell user password`: with which somebody logs in to the page. Asked for without being shown, or read from standard
// input; never an argument, which everybody on the machine could see.

import { readFileSync } from "node:fs";
import { StepwellError } from "../../error.ts";
import { canAsk } from "../ask.ts";
import { userOf } from "../change-user.ts";
import { defineCommand, type Call, type Command } from "../command.ts";
import { openSession } from "../session.ts";
import { refuseMissing } from "../view.ts";

export const command: Command = defineCommand({
  operands: [{ name: "<user>" }, { name: "[-]", completes: ["-"] }],
  flags: { remove: { about: "no password any more: nobody logs in as this user" } },
  details:
    "Asks for it twice without showing it; - reads it from standard input, without the line break at its end. Whoever is logged in as this user has to log in again.",
  examples: ["user password ann", "user password ann --remove"],
  async act(call) {
    const { values, out } = call;
    const user = userOf(call);
    await refuseMissing(call);
    const password = values.remove ? null : await readPassword(user, call);
    await using session = await openSession(call);
    await session.engine.access.setPassword(user, password);
    out.tell({ document: { user, has_password: password !== null }, ids: [user], lines: () => [user] });
    out.say(password === null ? `${user} has no password any more` : `${user} logs in with it from now on`);
    return 0;
  },
});

async function readPassword(user: string, call: Call): Promise<string> {
  const { operands, usage } = call;
  const [, source] = operands;
  // What it is must not be repeated: it may be the password.
  if (source !== undefined && source !== "-")
    throw new StepwellError("USAGE", "A password is not given as an argument: it is asked for, or read with -.", {
      hint: usage,
    });
  if (source === "-") return readFileSync(0, "utf8").replace(/\r?\n$/, "");
  if (!canAsk(call))
    throw new StepwellError("USAGE", "Nobody is here to type the password.", {
      hint: `stepwell user password ${user} - < file`,
    });
  const { askSecret } = await import("../ask-secret.ts");
  const password = await askSecret(`Password of ${user}: `);
  if ((await askSecret("Once more: ")) === password) return password;
  throw new StepwellError("USAGE", "The two are not the same; nothing was changed.");
}
