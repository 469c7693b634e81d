// Names that are made by chance, in the order in which they appear: two plays of one list give the same text then. The ids
// of runs and steps come from the clock and need no renaming: they must be the same.

const uuid = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}";
/** The chance that a run's uid ends with. */
const chance = "(?<=\\b[0-9a-z]{8}-)[\\w-]{16}";

export class Names {
  readonly #known = new Map<string, string>();

  /** `epochs`: of all owners so far. */
  rename(text: string, epochs: readonly string[]): string {
    const pattern = new RegExp([uuid, chance, ...epochs].join("|"), "g");
    return text.replaceAll(pattern, (found) => {
      const name = this.#known.get(found) ?? `<${this.#known.size + 1}>`;
      this.#known.set(found, name);
      return name;
    });
  }
}
