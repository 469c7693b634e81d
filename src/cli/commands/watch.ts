// `stepwell watch`: follows a run that is there already, and works on it if nobody else does.

import type { Plan } from "../../flow/plan.ts";
import { defineCommand, type Call, type Command } from "../command.ts";
import { followFlags } from "../follow-flags.ts";
import { openScreen } from "../screen.ts";
import { readRunId, selectRun } from "../select.ts";
import { openSession } from "../session.ts";
import { readDuration } from "../time.ts";
import { openView } from "../open-view.ts";
import { waitForRun } from "../wait.ts";

const { timeout, "exit-on-wait": exitOnWait } = followFlags;

export const command: Command = defineCommand({
  operands: [{ name: "<run>", completes: "run" }],
  flags: { timeout, "exit-on-wait": exitOnWait },
  examples: ["watch 1774093092891", "watch 1774093092891 --timeout 5m --json"],
  async act(call) {
    const timeoutMs = readDuration(call.values.timeout, "--timeout");
    const { run, plan } = await findPlan(call);
    using screen = openScreen(call);
    await using session = await openSession({ ...call, say: screen.say });
    return await waitForRun({
      ...call,
      session,
      run,
      plan,
      screen,
      timeoutMs,
      exitOnWait: call.values["exit-on-wait"],
    });
  },
});

async function findPlan(call: Call): Promise<{ readonly run: number; readonly plan: Plan | null }> {
  const text = readRunId(call);
  await using view = await openView(call);
  const whole = await view.read(await selectRun(view, text, call));
  return { run: whole.run.id, plan: await view.planOf(whole) };
}
