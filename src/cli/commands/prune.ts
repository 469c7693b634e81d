// `stepwell prune`: removes runs that ended long ago.

import { StepwellError } from "../../error.ts";
import { confirm } from "../ask.ts";
import { defineCommand, type Command } from "../command.ts";
import { createTimeFormat, readDuration } from "../time.ts";
import { refuseMissing } from "../view.ts";

export const command: Command = defineCommand({
  operands: [],
  flags: { "older-than": { value: "30d", about: "runs that ended longer ago than this" } },
  details:
    "Live runs never go, and a run goes with all its sub-runs or not at all. Nobody else may own the store meanwhile.",
  examples: ["prune --older-than 30d --yes"],
  async act(call) {
    const { values, out, usage } = call;
    const ageMs = readDuration(values["older-than"], "--older-than");
    if (ageMs === undefined)
      throw new StepwellError("USAGE", "Say how old they must be: --older-than 30d.", { hint: usage });
    const format = createTimeFormat(values.tz);
    const store = refuseMissing(call);
    const endedBefore = Date.now() - ageMs;
    const { countEnded, pruneFile } = await import("../../store/sqlite/prune-file.ts");
    const count = countEnded(store, endedBefore);
    const question = `Remove ${count} ${count === 1 ? "run" : "runs"} that ended before ${format(endedBefore)}?`;
    if (count > 0 && !(await confirm(question, call))) {
      out.say("Nothing was removed.");
      return 0;
    }
    const { runs } = count === 0 ? { runs: 0 } : await pruneFile(store, endedBefore);
    out.tell({ document: { runs, ended_before: endedBefore }, ids: [], lines: () => [`${runs} removed`] });
    return 0;
  },
});
