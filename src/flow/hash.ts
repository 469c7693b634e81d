// The version of a flow: equal meaning, equal hash.

import { createHash } from "node:crypto";
import { canonicalText, type Json } from "./json.ts";

/** SHA-256 of the value's canonical text, in hex. */
export function hashOf(value: Json): string {
  return createHash("sha256").update(canonicalText(value)).digest("hex");
}
