// `stepwell emit`: an event for every run that waits for it now.

import { StepwellError } from "../../error.ts";
import { defineCommand, type Command } from "../command.ts";
import { nobodyWorks, openSession } from "../session.ts";
import { refuseMissing } from "../view.ts";

export const command: Command = defineCommand({
  operands: [{ name: "<event>" }, { name: "[key=value …]", isRepeated: true }],
  flags: { data: { value: "JSON|@file|-", about: "the data as a whole; key=value goes over it" } },
  examples: ["emit shipped order=17"],
  async act(call) {
    const { values, usage, out } = call;
    const [event, ...pairs] = call.operands;
    if (event === undefined) throw new StepwellError("USAGE", "Say which event.", { hint: usage });
    const { readInput } = await import("../input.ts");
    const data = readInput({ whole: values.data, pairs, schema: null });
    await refuseMissing(call);
    await using session = await openSession(call);
    const runs = await session.engine.emit(event, data);
    out.tell({ document: { event, runs }, ids: [], lines: () => [`${runs} ${runs === 1 ? "run" : "runs"}`] });
    if (session.engine.isOwner && runs > 0) out.say(nobodyWorks(session.store));
    return 0;
  },
});
