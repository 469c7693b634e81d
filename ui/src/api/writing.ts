// What an editor asks while somebody writes a flow.

import { queryOptions } from "@tanstack/react-query";
import type { FindingDocument, ValidationDocument } from "../../../src/server/contract.ts";
import type { Finding, Validation } from "../model/finding.ts";
import { isObject, type Json } from "../model/json.ts";
import { ask } from "./request.ts";
import { toGraph } from "./runs.ts";

function toFinding(found: FindingDocument): Finding {
  return {
    code: found.code,
    isError: found.severity === "error",
    message: found.message,
    pointer: found.pointer,
    line: found.line ?? null,
    column: found.column ?? null,
    patch: found.patch ?? null,
  };
}

/** Those that a refused request tells of. */
export function toFindings(told: Json | undefined): readonly Finding[] {
  if (!Array.isArray(told)) return [];
  return (told as readonly Json[]).filter(isObject).map((found) => ({
    code: textIn(found["code"]),
    isError: found["severity"] !== "warning",
    message: textIn(found["message"] ?? found["code"]),
    pointer: textIn(found["pointer"]),
    line: typeof found["line"] === "number" ? found["line"] : null,
    column: typeof found["column"] === "number" ? found["column"] : null,
    patch: found["patch"] ?? null,
  }));
}

function textIn(told: Json | undefined): string {
  return typeof told === "string" ? told : "";
}

/** What is wrong with a flow, and its drawing. */
export async function validateFlow(flow: Json, signal?: AbortSignal): Promise<Validation> {
  const found = await ask<ValidationDocument>("/api/workflow/validate", {
    method: "POST",
    body: { flow },
    ...(signal === undefined ? {} : { signal }),
  });
  return { findings: found.findings.map(toFinding), graph: found.graph === null ? null : toGraph(found.graph) };
}

export function validationQuery(flow: Json) {
  return queryOptions({
    queryKey: ["validation", flow],
    queryFn: ({ signal }) => validateFlow(flow, signal),
    gcTime: 30_000,
    // Tools may come and go; a text that is looked at again is checked again.
    staleTime: 10_000,
  });
}

/** The text with the patch of a finding in it. */
export async function mendText(text: string, patch: Json): Promise<string> {
  return (await ask<{ readonly text: string }>("/api/workflow/mend", { method: "POST", body: { text, patch } })).text;
}

/** The JSON Schema of flows, by which keys are completed. */
export const flowSchemaQuery = queryOptions({
  queryKey: ["flow-schema"],
  queryFn: ({ signal }): Promise<Json> => ask<Json>("/api/workflow/schema", { signal }),
  staleTime: Infinity,
});
