// What zod and other libraries of schemas have in common (Standard Schema, https://standardschema.dev). Only its shape
// is known here; no such library is ever loaded.

import { isObject, type Json, type JsonObject } from "../flow/json.ts";

export interface StandardSchema<Input = unknown, Output = Input> {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>;
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
    /** Not every library can say its schemas as JSON Schema. */
    readonly jsonSchema?: {
      readonly input: (options: JsonSchemaOptions) => Record<string, unknown>;
      readonly output: (options: JsonSchemaOptions) => Record<string, unknown>;
    };
  };
}

type JsonSchemaOptions = { readonly target: string; readonly libraryOptions?: Record<string, unknown> | undefined };

export type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] };

export type StandardIssue = {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
};

/** A JSON Schema, or a schema of a library that speaks Standard Schema. */
export type ToolSchema = JsonObject | StandardSchema;

/** What a function is given that declares this schema: what its own check makes of the arguments. */
export type CheckedBy<Schema> = Schema extends {
  readonly "~standard": { readonly types?: { readonly output: infer Output } | undefined };
}
  ? Output
  : JsonObject;

/** Some libraries make their schemas functions. */
export function isStandard(schema: ToolSchema): schema is StandardSchema {
  return "~standard" in schema && typeof schema["~standard"] === "object";
}

/** The schema as others read it; null: its library cannot say. */
export function toJsonSchema(schema: StandardSchema, side: "input" | "output"): JsonObject | null {
  const { jsonSchema } = schema["~standard"];
  // What has no words in JSON Schema, a date say, is anything there.
  const options = { target: "draft-2020-12", libraryOptions: { unrepresentable: "any" } };
  try {
    const said: unknown = jsonSchema?.[side](options);
    if (said === undefined) return null;
    const plain: Json = JSON.parse(JSON.stringify(said));
    return isObject(plain) ? plain : null;
  } catch {
    return null;
  }
}
