// One run that opens to its steps: with what each called, how it is and what it gave.

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Ban, ChevronRight } from "lucide-react";
import { useId, useState } from "react";
import { useMay } from "../../api/rights.ts";
import { cancelRun } from "../../api/runs.ts";
import { wholeRunQuery } from "../../api/whole-run.ts";
import { Button } from "../../components/button.tsx";
import { Confirm } from "../../components/dialog.tsx";
import { Loaded } from "../../components/page.tsx";
import { StatusPill } from "../../components/status.tsx";
import { Ago, Ticking } from "../../components/time.tsx";
import { tell } from "../../components/toasts.tsx";
import { conditionOf, spanOf } from "../../model/run-row.ts";
import type { Run } from "../../model/run.ts";
import { showResult } from "../../model/seed.ts";
import { hasRunEnded } from "../../model/status.ts";
import { useWaiting } from "../runs/use-waiting.ts";
import { SeedSteps } from "./seed-steps.tsx";

export function SeedRun({ run, isOpen: isOpenAtFirst = false }: { readonly run: Run; readonly isOpen?: boolean }) {
  const [isOpen, setOpen] = useState(isOpenAtFirst);
  const id = useId();
  const span = spanOf(run);
  const waiting = useWaiting();
  return (
    <div
      data-testid="run-row"
      data-run-id={run.id}
      data-status={run.status}
      className="min-w-0 border-b border-border last:border-b-0"
    >
      <div className="flex min-h-11 flex-wrap items-center gap-x-3 gap-y-1 px-3 py-1.5">
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setOpen(!isOpen)}
          className="flex min-h-8 min-w-0 flex-1 basis-full items-center gap-2 rounded-control text-start hover:bg-sunken sm:basis-0"
        >
          <ChevronRight
            size={16}
            strokeWidth={1.75}
            aria-hidden
            className={`shrink-0 transition-transform duration-[120ms] ${isOpen ? "rotate-90" : ""}`}
          />
          <StatusPill shown={conditionOf(run, waiting)} />
          <span className="min-w-0 truncate font-medium">{run.name}</span>
        </button>
        <Link
          to="/runs/$id"
          params={{ id: String(run.id) }}
          className="mono inline-flex min-h-6 items-center text-meta text-text2 underline"
        >
          {run.id}
        </Link>
        <span className="text-meta text-text2">
          <Ago at={run.startedAt ?? run.scheduledAt ?? run.createdAt} />
        </span>
        {span === null ? null : <Ticking from={span.from} to={span.to} />}
        {hasRunEnded(run.status) ? null : <CancelButton run={run} />}
      </div>
      <div id={id} hidden={!isOpen} className="min-w-0 px-3 pb-3">
        {isOpen ? <Opened run={run} /> : null}
      </div>
    </div>
  );
}

function Opened({ run: { id, createdBy } }: { readonly run: Run }) {
  const query = useQuery(wholeRunQuery(id));
  const mayAnswer = useMay("answer", createdBy);
  return (
    <Loaded query={query}>
      {({ run: { output, error }, steps }) => (
        <div className="flex min-w-0 flex-col gap-3">
          <SeedSteps steps={steps} mayAnswer={mayAnswer} />
          {error === null ? null : (
            <p data-testid="run-error" className="rounded-card bg-danger-tint p-2 break-words text-danger">
              {error.message}
            </p>
          )}
          {output === null ? null : (
            <section aria-label="Final result" className="min-w-0">
              <h3 className="text-meta text-text2">Final result</h3>
              <pre
                className="max-h-64 overflow-auto rounded-card bg-sunken p-2 break-words whitespace-pre-wrap"
                tabIndex={0}
                role="group"
                aria-label="Final result"
              >
                {showResult(output)}
              </pre>
            </section>
          )}
        </div>
      )}
    </Loaded>
  );
}

/** Whoever may not cancel it does not find it. */
export function CancelButton({ run }: { readonly run: Run }) {
  const [isAsked, setAsked] = useState(false);
  const client = useQueryClient();
  const may = useMay("cancel", run.createdBy);
  const act = async (): Promise<void> => {
    await cancelRun(run.id);
    tell(`Run ${run.id} of ${run.name} is cancelled.`);
    await client.invalidateQueries({ queryKey: ["run", run.id] });
  };
  if (!may) return null;
  return (
    <>
      <Button isSmall look="danger" icon={Ban} onClick={() => setAsked(true)}>
        Cancel
      </Button>
      <Confirm
        isOpen={isAsked}
        title={`Cancel run ${run.id} of ${run.name}?`}
        verb="Cancel run"
        onClose={() => setAsked(false)}
        act={act}
      >
        <p>What runs is aborted, and what can be undone is undone.</p>
      </Confirm>
    </>
  );
}
