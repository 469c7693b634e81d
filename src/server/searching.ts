// What runs are searched by, as people write it: the same words behind `?` in an address and behind flags.

import { parseDuration } from "../flow/duration.ts";
import type { Json } from "../flow/json.ts";
import type { RunStatus } from "../run/model.ts";
import { triggerGroups, triggers, type Trigger } from "../run/trigger.ts";
import type { RunSearch } from "../store/search.ts";

type Status = NonNullable<RunSearch["status"]>;

const ended: readonly RunStatus[] = ["completed", "failed", "cancelled"];
const live: readonly RunStatus[] = ["scheduled", "running", "paused"];
export const statusWords: readonly Status[] = [...live, ...ended, "live", "all"];

/** A page ends with the run by which it comes to so much, whatever its limit: an answer is made as a whole. */
export const pageBytesMax: number = 16 * 1024 * 1024;

export type Statuses =
  | { readonly ok: true; readonly wanted: Pick<RunSearch, "status" | "statuses"> }
  | { readonly ok: false; readonly word: string };

/** One, or several with commas between them; none given: all but cancelled ones. */
export function readStatuses(text: string | undefined): Statuses {
  if (text === undefined) return { ok: true, wanted: { status: null } };
  const given = text.split(",").map((word) => word.trim());
  const words = given.flatMap((word) => statusWords.find((status) => status === word) ?? []);
  const unknown = given.find((word) => !statusWords.some((status) => status === word));
  if (unknown !== undefined) return { ok: false, word: unknown };
  const [only] = words;
  if (words.length === 1 && only !== undefined) return { ok: true, wanted: { status: only } };
  if (words.includes("all")) return { ok: true, wanted: { status: "all" } };
  const statuses = words.flatMap((word) => (word === "live" ? live : word === "all" ? [] : [word]));
  return { ok: true, wanted: { status: "all", statuses: [...new Set(statuses)] } };
}

export const triggerWords: readonly string[] = [...Object.keys(triggerGroups), ...triggers];

/** One, or several with commas between them; `person` and `run` stand for several. undefined: one of them is none. */
export function readTriggers(text: string): readonly Trigger[] | undefined {
  const groups: { readonly [word: string]: readonly Trigger[] | undefined } = triggerGroups;
  const found = text.split(",").map((word) => {
    const trimmed = word.trim();
    const group = Object.hasOwn(groups, trimmed) ? groups[trimmed] : undefined;
    return group ?? triggers.filter((trigger) => trigger === trimmed);
  });
  return found.some((group) => group.length === 0) ? undefined : [...new Set(found.flat())];
}

/** `a.b=1`: the place in the input, then its value in JSON; what is no JSON is a text. undefined: it is neither. */
export function readField(text: string): NonNullable<RunSearch["field"]> | undefined {
  const at = text.indexOf("=");
  if (at < 1) return undefined;
  return { path: text.slice(0, at).split("."), value: readValue(text.slice(at + 1)) };
}

function readValue(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    // Nobody wants to write quotes around a word.
    return text;
  }
}

/** Milliseconds since 1970, ISO 8601, or a length of time: so long ago. undefined: it is none. */
export function readMoment(text: string, now: number): number | undefined {
  if (/^\d{1,15}$/u.test(text)) return Number(text);
  const ago = parseDuration(text);
  if (ago !== undefined) return now - ago;
  // Only what names its day: `Date` would make an instant of many a word.
  const at = /^\d{4}-\d\d-\d\d/u.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? undefined : at;
}
