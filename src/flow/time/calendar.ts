// Days by number, counted from 1 January 1970, in the Gregorian calendar. `Date` is not used: half of it reads the zone of
// the machine, and a pure function must not.

export const dayMs = 86_400_000;

/** From Monday, as ISO 8601 counts. */
export const weekdayNames: readonly string[] = [
  "monday",
  "tuesday",
  "wednesday",
  "thursday",
  "friday",
  "saturday",
  "sunday",
];

export const monthNames: readonly string[] = [
  "january",
  "february",
  "march",
  "april",
  "may",
  "june",
  "july",
  "august",
  "september",
  "october",
  "november",
  "december",
];

export type CalendarDate = { readonly year: number; readonly month: number; readonly day: number };

const daysIn400Years = 146_097;
/** From 1 March of the year 0 to 1 January 1970. A year that begins in March has its leap day at the end. */
const daysBefore1970 = 719_468;

/** The number of a day; undefined for one that no calendar has, such as 30 February. */
export function findDay({ year, month, day }: CalendarDate): number | undefined {
  if (month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month)) return undefined;
  return countDays({ year, month, day });
}

function countDays({ year, month, day }: CalendarDate): number {
  const marchYear = month > 2 ? year : year - 1;
  const century = Math.floor(marchYear / 400);
  const yearOfCentury = marchYear - century * 400;
  const dayOfYear = Math.floor((153 * ((month + 9) % 12) + 2) / 5) + day - 1;
  const dayOfCentury =
    yearOfCentury * 365 + Math.floor(yearOfCentury / 4) - Math.floor(yearOfCentury / 100) + dayOfYear;
  return century * daysIn400Years + dayOfCentury - daysBefore1970;
}

export function dateOf(dayNumber: number): CalendarDate {
  const days = dayNumber + daysBefore1970;
  const century = Math.floor(days / daysIn400Years);
  const dayOfCentury = days - century * daysIn400Years;
  const leapDays =
    Math.floor(dayOfCentury / 1460) - Math.floor(dayOfCentury / 36_524) + Math.floor(dayOfCentury / 146_096);
  const yearOfCentury = Math.floor((dayOfCentury - leapDays) / 365);
  const dayOfYear =
    dayOfCentury - (365 * yearOfCentury + Math.floor(yearOfCentury / 4) - Math.floor(yearOfCentury / 100));
  const marchMonth = Math.floor((5 * dayOfYear + 2) / 153);
  const day = dayOfYear - Math.floor((153 * marchMonth + 2) / 5) + 1;
  const month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9;
  return { year: yearOfCentury + century * 400 + (month > 2 ? 0 : 1), month, day };
}

/** 0 is Monday. */
export function weekdayOf(dayNumber: number): number {
  return (((dayNumber + 3) % 7) + 7) % 7;
}

export function daysInMonth(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}

/** The same day of another month, or the last one of a month that is too short. */
export function addMonths(dayNumber: number, months: number): number {
  const from = dateOf(dayNumber);
  const count = from.year * 12 + from.month - 1 + months;
  const year = Math.floor(count / 12);
  const month = count - year * 12 + 1;
  return countDays({ year, month, day: Math.min(from.day, daysInMonth(year, month)) });
}
