// `stepwell watch`: follows a run that is there already, and works on it if nobody else does.

import { StepwellError } from "../error.ts";
import { parseOptions, readDurability, readTimeout, storeOptions } from "./arguments.ts";
import { openScreen } from "./screen.ts";
import { openSession, refuseMissing } from "./session.ts";
import { waitForRun } from "./wait.ts";
import { watchUsage } from "./usage.ts";

const options = { ...storeOptions, timeout: { type: "string" } } as const;

export async function watchRun(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseOptions(args, options, watchUsage);
  const run = readId(positionals, watchUsage);
  const timeoutMs = readTimeout(values.timeout);
  refuseMissing(values.store);
  using screen = openScreen(values);
  const session = await openSession({
    store: values.store,
    durability: readDurability(values.durability),
    say: screen.say,
  });
  try {
    return await waitForRun({ session, run, plan: null, screen, values, timeoutMs });
  } finally {
    await session.engine.stop();
  }
}

/** Of a run or a step. */
export function readId(positionals: readonly string[], usage: string): number {
  const [given = "", ...more] = positionals;
  const id = Number(given);
  if (/^\d+$/.test(given) && Number.isSafeInteger(id) && more.length === 0) return id;
  throw new StepwellError(
    "USAGE",
    given === "" ? "Say which one: its id is a number." : `"${positionals.join(" ")}" is no id.`,
    {
      hint: usage,
    },
  );
}
