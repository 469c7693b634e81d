// A machine that is as small as a test of one transition needs it, and what a reader sees of a machine's run.

import type { JsonObject } from "../flow/json.ts";
import { availableTransitions, currentState } from "../run/machine.ts";
import { envAt, startKernel, type Kernel, type KernelOptions } from "./kernel.ts";

/** Starts in `here`; `go` leads there, as far as the test does not say otherwise. */
export function startMachine(go: JsonObject, options: KernelOptions = {}): Kernel {
  return startKernel(
    {
      format: "stepwell/v1",
      name: "machine",
      states: { here: { initial: true }, there: {}, aside: {}, over: { terminal: "success" } },
      transitions: [
        { name: "go", from: "here", to: "there", ...go },
        { name: "stop", from: ["here", "there", "aside"], to: "over" },
        { name: "turn", from: "here", to: "aside" },
        { name: "walk", from: "aside", to: "there" },
      ],
    },
    options,
  );
}

export function stateOf(kernel: Kernel): string | undefined {
  return currentState(kernel.frontier)?.step;
}

/** The names of what may be fired now, with this event. */
export function namesAvailable(kernel: Kernel, event: JsonObject = {}): readonly string[] {
  const found = availableTransitions(kernel.plan, kernel.frontier, envAt(kernel.now()), event);
  return found.map((transition) => transition.name);
}
