// The types of documents, inferred from the schema literals: what `checkShape` has passed has these types.

import type { Definitions } from "./definitions.ts";
import type { Infer } from "./infer.ts";

type Of<Name extends keyof Definitions> = Infer<Definitions[Name], Definitions>;

export type FlowDocument = Of<"flow">;
export type BareFlow = Of<"bareFlow">;
export type PipelineDocument = Of<"pipeline">;
export type MachineDocument = Of<"machine">;
export type AlexClawExport = Of<"alexClaw">;
export type Trigger = Of<"trigger">;
export type Step = Of<"step">;
export type PipelineStep = Of<"pipelineStep">;
export type BranchCase = Of<"branchCase">;
export type Gate = Of<"gate">;
export type Wait = Of<"wait">;
export type Each = Of<"each">;
export type Done = Of<"done">;
export type Retry = Of<"retry">;
export type CallSpec = Of<"call">;
export type State = Of<"state">;
export type MachineTransition = Of<"transition">;
