// Unix time, in seconds or in milliseconds: today the two are a factor of a thousand apart, so the number tells.

import { quote, refuse, type Refusal } from "./reading.ts";

/** 2001 in seconds; what is less is a count of something else. */
const secondsMin = 1e9;
/** 5138 in seconds, 1973 in milliseconds. */
const secondsEnd = 1e11;

const hint = "Unix time has 10 digits in seconds, 13 in milliseconds.";

/** In milliseconds. */
export function readUnix(value: number): number | Refusal {
  if (!(value >= secondsMin)) return refuse(`${value} is no unix time.`, hint);
  return Math.round(value < secondsEnd ? value * 1000 : value);
}

/** Digits alone; 20260309 is a date, and no number of seconds that anybody means. */
export function readUnixDigits(digits: string): number | Refusal {
  if (digits.length !== 10 && digits.length !== 13) {
    return refuse(
      `${quote(digits)} is no unix time: it has ${digits.length} digits.`,
      `${hint} A date is written 2030-01-31.`,
    );
  }
  return readUnix(Number(digits));
}
