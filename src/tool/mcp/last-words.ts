// The end of what a program writes on its standard error, for whoever has to find out what is wrong with it.

import { withoutInvisible, type Hide } from "./shown-text.ts";

/** So much of it is shown. */
const lengthMax = 2048;

export class LastWords {
  readonly #hide: Hide;
  #kept = "";

  constructor(hide: Hide) {
    this.#hide = hide;
  }

  /** Hidden before it is cut, since a part of a value is one too; and with what came before, since a value may come in
   *  pieces. */
  add(text: string): void {
    this.#kept = this.#hide(this.#kept + text).slice(-2 * lengthMax);
  }

  /** null: it has said nothing. */
  get text(): string | null {
    const words = this.#hide(withoutInvisible(this.#kept)).slice(-lengthMax).trim();
    return words === "" ? null : words;
  }
}
