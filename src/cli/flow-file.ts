// A flow on the command line: the path of a file, `-` for standard input, or the name of a saved workflow.

import { existsSync, readFileSync, statSync } from "node:fs";
import { StepwellError } from "../error.ts";

/** `stepwell run digest` means a saved workflow, unless a file of that name is there. */
export function isFilePath(text: string): boolean {
  return (
    text === "-" || /[/\\]|\.(?:json|ya?ml)$/i.test(text) || statSync(text, { throwIfNoEntry: false }) !== undefined
  );
}

function findWithEnding(path: string): string | undefined {
  return [".yaml", ".yml", ".json"].map((ending) => `${path}${ending}`).find((each) => existsSync(each));
}

/** Whoever names a workflow that is not there may mean a file. */
export async function hintingAtFile<Found>(name: string, looking: Promise<Found>): Promise<Found> {
  try {
    return await looking;
  } catch (error) {
    const near = findWithEnding(name);
    if (near === undefined || !(error instanceof StepwellError) || !error.code.endsWith("_NOT_FOUND")) throw error;
    throw new StepwellError(error.code, error.message, { hint: `there is a file ${near}`, cause: error });
  }
}

export function readFlowFile(path: string, usage: string): string {
  if (path === "-") return readFileSync(0, "utf8");
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) {
    const near = findWithEnding(path);
    const suggestion = near === undefined ? "" : ` Did you mean "${near}"?`;
    throw new StepwellError("FILE_NOT_FOUND", `There is no file "${path}".${suggestion}`, { hint: usage });
  }
  if (found.isDirectory()) {
    throw new StepwellError("FILE_NOT_FOUND", `"${path}" is a folder; name a file in it.`, { hint: usage });
  }
  return readFileSync(path, "utf8");
}

/** Of a flow that has no name of its own. */
export function nameOfFile(path: string): string {
  return path === "-" ? "flow" : path.replace(/^.*[/\\]/, "").replace(/\.(?:json|ya?ml)$/i, "");
}
