// Starts a child, waits for it, and reads the one line that it has to say.

import { spawn } from "node:child_process";
import { rmSync } from "node:fs";
import { dirname, extname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { Measurement } from "./measurement.ts";
import { withPriority } from "./priority.ts";
import type { Order } from "./task.ts";

const sourceChild = fileURLToPath(new URL("child.ts", import.meta.url));

export type ChildOptions = {
  /** As it was built; undefined: its source. */
  readonly childFile?: string | undefined;
  /** Where a processor profile goes; undefined: none is made. */
  readonly profileFolder?: string | undefined;
  /** The first process of the server. */
  readonly serverPid?: number | undefined;
};

export async function runChild(order: Order, options: ChildOptions = {}): Promise<Measurement> {
  const { childFile = sourceChild, profileFolder, serverPid = 0 } = options;
  const witness = pathToFileURL(join(dirname(childFile), `witness${extname(childFile)}`)).href;
  const profiling = profileFolder === undefined ? [] : ["--cpu-prof", `--cpu-prof-dir=${profileFolder}`];
  const command = [process.execPath, ...profiling, childFile, JSON.stringify(order)];
  const [program = "", ...args] = withPriority(command);
  // By the environment, because threads of the engine take no flags of the process.
  const levelsFile = join(order.folder, "levels");
  rmSync(levelsFile, { force: true });
  const env = {
    ...process.env,
    STEPWELL_BENCH_LEVELS: levelsFile,
    STEPWELL_BENCH_SERVER: String(serverPid),
    NODE_OPTIONS: `--import ${witness}`,
  };
  const { code, output } = await collect(program, args, env);
  const line = output.trimEnd().split("\n").at(-1) ?? "";
  if (code !== 0) throw new Error(`${order.task.kind}: the child ended with ${code}.`);
  return JSON.parse(line) as Measurement;
}

async function collect(
  program: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<{ code: number | null; output: string }> {
  const child = spawn(program, args, { env, stdio: ["ignore", "pipe", "inherit"] });
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    output += chunk;
  });
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => resolve({ code, output }));
  });
}
