// `stepwell cancel`.

import { parseOptions, readDurability, readUser, storeOptions } from "./arguments.ts";
import { openScreen } from "./screen.ts";
import { nobodyWorks, openSession, refuseMissing } from "./session.ts";
import { readId } from "./watch.ts";
import { cancelUsage } from "./usage.ts";

const options = { ...storeOptions, reason: { type: "string" } } as const;

export async function cancelRun(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseOptions(args, options, cancelUsage);
  const run = readId(positionals, cancelUsage);
  refuseMissing(values.store);
  using screen = openScreen({ ...values, json: true });
  const { engine } = await openSession({
    store: values.store,
    durability: readDurability(values.durability),
    say: screen.say,
  });
  try {
    await engine.cancel(run, {
      by: readUser(values.as),
      ...(values.reason === undefined ? {} : { reason: values.reason }),
    });
    process.stdout.write(values.json ? `${JSON.stringify({ id: run, status: "cancelling" })}\n` : `${run}\n`);
    if (engine.isOwner) screen.say(nobodyWorks(values.store));
    return 0;
  } finally {
    await engine.stop();
  }
}
