// What the run was given, what it gave, the data of a machine, and what went wrong.

import { partOfRun, type RunPart } from "../../../api/run-values.ts";
import type { Json } from "../../../model/json.ts";
import type { Outline, Run } from "../../../model/run.ts";
import { hasRunEnded } from "../../../model/status.ts";
import { ErrorText } from "../inspector/attempts.tsx";
import { ValuePanel } from "../value-panel.tsx";

export function ValuesTab({ outline: { run, graph } }: { readonly outline: Outline }) {
  return (
    <div
      tabIndex={0}
      role="region"
      aria-label="Input and output"
      className="grid min-h-0 flex-1 gap-x-6 gap-y-4 overflow-auto p-4 md:grid-cols-2"
    >
      <Value run={run} part="input" title="Input" value={run.input} root="input" />
      {hasRunEnded(run.status) ? (
        <Value run={run} part="output" title="Output" value={run.output} root={null} />
      ) : (
        <Later />
      )}
      {graph?.notation === "machine" || run.data !== null ? (
        <Value run={run} part="data" title="Data" value={run.data} root="data" />
      ) : null}
      {run.error === null ? null : (
        <section className="flex min-w-0 flex-col gap-2">
          <h2>Error</h2>
          <ErrorText error={run.error} />
        </section>
      )}
    </div>
  );
}

type ValueProps = {
  readonly run: Run;
  readonly part: RunPart;
  readonly title: string;
  readonly value: Json;
  readonly root: string | null;
};

function Value({ run, part, title, value, root }: ValueProps) {
  return (
    <section className="flex min-w-0 flex-col gap-2">
      <h2>{title}</h2>
      <ValuePanel label={`${title} of the run`} value={value} root={root} part={partOfRun(run.id, part)} />
    </section>
  );
}

function Later() {
  return (
    <section className="flex flex-col gap-2">
      <h2>Output</h2>
      <p className="text-text2">It is there when the run has ended.</p>
    </section>
  );
}
