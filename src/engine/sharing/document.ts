// A workflow as a file that stands for itself: with the workflows that it starts, what it reads and what it needs, and
// without anything of the place it comes from (ids, times, users, secrets). Keys have a fixed order, so that the same
// workflow gives the same text wherever it is exported.

import { StepwellError } from "../../error.ts";
import type { Json, JsonObject } from "../../flow/json.ts";
import type { Effect } from "../../flow/plan.ts";
import type { Pointer } from "../../flow/pointer.ts";

export type SharedWorkflow = {
  readonly name: string;
  readonly description: string | null;
  readonly flow: Json;
  /** As it was written, with comments and layout; absent where the flow alone tells. */
  readonly text?: string;
  /** An input to begin with. */
  readonly input: Json;
};

export type SharedTool = {
  readonly name: string;
  readonly description: string | null;
  readonly effect: Effect;
  readonly input_schema: JsonObject | null;
  readonly output_schema: JsonObject | null;
};

export type SharedDocument = {
  /** The version of this format. */
  readonly stepwell: 1;
  readonly workflow: SharedWorkflow;
  /** Those that it starts, and those that these start, by name; each in one version. */
  readonly workflows: readonly SharedWorkflow[];
  readonly resources: readonly JsonObject[];
  /** What is known of the tools that their steps call. */
  readonly tools: readonly SharedTool[];
  /** Names alone. */
  readonly secrets: readonly string[];
  /** Keys that whoever runs it must have. */
  readonly permissions: readonly string[];
  readonly tests: readonly Json[];
};

/** A workflow of the file, and where its flow stands in it. */
export type FiledWorkflow = SharedWorkflow & { readonly pointer: Pointer };

export type SharedFile = {
  readonly main: FiledWorkflow;
  readonly others: readonly FiledWorkflow[];
  readonly resources: readonly JsonObject[];
  readonly tools: readonly SharedTool[];
  readonly tests: readonly Json[];
  readonly warnings: readonly string[];
};

/** Of a file to import, in bytes of UTF-8. */
const sharedBytesMax = 1_048_576;

/** Before anything is done with it. */
export function checkSharedSize(bytes: number): void {
  if (bytes > sharedBytesMax)
    throw new StepwellError("TOO_LARGE", `The file has ${bytes} bytes; at most ${sharedBytesMax} can be imported.`);
}

export function toSharedText(document: SharedDocument): string {
  return `${toJsonText(document)}\n`;
}

/** A flow's own text says no more than its value when it is written like this. */
export function toJsonText(value: unknown): string {
  return JSON.stringify(value, null, 2);
}

export function byText(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}
