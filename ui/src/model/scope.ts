// What a token is limited to, in words.

/** `130001.read`, `tool:mail.send`: a key as people read it. */
function showScope(key: string): string {
  if (key === "130001") return "everything";
  if (key === "tool:*") return "every tool";
  if (key.startsWith("tool:")) return `the tool ${key.slice("tool:".length)}`;
  return key.replace(/^130001\./, "");
}

export function showScopes(keys: readonly string[] | null): string {
  return keys === null ? "all of the user's" : keys.map(showScope).join(", ");
}
