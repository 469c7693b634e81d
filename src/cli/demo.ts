// `stepwell demo`, and what `npm start` shows: a few flows on a real file, one after the other, while anybody may look at
// the rows with any SQL client. It ends by itself.

import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { Engine } from "../engine/engine.ts";
import type { Row } from "../run/model.ts";
import { compile } from "../flow/validate/compile.ts";
import { parseOptions, readDurability, readUser, storeOptions } from "./arguments.ts";
import type { FollowedRun } from "./followed-run.ts";
import { followRun } from "./follow-run.ts";
import { commandOf } from "./program.ts";
import { openScreen, type Screen } from "./screen.ts";
import { openSession, type Session } from "./session.ts";
import { interruptedExitCode, onStopSignal } from "./signals.ts";
import { isOpenGate } from "./wait.ts";
import { demoUsage } from "./usage.ts";

const options = { ...storeOptions, store: { type: "string", default: ".stepwell/demo.db" } } as const;

const flows = ["hello", "flaky", "fan-out", "publish"];

/** Long enough to read what is asked. */
const answerAfterMs = 2500;

export async function showDemo(args: readonly string[]): Promise<number> {
  const { values } = parseOptions(args, options, demoUsage);
  const durability = readDurability(values.durability);
  using screen = openScreen(values, process.stdout);
  const session = await openSession({ store: values.store, durability, say: screen.say });
  const controller = new AbortController();
  using _ = onStopSignal(() => controller.abort());
  const showing = { session, screen, user: readUser(values.as), signal: controller.signal };
  try {
    screen.say(lookHint(session.store));
    for (const flow of flows) if (!controller.signal.aborted) await showFlow(flow, showing);
    if (controller.signal.aborted) return interruptedExitCode;
    screen.say(`\nAll of it is in ${session.store}, and stays there.`);
    screen.say(`Run a flow of your own:  ${commandOf("examples/flows/hello.yaml who=Ada")}`);
    screen.say(`Check and draw flows:    ${commandOf("examples path/to/flow.yaml")}`);
    return 0;
  } finally {
    await session.engine.stop();
  }
}

function lookHint(store: string): string {
  const columns = "workflow_id, name, tool, status, attempt";
  return `Look at it while it runs, in another terminal:\n  sqlite3 ${store} 'select ${columns} from workflow_steps'`;
}

type Showing = {
  readonly session: Session;
  readonly screen: Screen;
  readonly user: string;
  readonly signal: AbortSignal;
};

async function showFlow(name: string, { session, screen, user, signal }: Showing): Promise<void> {
  const { engine, store } = session;
  const text = readFileSync(fileURLToPath(new URL(`../../examples/flows/${name}.yaml`, import.meta.url)), "utf8");
  screen.say("");
  const { id: run } = await engine.start(text, { as: user });
  const answered = new Set<number>();
  const seen = ({ rows }: FollowedRun): void => {
    for (const row of rows.filter(isOpenGate)) {
      if (answered.has(row.id)) continue;
      answered.add(row.id);
      screen.say(`"${row.name}" waits for a person: ${commandOf(`approve ${row.id} --store ${store}`)}`);
      screen.say("If nobody does, the demo says yes in a moment.");
      void approveLater(engine, row, signal);
    }
  };
  await followRun({ engine, run, plan: compile(text), screen, signal, seen });
  screen.settle();
}

async function approveLater(engine: Engine, row: Row, signal: AbortSignal): Promise<void> {
  try {
    await sleep(answerAfterMs, undefined, { signal });
    await engine.approve(row.id, { by: "demo" });
  } catch {
    // Somebody was quicker, or the demo is over: nobody needs to know.
  }
}
