// One line of the coverage table.

export type Construct<T> = { readonly name: string; readonly isUsed: (thing: T) => boolean };

export function uses<T>(name: string, isUsed: (thing: T) => boolean): Construct<T> {
  return { name, isUsed };
}
