// Reads JSON in one pass with a stack of its own: the value, the offset of everything in it, duplicate keys and unsafe
// numbers. `JSON.parse` was not enough: it has no places, keeps the last of two equal keys silently, and its messages
// change with the runtime. A test holds the two against each other.

import type { Json } from "../json.ts";
import { pointerTo, type Pointer } from "../pointer.ts";
import { nextToken, type Sign, type Token } from "./json-tokens.ts";
import { depthLimit, keyLimit, problemsLimit } from "./limits.ts";
import type { Mark, PlaceFinder } from "./places.ts";
import {
  duplicateKey,
  emptyDocument,
  isUnsafe,
  templateMessage,
  toFinite,
  keyTooLong,
  tooDeep,
  unreadable,
  unsafeNumber,
  type Problem,
  type Reading,
} from "./reading.ts";

type Frame = ObjectFrame | ArrayFrame;
type ObjectFrame = {
  readonly kind: "object";
  readonly at: number;
  readonly values: { [key: string]: Json };
  readonly members: Map<string, Mark>;
  key: string;
  keyAt: number;
};
type ArrayFrame = { readonly kind: "array"; readonly at: number; readonly values: Json[]; readonly items: Mark[] };

/** What may come next. */
type Wanted = "value" | "value or ]" | "key" | "key or }" | "colon" | "comma or end" | "nothing";

type Scan = {
  readonly text: string;
  readonly placeAt: PlaceFinder;
  readonly stack: Frame[];
  readonly problems: Problem[];
  wanted: Wanted;
  /** Where the newest comma stands. */
  commaAt: number | undefined;
  value: Json | undefined;
  root: Mark | undefined;
};

export function readJson(text: string, placeAt: PlaceFinder): Reading {
  const scan: Scan = {
    text,
    placeAt,
    stack: [],
    problems: [],
    wanted: "value",
    commaAt: undefined,
    value: undefined,
    root: undefined,
  };
  let token = nextToken(text, 0);
  if (token.kind === "end") return unreadable(emptyDocument());
  while (token.kind !== "end" || scan.wanted !== "nothing") {
    const problem = take(scan, token);
    if (problem !== undefined) return unreadable(problem, ...scan.problems);
    token = nextToken(text, token.end);
  }
  return { value: scan.value, root: scan.root, problems: scan.problems };
}

/** Moves on by one token; a problem returned is one that nothing can be read behind. */
function take(scan: Scan, token: Token): Problem | undefined {
  const frame = scan.stack.at(-1);
  if (token.kind === "scalar") {
    if (frame?.kind === "object" && isKeyWanted(scan) && typeof token.value === "string") {
      return takeKey(scan, frame, token.value, token.at);
    }
    if (isValueWanted(scan)) return takeScalar(scan, token.value, token);
  }
  if (token.kind === "sign") {
    if ((token.sign === "{" || token.sign === "[") && isValueWanted(scan)) return open(scan, token.sign, token.at);
    if (frame !== undefined && closes(scan, frame, token.sign)) return close(scan, frame);
    if (token.sign === "," && frame !== undefined && scan.wanted === "comma or end") {
      scan.commaAt = token.at;
      scan.wanted = frame.kind === "object" ? "key" : "value";
      return undefined;
    }
    if (token.sign === ":" && scan.wanted === "colon") {
      scan.wanted = "value";
      return undefined;
    }
  }
  return { code: "not_json", pointer: "", ...complain(scan, frame, token) };
}

function isKeyWanted(scan: Scan): boolean {
  return scan.wanted === "key" || scan.wanted === "key or }";
}

function isValueWanted(scan: Scan): boolean {
  return scan.wanted === "value" || scan.wanted === "value or ]";
}

function closes(scan: Scan, frame: Frame, sign: Sign): boolean {
  if (frame.kind === "object") return sign === "}" && (scan.wanted === "key or }" || scan.wanted === "comma or end");
  return sign === "]" && (scan.wanted === "value or ]" || scan.wanted === "comma or end");
}

