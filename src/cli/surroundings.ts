// Where a command runs: its streams and its environment. The process by default; tests bring their own.

import type { Config } from "./config.ts";
import type { Terminal } from "./terminal.ts";

export type Surroundings = {
  readonly stdout: Terminal;
  readonly stderr: Terminal;
  readonly environment: { readonly [name: string]: string | undefined };
  /** A person sits at the keyboard and can be asked. */
  readonly canAsk: boolean;
  /** What the project says; null or nothing: there is no file that says anything. */
  readonly config?: Config | null;
};

export function surroundingsOf(process: NodeJS.Process): Surroundings {
  const { stdout, stderr, stdin, env } = process;
  return { stdout, stderr, environment: env, canAsk: stdin.isTTY && stderr.isTTY };
}
