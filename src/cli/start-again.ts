// A run once more, as a new one that is followed.

import type { Plan } from "../flow/plan.ts";
import type { RunRow } from "../run/model.ts";
import type { Call, Values } from "./command.ts";
import { followStarted, readTimeout, type followFlags } from "./follow-flags.ts";
import { openScreen } from "./screen.ts";
import { readRunId, selectRun } from "./select.ts";
import { openSession, type Session } from "./session.ts";
import { openView } from "./open-view.ts";

type AgainCall = Call & { readonly values: Values<typeof followFlags> };

export type Earlier = { readonly run: RunRow; readonly plan: Plan | null };

/** `start` is given the earlier run; null: the person thought better of it. */
export async function startAgain(
  call: AgainCall,
  start: (session: Session, earlier: Earlier) => Promise<{ readonly id: number } | null>,
): Promise<number> {
  readTimeout(call);
  const earlier = await readEarlier(call);
  using screen = openScreen(call);
  await using session = await openSession({ ...call, say: screen.say });
  const started = await start(session, earlier);
  if (started === null) return 0;
  return await followStarted(call, { session, run: started.id, plan: earlier.plan, screen });
}

async function readEarlier(call: Call): Promise<Earlier> {
  const text = readRunId(call);
  await using view = await openView(call);
  const whole = await view.read(await selectRun(view, text, call));
  return { run: whole.run, plan: await view.planOf(whole) };
}

/** A row's id, or the name of a step. */
export function readFrom(text: string | undefined): { readonly from?: number | string } {
  if (text === undefined) return {};
  return { from: /^\d{10,}$/.test(text) ? Number(text) : text };
}
