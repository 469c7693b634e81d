// `stepwell secret set`: the value is asked for without being shown, or read from standard input. On the command line
// everybody on the machine could see it, and the shell would keep it.

import { readFileSync } from "node:fs";
import { StepwellError } from "../../error.ts";
import { canAsk } from "../ask.ts";
import { defineCommand, type Call, type Command, type Values } from "../command.ts";
import { openSession } from "../session.ts";

const flags = {
  value: { value: "TEXT", about: "the value itself; others on this machine can see it" },
} as const;

export const command: Command = defineCommand({
  operands: [{ name: "<name>" }, { name: "[-]", completes: ["-"] }],
  flags,
  details: "Asks for the value without showing it; - reads it from standard input, without the line break at its end.",
  examples: ["secret set API_KEY", "secret set API_KEY -"],
  async act(call) {
    const { operands, out, usage } = call;
    const [name] = operands;
    if (name === undefined) throw new StepwellError("USAGE", "Say under which name.", { hint: usage });
    const value = await readValue(name, call);
    await using session = await openSession(call);
    await session.engine.secrets.set(name, value);
    out.tell({ document: { name }, ids: [name], lines: () => [name] });
    out.say(`set: flows name it {{ secrets.${name} }}, in the arguments of calls`);
    return 0;
  },
});

async function readValue(name: string, call: Call & { readonly values: Values<typeof flags> }): Promise<string> {
  const { operands, values, out, usage } = call;
  const [, source] = operands;
  if (source !== undefined && (source !== "-" || values.value !== undefined)) {
    // What it is must not be repeated: it may be the secret.
    const message = "A secret is not given as an argument: it is asked for, or read from standard input with -.";
    throw new StepwellError("USAGE", message, { hint: usage });
  }
  if (source === "-") return readFileSync(0, "utf8").replace(/\r?\n$/, "");
  if (values.value !== undefined) {
    out.say("warning: a value on the command line is seen by others on this machine, and kept by the shell");
    return values.value;
  }
  if (!canAsk(call))
    throw new StepwellError("USAGE", "Nobody is here to type the secret.", {
      hint: `stepwell secret set ${name} - < file`,
    });
  const { askSecret } = await import("../ask-secret.ts");
  return askSecret(`${name}: `);
}
