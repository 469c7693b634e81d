// The words of a paragraph of Markdown. One way through the text: what is open waits on a stack of a few frames, and how far
// an address or a span of code reaches is found without looking at anything twice.
//
// Of what Markdown allows, nothing that could do more than be read: an address is http, https or mailto or it is no link, a
// picture is told of and never loaded, HTML and entities are the letters they are. Stars and underscores in the middle of a
// word mean nothing: `2*3*4` and `user_id_of` are what tools and people write.

export type Inline =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "code"; readonly text: string }
  | { readonly kind: "emphasis" | "strong"; readonly inlines: readonly Inline[] }
  | { readonly kind: "link"; readonly address: string; readonly inlines: readonly Inline[] }
  /** `address`: null, it is none that a browser could be sent to. */
  | { readonly kind: "picture"; readonly address: string | null; readonly text: string };

/** So much may be open at a time. */
const depthMax = 8;
const addressMax = 2000;

type Frame = {
  readonly kind: "emphasis" | "strong" | "link" | "picture";
  /** As it was written, for when nothing closes it. */
  readonly mark: string;
  readonly at: number;
  readonly inlines: Inline[];
};

type Reading = {
  readonly text: string;
  readonly frames: Frame[];
  readonly inlines: Inline[];
  /** Of each length of backticks, where they stand, the last first. */
  readonly ticks: ReadonlyMap<number, number[]>;
  plain: string;
};

export function readInline(text: string): readonly Inline[] {
  const reading: Reading = { text, frames: [], inlines: [], ticks: ticksIn(text), plain: "" };
  let at = 0;
  while (at < text.length) at = readOne(reading, at);
  flush(reading);
  while (reading.frames.length > 0) undo(reading);
  return reading.inlines;
}

/** The next place. */
function readOne(reading: Reading, at: number): number {
  const { text } = reading;
  const letter = text.charAt(at);
  switch (letter) {
    case "\\":
      return readEscape(reading, at);
    case "`":
      return readCode(reading, at);
    case "*":
    case "_":
      return readStars(reading, at);
    case "!":
      if (text.charAt(at + 1) !== "[") return keep(reading, at);
      open(reading, { kind: "picture", mark: "![", at });
      return at + 2;
    case "[":
      open(reading, { kind: "link", mark: "[", at });
      return at + 1;
    case "]":
      return closeLink(reading, at);
    case "<":
      return readAutolink(reading, at);
    default:
      return keep(reading, at);
  }
}

function keep(reading: Reading, at: number): number {
  reading.plain += reading.text.charAt(at);
  return at + 1;
}

function top(reading: Reading): Inline[] {
  return reading.frames.at(-1)?.inlines ?? reading.inlines;
}

function flush(reading: Reading): void {
  if (reading.plain !== "") add(top(reading), { kind: "text", text: reading.plain });
  reading.plain = "";
}

/** Texts beside each other are one. */
function add(list: Inline[], inline: Inline): void {
  const last = list.at(-1);
  if (inline.kind === "text" && last?.kind === "text")
    list[list.length - 1] = { kind: "text", text: last.text + inline.text };
  else list.push(inline);
}

/** What has been open for longest gives way. */
function open(reading: Reading, frame: Omit<Frame, "inlines">): void {
  flush(reading);
  if (reading.frames.length >= depthMax) {
    const oldest = reading.frames.shift();
    add(reading.inlines, { kind: "text", text: oldest?.mark ?? "" });
    for (const inline of oldest?.inlines ?? []) add(reading.inlines, inline);
  }
  reading.frames.push({ ...frame, inlines: [] });
}

/** Nothing closes the newest frame: its mark is text, and what is in it stands where it stood. */
function undo(reading: Reading): void {
  const frame = reading.frames.pop();
  if (frame === undefined) return;
  const list = top(reading);
  add(list, { kind: "text", text: frame.mark });
  for (const inline of frame.inlines) add(list, inline);
}

/** Opens none again that were opened behind it. */
function closeAt(reading: Reading, index: number): readonly Inline[] {
  flush(reading);
  while (reading.frames.length > index + 1) undo(reading);
  return reading.frames.pop()?.inlines ?? [];
}

const punctuation = /[!-/:-@[-`{-~]/;

function readEscape(reading: Reading, at: number): number {
  const next = reading.text.charAt(at + 1);
  if (!punctuation.test(next)) return keep(reading, at);
  reading.plain += next;
  return at + 2;
}

function ticksIn(text: string): ReadonlyMap<number, number[]> {
  const ticks = new Map<number, number[]>();
  for (const { 0: run, index } of text.matchAll(/`+/g)) {
    const known = ticks.get(run.length);
    if (known === undefined) ticks.set(run.length, [index]);
    else known.push(index);
  }
  for (const places of ticks.values()) places.reverse();
  return ticks;
}

function runAt(text: string, at: number): string {
  let end = at + 1;
  while (text.charAt(end) === text.charAt(at)) end += 1;
  return text.slice(at, end);
}

