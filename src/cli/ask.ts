// Asks the person at the keyboard. Where nobody sits there, a flag has to say it.

import { createInterface } from "node:readline/promises";
import { StepwellError } from "../error.ts";
import type { Call } from "./command.ts";

type Asking = Pick<Call, "values" | "surroundings">;

/** A person can be asked, and nobody has forbidden it. */
export function canAsk({ values, surroundings }: Asking): boolean {
  return surroundings.canAsk && !values["no-input"];
}

/** True with --yes; where nobody can be asked, it is refused. */
export async function confirm(question: string, asking: Asking): Promise<boolean> {
  if (asking.values.yes) return true;
  if (!canAsk(asking)) {
    throw new StepwellError("USAGE", `${question} Nobody is here to answer.`, { hint: "--yes says it in advance" });
  }
  return askYesNo(question);
}

/** Ctrl+C at the question is a signal as ever: the terminal is not taken over. */
export async function askYesNo(question: string, signal?: AbortSignal): Promise<boolean> {
  const dialogue = createInterface({ input: process.stdin, output: process.stderr, terminal: false });
  try {
    const answer = await dialogue.question(`${question} [y/N] `, signal === undefined ? {} : { signal });
    return /^y(?:es)?$/i.test(answer.trim());
  } catch {
    // Nobody wants to know any more.
    return false;
  } finally {
    dialogue.close();
  }
}
