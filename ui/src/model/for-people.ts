// Apart from all else about the inbox, since every page counts them.

import type { InboxItem } from "./run.ts";

/** What somebody has to do something about: a machine that rests in a state waits for nobody. */
export function forPeople(items: readonly InboxItem[]): readonly InboxItem[] {
  return items.filter(({ kind }) => kind !== "state");
}
