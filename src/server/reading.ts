// What was sent, as the engine wants it; what is wrong with it is said with its place.

import type { Context, HonoRequest } from "hono";
import type { z } from "@hono/zod-openapi";
import { StepwellError } from "../error.ts";
import type { Json } from "../flow/json.ts";
import { depthLimit } from "../flow/source/limits.ts";
import { readText } from "../flow/source/read.ts";
import { isTooDeep } from "../flow/source/value.ts";

type Flaw = { readonly path: readonly PropertyKey[]; readonly message: string };

/** What does not fit what a route takes. */
function toInputProblem(error: { readonly issues: readonly Flaw[] }, target: string): StepwellError {
  const problems = error.issues.slice(0, 20).map(({ path, message }) => ({
    pointer: path.map((part) => `/${String(part).replaceAll("~", "~0").replaceAll("/", "~1")}`).join(""),
    message,
  }));
  const [first] = problems;
  const place = first === undefined || first.pointer === "" ? places[target] : `"${first.pointer.slice(1)}"`;
  return new StepwellError("INPUT_INVALID", `${place ?? target}: ${first?.message ?? "not understood"}.`, {
    hint: "GET /api/openapi.json says what each route takes.",
    details: { problems },
  });
}

const places: Readonly<Record<string, string>> = {
  json: "What was sent",
  query: "The query",
  param: "The address",
  header: "The headers",
};

/** The body, whatever it says of its own type; JSON that breaks off is told with its place. */
export async function readBody<Shape extends z.ZodType>(context: Context, shape: Shape): Promise<z.output<Shape>> {
  const text = await readBodyText(context.req);
  return check(shape, text.trim() === "" ? {} : parseJson(text), "json");
}

/** A flow with its input; results of steps go the other way. */
const bytesMax = 4 * 1024 * 1024;

async function readBodyText(request: HonoRequest): Promise<string> {
  try {
    return await readWhole(request);
  } catch (error) {
    if (error instanceof StepwellError) throw error;
    const message = "What was sent cannot be read: it broke off, or somebody has read it before.";
    const hint =
      "In a server of your own, engine.node() stands before what reads bodies, or finds them in request.body.";
    throw new StepwellError("BODY_UNREADABLE", message, { hint, cause: error });
  }
}

async function readWhole(request: HonoRequest): Promise<string> {
  const length = request.header("content-length");
  if (length === undefined) return readPieces(request.raw.body);
  if (Number(length) > bytesMax) throw tooLarge();
  return request.text();
}

/** Nobody has said how much will come. */
async function readPieces(body: ReadableStream<Uint8Array> | null): Promise<string> {
  if (body === null) return "";
  const decoder = new TextDecoder();
  let bytes = 0;
  let text = "";
  for await (const piece of body) {
    bytes += piece.length;
    if (bytes > bytesMax) throw tooLarge();
    text += decoder.decode(piece, { stream: true });
  }
  return text + decoder.decode();
}

function tooLarge(): StepwellError {
  return new StepwellError("TOO_LARGE", `What was sent is larger than ${bytesMax} bytes.`);
}

export function readQuery<Shape extends z.ZodType>(context: Context, shape: Shape): z.output<Shape> {
  return check(shape, context.req.query(), "query");
}

function check<Shape extends z.ZodType>(shape: Shape, value: unknown, target: string): z.output<Shape> {
  const checked = shape.safeParse(value);
  if (checked.success) return checked.data;
  throw toInputProblem(checked.error, target);
}

/** Strictly JSON: YAML is for flows. */
function parseJson(text: string): Json {
  const value = parseAny(text);
  if (!isTooDeep(value, depthMax)) return value;
  throw new StepwellError("INPUT_INVALID", `What was sent is nested more than ${depthLimit} deep.`);
}

/** What is nested too deep is refused before anybody goes down there. */
const depthMax = depthLimit + 16;

function parseAny(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    const { findings } = readText(text, { syntax: "json" });
    const { line = 1, column = 1, message = "it cannot be read" } = findings[0] ?? {};
    throw new StepwellError(
      "BODY_UNREADABLE",
      `What was sent is no JSON (line ${line}, column ${column}): ${message}`,
      { details: { line, column } },
    );
  }
}

/** The seeds send an input as it is, or as its text. */
export function readInput(value: unknown): Json {
  if (typeof value !== "string") return (value ?? null) as Json;
  const trimmed = value.trim();
  if (trimmed === "") return null;
  return /^[[{]/u.test(trimmed) ? parseJson(trimmed) : value;
}

/** An id as it stands in an address; 0, which nothing has, when it is none. */
export function readId(text: string): number {
  return /^\d{1,15}$/u.test(text) ? Number(text) : 0;
}
