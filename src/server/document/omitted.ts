// Values that are too long to be sent along are told by their length; there are routes that give each of them by itself.

import type { Json } from "../../flow/json.ts";
import type { OmittedDocument } from "../contract/run.ts";

/** Of a value's JSON. */
export const valueBytesMax = 65_536;

export function orOmitted<Value extends Json>(value: Value, bytesMax: number = valueBytesMax): Value | OmittedDocument {
  const bytes = jsonBytes(value);
  return bytes > bytesMax ? { $omitted: bytes } : value;
}

/** Of a value's JSON; 0: there is nothing. */
export function jsonBytes(value: Json): number {
  return value === null ? 0 : Buffer.byteLength(JSON.stringify(value));
}
