// Over HTTP a client of 2026-07-28 repeats arguments that are marked (`x-mcp-header`) as headers. A proxy may have let the
// call pass for what these say, so they must say the same as the call itself. (The SDK compares them for its own kind of
// server only.) Pure.

import type { HeaderMark } from "../../flow/json-schema/header-marks.ts";
import { isObject, own, type Json, type JsonObject } from "../../flow/json.ts";

export type Mismatch = { readonly header: string; readonly reason: string };

/** null: what is marked stands in the headers as it stands in the arguments. */
export function findMismatch(marks: readonly HeaderMark[], given: JsonObject, headers: Headers): Mismatch | null {
  for (const mark of marks) {
    const value = valueAt(given, mark.path);
    const text = toText(value);
    if (text === null) continue;
    const header = `Mcp-Param-${mark.name}`;
    const reason = reasonAgainst(headers.get(header), { text, value, mark });
    if (reason !== null) return { header, reason };
  }
  return null;
}

function valueAt(given: JsonObject, path: readonly string[]): Json | undefined {
  return path.reduce<Json | undefined>((value, name) => (isObject(value) ? own(value, name) : undefined), given);
}

/** null: no header is sent for it. */
function toText(value: Json | undefined): string | null {
  if (typeof value === "string") return value;
  if (typeof value === "boolean") return String(value);
  // What is larger a client may not know exactly.
  const isKnown = typeof value === "number" && (Number.isSafeInteger(value) || !Number.isInteger(value));
  return isKnown ? String(value) : null;
}

type Wanted = { readonly text: string; readonly value: Json | undefined; readonly mark: HeaderMark };

function reasonAgainst(given: string | null, { text, value, mark }: Wanted): string | null {
  const name = mark.path.join(".");
  if (given === null) return `it is missing, and the call has "${name}"`;
  const said = decode(given);
  if (said === null) return "it is no Base64 of a text";
  const isSame = said === text || (decimal.test(said) && Number(said) === value);
  return isSame ? null : `it says something else than "${name}" of the call`;
}

/** 42.0 is 42. */
const decimal = /^-?\d+(?:\.\d+)?$/;

const front = "=?base64?";
const end = "?=";
const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** What cannot stand in a header as it is comes as `=?base64?…?=`; null: what is in there is none. */
function decode(given: string): string | null {
  if (!given.startsWith(front) || !given.endsWith(end)) return given;
  const inner = given.slice(front.length, -end.length);
  if (!base64.test(inner)) return null;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(Buffer.from(inner, "base64"));
  } catch {
    // Bytes that are no text.
    return null;
  }
}
