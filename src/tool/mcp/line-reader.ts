// Bytes in, lines out, however the bytes come: one by one, or many lines at once. Of a line that is not complete yet large
// pieces are kept as they are, and small ones side by side in blocks, so that single bytes cost no more than they weigh.
// Lines that came together become a text together: to look at each of them for itself takes three times as long.

import { isUtf8 } from "node:buffer";

/** `text`: it is known to be one. */
export type Line =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "line"; readonly bytes: Buffer }
  | { readonly kind: "too_long"; readonly head: Buffer };

const blockSize = 64 * 1024;
const smallMax = 4096;
const headLength = 1024;
const newline = 10;
/** A pipe gives half as much at once. What is longer is looked at before it becomes a text. */
const textsMax = 128 * 1024;

export class LineReader {
  readonly #bytesMax: number;
  readonly #pieces: Buffer[] = [];
  #keptLength = 0;
  /** Small pieces that are not among the others yet stand in it from `#blockFrom` up to `#blockEnd`. */
  #block: Buffer = Buffer.alloc(0);
  #blockFrom = 0;
  #blockEnd = 0;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  /** After a line that is too long there is nothing more. */
  read(chunk: Buffer): readonly Line[] {
    const lines: Line[] = [];
    const last = chunk.lastIndexOf(newline);
    let from = 0;
    // It is tried once: to look at all that is left for each line would take the longer the more lines there are.
    let mayBeTexts = true;
    while (from <= last) {
      if (mayBeTexts && this.#keptLength === 0) {
        mayBeTexts = readTexts(lines, chunk.subarray(from, last), this.#bytesMax);
        if (mayBeTexts) from = last + 1;
        continue;
      }
      const end = chunk.indexOf(newline, from);
      const piece = chunk.subarray(from, end);
      from = end + 1;
      if (this.#keptLength + piece.length > this.#bytesMax) return [...lines, this.#tooLong(piece)];
      lines.push({ kind: "line", bytes: this.#complete(piece) });
    }
    const rest = from === 0 ? chunk : chunk.subarray(from);
    if (this.#keptLength + rest.length > this.#bytesMax) lines.push(this.#tooLong(rest));
    else if (rest.length > 0) this.#keep(rest);
    return lines;
  }

  #complete(piece: Buffer): Buffer {
    if (this.#keptLength === 0) return piece;
    this.#keep(piece);
    const whole = Buffer.concat(this.#collect());
    this.#forget();
    return whole;
  }

  #keep(piece: Buffer): void {
    this.#keptLength += piece.length;
    if (piece.length >= smallMax) return void this.#collect().push(piece);
    if (this.#block.length - this.#blockEnd < piece.length) {
      this.#collect();
      this.#block = Buffer.allocUnsafe(blockSize);
      this.#blockFrom = 0;
      this.#blockEnd = 0;
    }
    this.#blockEnd += piece.copy(this.#block, this.#blockEnd);
  }

  /** All that is kept, in order. */
  #collect(): Buffer[] {
    if (this.#blockEnd > this.#blockFrom) this.#pieces.push(this.#block.subarray(this.#blockFrom, this.#blockEnd));
    this.#blockFrom = this.#blockEnd;
    return this.#pieces;
  }

  #forget(): void {
    this.#pieces.length = 0;
    this.#keptLength = 0;
  }

  #tooLong(piece: Buffer): Line {
    const pieces = [...this.#collect().slice(0, 1), piece];
    const head = Buffer.concat(pieces.map((one) => one.subarray(0, headLength)));
    this.#forget();
    return { kind: "too_long", head };
  }
}

/** False: they have to be looked at one by one. */
function readTexts(lines: Line[], bytes: Buffer, bytesMax: number): boolean {
  if (bytes.length > Math.min(bytesMax, textsMax) || !isUtf8(bytes)) return false;
  for (const text of bytes.toString().split("\n")) lines.push({ kind: "text", text });
  return true;
}
