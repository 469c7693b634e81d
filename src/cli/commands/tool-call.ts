// `stepwell tool call`: calls a tool once, through the engine.

import { StepwellError } from "../../error.ts";
import type { Json } from "../../flow/json.ts";
import { toCallDocument } from "../../server/document/tool.ts";
import { defineCommand, type Call, type Command } from "../command.ts";
import { endedExitCodes } from "../exit-codes.ts";
import { toPlainLines } from "../plain-lines.ts";
import { openSession } from "../session.ts";
import { readDuration } from "../time.ts";
import { openToolBox } from "../tool-box.ts";

export const command: Command = defineCommand({
  operands: [
    { name: "<tool>", completes: "tool" },
    { name: "[key=value …]", isRepeated: true },
  ],
  flags: {
    input: { value: "JSON|@file|-", about: "the arguments as a whole; key=value goes over it" },
    timeout: { value: "5m", about: "wait so long (exit code 8)" },
  },
  details:
    "The call is a run of one step: permissions, breakers and secrets hold, and it stands in the list of runs. It is not tried\nagain. Texts may hold {{ secrets.NAME }}. Exit code 1 when it fails.",
  examples: ["tool call text.upper text=hello", 'tool call demo.echo --input \'{"text": "hi"}\' --json'],
  async act(call) {
    const { operands, values, out, usage } = call;
    const [name, ...pairs] = operands;
    if (name === undefined) throw new StepwellError("USAGE", "Say which tool.", { hint: usage });
    const timeoutMs = readDuration(values.timeout, "--timeout");
    const { readInput } = await import("../input.ts");
    // Another process may own the store and have tools that are not known here.
    const schema = (await openToolBox(call)).find(name)?.input ?? null;
    const args = readInput({ whole: values.input, pairs, schema });
    await using session = await openSession(call);
    const called = await session.engine.tools.call(name, args, {
      as: session.user,
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
    });
    const { run, result, outcome, error } = called;
    out.tell({
      document: toCallDocument(name, called),
      ids: [run],
      lines: () => (error === null ? linesOf(result, call) : []),
    });
    if (error === null) {
      if (outcome !== null && outcome !== "success") out.say(`outcome: ${outcome}`);
      return endedExitCodes.ok;
    }
    const { toPlainText } = await import("../../flow/draw/text.ts");
    if (!out.isJson) out.say(`error: ${toPlainText(error.message)} (${error.code})`);
    return endedExitCodes.failed;
  },
});

function linesOf(result: Json, { surroundings }: Call): readonly string[] {
  const text = typeof result === "string" ? result : JSON.stringify(result, null, 2);
  // A program gets it as it is; a terminal must not be steered by what a tool has answered.
  return surroundings.stdout.isTTY === true ? toPlainLines(text) : [text];
}
