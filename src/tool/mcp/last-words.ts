// The end of what a program writes on its standard error, for whoever has to find out what is wrong with it.

import { createVeil, hideNothing, longestForm, withoutInvisible, type Hide } from "./shown-text.ts";

/** So much of it is shown. */
const lengthMax = 2048;

export class LastWords {
  readonly #hide: Hide;
  readonly #keptMax: number;
  #kept = "";

  /** `filled`: values that were filled into its configuration; `mask` hides what else is secret. */
  constructor(filled: readonly string[], mask: Hide = hideNothing) {
    const veil = createVeil(filled);
    this.#hide = (text) => mask(veil(text));
    // A value that comes in pieces is found only when all of it is there.
    this.#keptMax = lengthMax + Math.max(lengthMax, longestForm(filled));
  }

  /** Hidden before it is cut, since a part of a value is one too; and with what came before, since a value may come in
   *  pieces. */
  add(text: string): void {
    this.#kept = this.#hide(this.#kept + text).slice(-this.#keptMax);
  }

  /** null: it has said nothing. */
  get text(): string | null {
    const words = this.#hide(withoutInvisible(this.#kept)).slice(-lengthMax).trim();
    return words === "" ? null : words;
  }
}
