// Shells as people have them: one that sits at a terminal and is typed into, and fish, which tells what it would offer.

import { spawn, spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { completionScripts } from "../../src/cli/completion-scripts.ts";
import type { Inside } from "./inside.ts";

const program = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));

export type ShellName = keyof typeof completionScripts;

/** Why it cannot be tried here; undefined: it can. */
export function findReasonToSkip(shell: ShellName): string | undefined {
  if (spawnSync(shell, ["--version"]).error !== undefined) return `${shell} is not on this machine`;
  if (shell === "fish") return undefined;
  // Others take other arguments.
  const { stdout, error } = spawnSync("script", ["--version"], { encoding: "utf8" });
  return error === undefined && stdout.includes("util-linux")
    ? undefined
    : "script (of util-linux) is not on this machine, and without it there is no terminal to type into";
}

export type Typist = {
  /** Types this and then the key of completion, and gives the words that the command has in the end. */
  readonly complete: (line: string, presses?: number) => Promise<readonly string[]>;
  /** Types this and the key, and takes it all back. */
  readonly tryOut: (line: string) => void;
  readonly leave: () => Promise<void>;
};

/** Ready as soon as it has read the script. */
export async function openShell(shell: "bash" | "zsh", inside: Inside): Promise<Typist> {
  const start = shell === "bash" ? "bash --norc --noprofile -i" : "zsh -f -i";
  const env = { ...environmentOf(inside), TERM: "dumb", HISTFILE: "" };
  const child = spawn("script", ["-qfc", start, "/dev/null"], { cwd: inside.folder, env });
  let heard = "";
  let listener: (() => void) | null = null;
  child.stdout.on("data", (chunk: Buffer) => {
    heard += chunk.toString();
    listener?.();
  });
  const closed = new Promise<void>((resolve) => void child.once("close", () => resolve()));
  const hear = (pattern: RegExp): Promise<RegExpExecArray> => {
    const { promise, resolve, reject } = Promise.withResolvers<RegExpExecArray>();
    const look = (): void => {
      const found = pattern.exec(heard);
      if (found !== null) resolve(found);
    };
    listener = look;
    look();
    void closed.then(() => reject(new Error(`The shell ended:\n${heard}`)));
    return promise;
  };
  const type = (keys: string): boolean => child.stdin.write(keys);
  const path = join(inside.folder, `completion.${shell}`);
  writeFileSync(path, completionScripts[shell]);
  if (shell === "zsh") type("autoload -Uz compinit; compinit -u -D\n");
  type(`source '${path}'; echo listen''ing\n`);
  await hear(/listening\r?\n/);
  return {
    complete: async (line, presses = 1) => {
      heard = "";
      type(`${line}${"\t".repeat(presses)}\n`);
      const [, words = ""] = await hear(/@@(.*)@@/);
      return words.split("@").slice(0, -1);
    },
    // Control and U takes back what is typed.
    tryOut: (line) => void type(`${line}\t\u0015`),
    leave: () => {
      child.kill();
      return closed;
    },
  };
}

/** What fish would offer. */
export function askFish(
  line: string,
  inside: Inside,
): { readonly offered: readonly string[]; readonly stderr: string } {
  const script = `${completionScripts.fish}\ncomplete -C $argv[1]`;
  const { stdout, stderr } = spawnSync("fish", ["--no-config", "-c", script, line], {
    cwd: inside.folder,
    env: environmentOf(inside),
    encoding: "utf8",
  });
  return { offered: stdout.split("\n").flatMap((each) => (each === "" ? [] : [each.split("\t")[0] ?? ""])), stderr };
}

/** A `stepwell` that answers the shell, and otherwise only says what it was told. */
function environmentOf(inside: Inside): NodeJS.ProcessEnv {
  const folder = join(inside.folder, ".bin");
  const path = join(folder, "stepwell");
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    path,
    `#!/bin/sh\nif [ "$1" = complete ]; then exec '${process.execPath}' '${program}' "$@"; fi\nprintf '@@'; printf '%s@' "$@"; printf '@@\\n'\n`,
  );
  chmodSync(path, 0o755);
  const home = inside.folder;
  return {
    PATH: `${folder}${delimiter}${process.env["PATH"] ?? ""}`,
    HOME: home,
    XDG_DATA_HOME: home,
    XDG_CONFIG_HOME: home,
    LANG: "C.UTF-8",
    STEPWELL_STORE: inside.store,
  };
}
