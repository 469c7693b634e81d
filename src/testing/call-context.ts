// Where a tool is called, for tests that call one without an engine.

import type { Json } from "../flow/json.ts";
import type { CallContext } from "../tool/tool.ts";

/** `tool.call(createContext({ title: "Tides" }))` */
export function createContext(input: Json, more: Partial<CallContext> = {}): CallContext {
  const { signal } = new AbortController();
  const place = { user: "ada", run: 1, step: 2, attempt: 1, idempotencyKey: "u:start:1" };
  return { input, ...place, signal, progress: () => {}, log: () => {}, ...more };
}
