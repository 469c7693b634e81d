// Time zones: how far the clocks on the wall are from UTC, and which instant a clock on the wall means. The rules come with
// the runtime (`Intl`); nothing here looks at the machine's own zone.

import { nearest } from "../suggest.ts";
import { dayMs, findDay } from "./calendar.ts";

export type Zone =
  /** The same all year: `EST`, `UTC+02:00`. */
  | { readonly kind: "fixed"; readonly name: string; readonly offsetMs: number }
  /** Of the IANA list, with summer and winter. */
  | { readonly kind: "named"; readonly name: string; readonly format: Intl.DateTimeFormat };

const minuteMs = 60_000;

/** By hours from UTC. Those of RFC 5322, of Europe, and those by which `Intl` names the zones of the United States. */
const shortNamesByHours: readonly (readonly [number, string])[] = [
  [-10, "HST"],
  [-9, "AKST HDT"],
  [-8, "AKDT PST"],
  [-7, "MST PDT"],
  [-6, "CST MDT"],
  [-5, "CDT EST"],
  [-4, "EDT"],
  [0, "GMT UTC WET Z"],
  [1, "CET WEST"],
  [2, "CEST EET"],
  [3, "EEST"],
];

const shortNames: ReadonlyMap<string, number> = new Map(
  shortNamesByHours.flatMap(([hours, names]) => names.split(" ").map((name) => [name, hours] as const)),
);

/** Names that people use and that mean several zones, or change their meaning with the season. */
const unclearNames: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ET: "America/New_York",
    CT: "America/Chicago",
    MT: "America/Denver",
    PT: "America/Los_Angeles",
    AST: "America/Halifax or Asia/Riyadh",
    BST: "Europe/London or Asia/Dhaka",
    IST: "Asia/Kolkata, Europe/Dublin or Asia/Jerusalem",
    JST: "Asia/Tokyo",
    KST: "Asia/Seoul",
    SGT: "Asia/Singapore",
    MSK: "Europe/Moscow",
    AEST: "Australia/Brisbane or Australia/Sydney",
    AEDT: "Australia/Sydney",
    NZST: "Pacific/Auckland",
    NZDT: "Pacific/Auckland",
  }),
);

const offsetPattern = /^(?:UTC|GMT)?([+-])(\d{1,2})(?::?(\d{2}))?$/;

/** `Europe/Berlin`, `EST`, `UTC+2`, `+05:30`, `Z`; undefined: there is no such zone. Capitals make no difference. */
export function findZone(text: string): Zone | undefined {
  const name = text.toUpperCase();
  if (unclearNames.has(name)) return undefined;
  const hours = shortNames.get(name);
  if (hours !== undefined) return { kind: "fixed", name: name === "Z" ? "UTC" : name, offsetMs: hours * 60 * minuteMs };
  const [, sign, hour = "", minute = "0"] = offsetPattern.exec(name) ?? [];
  if (sign === undefined) return findNamed(text);
  // No place on earth is further from UTC.
  if (Number(hour) > 14 || Number(minute) > 59) return undefined;
  const offsetMs = (sign === "-" ? -1 : 1) * (Number(hour) * 60 + Number(minute)) * minuteMs;
  return { kind: "fixed", name: formatOffset(offsetMs), offsetMs };
}

function two(digits: string): string {
  return digits.padStart(2, "0");
}

/** Making a formatter costs a hundred times what using it does. There are about 600 names; nobody uses all of them. */
const namedZones = new Map<string, Zone>();
const namedZonesMax = 100;

/** `Europe/Berlin`, `EST5EDT`; not the short names for which the runtime has an answer where people have several. */
const namePattern = /^(?:[A-Z][A-Z_-]{0,31}(?:\/[A-Z0-9_+-]{1,31}){1,2}|[A-Z][A-Z0-9_-]{4,31})$/i;

