// `stepwell demo`, and what `npm start` shows: a few flows on a real file, one after the other, while anybody may look at
// the rows with any SQL client; then the process that does the work is killed, and another one goes on. It ends by itself.

import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { StepwellError } from "../../error.ts";
import { nearest } from "../../flow/suggest.ts";
import type { Row } from "../../run/model.ts";
import { isServerAddress, splitSchema } from "../../store/address.ts";
import { askYesNo, canAsk } from "../ask.ts";
import { defineCommand, type Call, type Command } from "../command.ts";
import { pullThePlug } from "../demo-crash.ts";
import { cleanDemoWorkflows, crashService } from "../demo-service.ts";
import type { FollowedRun } from "../followed-run.ts";
import { followRun } from "../follow-run.ts";
import { commandOf } from "../program.ts";
import { openScreen, type Screen } from "../screen.ts";
import { openSession, type Session } from "../session.ts";
import { interruptedExitCode, onStopSignal } from "../signals.ts";
import { showStore } from "../view.ts";
import { isOpenGate } from "../../engine/doing.ts";

/** In the order of the tour, each with what there is to see. */
const flows: readonly (readonly [name: string, about: string])[] = [
  ["hello", "Hello: four steps in a row, each on disk before the next begins."],
  ["flaky", "A failure that heals: the tool fails twice, the third try succeeds."],
  ["fan-out", "Several at once, and a step that waits for all of them."],
  ["publish", "You decide: nothing goes out before a person has said yes."],
];
const parts: readonly string[] = ["crash", "clean"];
const demoStore = ".stepwell/demo.db";

/** Long enough to read what is asked. */
const answerAfterMs = 1500;

export const command: Command = defineCommand({
  operands: [{ name: "[crash|clean]", completes: parts }],
  flags: {},
  details:
    "crash: only the last part, in which the process that does the work is killed; with --url, a service is.\n" +
    "clean: delete the demo workflows that stepwell up has saved, as far as nobody has changed them.",
  isNobodys: true,
  examples: ["demo", "demo crash", "demo crash --url http://localhost:7700", "demo clean"],
  async act(call) {
    const { values, surroundings, operands, usage } = call;
    const [part] = operands;
    refuseOtherPart(part, usage);
    if (part === "clean") return cleanDemoWorkflows(call);
    if (values.url !== undefined && part === "crash") return crashService(values.url, call);
    if (values.url !== undefined)
      throw new StepwellError("USAGE", "The tour is on this machine and asks no server: leave --url out.", {
        hint: usage,
      });
    const store = values.store ?? demoStore;
    const controller = new AbortController();
    using _ = onStopSignal(() => controller.abort());
    using screen = openScreen(call, surroundings.stdout);
    const { signal } = controller;
    if (part !== "crash") await showFlows({ ...call, screen, store, signal });
    if (!signal.aborted) await pullThePlug({ ...call, screen, store, signal });
    if (signal.aborted) return interruptedExitCode;
    const shown = showStore(store);
    screen.say(`\nAll of it is in ${shown}, and stays there: ${commandOf(`list --store ${shown}`)}`);
    screen.say(`Or with any SQL client:  ${toQuery(store, "id, name, status", "workflows")}`);
    screen.say(`Run a flow of your own:  ${commandOf("examples/flows/hello.yaml who=Ada")}`);
    screen.say(`Check and draw flows:    ${commandOf("examples path/to/flow.yaml")}`);
    return 0;
  },
});

function refuseOtherPart(part: string | undefined, usage: string): void {
  if (part === undefined || parts.includes(part)) return;
  const near = nearest(part, parts);
  const suggestion = near === undefined ? "" : ` Did you mean "${near}"?`;
  throw new StepwellError("USAGE", `There is no part "${part}" of the demo.${suggestion}`, { hint: usage });
}

type Showing = Pick<Call, "values" | "surroundings" | "out"> & {
  readonly screen: Screen;
  readonly store: string;
  readonly signal: AbortSignal;
};

async function showFlows(showing: Showing): Promise<void> {
  const { screen, store, signal } = showing;
  await using session = await openSession({ ...showing, say: screen.say });
  screen.say(`store: ${showStore(store)}`);
  screen.say(lookHint(store));
  for (const [name, about] of flows) {
    if (signal.aborted) return;
    screen.say(`\n${about}`);
    await showFlow(name, session, showing);
  }
}

function lookHint(store: string): string {
  const columns = "workflow_id, name, tool, status, attempt";
  return `Look at it while it runs, in another terminal:\n  ${toQuery(store, columns, "workflow_steps")}`;
}

/** What to type to see a public table. */
function toQuery(store: string, columns: string, table: string): string {
  if (!isServerAddress(store)) return `sqlite3 ${showStore(store)} 'select ${columns} from ${table}'`;
  // What speaks SQL to servers does not know the schema of ours.
  const { address, schema } = splitSchema(store);
  return `psql ${showStore(address)} -c 'select ${columns} from ${schema}.${table}'`;
}

async function showFlow(name: string, session: Session, showing: Showing): Promise<void> {
  const { engine, user } = session;
  const { screen, signal } = showing;
  const { compile } = await import("../../flow/validate/compile.ts");
  const text = readFileSync(fileURLToPath(new URL(`../../../examples/flows/${name}.yaml`, import.meta.url)), "utf8");
  const { id: run } = await engine.start(text, { as: user });
  const questions = new Map<number, AbortController>();
  const seen = ({ rows }: FollowedRun): void => {
    for (const row of rows) {
      const question = questions.get(row.id);
      // Somebody else was quicker.
      if (question !== undefined && !isOpenGate(row)) question.abort();
      if (question !== undefined || !isOpenGate(row)) continue;
      const controller = new AbortController();
      questions.set(row.id, controller);
      void decide(row, session, { ...showing, signal: AbortSignal.any([signal, controller.signal]) });
    }
  };
  await followRun({ engine, run, plan: compile(text), screen, signal, seen });
  screen.settle();
}

/** By the person at the keyboard, or by itself after a moment. */
async function decide(row: Row, { engine, user, store }: Session, showing: Showing): Promise<void> {
  const { screen, signal } = showing;
  screen.say(`"${row.name}" waits for a person: ${commandOf(`approve ${row.id} --store ${store}`)}`);
  try {
    if (!canAsk(showing)) {
      screen.say("If nobody does, the demo says yes in a moment.");
      await sleep(answerAfterMs, undefined, { signal });
      return await engine.approve(row.id, { by: "demo" });
    }
    const proceed = screen.rest();
    const isYes = await askYesNo(row.gate?.title ?? "Shall it go on?", signal);
    proceed();
    if (!signal.aborted) await (isYes ? engine.approve(row.id, { by: user }) : engine.reject(row.id, { by: user }));
  } catch {
    // Somebody was quicker, or the demo is over: nobody needs to know.
  }
}
