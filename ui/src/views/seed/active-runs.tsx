// Runs that are under way, and those that have ended a moment ago.

import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { wholeRunQuery } from "../../api/whole-run.ts";
import { Card } from "../../components/page.tsx";
import { useNow } from "../../components/time.tsx";
import { conditionOf } from "../../model/run-row.ts";
import type { Run } from "../../model/run.ts";
import { activeRuns, currentStep } from "../../model/seed.ts";
import { hasRunEnded } from "../../model/status.ts";
import { useWaiting } from "../runs/use-waiting.ts";
import { CancelButton } from "./seed-run.tsx";

const shownMax = 10;

export function ActiveRuns({ runs }: { readonly runs: readonly Run[] }) {
  const now = useNow(1000);
  const active = activeRuns(runs, now);
  return (
    <Card title="Active runs">
      {active.length === 0 ? (
        <p className="px-4 py-3 text-text2">Nothing runs now.</p>
      ) : (
        <ul data-testid="active-runs">
          {active.slice(0, shownMax).map((run) => (
            <ActiveRun key={run.id} run={run} />
          ))}
        </ul>
      )}
      {active.length > shownMax ? (
        <p className="px-4 py-2 text-meta text-text2">and {active.length - shownMax} more</p>
      ) : null}
    </Card>
  );
}

function ActiveRun({ run }: { readonly run: Run }) {
  const shown = conditionOf(run, useWaiting());
  const { data } = useQuery(wholeRunQuery(run.id));
  const step = data === undefined ? null : currentStep(data.steps);
  return (
    <li
      data-testid="active-run"
      data-run-id={run.id}
      data-status={run.status}
      className="flex min-h-10 flex-wrap items-center gap-x-3 gap-y-1 border-b border-border px-4 py-1 last:border-b-0"
    >
      <span data-token={shown.token} aria-hidden className="status-solid size-2 shrink-0 rounded-full" />
      <Link to="/runs/$id" params={{ id: String(run.id) }} className="min-w-0 truncate font-medium hover:underline">
        {run.name}
      </Link>
      <span className="mono text-meta text-text2">{run.id}</span>
      <span className="min-w-24 flex-1 truncate text-table text-text2">
        {shown.word}
        {step === null ? null : ` at ${step.name}`}
      </span>
      {hasRunEnded(run.status) ? null : <CancelButton run={run} />}
    </li>
  );
}
