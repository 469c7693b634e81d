// Why a phrase was not understood, and what to write instead. The most telling reason comes first.

import { nearest } from "../suggest.ts";
import { monthNames, weekdayNames } from "./calendar.ts";
import type { Phrase } from "./phrase.ts";
import { quote, refuse, type Refusal } from "./reading.ts";

const recurring = new Set([
  ..."every each daily hourly weekly monthly yearly annually nightly weekday weekdays workday workdays".split(" "),
  ...weekdayNames.map((name) => `${name}s`),
]);

const over = new Set("yesterday ago last previous earlier".split(" "));

/** What leaves open when exactly. */
const loose = new Set(
  [
    "soon later sometime someday eventually asap shortly early late few couple several some around about",
    "approximately approx roughly circa maybe perhaps before after by until till within between or week weeks weekend",
    "month year end start beginning middle night noonish eod cob",
  ].flatMap((words) => words.split(" ")),
);

const vocabulary = [
  ...weekdayNames,
  ...monthNames,
  ..."today tonight tomorrow next this noon midnight midday morning afternoon evening".split(" "),
  ..."second seconds minute minutes hour hours day days week weeks month months year years".split(" "),
];

/** Five or six fields, or a name such as @daily. */
const cron = /^@[a-z]+$|^[\d*/,-]+(?:\s+(?:[\d*/,?#lw-]+|[a-z]{3}(?:[,-][a-z]{3})*)){4,5}$/i;
const numericDate = /\d{1,4}[/.]\d{1,2}[/.]\d{1,4}|\d{1,2}\/\d{1,2}/;

/** Before anything else is tried: texts of other notations. */
export function explainNotation(text: string): Refusal | undefined {
  if (cron.test(text)) return explainRecurring(text);
  if (/^P[\dT]/.test(text)) return explainLength(text);
  if (numericDate.test(text)) {
    return refuse(
      `In ${quote(text)} it is not clear which number is the day and which the month.`,
      `Write the date as year, month, day: "2030-01-31 09:00".`,
    );
  }
  return undefined;
}

export function explainLength(text: string): Refusal {
  return refuse(`${quote(text)} says how long, not when.`, `Write "in" and the length: "in 30 minutes".`);
}

function explainRecurring(text: string): Refusal {
  return refuse(
    `${quote(text)} comes again and again; one instant is needed here.`,
    `Write the first one, such as "next monday 9am". What comes again belongs into the triggers of a flow.`,
  );
}

/** Of a phrase with something left over. */
export function explainLeftovers(text: string, { shift, understood, leftovers }: Phrase): Refusal {
  const words = leftovers.flatMap((leftover) => leftover.toLowerCase().match(/[a-z']+/g) ?? []);
  if (words.some((word) => recurring.has(word))) return explainRecurring(text);
  const isBackwards = shift !== null && leftovers.some((leftover) => leftover.endsWith("-"));
  if (isBackwards || words.some((word) => over.has(word))) {
    return refuse(`${quote(text)} lies in the past.`, `Write an instant to come: "tomorrow at 9am", "in 30 minutes".`);
  }
  const vague = words.find((word) => loose.has(word));
  if (vague !== undefined) return refuse(`${quote(text)} is no exact time: "${vague}" leaves open when.`);
  const left = leftovers.map(quote).join(" and ");
  const problem =
    understood === ""
      ? `${quote(text)} is no time.`
      : `Of ${quote(text)} only ${quote(understood)} is understood, not ${left}.`;
  const slip = words.map((word) => ({ word, near: nearest(word, vocabulary) })).find(isSlip);
  return slip === undefined ? refuse(problem) : refuse(problem, `Did you mean "${slip.near}" by "${slip.word}"?`);
}

/** Short words are near to too many others. */
function isSlip({ word, near }: { readonly word: string; readonly near: string | undefined }): boolean {
  return word.length > 3 && near !== undefined && !vocabulary.includes(word);
}
