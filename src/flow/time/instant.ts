// An instant as people and programs write it: words, ISO 8601, unix time. Pure: now and the zone come in as arguments.
// Whether a text is understood never depends on the day on which it is read; only whether what it says is over does.

import { formatInstant } from "./echo.ts";
import { explainLeftovers, explainNotation } from "./explain.ts";
import { readIso } from "./iso.ts";
import { readPhrase } from "./phrase.ts";
import { isFar, quote, refuse, refuseFar, type InstantReading, type Refusal, type Surrounding } from "./reading.ts";
import { resolvePhrase } from "./resolve.ts";
import { readUnix, readUnixDigits } from "./unix.ts";
import { adviseZone, findZone, fromWall, offsetAt, type Zone } from "./zone.ts";

export type { InstantReading } from "./reading.ts";

export type InstantOptions = {
  /** Milliseconds since 1970. */
  readonly now: number;
  /** In which words are read and the answer is shown, unless the text names another: `Europe/Berlin`. */
  readonly zone: string;
};

/** What takes longer to say is no instant. */
const lengthMax = 120;
/** Clocks of two machines differ, and people read theirs in minutes. */
const graceMs = 60_000;

/** An instant that is still to come, or has just come.
 *  `parseInstant("tomorrow at 9am", { now: Date.now(), zone: "Europe/Berlin" })` */
export function parseInstant(text: string | number, options: InstantOptions): InstantReading {
  const reading = readInstant(text, options);
  if (!reading.ok || reading.at >= options.now - graceMs) return reading;
  const problem = `${quote(String(text))} is ${reading.echo}, and that is over.`;
  return { ...refuse(problem, `Write an instant to come: "tomorrow at 9am", "in 30 minutes".`), reason: "past" };
}

/** The same, and instants that are over as well. */
export function readInstant(text: string | number, options: InstantOptions): InstantReading {
  const zone = findZone(options.zone);
  if (zone === undefined) return refuseZone(options.zone);
  const meaning = understand(text, { now: options.now, zone });
  if (!meaning.ok) return meaning;
  const { at, readIn } = meaning;
  if (isFar(at, options)) return refuseFar(text);
  const echo = formatInstant(at, readIn);
  const isOwn = readIn.name === zone.name;
  return { ok: true, at, zone: readIn.name, echo: isOwn ? echo : `${echo} = ${formatInstant(at, zone)}` };
}

type Meaning = { readonly ok: true; readonly at: number; readonly readIn: Zone } | Refusal;

function understand(text: string | number, surrounding: Surrounding): Meaning {
  if (typeof text === "number") return inZone(readUnix(text), surrounding.zone);
  if (text.length > lengthMax) {
    return refuse(`A text of ${text.length} characters is no time; ${lengthMax} are enough for any.`);
  }
  const trimmed = text.trim();
  if (trimmed === "") return refuse("An empty text is no time.");
  if (/^\d+$/.test(trimmed)) return inZone(readUnixDigits(trimmed), surrounding.zone);
  const iso = readIso(trimmed);
  if (iso === undefined) return explainNotation(trimmed) ?? understandWords(trimmed, surrounding);
  if (!iso.ok) return iso;
  return inZones(iso.zones, surrounding, (zone) => fromWall(zone, iso.wall));
}

function understandWords(text: string, surrounding: Surrounding): Meaning {
  const phrase = readPhrase(text);
  if (phrase.leftovers.length > 0) return explainLeftovers(text, phrase);
  return inZones(phrase.zones, surrounding, (zone) => resolvePhrase(text, phrase, { now: surrounding.now, zone }));
}

function inZone(at: number | Refusal, readIn: Zone): Meaning {
  return typeof at === "number" ? { ok: true, at, readIn } : at;
}

/** Of two zones, as in `09:00 EDT (America/New_York)`, one says how far from UTC, the other must agree. */
function inZones(names: readonly string[], { zone }: Surrounding, resolve: (zone: Zone) => number | Refusal): Meaning {
  const zones: Zone[] = [];
  for (const name of names) {
    const found = findZone(name);
    if (found === undefined) return refuseZone(name);
    zones.push(found);
  }
  const decisive = zones.find(({ kind }) => kind === "fixed") ?? zones[0] ?? zone;
  const at = resolve(decisive);
  const shown = zones.find(({ kind }) => kind === "named") ?? decisive;
  if (typeof at !== "number" || zones.every((other) => offsetAt(other, at) === offsetAt(decisive, at))) {
    return inZone(at, shown);
  }
  const problem = `It names two zones, ${names.join(" and ")}, that differ at that time.`;
  return { ...refuse(problem, "Leave one of them out."), reason: "zone" };
}

function refuseZone(name: string): Refusal {
  return { ...refuse(`${quote(name)} is no time zone that is known here.`, adviseZone(name)), reason: "zone" };
}
