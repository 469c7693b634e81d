// Asks for a text that nobody sees while it is typed.

import type { ReadStream } from "node:tty";
import { StepwellError } from "../error.ts";
import { interruptedExitCode } from "./signals.ts";

type Keyboard = Pick<ReadStream, "setRawMode" | "on" | "off" | "resume" | "pause">;

export type SecretAsking = {
  readonly keyboard: Keyboard;
  readonly write: (text: string) => void;
  /** After Ctrl+C, which arrives here as a key. */
  readonly end: (exitCode: number) => void;
};

const enter = /[\r\n]/;
const interrupt = "\u0003";
const backspaces: ReadonlySet<string> = new Set(["\u007F", "\b"]);

export async function askSecret(
  question: string,
  { keyboard, write, end }: SecretAsking = fromProcess(),
): Promise<string> {
  write(question);
  keyboard.setRawMode(true);
  keyboard.resume();
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let typed: readonly string[] = [];
  const take = (chunk: Buffer | string): void => {
    for (const key of String(chunk)) {
      if (enter.test(key)) return resolve(typed.join(""));
      if (key === interrupt) {
        end(interruptedExitCode);
        return reject(new StepwellError("USAGE", "Nothing was given."));
      }
      typed = backspaces.has(key) ? typed.slice(0, -1) : [...typed, key];
    }
  };
  keyboard.on("data", take);
  try {
    return await promise;
  } finally {
    keyboard.off("data", take);
    keyboard.setRawMode(false);
    keyboard.pause();
    write("\n");
  }
}

function fromProcess(): SecretAsking {
  return {
    keyboard: process.stdin,
    write: (text) => void process.stderr.write(text),
    end: (exitCode) => {
      process.stdin.setRawMode(false);
      process.exit(exitCode);
    },
  };
}
