// `stepwell prune`: removes runs that ended long ago.

import { StepwellError } from "../../error.ts";
import { confirm } from "../ask.ts";
import { defineCommand, type Call, type Command } from "../command.ts";
import { refuseUrl } from "../server-place.ts";
import { openSession } from "../session.ts";
import { createTimeFormat, readDuration } from "../time.ts";
import { openStoreView } from "../store-view.ts";

export const command: Command = defineCommand({
  operands: [],
  flags: { "older-than": { value: "30d", about: "runs that ended longer ago than this" } },
  details:
    "Live runs never go, and a run goes with all its sub-runs or not at all. Whoever owns the store does it, a few at a time.",
  isLocal: true,
  examples: ["prune --older-than 30d --yes"],
  async act(call) {
    const { values, out, usage } = call;
    refuseUrl(call, "prune");
    const ageMs = readDuration(values["older-than"], "--older-than");
    if (ageMs === undefined)
      throw new StepwellError("USAGE", "Say how old they must be: --older-than 30d.", { hint: usage });
    const format = createTimeFormat(values.tz);
    const endedBefore = Date.now() - ageMs;
    const count = await countEnded(call, endedBefore);
    const question = `Remove ${count} ${count === 1 ? "run" : "runs"} that ended before ${format(endedBefore)}?`;
    if (count > 0 && !(await confirm(question, call))) {
      out.say("Nothing was removed.");
      return 0;
    }
    const { runs } = count === 0 ? { runs: 0 } : await prune(call, endedBefore);
    out.tell({ document: { runs, ended_before: endedBefore }, ids: [], lines: () => [`${runs} removed`] });
    return 0;
  },
});

/** For who may do it: others need not know how many there are. */
async function countEnded(call: Call, endedBefore: number): Promise<number> {
  await using view = await openStoreView(call);
  await view.allow("admin");
  return view.lookup.countEnded(endedBefore);
}

async function prune(call: Call, endedBefore: number): Promise<{ readonly runs: number }> {
  await using session = await openSession(call);
  return await session.engine.prune({ endedBefore });
}
