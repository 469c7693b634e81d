// How often tools may be called: a bucket for each limit, from which every call takes one and into which they come back
// at an even pace. Kept in entries, so that a restart does not fill them; a bucket that is full again is forgotten.

import { StepwellError } from "../error.ts";
import { parseDuration } from "../flow/duration.ts";
import { isObject, own, type Json } from "../flow/json.ts";

/** So many calls in so long, all of them at once if nobody has called for that long. */
export type Rate = { readonly calls: number; readonly perMs: number };

export type RateLimits = {
  /** `{ "github.search": "30/m", "github.*": "5000/h", "*": "100/s" }`; a star: all tools of that server together, or all. */
  readonly ratePerTool: Readonly<Record<string, string>>;
  /** Of each user, whatever is called. */
  readonly ratePerUser: string | null;
};

/** What has come together since `at`. */
type Bucket = { readonly rate: Rate; level: number; at: number };

/** null: it is not kept any more. */
type Kept = { readonly key: string; readonly value: Json | null };

export type RatesParts = {
  readonly now: () => number;
  /** The whole name of a tool that a flow may have named by a part of it. */
  readonly nameOf: (tool: string) => string;
  readonly kept: () => readonly Kept[];
  /** What calls have taken; once for all that are decided in one go. */
  readonly keep: (changes: readonly Kept[]) => void;
};

const namesMax = 10_000;
const ofTool = "rate:tool:";
const ofUser = "rate:user:";

/** So near to a whole one that it is one: what comes back in parts is not exact. */
const almost = 1 - 1e-6;

export class CallRates {
  readonly #parts: RatesParts;
  readonly #perTool: readonly (readonly [pattern: string, rate: Rate])[];
  readonly #perUser: Rate | null;
  readonly #keysOfTool = new Map<string, readonly string[]>();
  #buckets: Map<string, Bucket> | null = null;
  readonly #changed = new Set<string>();

  constructor(limits: RateLimits, parts: RatesParts) {
    this.#parts = parts;
    this.#perTool = Object.entries(limits.ratePerTool).map(([tool, text]) => [tool, toRate(text, tool)]);
    this.#perUser = limits.ratePerUser === null ? null : toRate(limits.ratePerUser, null);
  }

  /** The limits that hold for a call. */
  keysOf({ tool, user }: { readonly tool: string | null; readonly user: string }): readonly string[] {
    const keys = tool === null ? [] : this.#keysOf(this.#parts.nameOf(tool));
    return this.#perUser === null || tool === null ? keys : [...keys, `${ofUser}${user}`];
  }

  /** One of its own, and not one of those by how many are under way. */
  isRate(key: string): boolean {
    return key.startsWith(ofTool) || key.startsWith(ofUser);
  }

  /** How many calls there is room for now. */
  roomFor(key: string): number {
    return Math.floor(this.#look(key).level + 1 - almost);
  }

  /** How long until there is room for one. */
  waitMs(key: string): number {
    const { level, rate } = this.#look(key);
    return Math.max(0, Math.ceil(((1 - level) * rate.perMs) / rate.calls));
  }

  take(key: string): void {
    this.#move(key, -1);
  }

  /** A call that was counted is not made after all. */
  giveBack(key: string): void {
    this.#move(key, 1);
  }

  #keysOf(tool: string): readonly string[] {
    const known = this.#keysOfTool.get(tool);
    if (known !== undefined) return known;
    const keys = this.#perTool.flatMap(([pattern]) => (isMeant(pattern, tool) ? [`${ofTool}${pattern}`] : []));
    // Flows may name tools that never were.
    if (this.#keysOfTool.size >= namesMax) this.#keysOfTool.clear();
    this.#keysOfTool.set(tool, keys);
    return keys;
  }

  #move(key: string, by: 1 | -1): void {
    const bucket = this.#look(key);
    bucket.level = Math.min(bucket.rate.calls, bucket.level + by);
    if (this.#changed.size === 0) queueMicrotask(() => this.#keep());
    this.#changed.add(key);
  }

  #keep(): void {
    const buckets = this.#all();
    for (const key of buckets.keys()) if (isFull(this.#look(key))) this.#changed.add(key);
    const changes = [...this.#changed].map((key): Kept => {
      const { rate, level, at } = this.#look(key);
      if (isFull({ rate, level })) buckets.delete(key);
      return { key, value: isFull({ rate, level }) ? null : { level, at } };
    });
    this.#changed.clear();
    this.#parts.keep(changes);
  }

  /** As it is by now. A clock that was set back brings nothing back, and takes nothing. */
  #look(key: string): Bucket {
    const now = this.#parts.now();
    const buckets = this.#all();
    const rate = this.#rateOf(key) ?? never;
    const bucket = buckets.get(key) ?? { rate, level: rate.calls, at: now };
    buckets.set(key, bucket);
    const back = (Math.max(0, now - bucket.at) * rate.calls) / rate.perMs;
    bucket.level = Math.min(rate.calls, bucket.level + back);
    bucket.at = now;
    return bucket;
  }

  #rateOf(key: string): Rate | undefined {
    if (key.startsWith(ofUser)) return this.#perUser ?? undefined;
    return this.#perTool.find(([pattern]) => key === `${ofTool}${pattern}`)?.[1];
  }

  /** With those that are kept; what nobody limits any more is forgotten. */
  #all(): Map<string, Bucket> {
    this.#buckets ??= new Map(
      this.#parts.kept().flatMap(({ key, value }) => {
        const rate = this.#rateOf(key);
        const bucket = rate === undefined ? undefined : readBucket(value, rate);
        return bucket === undefined ? [] : [[key, bucket] as const];
      }),
    );
    return this.#buckets;
  }
}

/** Of a key that was never given out. */
const never: Rate = { calls: 1, perMs: 1 };

function isFull({ rate, level }: Pick<Bucket, "rate" | "level">): boolean {
  return level >= rate.calls - (1 - almost);
}

function isMeant(pattern: string, tool: string): boolean {
  return pattern === "*" || pattern.endsWith(".*") ? tool.startsWith(pattern.slice(0, -1)) : pattern === tool;
}

function readBucket(value: Json | null, rate: Rate): Bucket | undefined {
  const level = isObject(value) ? own(value, "level") : undefined;
  const at = isObject(value) ? own(value, "at") : undefined;
  return typeof level === "number" && typeof at === "number" ? { rate, level, at } : undefined;
}

/** Throws what is no rate, before anything is opened. */
export function checkRates({ ratePerTool, ratePerUser }: RateLimits): void {
  for (const [tool, text] of Object.entries(ratePerTool)) toRate(text, tool);
  if (ratePerUser !== null) toRate(ratePerUser, null);
}

/** `60/m`, `100/15m`, `5000/1h`, `10 / s`. */
function toRate(text: string, tool: string | null): Rate {
  const place = tool === null ? "limits.ratePerUser" : `limits.ratePerTool["${tool}"]`;
  const [, count = "", unit = ""] = /^\s*(\d{1,9})\s*\/\s*(\S.*)$/.exec(text) ?? [];
  const calls = Number(count);
  const perMs = parseDuration(/^\d/.test(unit) ? unit : `1${unit}`) ?? 0;
  if (calls >= 1 && perMs >= 1) return { calls, perMs };
  throw new StepwellError("USAGE", `${place} is "${text}", which is no rate.`, {
    hint: '"60/m" is sixty calls a minute, "100/15m" a hundred in a quarter of an hour',
  });
}
