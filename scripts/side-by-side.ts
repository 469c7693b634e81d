// `node scripts/side-by-side.ts check:lint check:types …`: scripts of package.json, as many at once as there are
// processors. Some of them use one only, and so would leave the others idle. All run to their end, each is told with all
// that it said, and when one fails, this fails.

import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { delimiter } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));

type Ended = { readonly isGood: boolean; readonly said: string };

export async function runScript(command: string): Promise<Ended> {
  const path = `${root}node_modules/.bin${delimiter}${process.env["PATH"] ?? ""}`;
  const child = spawn(command, {
    cwd: root,
    shell: true,
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, PATH: path },
  });
  let said = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (part: string) => {
      said += part;
    });
  const isGood = await new Promise<boolean>((resolve, reject) => {
    child.on("error", reject).on("close", (exitCode) => resolve(exitCode === 0));
  });
  return { isGood, said };
}

/** Those that failed. */
export async function runSideBySide(commands: ReadonlyMap<string, string>): Promise<readonly string[]> {
  const waiting = [...commands];
  const failed: string[] = [];
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [name, command] = next;
      const startedAt = performance.now();
      const { isGood, said } = await runScript(command);
      const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
      console.log(`${isGood ? "✓" : "✗"} ${name}  ${seconds} s\n${said.trim()}\n`);
      if (!isGood) failed.push(name);
    }
  };
  await Promise.all(Array.from({ length: Math.max(2, availableParallelism()) }, work));
  if (failed.length > 0) console.error(`✗ failed: ${failed.join(", ")}`);
  return failed;
}

/** As package.json has them. */
export function commandsOf(names: readonly string[]): ReadonlyMap<string, string> {
  const { scripts } = JSON.parse(readFileSync(`${root}package.json`, "utf8")) as {
    readonly scripts: Readonly<Record<string, string>>;
  };
  return new Map(
    names.map((name) => {
      const command = scripts[name];
      if (command === undefined) throw new Error(`There is no script "${name}" in package.json.`);
      return [name, command] as const;
    }),
  );
}

if (import.meta.main) {
  const failed = await runSideBySide(commandsOf(process.argv.slice(2)));
  process.exitCode = failed.length === 0 ? 0 : 1;
}
