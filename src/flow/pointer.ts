// JSON Pointers (RFC 6901): how a finding names its place.

export type Pointer = string;

export function pointerTo(...parts: readonly (string | number)[]): Pointer {
  return under("", ...parts);
}

/** `pointer` extended by `parts`, each escaped. */
export function under(pointer: Pointer, ...parts: readonly (string | number)[]): Pointer {
  let longer = pointer;
  for (const part of parts) longer += `/${escaped(String(part))}`;
  return longer;
}

// Hardly any name needs it, and pointers are made by the ten thousand.
function escaped(part: string): string {
  return /[~/]/.test(part) ? part.replaceAll("~", "~0").replaceAll("/", "~1") : part;
}

export function partsOf(pointer: Pointer): readonly string[] {
  if (pointer === "") return [];
  return pointer
    .slice(1)
    .split("/")
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** The pointer of the value that holds this one; the root holds itself. */
export function parentOf(pointer: Pointer): Pointer {
  return pointer.slice(0, Math.max(0, pointer.lastIndexOf("/")));
}
