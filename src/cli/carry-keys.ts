// Secrets stay sealed when a store is moved: whoever goes on with it needs the keys that they are sealed with.

import { KeyRing, keyPlaceOf } from "../access/key-ring.ts";

/** From one store's file of keys to the other's; a key of the environment is the same for both. */
export function carryKeys(from: string, to: string): void {
  const source = new KeyRing(keyPlaceOf(from, undefined));
  if (source.isGiven) return;
  const target = new KeyRing(keyPlaceOf(to, undefined));
  // The last to be added is the one that seals.
  for (const key of source.list().toReversed()) target.add(key);
}
