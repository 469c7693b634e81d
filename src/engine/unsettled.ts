// Messages and asides of which nothing more comes: whoever waits for them is told why.

import type { StepwellError } from "../error.ts";
import type { WaitingAside } from "./batch-draft.ts";
import { refusal, type Envelope } from "./envelope.ts";

export type Unsettled = { readonly envelopes: readonly Envelope[]; readonly asides: readonly WaitingAside[] };

export function refuseAll(
  all: readonly Unsettled[],
  code: "engine_stopped" | "outcome_unknown",
  error: StepwellError,
): void {
  const reply = refusal(code, error.message);
  for (const { envelopes, asides } of all) {
    for (const { settle } of envelopes) settle?.(reply);
    for (const { failed } of asides) failed(error);
  }
}
