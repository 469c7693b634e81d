// What runs are looked for by: words such as `status:failed` or `input.topic=tides`, and any text beside them. The same
// filter stands in the address.

import { showMinute, showSpan } from "./time-span.ts";

const filterKeys = ["status", "workflow", "trigger", "by", "since", "until", "id", "field", "text"] as const;
type FilterKey = (typeof filterKeys)[number];
export type RunFilter = { readonly [key in FilterKey]?: string };

const filterAbouts: { readonly [key in FilterKey]: string } = {
  status: "How they are",
  workflow: "Of which workflow",
  trigger: "What set them going",
  by: "Who started them",
  since: "Started since then: 2h (ago), 7d, 2026-11-16",
  until: "Started before then: 1h (ago), 2026-11-17",
  id: "One run: its id, or its uid",
  field: "What the input holds: input.topic=tides",
  text: "In the name, the input, the output or the error",
};

const valueAbouts: { readonly [word: string]: string } = {
  "status:running": "Begun and not at its end: works, sleeps or waits",
  "status:waiting": "Somebody has to do something about it",
  "status:live": "Not at its end yet: scheduled, running or paused",
  "trigger:person": "Somebody, on the page or at the command line",
  "trigger:schedule": "They were to begin later",
  "trigger:token": "A program, with a token",
  "trigger:mcp": "A program, through MCP",
  "trigger:run": "Another run: as a part of it, or again",
  "trigger:child": "A step of another run",
  "trigger:retry": "Again, from where another failed",
  "trigger:rerun": "Again, with the same input",
  "trigger:fork": "Again, with another input",
  "by:me": "Those that you have started",
  "since:1h": "In the last hour",
  "since:24h": "In the last day",
  "since:7d": "In the last week",
  "since:30d": "In the last 30 days",
  "until:1h": "More than an hour ago",
  "until:24h": "More than a day ago",
  "until:7d": "More than a week ago",
};

/** `waiting`: a person has to do something. `live`: not at its end yet. */
const statusWords = ["running", "waiting", "scheduled", "paused", "completed", "failed", "cancelled", "live"] as const;

const triggerWords = ["person", "schedule", "token", "mcp", "run", "child", "retry", "rerun", "fork"] as const;

/** Other words for the same. */
const aliases: { readonly [word: string]: FilterKey } = { flow: "workflow", from: "since", to: "until" };

/** For whoever has written something else. */
export const filterExamples: readonly string[] = [
  ...statusWords.map((word) => `status:${word}`),
  "since:2h",
  "since:2026-11-16",
  "until:1h",
  ...triggerWords.map((word) => `trigger:${word}`),
  "input.order.no=17",
];

export type Chip = { readonly keys: readonly FilterKey[]; readonly word: string };

export function chipsOf(filter: RunFilter): readonly Chip[] {
  const [from, to] = [readInstant(filter.since), readInstant(filter.until)];
  // From an instant to an instant is one thing to whoever looks.
  const span = from !== null && to !== null ? showSpan(from, to) : null;
  return filterKeys.flatMap((key): readonly Chip[] => {
    const value = filter[key];
    if (value === undefined || value === "") return [];
    if (span !== null && key === "until") return [];
    if (span !== null && key === "since") return [{ keys: ["since", "until"], word: span }];
    const at = key === "since" || key === "until" ? readInstant(value) : null;
    return [{ keys: [key], word: at === null ? toWord(key, value) : `${key} ${showMinute(at)}` }];
  });
}

/** Milliseconds since 1970, as the bars of Home lead to; null: it is said in words. */
function readInstant(value: string | undefined): number | null {
  return value !== undefined && /^\d{11,15}$/.test(value) ? Number(value) : null;
}

function toWord(key: FilterKey, value: string): string {
  // What would be read as a key, were it typed so, stands in quotes.
  if (key === "text") return split(value).some((word) => isKeyed(word)) ? `"${value}"` : value;
  if (key === "field") return `input.${value}`;
  return `${key}:${/\s/.test(value) ? `"${value}"` : value}`;
}

export function without(filter: RunFilter, { keys }: Pick<Chip, "keys">): RunFilter {
  return Object.fromEntries(Object.entries(filter).filter(([name]) => !keys.some((key) => key === name)));
}

export function isEmptyFilter(filter: RunFilter): boolean {
  return chipsOf(filter).length === 0;
}

/** What was typed, added to what stands already: a word with a key takes the place of the one with the same key. One whose
 *  key nobody knows is left out (`unknownWords`). */
export function addWords(filter: RunFilter, typed: string): RunFilter {
  const added: { [key in FilterKey]?: string } = {};
  const texts: string[] = [];
  for (const word of split(typed)) {
    const found = readWord(word);
    if (found === null && isKeyed(word)) continue;
    if (found === null) texts.push(unquote(word));
    else if (found.value !== "") added[found.key] = found.value;
  }
  const text = texts.join(" ").trim();
  return { ...filter, ...added, ...(text === "" ? {} : { text }) };
}

/** Words such as `foo:bar`: as a text they would match nothing, and nobody would know why. */
export function unknownWords(typed: string): readonly string[] {
  return split(typed).filter((word) => isKeyed(word) && readWord(word) === null);
}

/** Words such as `status:` with nothing behind: they would be left out without a word. */
export function unfinishedWords(typed: string): readonly string[] {
  return split(typed).filter((word) => readWord(word)?.value === "");
}

