// Programs that fetch what they run: without a version it is another one tomorrow, and nobody has looked at it. Pure.

import type { StdioTarget } from "./contract.ts";

/** What each of them is told by that takes a word of its own. */
const fetchers: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ["npx", new Set(["-c", "--call", "--registry", "-w", "--workspace"])],
  ["bunx", new Set<string>()],
  ["uvx", new Set(["--python", "-p", "--with", "--index-url", "--index"])],
]);

/** The package that has no version; undefined: it has one, or nothing is fetched. */
export function findUnpinned({ command, args }: Pick<StdioTarget, "command" | "args">): string | undefined {
  const program = command.replace(/^.*[\\/]/, "").replace(/\.(?:cmd|exe)$/i, "");
  const withValue = fetchers.get(program);
  if (withValue === undefined) return undefined;
  const name = packageIn(args, withValue, program === "uvx" ? ["--from"] : ["-p", "--package"]);
  return name === undefined || isPinned(name) ? undefined : name;
}

function packageIn(
  args: readonly string[],
  withValue: ReadonlySet<string>,
  namedBy: readonly string[],
): string | undefined {
  for (let at = 0; at < args.length; at += 1) {
    const word = args[at] ?? "";
    const named = namedBy.find((flag) => word === flag || word.startsWith(`${flag}=`));
    if (named !== undefined) return word === named ? args[at + 1] : word.slice(named.length + 1);
    if (withValue.has(word)) at += 1;
    else if (!word.startsWith("-")) return word;
  }
  return undefined;
}

/** A version, a file, an address, or something that is filled in later. */
function isPinned(name: string): boolean {
  return /[^@](?:@|==)v?\d[\w.+-]*$/.test(name) || /^[./~]|[:$]/.test(name);
}