function findNamed(text: string): Zone | undefined {
  const known = namedZones.get(text);
  if (known !== undefined) return known;
  const format = namePattern.test(text) ? createFormat(text) : undefined;
  if (format === undefined) return undefined;
  if (namedZones.size >= namedZonesMax) namedZones.clear();
  // The runtime may answer with an older name of the zone (Asia/Calcutta); whoever wrote the newer one wants to see it.
  const { timeZone } = format.resolvedOptions();
  const name = timeZone.toLowerCase() === text.toLowerCase() ? timeZone : text;
  const zone: Zone = { kind: "named", name, format };
  namedZones.set(text, zone);
  return zone;
}

function createFormat(timeZone: string): Intl.DateTimeFormat | undefined {
  try {
    return new Intl.DateTimeFormat("en-US", {
      timeZone,
      hourCycle: "h23",
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
      second: "numeric",
      timeZoneName: "short",
    });
  } catch {
    // It throws for names that it does not know, and there is no other way to ask.
    return undefined;
  }
}

/** Listed when one is first looked for: listing costs as much as looking. */
let zoneNames: readonly string[] | undefined;

/** What to write instead of a zone that is none, or not clear enough. */
export function adviseZone(text: string): string {
  const meant = unclearNames.get(text.toUpperCase());
  if (meant !== undefined) return `Write the zone in full: ${meant}.`;
  zoneNames ??= Intl.supportedValuesOf("timeZone");
  const near = nearest(text, zoneNames);
  return near === undefined ? "Write it like Europe/Berlin, UTC or +02:00." : `Did you mean ${near}?`;
}

/** Whether it is meant as a zone, though perhaps not understood: `EST`, `BST`. */
export function isShortZone(text: string): boolean {
  const name = text.toUpperCase();
  return shortNames.has(name) || unclearNames.has(name);
}

/** What clocks on the wall show, as if it were UTC. */
export function toWall(zone: Zone, at: number): number {
  return at + offsetAt(zone, at);
}

export function offsetAt(zone: Zone, at: number): number {
  if (zone.kind === "fixed") return zone.offsetMs;
  const { year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0 } = numbersOf(zone.format, at);
  const days = findDay({ year, month, day }) ?? 0;
  const wall = days * dayMs + ((hour * 60 + minute) * 60 + second) * 1000;
  return wall - Math.floor(at / 1000) * 1000;
}

type Numbers = { readonly [part in Intl.DateTimeFormatPartTypes]?: number };

function numbersOf(format: Intl.DateTimeFormat, at: number): Numbers {
  return Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
}

/** `EDT`, `GMT+1`, `UTC-04:00`: what can be read again. */
export function shortNameAt(zone: Zone, at: number): string {
  if (zone.kind === "fixed") return zone.name;
  const name = zone.format.formatToParts(at).find(({ type }) => type === "timeZoneName")?.value ?? "";
  const offsetMs = offsetAt(zone, at);
  const short = findZone(name);
  return short?.kind === "fixed" && short.offsetMs === offsetMs ? name : formatOffset(offsetMs);
}

/** `UTC+05:30`. */
export function formatOffset(offsetMs: number): string {
  const minutes = Math.abs(offsetMs) / minuteMs;
  const [hour, minute] = [minutes / 60, minutes % 60].map((number) => two(String(Math.floor(number))));
  return `UTC${offsetMs < 0 ? "-" : "+"}${hour}:${minute}`;
}

/** The instant at which clocks on the wall show this. When they show it twice, the first; when they leave it out, as far
 *  behind the gap as it would have been from its beginning: 02:30 in a gap from 02:00 to 03:00 is 03:30. */
export function fromWall(zone: Zone, wall: number): number {
  const before = offsetAt(zone, wall - dayMs);
  const after = offsetAt(zone, wall + dayMs);
  const candidates = [wall - Math.max(before, after), wall - Math.min(before, after)];
  return candidates.find((at) => toWall(zone, at) === wall) ?? wall - before;
}
