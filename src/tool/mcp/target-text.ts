// A server's program or address in one line, as it may lie in a file that others read: nothing is filled in, and what
// somebody has written into it as a secret is left out. Pure.

import type { ServerEntry } from "./contract.ts";

const secretName = /key|token|secret|passw|auth|credential|cookie|bearer|signature/i;
const left = "…";

export function describeTarget({ target }: Pick<ServerEntry, "target">): string {
  if (target.kind === "http") return describeUrl(target.url);
  const words = target.args.map((word, index) => describeWord(word, target.args[index - 1] ?? ""));
  return [target.command, ...words].map(quote).join(" ");
}

/** Values behind the question mark are left out: many a service is given its key there. */
function describeUrl(url: string): string {
  const [address = "", ...rest] = url.replace(/#.*$/s, "").split("?");
  const bare = address.replace(/^([a-z][\w+.-]*:\/\/)[^/@]*@/i, "$1");
  const names = rest
    .join("?")
    .split("&")
    .filter((pair) => pair !== "");
  const query = names.map((pair) => (/=\$\{[^{}]*\}$/.test(pair) ? pair : pair.replace(/=.*$/s, `=${left}`))).join("&");
  return query === "" ? bare : `${bare}?${query}`;
}

function describeWord(word: string, before: string): string {
  // What is filled in later is no secret yet.
  if (/^(?:[^=]*=)?\$\{[^{}]*\}$/.test(word)) return word;
  const [, name, value] = /^([^=:\s]+(?:=|:\s*))(.+)$/s.exec(word) ?? [];
  if (/^[a-z][\w+.-]*:\/\//i.test(word)) return describeUrl(word);
  if (name !== undefined && value !== undefined && secretName.test(name)) return `${name}${left}`;
  const isSaidBefore = before.startsWith("-") && !before.includes("=") && secretName.test(before);
  return (isSaidBefore && !word.startsWith("-")) || isRandom(word) ? left : word;
}

/** Long, without a sign that a path or a package would have, and with digits in it. */
function isRandom(word: string): boolean {
  return /^[\w+=-]{24,}$/.test(word) && /\d/.test(word) && /[a-z]/i.test(word);
}

function quote(word: string): string {
  return /^[^\s"'\\]+$/.test(word) ? word : JSON.stringify(word);
}
