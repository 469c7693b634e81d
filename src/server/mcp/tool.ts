// A tool of ours, as it is listed and called.

import type { CallToolResult, ToolAnnotations } from "@modelcontextprotocol/server";
import { z } from "zod";
import type { Right } from "../../access/permission.ts";
import type { UserEngine } from "../../engine/engine.ts";
import { StepwellError } from "../../error.ts";
import type { JsonObject } from "../../flow/json.ts";
import type { RunId } from "../../run/model.ts";
import type { Caller } from "./caller.ts";
import { badParams } from "./failure.ts";
import { fitResult, tooLarge } from "./fit.ts";
import type { House } from "./house.ts";
import { text } from "./run-answer.ts";

export type DoorTool = {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** Who may not is not shown it. */
  readonly right: Right;
  readonly annotations: ToolAnnotations;
  /** JSON Schema of its arguments. */
  readonly input: JsonObject;
  readonly call: (given: JsonObject, hand: Hand) => Promise<CallToolResult>;
};

/** In which a tool is called. */
export type Hand = {
  readonly house: House;
  readonly caller: Caller;
  /** Under the key that came with the call, if one did. */
  readonly engine: UserEngine;
};

type ToolWith<Shape extends z.ZodObject> = Omit<DoorTool, "input" | "call"> & {
  readonly args: Shape;
  readonly call: (args: z.output<Shape>, hand: Hand) => Promise<CallToolResult>;
};

export function defineDoorTool<Shape extends z.ZodObject>({ args, call, ...rest }: ToolWith<Shape>): DoorTool {
  const { $schema: _, ...input } = z.toJSONSchema(args, { io: "input" });
  return { ...rest, input: input as JsonObject, call: (given, hand) => call(readArgs(args, given, rest.name), hand) };
}

function readArgs<Shape extends z.ZodObject>(shape: Shape, given: JsonObject, tool: string): z.output<Shape> {
  const read = shape.safeParse(given);
  if (read.success) return read.data;
  const problems = read.error.issues.slice(0, 20).map(({ path, message }) => `${path.join(".") || tool}: ${message}`);
  throw badArguments({ tool, expected: Object.keys(shape.shape), given, problems });
}

type BadArguments = {
  readonly tool: string;
  readonly expected: readonly string[];
  readonly given: JsonObject;
  readonly problems: readonly string[];
};

/** With what there would be, and what there was: a slip in a name is seen at once. */
export function badArguments({ tool, expected, given, problems }: BadArguments): Error {
  const names = Object.keys(given);
  const message =
    `${tool}: ${(problems[0] ?? "the arguments do not fit").replace(/\.$/u, "")}. ` +
    `Expected: ${expected.join(", ") || "nothing"}; given: ${names.join(", ") || "nothing"}.`;
  return badParams(message, { expected, given: names, problems });
}

/** A document for programs, and the same as a text for models. `less`: how to ask for less of it. */
export function tell(
  document: JsonObject,
  { told = JSON.stringify(document), less = "Ask for less." }: { readonly told?: string; readonly less?: string } = {},
): CallToolResult {
  const result = fitResult({ content: [text(told)], structuredContent: { ...document } });
  if (result === null) throw tooLarge(less);
  return result;
}

/** What it takes is checked by who uses it. */
export const flowShape: z.ZodType = z
  .union([z.string(), z.record(z.string(), z.unknown())])
  .describe("A flow, or its text in JSON or YAML");

export const inputShape: z.ZodType = z
  .union([z.string(), z.record(z.string(), z.unknown())])
  .describe("An object, or its text");

export const runShape: z.ZodType<string | number> = z
  .union([z.string().min(1).max(200), z.int()])
  .describe("The run: its run_id, or its number");

/** Which run is meant; throws when there is none, or it is another's. */
export async function findRun(engine: UserEngine, reference: string | number): Promise<RunId> {
  const given = String(reference);
  if (/^\d{1,15}$/u.test(given)) return Number(given);
  const [run] = (await engine.overview.find(given)).runs;
  if (run === undefined) throw new StepwellError("RUN_NOT_FOUND", `There is no run "${given}".`);
  return run;
}
