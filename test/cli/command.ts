// The command line as a person has it: a process of its own in a folder of its own.

import { spawn, type ChildProcess } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { showAddress } from "../../src/store/address.ts";
import { addressFor, leaveAddress } from "../../src/testing/store-place.ts";

const program = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));

/** The path of one of the flows that the demo shows. */
export function demoFlow(name: string): string {
  return fileURLToPath(new URL(`../../examples/flows/${name}.yaml`, import.meta.url));
}

export type Finished = { readonly exitCode: number | null; readonly stdout: string; readonly stderr: string };

export type Started = {
  readonly child: ChildProcess;
  readonly finished: Promise<Finished>;
  /** Resolves as soon as it has been said, on stdout or stderr; rejects when the process ends without it. */
  readonly said: (pattern: RegExp) => Promise<RegExpExecArray>;
};

export type Place = {
  readonly folder: string;
  /** As the commands name the store that they use unless told otherwise. */
  readonly storeName: string;
  readonly run: (...args: readonly string[]) => Promise<Finished>;
  readonly start: (...args: readonly string[]) => Started;
  /** The same, through another program. */
  readonly startWith: (wrapper: readonly string[], args: readonly string[]) => Started;
  /** Ends what is still running, and removes the folder. */
  readonly remove: () => Promise<void>;
};

export function makePlace(): Place {
  const folder = mkdtempSync(join(tmpdir(), "stepwell-cli-"));
  const own = ".stepwell/stepwell.db";
  const store = addressFor(own);
  const environment = store === own ? {} : { STEPWELL_STORE: store };
  const all: Started[] = [];
  const startWith = (wrapper: readonly string[], args: readonly string[]): Started => {
    const started = startIn(folder, environment, [...wrapper, process.execPath, program, ...args]);
    all.push(started);
    return started;
  };
  const start = (...args: readonly string[]): Started => startWith([], args);
  return {
    folder,
    storeName: showAddress(store),
    start,
    startWith,
    run: (...args) => start(...args).finished,
    remove: async () => {
      for (const { child } of all) child.kill("SIGKILL");
      await Promise.all(all.map(({ finished }) => finished));
      leaveAddress(store);
      rmSync(folder, { recursive: true });
    },
  };
}

type Environment = Readonly<Record<string, string>>;

function startIn(folder: string, environment: Environment, [file = "", ...args]: readonly string[]): Started {
  const own = { NO_COLOR: "1", LANG: "C.UTF-8", npm_lifecycle_event: "", ...environment };
  const env = { ...process.env, ...own };
  const child = spawn(file, args, { cwd: folder, env, stdio: ["ignore", "pipe", "pipe"] });
  let stdout = "";
  let stderr = "";
  const listeners = new Set<() => void>();
  child.stdout.on("data", (chunk: Buffer) => {
    stdout += chunk.toString();
    for (const listener of listeners) listener();
  });
  child.stderr.on("data", (chunk: Buffer) => {
    stderr += chunk.toString();
    for (const listener of listeners) listener();
  });
  const finished = new Promise<Finished>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (exitCode) => resolve({ exitCode, stdout, stderr }));
  });
  const said = async (pattern: RegExp): Promise<RegExpExecArray> => {
    const { promise, resolve, reject } = Promise.withResolvers<RegExpExecArray>();
    const look = (): void => {
      const found = pattern.exec(stdout + stderr);
      if (found !== null) resolve(found);
    };
    listeners.add(look);
    look();
    void finished.then(() => reject(new Error(`It ended without saying ${pattern}:\n${stdout}${stderr}`)));
    return promise;
  };
  return { child, finished, said };
}
