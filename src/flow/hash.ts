// The hash by which a version is known. A pure computation, and the one place in `flow` that may import from node.

import { createHash } from "node:crypto";
import { canonicalText, type Json } from "./json.ts";

/** SHA-256 of the canonical text, in hex: equal values have equal hashes, whatever the order of their keys. */
export function hashOf(value: Json): string {
  return createHash("sha256").update(canonicalText(value)).digest("hex");
}
