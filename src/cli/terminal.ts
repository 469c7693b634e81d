// The terminal: what it can show, and a part of it that is drawn again and again in place.

import type { WriteStream } from "node:tty";

/** What output can be. */
export type Look = {
  /** It can be drawn over. */
  readonly isLive: boolean;
  readonly isUnicode: boolean;
  readonly isColour: boolean;
  readonly columns: number;
};

type Environment = { readonly [name: string]: string | undefined };
/** A stream that may be a terminal. */
export type Terminal = Pick<WriteStream, "write" | "columns" | "rows"> & { readonly isTTY?: boolean };

/** Pipes and files get plain lines of any length. */
export function lookOf(stream: Terminal, environment: Environment, wishes: { readonly isPlain: boolean }): Look {
  const isTerminal = stream.isTTY === true;
  const isDumb = environment["TERM"] === "dumb";
  return {
    isLive: isTerminal && !isDumb,
    isUnicode: isUnicodeIn(environment),
    isColour: isColourIn(environment, isTerminal && !isDumb && !wishes.isPlain),
    columns: isTerminal ? columnsOf(stream) : 1000,
  };
}

/** Some terminals do not know how wide they are. */
export function columnsOf({ columns }: Pick<Terminal, "columns">): number {
  return columns > 0 ? Math.max(20, columns) : 80;
}

/** The locale decides; where none is set, terminals of today are taken at their best. */
function isUnicodeIn(environment: Environment): boolean {
  if (environment["TERM"] === "linux" || environment["TERM"] === "dumb") return false;
  const locale = [environment["LC_ALL"], environment["LC_CTYPE"], environment["LANG"]].find(
    (name) => (name ?? "") !== "",
  );
  return locale === undefined || /utf-?8/i.test(locale);
}

function isColourIn(environment: Environment, isPossible: boolean): boolean {
  if ((environment["NO_COLOR"] ?? "") !== "") return false;
  if ((environment["FORCE_COLOR"] ?? "") !== "") return environment["FORCE_COLOR"] !== "0";
  return isPossible;
}

const hideCursor = "\u001B[?25l";
const showCursor = "\u001B[?25h";
const eraseBelow = "\u001B[0J";

/** Lines at the bottom of a terminal that are drawn over until they settle; what is said meanwhile stands above them. */
export class LiveArea {
  readonly #stream: Terminal;
  #lines: readonly string[] = [];

  constructor(stream: Terminal) {
    this.#stream = stream;
  }

  /** Lines must be no longer than the terminal is wide. */
  draw(lines: readonly string[]): void {
    const start = this.#lines.length === 0 ? hideCursor : this.#eraser();
    this.#lines = this.#fit(lines);
    this.#stream.write(start + this.#text());
  }

  say(text: string): void {
    this.#stream.write(`${this.#eraser()}${text}\n${this.#text()}`);
  }

  /** What was drawn last stays; the next drawing stands below it. */
  settle(): void {
    if (this.#lines.length > 0) this.#stream.write(showCursor);
    this.#lines = [];
  }

  /** A line that has scrolled out of the terminal could not be drawn over: the heading and the newest lines stay. */
  #fit(lines: readonly string[]): readonly string[] {
    const room = Math.max(3, this.#stream.rows - 1);
    if (lines.length <= room) return lines;
    return [...lines.slice(0, 1), `  (${lines.length - room + 1} lines)`, ...lines.slice(lines.length - room + 2)];
  }

  #text(): string {
    return this.#lines.map((line) => `${line}\n`).join("");
  }

  #eraser(): string {
    return this.#lines.length === 0 ? "" : `\u001B[${this.#lines.length}A\r${eraseBelow}`;
  }
}