/** Of what was typed, what was not understood, and what is to be said about it. */
export function notUnderstood(typed: string): { readonly note: string | null; readonly left: string } {
  const [unknown, unfinished] = [unknownWords(typed), unfinishedWords(typed)];
  const notes = [
    ...(unknown.length === 0 ? [] : [tellUnknown(unknown)]),
    ...(unfinished.length === 0 ? [] : [tellUnfinished(unfinished)]),
  ];
  return { note: notes.length === 0 ? null : notes.join(" "), left: [...unknown, ...unfinished].join(" ") };
}

export function tellUnfinished(words: readonly string[]): string {
  const example = filterExamples.find((each) => each.startsWith(words[0] ?? ""));
  const how = example === undefined ? "" : `, such as ${example}`;
  return `${words.join(" and ")} ${words.length === 1 ? "is an unfinished filter" : "are unfinished filters"}: say what stands behind the colon${how}.`;
}

export function tellUnknown(words: readonly string[]): string {
  const names = [...new Set(words.map((word) => word.slice(0, word.indexOf(":"))))];
  const none = names.length === 1 ? `There is no filter ${names[0]}.` : `There are no filters ${names.join(" and ")}.`;
  const known = filterKeys.map((key) => (key === "field" ? "input.…=" : `${key}:`)).filter((word) => word !== "text:");
  return `${none} Those that there are: ${known.join(" ")} A text with a colon stands in quotes: "${words[0] ?? ""}".`;
}

/** Not a time of day, an address or a path. */
function isKeyed(word: string): boolean {
  return /^[a-z][\w.-]+:(?!\/\/)./i.test(word);
}

/** The filter of an address, which may have other words for the same. */
export function readAddress(search: { readonly [name: string]: unknown }): RunFilter {
  const found: { [key in FilterKey]?: string } = {};
  for (const name of [...Object.keys(aliases), ...filterKeys]) {
    const [key, value] = [findKey(name), search[name]];
    if (key !== undefined && typeof value === "string" && value !== "") found[key] = value;
  }
  return found;
}

function findKey(name: string): FilterKey | undefined {
  const word = name.toLowerCase();
  return filterKeys.find((key) => key === word) ?? (Object.hasOwn(aliases, word) ? aliases[word] : undefined);
}

/** Blanks part words, but not within quotes. */
function split(typed: string): readonly string[] {
  return typed.match(/(?:[^\s"]|"[^"]*"?)+/g) ?? [];
}

function unquote(text: string): string {
  return text.replaceAll('"', "");
}

function readWord(word: string): { readonly key: FilterKey; readonly value: string } | null {
  const field = /^input\.([^=\s]+=.*)$/.exec(word)?.[1];
  if (field !== undefined) return { key: "field", value: unquote(field) };
  const at = word.indexOf(":");
  const key = findKey(word.slice(0, at));
  return at < 0 || key === undefined ? null : { key, value: unquote(word.slice(at + 1)) };
}

export type View = { readonly id: string; readonly label: string; readonly filter: RunFilter };

export const views: readonly View[] = [
  { id: "all", label: "All", filter: {} },
  { id: "failed", label: "Failed", filter: { status: "failed" } },
  { id: "waiting", label: "Waiting", filter: { status: "waiting" } },
  { id: "running", label: "Running", filter: { status: "running" } },
  { id: "mine", label: "Mine", filter: { by: "me" } },
];

/** null: it is none of them. */
export function viewOf(filter: RunFilter): string | null {
  const words = chipsOf(filter).map(({ word }) => word);
  const found = views.find((view) => {
    const own = chipsOf(view.filter).map(({ word }) => word);
    return own.length === words.length && own.every((word) => words.includes(word));
  });
  return found?.id ?? null;
}

export type Suggestion = { readonly word: string; readonly about: string; readonly isWhole: boolean };

type Known = { readonly workflows: readonly string[]; readonly users: readonly string[] };

/** How the last word that is being typed may go on. */
export function suggest(typed: string, known: Known): readonly Suggestion[] {
  const last = /(?:[^\s"]|"[^"]*"?)*$/.exec(typed)?.[0] ?? "";
  const at = last.indexOf(":");
  const values: { readonly [key: string]: readonly string[] } = {
    status: statusWords,
    workflow: known.workflows,
    trigger: triggerWords,
    by: ["me", ...known.users],
    since: ["1h", "24h", "7d", "30d"],
    until: ["1h", "24h", "7d"],
  };
  const key = at < 0 ? undefined : findKey(last.slice(0, at));
  const own = key === undefined ? undefined : values[key];
  if (key !== undefined && own !== undefined) {
    const begun = unquote(last.slice(at + 1)).toLowerCase();
    const fitting = [...new Set(own)].filter((value) => value.toLowerCase().includes(begun));
    return fitting
      .slice(0, 12)
      .map((value) => ({ word: toWord(key, value), about: valueAbouts[`${key}:${value}`] ?? "", isWhole: true }));
  }
  const begun = last.toLowerCase();
  const keys = filterKeys
    .filter((each) => each !== "text")
    .map((each) => ({ key: each, word: each === "field" ? "input." : `${each}:` }));
  // The other words are there for who begins to write them.
  const others = Object.entries(aliases).map(([word, of]) => ({ key: of, word: `${word}:` }));
  return [...keys, ...(begun === "" ? [] : others)]
    .filter(({ word }) => word.startsWith(begun))
    .map((found) => ({ word: found.word, about: filterAbouts[found.key], isWhole: false }));
}

/** With a suggestion in the place of the last word. */
export function complete(typed: string, { word, isWhole }: Suggestion): string {
  return typed.replace(/(?:[^\s"]|"[^"]*"?)*$/, () => word) + (isWhole ? " " : "");
}
