// `stepwell remove`: removes runs that have ended.

import { actOnRuns, selectRuns } from "../act-on-runs.ts";
import { confirm } from "../ask.ts";
import { defineCommand, type Command } from "../command.ts";

export const command: Command = defineCommand({
  operands: [{ name: "<run …>", completes: "run", isRepeated: true }],
  flags: {},
  details: "A run goes with its steps, its history and all its sub-runs. One that is alive stays: cancel it first.",
  examples: ["remove 1774093092891", "remove 1774093092891 1774093092894 --yes"],
  async act(call) {
    const runs = await selectRuns(call);
    const [first] = runs;
    const which = runs.length === 1 && first !== undefined ? `run ${first}` : `${runs.length} runs`;
    if (!(await confirm(`Remove ${which} with all that is known of ${runs.length === 1 ? "it" : "them"}?`, call))) {
      call.out.say("Nothing was removed.");
      return 0;
    }
    return actOnRuns(call, {
      act: async ({ engine }, run) => void (await engine.remove(run)),
      done: "removed",
      isGoneThen: true,
    });
  },
});
