// `stepwell run`: starts a flow and follows it to its end.

import { StepwellError } from "../../error.ts";
import type { Json, JsonObject } from "../../flow/json.ts";
import type { Plan } from "../../flow/plan.ts";
import { defineCommand, type Call, type Command, type Flags, type Values } from "../command.ts";
import { hintingAtFile, isFilePath, nameOfFile, readFlowFile } from "../flow-file.ts";
import { followFlags, followStarted, leave, readTimeout } from "../follow-flags.ts";
import { openScreen } from "../screen.ts";
import { urlOf } from "../server-place.ts";
import { openSession } from "../session.ts";
import { readSettings } from "../settings.ts";
import { openView } from "../open-view.ts";
import { hasPlace } from "../view.ts";

const flags = {
  input: { value: "JSON|@file|-", about: "the input as a whole; key=value goes over it" },
  at: { value: "WHEN", about: 'start it then: "tomorrow at 9am", "in 30 minutes", ISO 8601' },
  key: { value: "KEY", about: "the same key gives the same run" },
  ...followFlags,
  "dry-run": { about: "say what would be started, and start nothing" },
} as const satisfies Flags;

type RunCall = Call & { readonly values: Values<typeof flags> };

export const command: Command = defineCommand({
  operands: [
    { name: "<workflow|file>", completes: "flow" },
    { name: "[key=value …]", isRepeated: true },
  ],
  flags,
  details:
    "Values are JSON where they can be; key:=json must be, key=@file reads a file. stdout gets the run's output.",
  examples: [
    "run hello.yaml who=Ada",
    "run hello.yaml --input @input.json --json",
    "run hello.yaml --at 'tomorrow at 9am'",
  ],
  async act(call) {
    const [given, ...pairs] = call.operands;
    if (given === undefined || given === "")
      throw new StepwellError("USAGE", "Say which flow to run.", { hint: call.usage });
    readTimeout(call);
    // All that can be wrong without a store is found before one is made.
    const wanted = await readWanted(given, pairs, call);
    return call.values["dry-run"] ? tellDryRun(wanted, call) : start(wanted, call);
  },
});

type Wanted = {
  /** The text of a flow, or the name of a saved workflow. */
  readonly flow: string;
  readonly plan: Plan;
  readonly name: string | null;
  readonly input: JsonObject;
};

async function readWanted(given: string, pairs: readonly string[], call: RunCall): Promise<Wanted> {
  const { values, usage } = call;
  const isFile = isFilePath(given);
  const flow = isFile ? readFlowFile(given, usage) : await hintingAtFile(given, readSaved(given, call));
  const [{ compile }, { readInput }] = await Promise.all([
    import("../../flow/validate/compile.ts"),
    import("../input.ts"),
  ]);
  const plan = compile(flow);
  const input = readInput({ whole: values.input, pairs, schema: plan.input.schema });
  if (!isFile) return { flow: given, plan, name: null, input };
  return {
    flow: typeof flow === "string" ? flow : given,
    plan,
    name: plan.name === null ? nameOfFile(given) : null,
    input,
  };
}

async function readSaved(name: string, call: RunCall): Promise<Json> {
  if (urlOf(call) === undefined && readSettings(call).workflows.length > 0) {
    // Those that lie in files are saved when an engine opens.
    await using session = await openSession(call);
    return (await session.engine.workflows.get(name)).flow;
  }
  if (!(await hasPlace(call))) {
    const hint = "saved workflows are in a store; --store names it";
    throw new StepwellError(
      "FILE_NOT_FOUND",
      `There is no file "${name}", and no store with a workflow of that name.`,
      { hint },
    );
  }
  await using view = await openView(call);
  return (await view.getWorkflow(name)).flow;
}

async function start({ flow, plan, name, input }: Wanted, call: RunCall): Promise<number> {
  const { values, out } = call;
  const at = values.at === undefined ? null : await readAt(values.at, values.tz);
  using screen = openScreen(call);
  await using session = await openSession({ ...call, say: screen.say });
  const { engine, store, user } = session;
  if (engine.isOwner && !values.verbose) out.say(`store: ${store}`);
  const run = await engine.start(flow, {
    input,
    as: user,
    ...(values.key === undefined ? {} : { idempotencyKey: values.key }),
    ...(name === null ? {} : { name }),
    // In its words, as the engine keeps them: under a key the same words mean the same run, whenever they are said.
    ...(values.at === undefined || at === null ? {} : { at: values.at, tz: at.zone }),
  });
  const { findStrangers } = await import("../input.ts");
  for (const warning of findStrangers(input, plan.input.schema)) screen.say(`warning: ${warning}`);
  for (const warning of run.warnings) screen.say(`warning: ${warning}`);
  if (at === null) return await followStarted(call, { session, run: run.id, plan, screen });
  screen.say(`at: ${await tellWhen(at, run.scheduledAt)}`);
  return await leave(call, { session, run: run.id, screen });
}

/** The words are read here and there, one after the other. */
const aboutMs = 5000;

type When = { readonly at: number; readonly echo: string; readonly zone: string };

/** `zone`: ours, also where a server reads the words. */
async function readAt(text: string, wanted: string | undefined): Promise<When> {
  const { parseInstant } = await import("../../flow/time/instant.ts");
  const zone = wanted ?? new Intl.DateTimeFormat().resolvedOptions().timeZone;
  const reading = parseInstant(text, { now: Date.now(), zone });
  if (reading.ok) return { at: reading.at, echo: reading.echo, zone };
  throw new StepwellError("INPUT_INVALID", reading.problem, { hint: reading.hint });
}

/** Under a key it may be a run that was started earlier, and is due earlier. */
async function tellWhen({ at, echo, zone }: When, scheduledAt: number | null): Promise<string> {
  if (scheduledAt === null || Math.abs(scheduledAt - at) < aboutMs) return echo;
  const [{ formatInstant }, { findZone }] = await Promise.all([
    import("../../flow/time/echo.ts"),
    import("../../flow/time/zone.ts"),
  ]);
  const known = findZone(zone);
  return known === undefined ? echo : formatInstant(scheduledAt, known);
}

async function tellDryRun({ plan, name, input }: Wanted, { values, out }: RunCall): Promise<number> {
  const { checkInput } = await import("../../engine/input.ts");
  const checked = checkInput(plan, input);
  const at = values.at === undefined ? null : await readAt(values.at, values.tz);
  const label = plan.name ?? name ?? "flow";
  out.tell({
    document: { dry_run: true, name: label, flow: plan.hash, input: checked, scheduled_at: at?.at ?? null },
    ids: [],
    lines: () => [
      `would start  ${label}`,
      `input        ${JSON.stringify(checked)}`,
      `when         ${at?.echo ?? "now"}`,
      `steps        ${Object.values(plan.steps)
        .map(({ label: step }) => step)
        .join(", ")}`,
    ],
  });
  out.say("Nothing was started.");
  return 0;
}
