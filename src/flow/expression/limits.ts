// The limits of one expression. Each has an error of its own, and each is checked before the work it bounds is done.

/** In UTF-8: what a person can still read in one piece. */
export const sourceBytesMax = 4096;

/** Nesting (parentheses, lists, maps, calls, indexes, `!`, `-`, `?:`); a long chain of `&&` on one level is not deep. */
export const depthMax = 64;

export const nodesMax = 1000;

/** One unit pays for one node visited, one element compared, copied or produced, or `textPerFuel` of text read. */
export const fuelMax = 100_000;

/** UTF-16 units read or written for one unit of fuel: 4 MB, the largest result, costs a sixth of the whole. */
export const textPerFuel = 256;

/** What a value weighs when it is put into a list or a map by reference, in members per unit of fuel. Without this
 *  price a chain of `[a, a]` would double for next to nothing, and the value would burst when it is written as JSON. */
export const membersPerFuel = 32;

/** Text produced in all, in UTF-8. */
export const textBytesMax = 1_048_576;

/** Of lists and maps in each other; the same as for every JSON value that the engine takes. */
export const valueDepthMax = 128;

/** Bytes of `text` in UTF-8. */
export function byteLength(text: string): number {
  let bytes = text.length;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    // Each half of a surrogate pair counts two: four in all.
    if (unit > 0x7f) bytes += unit < 0x800 || (unit & 0xf800) === 0xd800 ? 1 : 2;
  }
  return bytes;
}
