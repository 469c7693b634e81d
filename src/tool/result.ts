// What a tool returned, as JSON. The value is copied on the way: a tool may keep what it returned and change it later, and
// what is in memory must stay what is on disk. Small values are the rule, so their size is only estimated.

import type { Json } from "../flow/json.ts";
import { cut } from "./flaws.ts";
import { messageOfThrown } from "./thrown.ts";

/** As deep as documents and rows may be. */
const depthMax = 128;
/** In bytes of JSON text. */
export const resultBytesMax: number = 4 * 1024 * 1024;
const bytesMax = resultBytesMax;
/** What is kept of a result that is too large, to see what it was. */
const keptLength = 4096;

export type CheckedResult =
  | { readonly ok: true; readonly value: Json }
  | { readonly ok: false; readonly code: "bad_result" | "result_too_large"; readonly message: string };

/** Members that are undefined are left out, and what has a `toJSON` is what that says, both as `JSON.stringify` does it;
 *  what that would lose or change without a word is refused. */
export function checkResult(returned: unknown): CheckedResult {
  // A function that only acts returns nothing.
  if (returned === undefined || returned === null) return { ok: true, value: null };
  if (typeof returned === "boolean") return { ok: true, value: returned };
  const copying: Copying = { bytesLeast: 0, problem: null, path: [] };
  try {
    const value = copyOf(returned, 0, copying);
    if (value === undefined) return refusal(returned, copying);
    if (copying.bytesLeast * bytesMostFactor <= bytesMax) return { ok: true, value };
    const bytes = Buffer.byteLength(JSON.stringify(value));
    return bytes <= bytesMax ? { ok: true, value } : tooLarge(value, `${bytes} bytes`);
  } catch (error) {
    // Getters and `toJSON` are the tool's own code.
    return bad(`Its result cannot be read: ${cut(messageOfThrown(error), keptLength)}`);
  }
}

type Copying = {
  /** The text has at least so many bytes: one for each value, and one for each character. */
  bytesLeast: number;
  problem: string | null;
  /** Where the problem is, innermost key first. */
  readonly path: (string | number)[];
};

/** And at most so many times more: a number has up to 24 digits, a character up to six bytes, a member four signs. */
const bytesMostFactor = 30;

/** undefined: there is a problem. */
function copyOf(value: unknown, depth: number, copying: Copying): Json | undefined {
  switch (typeof value) {
    case "string":
      copying.bytesLeast += value.length + 1;
      return value;
    case "number":
      copying.bytesLeast += 1;
      // JSON text has no minus zero.
      return Number.isFinite(value) ? value + 0 : refuse(copying, `${value} is no number of JSON`);
    case "boolean":
      copying.bytesLeast += 1;
      return value;
    case "object":
      copying.bytesLeast += 1;
      return value === null ? null : copyOfObject(value, depth, copying);
    case "undefined":
      return refuse(copying, "undefined is not JSON; use null");
    case "bigint":
      return refuse(copying, "a BigInt is not JSON; return it as a text");
    case "function":
    case "symbol":
      return refuse(copying, `a ${typeof value} is not JSON`);
  }
}

function copyOfObject(value: object, depth: number, copying: Copying): Json | undefined {
  if (copying.bytesLeast > bytesMax) return undefined;
  if (depth >= depthMax) return refuse(copying, `it is nested more than ${depthMax} deep, or contains itself`);
  if (Array.isArray(value)) return copyOfList(value, depth, copying);
  // One level deeper, since what it says may be itself again.
  if (hasToJson(value)) return copyOf(value.toJSON(), depth + 1, copying);
  return copyOfMap(value, depth, copying);
}

function copyOfList(list: readonly unknown[], depth: number, copying: Copying): Json | undefined {
  const copy: Json[] = [];
  for (let index = 0; index < list.length; index += 1) {
    const item = copyOf(list[index], depth + 1, copying);
    if (item === undefined) return refuseAt(copying, index);
    copy.push(item);
  }
  return copy;
}

function copyOfMap(map: object, depth: number, copying: Copying): Json | undefined {
  if (!isMap(map)) return refuse(copying, `${nameOf(map)} is not JSON; return a plain object`);
  const copy: { [key: string]: Json } = {};
  for (const key of Object.keys(map)) {
    const given = map[key];
    if (given === undefined) continue;
    copying.bytesLeast += key.length;
    const member = copyOf(given, depth + 1, copying);
    if (member === undefined) return refuseAt(copying, key);
    // By assignment this one key would change the prototype instead.
    if (key === "__proto__") Object.defineProperty(copy, key, { ...ordinary, value: member });
    else copy[key] = member;
  }
  return copy;
}

const ordinary = { configurable: true, enumerable: true, writable: true } as const;

function hasToJson(value: object): value is { toJSON(): unknown } {
  return "toJSON" in value && typeof value.toJSON === "function";
}

/** Objects of classes count, as long as they hold what they are in plain properties. */
function isMap(value: object): value is { readonly [key: string]: unknown } {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === Object.prototype || prototype === null) return true;
  return Object.prototype.toString.call(value) === "[object Object]";
}

function nameOf(value: object): string {
  return Object.prototype.toString.call(value).replace(/^\[object (.*)\]$/, "a value of the type $1");
}

function refuse(copying: Copying, problem: string): undefined {
  copying.problem = problem;
}

function refuseAt(copying: Copying, key: string | number): undefined {
  copying.path.push(key);
}

function refusal(returned: unknown, { problem, path }: Copying): CheckedResult {
  if (problem === null) return tooLarge(returned, `more than ${bytesMax} bytes`);
  // The deepest places of something that contains itself say nothing.
  const place = path.toReversed().slice(0, 8).join(".");
  return bad(
    path.length === 0 ? `Its result is no JSON: ${problem}.` : `Its result is no JSON: at ${place}, ${problem}.`,
  );
}

function bad(message: string): CheckedResult {
  return { ok: false, code: "bad_result", message };
}

function tooLarge(value: unknown, size: string): CheckedResult {
  const message = `Its result has ${size}; ${bytesMax} are the limit. Keep it elsewhere and return where. It begins: `;
  return { ok: false, code: "result_too_large", message: message + beginningOf(value) };
}

/** The beginning of the JSON text, without writing all of it. */
function beginningOf(value: unknown): string {
  let room = keptLength;
  const text = JSON.stringify(value, (key, member: unknown) => {
    room -= key.length + 1;
    if (room <= 0) return undefined;
    if (Array.isArray(member)) return member.slice(0, keptLength);
    if (typeof member !== "string") return member;
    room -= member.length;
    return member.slice(0, keptLength);
  });
  return text.slice(0, keptLength).toWellFormed();
}
