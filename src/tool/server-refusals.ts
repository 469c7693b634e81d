// What is said of servers with tools where they cannot be asked.

import { StepwellError } from "../error.ts";

export function noServers(): StepwellError {
  return new StepwellError("TOOL_SERVER_NOT_FOUND", "The process that owns the store has no servers with tools.", {
    hint: "stepwell server add, mcpServers in stepwell.config.json, or --mcp FILE",
  });
}

/** Whoever owns the store next may be asked again. */
export function notOwner(key: string): StepwellError {
  const message = `The server "${key}" is not looked after here any more: the engine stops, or has given the store up.`;
  return new StepwellError("ENGINE_STOPPED", message, { hint: "Ask again when an engine owns the store" });
}
