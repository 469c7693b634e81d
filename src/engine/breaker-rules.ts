// When a tool's circuit opens and for how long, as whoever opens the engine says. Not kept: the next engine may say
// otherwise, and what is kept of a breaker is read by its rules.

import { StepwellError } from "../error.ts";
import { defaultBreakerSettings, type BreakerSettings } from "../tool/breaker.ts";

/** `false`: no tool has a breaker, or this one has none. What is not said is as it is for all tools. */
export type BreakerOptions =
  | false
  | (Partial<BreakerSettings> & {
      readonly perTool?: Readonly<Record<string, Partial<BreakerSettings> | false>>;
    });

/** By a tool's full name; null: it has no breaker. */
export type BreakerRules = (tool: string) => BreakerSettings | null;

/** `createBreakerRules({ failures: 5, perTool: { "feed.fetch": { openMs: 60_000 }, log: false } })` */
export function createBreakerRules(options: BreakerOptions = {}): BreakerRules {
  if (options === false) return () => null;
  const forAll = checkSettings({ ...defaultBreakerSettings, ...pick(options) }, "breaker");
  const perTool = new Map(
    Object.entries(options.perTool ?? {}).map(([tool, given]) => {
      const place = `breaker.perTool["${tool}"]`;
      return [tool, given === false ? null : checkSettings({ ...forAll, ...pick(given) }, place)] as const;
    }),
  );
  return (tool) => {
    const own = perTool.get(tool);
    return own === undefined ? forAll : own;
  };
}

/** Without what was given as undefined. */
function pick({ failures, openMs }: Partial<BreakerSettings>): Partial<BreakerSettings> {
  return { ...(failures === undefined ? {} : { failures }), ...(openMs === undefined ? {} : { openMs }) };
}

/** A year: nobody waits longer, and every instant stays one that can be written down. */
const openMaxMs = 31_536_000_000;

function checkSettings(settings: BreakerSettings, place: string): BreakerSettings {
  const { failures, openMs } = settings;
  if (!Number.isSafeInteger(failures) || failures < 1)
    throw new StepwellError("USAGE", `${place}.failures must be a whole number from 1 on, not ${String(failures)}.`);
  if (!Number.isFinite(openMs) || openMs < 0 || openMs > openMaxMs)
    throw new StepwellError(
      "USAGE",
      `${place}.openMs must be milliseconds, from 0 to ${openMaxMs}, not ${String(openMs)}.`,
    );
  return settings;
}
