// Lists of rows as arrays of columns in the server's binary form: written into one buffer that is used again and again,
// since this is what a step costs this process. Whatever does not fit its column is refused here, before anything is
// sent.

import type { Scalar } from "../columns/row.ts";

export type ColumnType = "bigint" | "text";

/** The numbers that the server gives its types. */
const typeNumbers: { readonly [type in ColumnType]: number } = { bigint: 20, text: 25 };

/** A value that no column can hold; nothing was sent. */
export class ValueError extends Error {
  override readonly name = "ValueError";
}

/** Which column of a list: rows of `width` values, one after another. */
export type ColumnPlace = { readonly width: number; readonly at: number; readonly type: ColumnType };

/** The server takes a message of at most 1 GB; whatever comes near is no batch but a mistake. */
const bytesMax = 512 * 1024 * 1024;

const headerBytes = 20;

/** No dimension, without nulls. */
function emptyArray(type: ColumnType): Buffer {
  const buffer = Buffer.alloc(12);
  buffer.writeInt32BE(typeNumbers[type], 8);
  return buffer;
}

const emptyArrays: { readonly [type in ColumnType]: Buffer } = {
  bigint: emptyArray("bigint"),
  text: emptyArray("text"),
};

function toWhole(value: unknown): number {
  if (typeof value === "number" && Number.isSafeInteger(value)) return value;
  throw new ValueError(`${String(value)} is no whole number.`);
}

function toText(value: unknown): string {
  if (typeof value === "string") return value;
  throw new ValueError(`${String(value)} is no text.`);
}

/** What it gives is good until `clear`. */
export class ColumnArrays {
  #buffer: Buffer;
  #end = 0;
  #bytes = 0;

  constructor(bytes: number = 1 << 18) {
    this.#buffer = Buffer.allocUnsafeSlow(bytes);
  }

  /** A new batch: the buffers of the one before are no longer needed. */
  clear(): void {
    this.#end = 0;
    this.#bytes = 0;
  }

  encode(list: readonly Scalar[], { width, at, type }: ColumnPlace): Buffer {
    const count = list.length / width;
    this.#reserve(headerBytes + count * 12);
    const start = this.#end;
    const buffer = this.#buffer;
    // One dimension, with nulls, of this type, so many, the first of them is 1.
    buffer.writeInt32BE(1, start);
    buffer.writeInt32BE(1, start + 4);
    buffer.writeInt32BE(typeNumbers[type], start + 8);
    buffer.writeInt32BE(count, start + 12);
    buffer.writeInt32BE(1, start + 16);
    this.#end = start + headerBytes;
    const encoded =
      type === "bigint"
        ? this.#encodeNumbers(list, start, { width, at })
        : this.#encodeTexts(list, start, { width, at });
    this.#count(encoded.length);
    return encoded;
  }

  /** An array of nothing: whoever unfolds it finds null in every row. */
  empty(type: ColumnType): Buffer {
    return emptyArrays[type];
  }

  /** A single value, if its column can hold it. */
  check(value: Scalar, type: ColumnType): Scalar {
    if (value === null) return value;
    if (type === "bigint") return toWhole(value);
    const text = toText(value);
    this.#count(text.length * 3);
    return text;
  }

  #count(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes > bytesMax) throw new ValueError(`A batch of more than ${bytesMax} bytes cannot be written.`);
  }

  #encodeNumbers(list: readonly Scalar[], start: number, { width, at }: Omit<ColumnPlace, "type">): Buffer {
    const buffer = this.#buffer;
    let end = this.#end;
    for (let from = at; from < list.length; from += width) {
      const value = list[from];
      if (value === null) {
        buffer.writeInt32BE(-1, end);
        end += 4;
      } else {
        const number = toWhole(value);
        buffer.writeInt32BE(8, end);
        buffer.writeInt32BE(Math.floor(number / 4_294_967_296), end + 4);
        buffer.writeInt32BE(number | 0, end + 8);
        end += 12;
      }
    }
    this.#end = end;
    return buffer.subarray(start, end);
  }

  #encodeTexts(list: readonly Scalar[], start: number, { width, at }: Omit<ColumnPlace, "type">): Buffer {
    let end = this.#end;
    let begin = start;
    for (let from = at; from < list.length; from += width) {
      const value = list[from];
      if (value === null) {
        this.#buffer.writeInt32BE(-1, end);
        end += 4;
      } else {
        const text = toText(value);
        // At most three bytes for each unit of the text, and four for the length of this one and of those behind it.
        const need = end + text.length * 3 + (list.length - from) * 4 + 16;
        if (need > this.#buffer.length) [begin, end] = this.#grow(begin, end, need);
        const bytes = this.#buffer.write(text, end + 4);
        this.#buffer.writeInt32BE(bytes, end);
        end += 4 + bytes;
      }
    }
    this.#end = end;
    return this.#buffer.subarray(begin, end);
  }

  #reserve(bytes: number): void {
    if (this.#end + bytes > this.#buffer.length) this.#replace(bytes);
  }

  /** The column that is being written moves to a larger buffer; those before it stay where they are. */
  #grow(begin: number, end: number, need: number): [number, number] {
    const written = this.#buffer.subarray(begin, end);
    this.#replace(need - begin);
    written.copy(this.#buffer, 0);
    return [0, end - begin];
  }

  #replace(bytes: number): void {
    if (bytes > bytesMax * 2) throw new ValueError(`A text of more than ${bytesMax} bytes cannot be written.`);
    this.#buffer = Buffer.allocUnsafeSlow(Math.max(this.#buffer.length, bytes * 2));
    this.#end = 0;
  }
}
