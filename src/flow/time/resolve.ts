// From the parts of a phrase to the instant: which day by the calendar of the zone, which time by its clocks.

import { addMonths, dateOf, dayMs, monthNames, weekdayNames, weekdayOf } from "./calendar.ts";
import { toMsOfDay } from "./clock-time.ts";
import { daysMeant, type Day } from "./day.ts";
import { explainLength } from "./explain.ts";
import { refuseDate } from "./iso.ts";
import type { Phrase } from "./phrase.ts";
import { isFar, quote, refuse, refuseFar, type Refusal, type Surrounding } from "./reading.ts";
import type { Shift } from "./shift.ts";
import { fromWall, toWall } from "./zone.ts";

/** Milliseconds since 1970. */
export function resolvePhrase(text: string, phrase: Phrase, surrounding: Surrounding): number | Refusal {
  const { isNow, shift, day, part, time } = phrase;
  if (isNow) {
    const isAlone = shift === null && day === null && part === null && time === null;
    return isAlone ? surrounding.now : refuse(`${quote(text)} says now, and another time, too.`);
  }
  if (shift?.isLoose === true) return explainLength(text);
  if (shift !== null && day !== null) return refuse(`${quote(text)} says how far from now, and which day, too.`);
  // Before calendars are asked: they end somewhere.
  if (shift !== null && isFar(surrounding.now + lengthOf(shift), surrounding)) return refuseFar(text);
  if (shift !== null && time === null && part === null) return addShift(shift, surrounding);
  const msOfDay = readTime(text, phrase);
  if (typeof msOfDay !== "number") return msOfDay;
  if (shift === null) return resolveDay(text, { day, msOfDay }, surrounding);
  if (shift.ms > 0) return refuse(`${quote(text)} says twice at what time.`);
  const today = Math.floor(toWall(surrounding.zone, surrounding.now) / dayMs);
  return fromWall(surrounding.zone, addDays(today, shift) * dayMs + msOfDay);
}

/** As long as it is at least. */
function lengthOf({ months, days, ms }: Shift): number {
  return (months * 28 + days) * dayMs + ms;
}

function addDays(today: number, { months, days }: Shift): number {
  return addMonths(today, months) + days;
}

/** The same time by the clock on the wall on another day, and then what is exact. */
function addShift(shift: Shift, { now, zone }: Surrounding): number {
  const wall = toWall(zone, now);
  const today = Math.floor(wall / dayMs);
  const day = addDays(today, shift);
  // An hour that comes twice must not take us back to its first time.
  return (day === today ? now : fromWall(zone, wall + (day - today) * dayMs)) + shift.ms;
}

function readTime(text: string, { day, shift, part, time, understood }: Phrase): number | Refusal {
  const isEvening = day?.kind === "ahead" && day.isEvening;
  if (time === null) {
    return refuse(`${quote(text)} does not say at what time.`, `Add the time: "${understood} at 9am" or "… at 15:00".`);
  }
  if (time.isMidnight && (day !== null || shift !== null || part !== null)) {
    return refuse(
      `In ${quote(text)} midnight may be the beginning or the end of the day.`,
      `Write 00:00 for the beginning, or "midnight" alone for the next one.`,
    );
  }
  if (isEvening && part !== null && part !== "evening") return refuse(`${quote(text)} says evening and ${part}.`);
  const msOfDay = toMsOfDay(time, isEvening ? "evening" : part);
  if (typeof msOfDay === "number") return msOfDay;
  return refuse(`${quote(text)} is not understood. ${msOfDay}`, "Write the time like 9am, 9:30pm or 15:00.");
}

type Wanted = { readonly day: Day | null; readonly msOfDay: number };

function resolveDay(text: string, { day, msOfDay }: Wanted, { now, zone }: Surrounding): number | Refusal {
  if (day?.kind === "date" && day.weekday !== null && day.year === null) {
    // Next year it may be another weekday, and the same words would say nothing.
    return refuse(`${quote(text)} names a weekday and a date, and no year.`, "Add the year, or leave the weekday out.");
  }
  const today = Math.floor(toWall(zone, now) / dayMs);
  const days = day === null ? [today, today + 1] : daysMeant(day, today);
  if (days.length === 0 && day?.kind === "date") return refuseDate(text, day);
  const instants = days.map((number) => fromWall(zone, number * dayMs + msOfDay));
  // After now, not at it: a run that waits until nine again, at nine, waits for a day.
  const index = Math.max(
    0,
    instants.findIndex((at) => at > now),
  );
  const dayNumber = days[index] ?? today;
  const isWrong = day?.kind === "date" && day.weekday !== null && day.weekday !== weekdayOf(dayNumber);
  return isWrong ? refuseWeekday(text, dayNumber) : (instants[index] ?? now);
}

function refuseWeekday(text: string, dayNumber: number): Refusal {
  const { year, month, day } = dateOf(dayNumber);
  const isWeekday = `${day} ${title(monthNames, month - 1)} ${year} is a ${title(weekdayNames, weekdayOf(dayNumber))}`;
  return refuse(`${quote(text)} contradicts itself: ${isWeekday}.`, "Leave the weekday out, or mend the date.");
}

function title(names: readonly string[], index: number): string {
  const name = names[index] ?? "";
  return name.slice(0, 1).toUpperCase() + name.slice(1);
}
