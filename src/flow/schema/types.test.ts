import { describe, expectTypeOf, test } from "vitest";
import type { Json, JsonObject } from "../json.ts";
import type {
  AlexClawExport,
  BareFlow,
  BranchCase,
  CallSpec,
  Done,
  FlowDocument,
  Gate,
  MachineDocument,
  PipelineStep,
  Retry,
  State,
  Step,
  Trigger,
  Wait,
} from "./types.ts";

describe("the types inferred from the schema", () => {
  test("a required key is required, the others are optional, and their values are those of the schema", () => {
    expectTypeOf<BranchCase["if"]>().toEqualTypeOf<string>();
    expectTypeOf<CallSpec["args"]>().toEqualTypeOf<JsonObject | string | undefined>();
    expectTypeOf<Step["tool"]>().toEqualTypeOf<string | null | undefined>();
    expectTypeOf<Step["effect"]>().toEqualTypeOf<"read" | "idempotent" | "write" | undefined>();
    expectTypeOf<Gate["approvers"]>().toEqualTypeOf<readonly string[] | undefined>();
    expectTypeOf<State["terminal"]>().toEqualTypeOf<"success" | "failure" | "cancel" | boolean | undefined>();
    expectTypeOf<MachineDocument["transitions"][number]["from"]>().toEqualTypeOf<string | readonly string[]>();
    expectTypeOf<AlexClawExport["steps"][number]["input_from"]>().toEqualTypeOf<number | null | undefined>();
  });

  test("alternatives become unions", () => {
    expectTypeOf<Extract<Retry, string | boolean>>().toEqualTypeOf<"classic" | false>();
    expectTypeOf<Extract<Done, boolean>>().toEqualTypeOf<boolean>();
    expectTypeOf<Extract<Wait, string>>().toEqualTypeOf<string>();
    expectTypeOf<{ readonly event: string; readonly match: string }>().toExtend<Wait>();
    expectTypeOf<{ readonly webhook: string }>().toExtend<Trigger>();
    expectTypeOf<PipelineStep["next"]>().toEqualTypeOf<string | number | undefined>();
  });

  test("steps take notes of one's own, and nothing else that is unknown", () => {
    expectTypeOf<Step["x-note"]>().toEqualTypeOf<Json>();
    expectTypeOf<"tol">().not.toExtend<keyof Step>();
    expectTypeOf<"parallel">().not.toExtend<keyof PipelineStep>();
  });

  test("documents hold steps by name, and are JSON", () => {
    expectTypeOf<FlowDocument["steps"][string]>().toEqualTypeOf<Step>();
    expectTypeOf<BareFlow[string]>().toEqualTypeOf<Step>();
    expectTypeOf<FlowDocument>().toExtend<JsonObject>();
    expectTypeOf<MachineDocument>().toExtend<JsonObject>();
  });
});
