// How many values a JSON text holds, told without reading it: a text of many small ones takes fifty times its length once
// it is read, so a limit on bytes alone is none on memory. Where a text is no JSON, it is counted up to that place at least.

/** Of one message. As many as a result of four megabytes may well have, and as few as fit into memory beside the rest. */
export const valuesMax: number = 500_000;

const pieceLength = 64 * 1024;

const quote = 34;
const comma = 44;
const list = 91;
const backslash = 92;
const object = 123;

export class ValueCount {
  #count = 0;
  #isInText = false;
  #isEscaped = false;

  get isTooMany(): boolean {
    return this.#count > valuesMax;
  }

  /** What follows on what was added before, wherever that was cut. */
  add(bytes: Uint8Array): void {
    let count = this.#count;
    let isInText = this.#isInText;
    let isEscaped = this.#isEscaped;
    // By index: an iterator takes seven times as long, and this may be sixteen megabytes.
    for (let at = 0; at < bytes.length; at += 1) {
      const byte = bytes[at];
      if (isInText) {
        if (isEscaped) isEscaped = false;
        else if (byte === quote) isInText = false;
        else if (byte === backslash) isEscaped = true;
      } else if (byte === quote) isInText = true;
      else if ((byte === comma || byte === object || byte === list) && ++count > valuesMax) break;
    }
    this.#count = count;
    this.#isInText = isInText;
    this.#isEscaped = isEscaped;
  }

  /** No text of JSON goes on in another line. */
  endLine(): void {
    this.#isInText = false;
    this.#isEscaped = false;
  }

  restart(): void {
    this.endLine();
    this.#count = 0;
  }
}

/** Each value has a sign of its own: what is short needs no counting. */
export function hasTooManyValues(json: Buffer | string): boolean {
  if (json.length <= valuesMax) return false;
  const count = new ValueCount();
  if (typeof json !== "string") count.add(json);
  // In pieces: it is large enough without a copy. A pair that is cut in two is neither of the signs that count.
  else for (let at = 0; at < json.length; at += pieceLength) count.add(Buffer.from(json.slice(at, at + pieceLength)));
  return count.isTooMany;
}
