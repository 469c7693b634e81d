// Of commands that start a run: whether and how long it is followed.

import type { Plan } from "../flow/plan.ts";
import type { Call, Values } from "./command.ts";
import { commandOn } from "./program.ts";
import { toRunDocument } from "../server/document/run.ts";
import type { Screen } from "./screen.ts";
import type { Session } from "./session.ts";
import { readDuration } from "./time.ts";
import { waitForRun } from "./wait.ts";

export const followFlags = {
  detach: { about: "start it and go; prints the id" },
  timeout: { value: "5m", about: "wait so long, then leave it to itself (exit code 8)" },
  "exit-on-wait": { about: "leave when it waits for a person (exit code 9)" },
} as const;

type Follow = Call & { readonly values: Values<typeof followFlags> };

export type Following = {
  readonly session: Session;
  readonly run: number;
  readonly plan: Plan | null;
  readonly screen: Screen;
};

/** Before anything is started: a wrong length of time must not leave a run behind. */
export function readTimeout({ values }: Follow): number | undefined {
  return readDuration(values.timeout, "--timeout");
}

/** Follows a run that was just started, or leaves it at once. */
export async function followStarted(call: Follow, { session, run, plan, screen }: Following): Promise<number> {
  const { values } = call;
  if (values.detach) return leave(call, { session, run, screen });
  return waitForRun({
    ...call,
    session,
    run,
    plan,
    screen,
    timeoutMs: readTimeout(call),
    exitOnWait: values["exit-on-wait"],
  });
}

export async function leave(
  { out }: Call,
  { session, run, screen }: Pick<Following, "session" | "run" | "screen">,
): Promise<number> {
  const { engine, store } = session;
  const { steps: _, flow, updatedAt, ...row } = await engine.get(run);
  out.tell({ document: toRunDocument({ run: row, flow, updatedAt }), lines: () => [String(run)] });
  if (engine.isOwner) {
    screen.say(`Run ${run} is on disk. Nobody works on it now; this does: ${commandOn(store, `watch ${run}`)}`);
  }
  return 0;
}
