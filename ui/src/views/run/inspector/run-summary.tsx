// While no step is looked at: what the run was given, and what it gave.

import { partOfRun } from "../../../api/run-values.ts";
import type { Outline } from "../../../model/run.ts";
import { hasRunEnded } from "../../../model/status.ts";
import { ValuePanel } from "../value-panel.tsx";

export function RunSummary({ outline: { run } }: { readonly outline: Outline }) {
  const isOver = hasRunEnded(run.status);
  return (
    <section
      aria-label="Inspector"
      data-testid="inspector"
      tabIndex={0}
      className="flex min-h-0 flex-1 flex-col gap-4 overflow-auto p-4"
    >
      <p className="text-text2">Select a step to see what it was given and what it gave.</p>
      <div className="flex flex-col gap-2">
        <h2>Input</h2>
        <ValuePanel label="Input of the run" value={run.input} root="input" part={partOfRun(run.id, "input")} />
      </div>
      {isOver ? (
        <div className="flex flex-col gap-2">
          <h2>Output</h2>
          <ValuePanel label="Output of the run" value={run.output} root={null} part={partOfRun(run.id, "output")} />
        </div>
      ) : null}
    </section>
  );
}
