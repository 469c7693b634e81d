// `stepwell token create`: stdout is the token, which is never shown again.

import { StepwellError } from "../../error.ts";
import { parseDuration } from "../../flow/duration.ts";
import { toTokenDocument } from "../../server/document/access.ts";
import { defineCommand, type Command } from "../command.ts";
import { openSession } from "../session.ts";
import { createTimeFormat } from "../time.ts";

export const command: Command = defineCommand({
  operands: [{ name: "<user>" }],
  flags: {
    name: { value: "TEXT", about: "what it is for" },
    scope: {
      value: "WORD|KEY",
      about: "only for this: read, run, approve, save, admin or a permission",
      isRepeated: true,
    },
    expires: { value: "90d|WHEN", about: "after so long, or then; never unless given" },
  },
  details: "The token is shown this once; the store keeps only its hash.",
  examples: [
    "token create ann --name 'nightly job' --scope run --expires 90d",
    "token create ann --name robot --scope read --scope 130001.signal",
  ],
  async act(call) {
    const { operands, values, out, usage } = call;
    const [user] = operands;
    if (user === undefined) throw new StepwellError("USAGE", "Say for which user.", { hint: usage });
    if (values.name === undefined)
      throw new StepwellError("USAGE", "Say what it is for: --name TEXT.", { hint: usage });
    const format = createTimeFormat(values.tz);
    const expiresAt = values.expires === undefined ? undefined : await readExpiry(values.expires, values.tz);
    await using session = await openSession(call);
    const token = await session.engine.access.tokens.create({
      user,
      name: values.name,
      ...(values.scope.length === 0 ? {} : { scopes: values.scope }),
      ...(expiresAt === undefined ? {} : { expiresAt }),
    });
    out.tell({ document: { ...toTokenDocument(token), text: token.text }, lines: () => [token.text] });
    out.say(
      `token ${token.id} of ${user}${expiresAt === undefined ? "" : `, until ${format(expiresAt)}`}: it is not shown again`,
    );
    return 0;
  },
});

async function readExpiry(text: string, zone: string | undefined): Promise<number> {
  const now = Date.now();
  const ms = parseDuration(text);
  if (ms !== undefined) return now + ms;
  const { parseInstant } = await import("../../flow/time/instant.ts");
  const reading = parseInstant(text, { now, zone: zone ?? new Intl.DateTimeFormat().resolvedOptions().timeZone });
  if (reading.ok) return reading.at;
  throw new StepwellError("USAGE", reading.problem, { hint: `--expires 90d, or: ${reading.hint}` });
}
