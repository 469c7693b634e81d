// The library's public API: the language, from what a person writes to a plan, and the engine that runs it.

export type { By, Engine, RunView, StartOptions } from "./engine/engine.ts";
export { errorCodes, StepwellError, type ErrorCode } from "./error.ts";
export { drawAscii } from "./flow/draw/ascii.ts";
export { drawMermaid } from "./flow/draw/mermaid.ts";
export { drawSvg } from "./flow/draw/svg.ts";
export { evaluateCondition } from "./flow/expression/condition.ts";
export type { Finding, FindingCode, PatchOperation, Severity } from "./flow/finding.ts";
export type { Json, JsonObject } from "./flow/json.ts";
export type * from "./flow/plan.ts";
export { flowSchema, flowSchemaFor } from "./flow/schema/editor.ts";
export type { FlowDocument, MachineDocument, PipelineDocument, Step } from "./flow/schema/types.ts";
export { compile } from "./flow/validate/compile.ts";
export type { Surroundings, ToolDescription } from "./flow/validate/tools.ts";
export { validate, type Report, type ValidateOptions } from "./flow/validate/validate.ts";
export { openEngine, type EngineOptions } from "./open-engine.ts";
export { defineTool, outcome, ToolError } from "./tool/function.ts";
export type { NamedResult, ToolContext, ToolDefinition, ToolFunction } from "./tool/function.ts";
export type { Tools } from "./tool/registry.ts";
export type { CallContext, Tool, ToolAnswer, ToolBox } from "./tool/tool.ts";
