// Equal in all that JSON can say: what was read back is another object than what was written.

export function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null) return false;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const names = Object.keys(one);
  if (names.length !== Object.keys(other).length) return false;
  return names.every((name) => Object.hasOwn(other, name) && isSame(fieldOf(one, name), fieldOf(other, name)));
}

function fieldOf(thing: object, name: string): unknown {
  return Reflect.get(thing, name);
}

/** The first field in which two of the same kind differ. */
export function findDifference<T extends object>(one: T, other: T): keyof T | undefined {
  if (one === other) return undefined;
  for (const name in one) if (!isSame(one[name], other[name])) return name;
  return undefined;
}
