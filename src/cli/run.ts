// `stepwell run`: starts a flow and follows it to its end.

import { readFileSync, statSync } from "node:fs";
import { StepwellError } from "../error.ts";
import { compile } from "../flow/validate/compile.ts";
import { parseOptions, readDurability, readTimeout, readUser, storeOptions } from "./arguments.ts";
import { readInput } from "./input.ts";
import { commandOf } from "./program.ts";
import { openScreen, type Screen } from "./screen.ts";
import { openSession, type Session } from "./session.ts";
import { waitForRun } from "./wait.ts";
import { runUsage } from "./usage.ts";

const options = {
  ...storeOptions,
  input: { type: "string" },
  key: { type: "string" },
  timeout: { type: "string" },
  detach: { type: "boolean", default: false },
} as const;

export async function runFlow(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseOptions(args, options, runUsage);
  const [file, ...pairs] = positionals;
  if (file === undefined) throw new StepwellError("USAGE", "Say which flow to run.", { hint: runUsage });
  const durability = readDurability(values.durability);
  const timeoutMs = readTimeout(values.timeout);
  // All that can be wrong without a store is found before one is made.
  const text = readFlow(file);
  const plan = compile(text);
  const input = readInput({ whole: values.input, pairs, schema: plan.input.schema });
  using screen = openScreen(values);
  const session = await openSession({ store: values.store, durability, say: screen.say });
  try {
    const run = await session.engine.start(text, {
      input,
      as: readUser(values.as),
      ...(values.key === undefined ? {} : { idempotencyKey: values.key }),
      ...(plan.name === null ? { name: nameOf(file) } : {}),
    });
    for (const warning of run.warnings) screen.say(`warning: ${warning}`);
    if (values.detach) return leave(session, run.id, { screen, isJson: values.json || values.jsonl });
    return await waitForRun({ session, run: run.id, plan, screen, values, timeoutMs });
  } finally {
    await session.engine.stop();
  }
}

export function readFlow(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) throw new StepwellError("FILE_NOT_FOUND", `There is no file "${path}".`, { hint: runUsage });
  if (found.isDirectory()) {
    throw new StepwellError("FILE_NOT_FOUND", `"${path}" is a folder; name a file in it.`, { hint: runUsage });
  }
  return readFileSync(path, "utf8");
}

/** Of a flow that has no name of its own. */
function nameOf(file: string): string {
  return file.replace(/^.*[/\\]/, "").replace(/\.(?:json|ya?ml)$/, "");
}

type Leaving = { readonly screen: Screen; readonly isJson: boolean };

function leave({ engine, store }: Session, run: number, { screen, isJson }: Leaving): number {
  process.stdout.write(isJson ? `${JSON.stringify({ id: run, status: "started" })}\n` : `${run}\n`);
  if (engine.isOwner) {
    screen.say(
      `Run ${run} is on disk. Nobody works on it now; this does: ${commandOf(`watch ${run} --store ${store}`)}`,
    );
  }
  return 0;
}
