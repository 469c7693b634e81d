// A flow on the command line: the path of a file, `-` for standard input, or the name of a saved workflow.

import { readFileSync, statSync } from "node:fs";
import { StepwellError } from "../error.ts";

/** `stepwell run digest` means a saved workflow, unless a file of that name is there. */
export function isFilePath(text: string): boolean {
  return (
    text === "-" || /[/\\]|\.(?:json|ya?ml)$/i.test(text) || statSync(text, { throwIfNoEntry: false }) !== undefined
  );
}

export function readFlowFile(path: string, usage: string): string {
  if (path === "-") return readFileSync(0, "utf8");
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) throw new StepwellError("FILE_NOT_FOUND", `There is no file "${path}".`, { hint: usage });
  if (found.isDirectory()) {
    throw new StepwellError("FILE_NOT_FOUND", `"${path}" is a folder; name a file in it.`, { hint: usage });
  }
  return readFileSync(path, "utf8");
}

/** Of a flow that has no name of its own. */
export function nameOfFile(path: string): string {
  return path === "-" ? "flow" : path.replace(/^.*[/\\]/, "").replace(/\.(?:json|ya?ml)$/i, "");
}
