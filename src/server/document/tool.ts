// Tools and their breakers as programs read them.

import type { BreakerView } from "../../engine/breaker-verbs.ts";
import type { ToolCallResult, ToolView } from "../../engine/tool-verbs.ts";
import type { BreakerDocument, CallDocument, ToolDocument } from "../contract/tool.ts";

export function toToolDocument({ name, description, effect, input, output, outcomes, server }: ToolView): ToolDocument {
  return { name, description, effect, input, output, outcomes, server: server ?? null };
}

export function toCallDocument(tool: string, { run, result, outcome, error }: ToolCallResult): CallDocument {
  return { workflow_id: run, tool, ok: error === null, outcome, result, error };
}

export function toBreakerDocument(breaker: BreakerView): BreakerDocument {
  return {
    tool: breaker.tool,
    state: breaker.state,
    count: breaker.count,
    last_error: breaker.lastError,
    opened_at: breaker.openedAt,
    open_until: breaker.openUntil,
    is_testing: breaker.isTesting,
  };
}
