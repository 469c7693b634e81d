// Texts from outside are measured as bytes, results as JSON, in which quotes, line breaks and other signs take more room.
// What fits as the one and not as the other is told by the tool itself, which knows what a person can do about it.

import type { Json } from "../../flow/json.ts";
import { resultBytesMax } from "../result.ts";

/** JSON writes a byte of a text with six signs at most; what stands around it is small. */
const growthMost = 6;
const aroundMost = 256 * 1024;

/** The bytes of a result that is too large, in words; undefined: it fits. `bytes`: of what came from outside. */
export function describeOverflow(result: Json, bytes: number): string | undefined {
  if (bytes * growthMost + aroundMost <= resultBytesMax) return undefined;
  const needed = Buffer.byteLength(JSON.stringify(result));
  if (needed <= resultBytesMax) return undefined;
  return `has ${bytes} bytes, but ${needed} as a result, which is JSON (quotes and line breaks take two signs), and ${resultBytesMax} are the limit`;
}
