// What is written into the form of `/workflow`, and what it stands for.

import type { Json } from "./json.ts";
import { readJson } from "./schema-form.ts";

export type Draft = {
  /** Of which it was filled; "": of none. */
  readonly template: string;
  readonly name: string;
  readonly flow: string;
  readonly input: string;
  readonly schedule: string;
};

export const emptyDraft: Draft = { template: "", name: "", flow: "", input: "{}", schedule: "" };

export type ReadDraft =
  | { readonly ok: true; readonly flow: Json; readonly input: Json }
  | { readonly ok: false; readonly field: "flow" | "input"; readonly problem: string };

/** A flow goes as it was written: the server reads JSON and YAML. */
export function readDraft({ flow, input }: Draft): ReadDraft {
  if (flow.trim() === "") return { ok: false, field: "flow", problem: "Write a flow, or choose a template." };
  const read = input.trim() === "" ? { ok: true as const, value: {} } : readJson(input);
  if (!read.ok) return { ok: false, field: "input", problem: read.problem };
  return { ok: true, flow, input: read.value ?? {} };
}