function readCode(reading: Reading, at: number): number {
  const { text, ticks } = reading;
  const run = runAt(text, at);
  const places = ticks.get(run.length) ?? [];
  while ((places.at(-1) ?? Number.POSITIVE_INFINITY) <= at) places.pop();
  const end = places.at(-1);
  if (end === undefined) {
    reading.plain += run;
    return at + run.length;
  }
  flush(reading);
  const code = text.slice(at + run.length, end).replaceAll("\n", " ");
  const isPadded = code.startsWith(" ") && code.endsWith(" ") && code.trim() !== "";
  add(top(reading), { kind: "code", text: isPadded ? code.slice(1, -1) : code });
  return end + run.length;
}

const wordLetter = /[\p{L}\p{N}]/u;

function readStars(reading: Reading, at: number): number {
  const { text } = reading;
  const run = runAt(text, at);
  const [before, behind] = [text.charAt(at - 1), text.charAt(at + run.length)];
  const isBound = run.length <= 3 && !(wordLetter.test(before) && wordLetter.test(behind));
  const mayClose = isBound && before !== "" && !/\s/.test(before);
  const mayOpen = isBound && behind !== "" && !/\s/.test(behind);
  if (mayClose && closeStars(reading, run)) return at + run.length;
  if (mayOpen) openStars(reading, run, at);
  else reading.plain += run;
  return at + run.length;
}

function openStars(reading: Reading, run: string, at: number): void {
  const mark = run.charAt(0);
  if (run.length !== 1) open(reading, { kind: "strong", mark: mark + mark, at });
  if (run.length !== 2) open(reading, { kind: "emphasis", mark, at });
}

/** Three close both. */
function closeStars(reading: Reading, run: string): boolean {
  const mark = run.charAt(0);
  const marks = run.length === 3 ? [mark, mark + mark] : [run];
  const found = marks.map((each) => reading.frames.findLastIndex((frame) => frame.mark === each));
  if (found.includes(-1)) return false;
  for (const index of found.toSorted((one, other) => other - one)) {
    const kind = reading.frames[index]?.kind === "strong" ? "strong" : "emphasis";
    const inlines = closeAt(reading, index);
    add(top(reading), { kind, inlines });
  }
  return true;
}

function closeLink(reading: Reading, at: number): number {
  const { text, frames } = reading;
  const index = frames.findLastIndex(({ kind }) => kind === "link" || kind === "picture");
  const frame = frames[index];
  if (frame === undefined) return keep(reading, at);
  const target = text.charAt(at + 1) === "(" ? targetAt(text, at + 2) : null;
  const address = target === null ? null : toAddress(target.text);
  if (target === null || (frame.kind === "link" && address === null)) {
    // It is no link, and neither is what it stands in: as it was written.
    flush(reading);
    while (frames.length > index) undo(reading);
    return keep(reading, at);
  }
  const label = text.slice(frame.at + frame.mark.length, at);
  const inlines = closeAt(reading, index);
  if (frame.kind === "picture") add(top(reading), { kind: "picture", address, text: label });
  // A link in a link would lead elsewhere than it says.
  else add(top(reading), { kind: "link", address: address ?? "", inlines: inlines.map(withoutLinks) });
  return target.end;
}

function withoutLinks(inline: Inline): Inline {
  if (inline.kind === "link") return { kind: "text", text: inline.address };
  if (inline.kind === "emphasis" || inline.kind === "strong")
    return { ...inline, inlines: inline.inlines.map(withoutLinks) };
  return inline;
}

/** Up to the parenthesis; a title is left out. */
function targetAt(text: string, from: number): { readonly text: string; readonly end: number } | null {
  const slice = text.slice(from, from + addressMax);
  const end = slice.search(/[)\n]/);
  if (end === -1 || slice.charAt(end) !== ")") return null;
  const [address = ""] = slice.slice(0, end).trim().split(/\s/, 1);
  return { text: address.replace(/^<(.*)>$/, "$1"), end: from + end + 1 };
}

const autolink = /<((?:https?:\/\/|mailto:)[^\s<>]{1,2000})>/iy;

function readAutolink(reading: Reading, at: number): number {
  autolink.lastIndex = at;
  const found = autolink.exec(reading.text)?.[1];
  const address = found === undefined ? null : toAddress(found);
  if (found === undefined || address === null) return keep(reading, at);
  flush(reading);
  add(top(reading), { kind: "link", address, inlines: [{ kind: "text", text: address }] });
  return at + found.length + 2;
}

const protocols: ReadonlySet<string> = new Set(["http:", "https:", "mailto:"]);

/** As a browser reads it; null: it leads to no page and to no mailbox, or hides in a name where it leads. */
function toAddress(written: string): string | null {
  // What a browser would leave out or turn round has no place in an address.
  if (!/^(?:https?:\/\/|mailto:)/i.test(written) || /[\p{Cc}\s\\"'<>`]/u.test(written)) return null;
  if (!URL.canParse(written)) return null;
  const url = new URL(written);
  return protocols.has(url.protocol) && url.username === "" && url.password === "" ? url.href : null;
}
