// What is wrong with a file that somebody wants to import: all of it at once, each with a code and its place.

import { StepwellError } from "../../error.ts";
import type { Pointer } from "../../flow/pointer.ts";

type FileProblemCode =
  | "not_json"
  | "not_an_object"
  | "unknown_version"
  | "workflow_missing"
  | "name_missing"
  | "flow_missing"
  | "steps_missing"
  | "wrong_type"
  | "name_twice"
  | "too_many"
  | "too_deep";

export type FileProblem = {
  readonly code: FileProblemCode;
  readonly pointer: Pointer;
  readonly message: string;
  /** Where there is no place in a document, since it cannot be read. */
  readonly line?: number;
  readonly column?: number;
};

/** `note("steps_missing", "/steps", "…")` */
export type Note = (code: FileProblemCode, pointer: Pointer, message: string) => void;

/** Reads, and throws what was noted meanwhile; nothing is done with what was read then. */
export function readOrRefuse<T>(read: (note: Note) => T): T {
  const problems: FileProblem[] = [];
  const value = read((code, pointer, message) => problems.push({ code, pointer, message }));
  return problems.length === 0 ? value : refuseFile(problems);
}

export function refuseFile(problems: readonly FileProblem[]): never {
  const rest = problems.length > 1 ? ` (and ${problems.length - 1} more)` : "";
  throw new StepwellError("INPUT_INVALID", `The file cannot be imported: ${problems[0]?.message ?? ""}${rest}`, {
    hint: "docs/sharing.md shows what such a file looks like.",
    details: { problems },
  });
}
