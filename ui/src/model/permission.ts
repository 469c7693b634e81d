// Permission keys as somebody picks them: words for those that there are, and the keys as text for all else.

export type Permission = { readonly key: string; readonly word: string };

const everything = "130001";

/** In the order in which they reach further. */
export const permissions: readonly Permission[] = [
  { key: everything, word: "Everything but tools" },
  { key: "130001.read", word: "See runs, workflows and tools" },
  { key: "130001.start", word: "Start runs" },
  { key: "130001.answer", word: "Answer gates" },
  { key: "130001.signal", word: "Send signals and events" },
  { key: "130001.cancel", word: "Cancel runs" },
  { key: "130001.operate", word: "Operate: pause runs, decide what they wait for" },
  { key: "130001.save", word: "Save workflows" },
  { key: "130001.secrets", word: "Keep secrets" },
  { key: "130001.admin", word: "Administer: users, tokens, old runs" },
  { key: "tool:*", word: "Let their runs call every tool" },
];

/** What the form for a new user begins with. Somebody has to administer, and that is the first; all others get what they are
 *  given, beginning with the least that is of use. */
export function keysToBeginWith(isFirst: boolean): string {
  return isFirst ? `${everything} tool:*` : "130001.read 130001.start";
}

/** Runs may be started, and none of their steps may call a tool. */
export function startsWithoutTools(keys: readonly string[]): boolean {
  return (
    keys.some((key) => key === everything || key === "130001.start") && !keys.some((key) => key.startsWith("tool:"))
  );
}

export function keysIn(text: string): readonly string[] {
  return [...new Set(text.split(/[\s,]+/).filter((word) => word !== ""))];
}

/** `given`: the key itself. `covered`: one above it, so that it need not be given. */
export function holdingOf(keys: readonly string[], { key }: Permission): "given" | "covered" | "none" {
  if (keys.includes(key)) return "given";
  return key.startsWith(`${everything}.`) && keys.includes(everything) ? "covered" : "none";
}

/** With this one more or less; what somebody has written beside stays. */
export function toggledKey(text: string, { key }: Permission): string {
  const keys = keysIn(text);
  return (keys.includes(key) ? keys.filter((each) => each !== key) : [...keys, key]).join(" ");
}

/** Said at the field, before it is sent; the server says the same. */
export function findPasswordProblem(password: string): string | null {
  return password.length < 8 ? "A password has 8 characters at least." : null;
}

/** The user that the program itself is: nobody changes it. */
export function isProgram(id: string): boolean {
  return id === "user:local";
}

export function isGroup(id: string): boolean {
  return id.startsWith("group:");
}

/** As it is written where one is made: `ann`, `group:staff`. */
export function nameOfPrincipal(id: string): string {
  return id.replace(/^user:/, "");
}
