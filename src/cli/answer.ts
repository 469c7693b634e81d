// `stepwell approve` and `stepwell reject`: answers a gate, by its own id or by that of its run.

import { StepwellError } from "../error.ts";
import type { Engine } from "../engine/engine.ts";
import type { RowId } from "../run/model.ts";
import { parseOptions, readDurability, readUser, storeOptions } from "./arguments.ts";
import { readInput } from "./input.ts";
import { openScreen } from "./screen.ts";
import { nobodyWorks, openSession, refuseMissing } from "./session.ts";
import { readId } from "./watch.ts";
import { answerUsage } from "./usage.ts";

const options = { ...storeOptions, comment: { type: "string" }, data: { type: "string" } } as const;

export async function answerGate(answer: "approve" | "reject", args: readonly string[]): Promise<number> {
  const { values, positionals } = parseOptions(args, options, answerUsage);
  const id = readId(positionals, answerUsage);
  const data = values.data === undefined ? undefined : readInput({ whole: values.data, pairs: [], schema: null });
  refuseMissing(values.store);
  using screen = openScreen({ ...values, json: true });
  const { engine } = await openSession({
    store: values.store,
    durability: readDurability(values.durability),
    say: screen.say,
  });
  try {
    const step = await findGate(engine, id);
    await engine[answer](step, {
      by: readUser(values.as),
      ...(values.comment === undefined ? {} : { comment: values.comment }),
      ...(data === undefined ? {} : { data }),
    });
    process.stdout.write(values.json ? `${JSON.stringify({ step, answer })}\n` : `${step}\n`);
    if (engine.isOwner) screen.say(nobodyWorks(values.store));
    return 0;
  } finally {
    await engine.stop();
  }
}

/** The gate itself, or the only one of a run that waits. */
async function findGate(engine: Engine, id: number): Promise<RowId> {
  const run = await engine.get(id).catch((error: unknown) => {
    if (error instanceof StepwellError && error.code === "RUN_NOT_FOUND") return null;
    throw error;
  });
  if (run === null) return id;
  const open = run.steps.filter((row) => row.gate !== null && row.status === "pending");
  const [gate] = open;
  if (gate !== undefined && open.length === 1) return gate.id;
  const told = open.map((row) => `${row.id} (${row.name})`).join(", ");
  throw new StepwellError(
    "STEP_NOT_FOUND",
    open.length === 0
      ? `No gate of run ${id} waits for an answer.`
      : `Several gates of run ${id} wait: ${told}. Name one.`,
  );
}
