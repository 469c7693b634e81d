// Names that are made by chance, in the order in which they appear: two plays of one list give the same text then. The ids
// of runs and steps come from the clock and need no renaming: they must be the same.

const uuid = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}";
/** A run's uid, with the chance that it ends with. To look back from each character of a long text takes long: it is found
 *  from its beginning. */
const uid = "\\b(?<time>[0-9a-z]{8}-)(?<chance>[\\w-]{16})";

export class Names {
  readonly #known = new Map<string, string>();

  /** `epochs`: of all owners so far. */
  rename(text: string, epochs: readonly string[]): string {
    const pattern = new RegExp([uuid, uid, ...epochs].join("|"), "g");
    return text.replaceAll(pattern, (all: string, time: string = "", chance: string = all) => {
      const name = this.#known.get(chance) ?? `<${this.#known.size + 1}>`;
      this.#known.set(chance, name);
      return time + name;
    });
  }
}