function takeKey(scan: Scan, frame: ObjectFrame, key: string, at: number): Problem | undefined {
  if (key.length > keyLimit) return keyTooLong(key, pointerTo(...pathOf(scan.stack.slice(0, -1))), at);
  frame.key = key;
  frame.keyAt = at;
  scan.wanted = "colon";
  const first = frame.members.get(key)?.keyAt;
  if (first !== undefined) report(scan, duplicateKey(key, pointerOf(scan), at, scan.placeAt(first).line));
  return undefined;
}

function takeScalar(scan: Scan, value: Json, { at, end }: Token): undefined {
  if (typeof value === "number" && isUnsafe(value)) {
    report(scan, unsafeNumber(scan.text.slice(at, end), pointerOf(scan), at));
    put(scan, toFinite(value), { at, keyAt: keyAt(scan) });
  } else {
    put(scan, value, { at, keyAt: keyAt(scan) });
  }
}

function open(scan: Scan, sign: "{" | "[", at: number): Problem | undefined {
  if (scan.stack.length === depthLimit) return tooDeep(pointerOf(scan), at);
  if (sign === "{") {
    scan.stack.push({ kind: "object", at, values: Object.create(null), members: new Map(), key: "", keyAt: at });
    scan.wanted = "key or }";
  } else {
    scan.stack.push({ kind: "array", at, values: [], items: [] });
    scan.wanted = "value or ]";
  }
  return undefined;
}

function close(scan: Scan, frame: Frame): undefined {
  scan.stack.pop();
  const { at, values } = frame;
  const held = frame.kind === "object" ? { members: frame.members } : { items: frame.items };
  put(scan, values, { at, keyAt: keyAt(scan), ...held });
}

/** Puts a finished value where it belongs: into the innermost open object or array, else it is the document. */
function put(scan: Scan, value: Json, mark: Mark): void {
  const frame = scan.stack.at(-1);
  scan.wanted = frame === undefined ? "nothing" : "comma or end";
  if (frame === undefined) {
    scan.value = value;
    scan.root = mark;
  } else if (frame.kind === "object") {
    frame.values[frame.key] = value;
    frame.members.set(frame.key, mark);
  } else {
    frame.values.push(value);
    frame.items.push(mark);
  }
}

function keyAt(scan: Scan): number | undefined {
  const frame = scan.stack.at(-1);
  return frame?.kind === "object" ? frame.keyAt : undefined;
}

function pointerOf(scan: Scan): Pointer {
  return pointerTo(...pathOf(scan.stack));
}

/** Of what comes next in the innermost of them. */
function pathOf(frames: readonly Frame[]): readonly (string | number)[] {
  return frames.map((frame) => (frame.kind === "object" ? frame.key : frame.items.length));
}

function report(scan: Scan, problem: Problem): void {
  if (scan.problems.length < problemsLimit) scan.problems.push(problem);
}

function complain(scan: Scan, frame: Frame | undefined, token: Token): { at: number; message: string } {
  const { at } = token;
  if (token.kind === "bad" || (token.kind === "word" && isValueWanted(scan))) return { at, message: token.message };
  if (token.kind === "end" && frame !== undefined) {
    const sign = frame.kind === "object" ? "{" : "[";
    const { line } = scan.placeAt(frame.at);
    return { at, message: `The text ends before the ${sign} of line ${line} is closed; add what is missing.` };
  }
  if (token.kind === "sign" && scan.commaAt !== undefined && isBlank(scan.text, scan.commaAt + 1, at)) {
    return { at: scan.commaAt, message: `Nothing stands between this comma and the ${token.sign}; remove the comma.` };
  }
  if (scan.wanted === "key or }" && scan.text.startsWith("{{", at - 1)) return { at: at - 1, message: templateMessage };
  return { at, message: wantedMessage(scan.wanted, frame) };
}

function isBlank(text: string, start: number, end: number): boolean {
  return text.slice(start, end).trim() === "";
}

function wantedMessage(wanted: Wanted, frame: Frame | undefined): string {
  switch (wanted) {
    case "key":
    case "key or }":
      return 'A key in double quotes must stand here, like "tool".';
    case "colon":
      return "A : is missing here, between the key and its value.";
    case "value":
    case "value or ]":
      return "A value is missing here.";
    case "comma or end":
      return `A comma is missing before this, or a ${frame?.kind === "array" ? "]" : "}"} that closes what is open.`;
    case "nothing":
      return "The document ends before this; remove what follows it.";
  }
}
