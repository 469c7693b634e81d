// The dispatcher of an owner: with how often tools may be called, where somebody limits it.

import { CallRates } from "./call-rates.ts";
import { Dispatcher, type Pace } from "./dispatcher.ts";
import type { Entries } from "./entries.ts";
import type { OwnerParts } from "./owner-parts.ts";

const kind = "rate";

export function createDispatcher(
  { callLimits, clock, tools }: Pick<OwnerParts, "callLimits" | "clock" | "tools">,
  entries: Entries,
  offer: Pace["offer"],
): Dispatcher {
  const { ratePerTool, ratePerUser } = callLimits;
  const nameOf = (tool: string): string => tools.find(tool)?.name ?? tool;
  if (ratePerUser === null && Object.keys(ratePerTool).length === 0) return new Dispatcher(callLimits, null, nameOf);
  const rates = new CallRates(callLimits, {
    now: () => clock.now(),
    nameOf,
    kept: () => entries.list(kind),
    // Lost with a batch that cannot be written: the next call writes it anew.
    keep: (changes) => void entries.change(changes.map((change) => ({ kind, ...change }))).catch(() => {}),
  });
  return new Dispatcher(callLimits, { rates, after: (delayMs, act) => clock.after(delayMs, act), offer }, nameOf);
}
