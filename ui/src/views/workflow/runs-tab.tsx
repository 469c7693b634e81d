import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { runsQuery } from "../../api/queries.ts";
import { Empty, Failed, Skeleton } from "../../components/page.tsx";
import { StatusPill } from "../../components/status.tsx";
import { StepBar } from "../../components/step-bar.tsx";
import { Ago, Ticking } from "../../components/time.tsx";
import type { Run } from "../../model/run.ts";
import { conditionOf, keyOf, spanOf } from "../../model/run-row.ts";
import { useWaiting } from "../runs/use-waiting.ts";
import { ClearHistory } from "./clear-history.tsx";

const shownMax = 20;

/** The latest ones; all of them stand in Runs. */
export function RunsTab({ name }: { readonly name: string }) {
  const query = useInfiniteQuery(runsQuery({ workflow: name, limit: shownMax }));
  const runs = query.data?.pages.flatMap((page) => page.runs).slice(0, shownMax);
  const waiting = useWaiting();
  if (query.error !== null && runs === undefined)
    return <Failed error={query.error} again={() => void query.refetch()} />;
  if (runs === undefined) return <Skeleton />;
  if (runs.length === 0)
    return (
      <Empty title="It has not run yet." docs={{ page: "workflows", word: "What can be done with workflows" }}>
        Run it, and it stands here at once.
      </Empty>
    );
  return (
    <div className="flex flex-col gap-3 p-4 md:p-5">
      <ul className="rounded-card border border-border bg-surface" aria-label={`Latest runs of ${name}`}>
        {runs.map((run) => (
          <RunItem key={run.id} run={run} waiting={waiting} />
        ))}
      </ul>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <Link to="/runs" search={{ workflow: name }} className="text-accent hover:underline">
          All runs of {name}
        </Link>
        <ClearHistory name={name} />
      </div>
    </div>
  );
}

function RunItem({ run, waiting }: { readonly run: Run; readonly waiting: ReturnType<typeof useWaiting> }) {
  const span = spanOf(run);
  return (
    <li
      data-testid="run-row"
      data-run-id={run.id}
      data-status={run.status}
      className="flex min-h-row flex-wrap items-center gap-x-3 gap-y-1 border-b border-border px-3 py-1 last:border-b-0 hover:bg-sunken"
    >
      <span className="sm:w-32">
        <StatusPill shown={conditionOf(run, waiting)} />
      </span>
      <Link
        to="/runs/$id"
        params={{ id: String(run.id) }}
        className="min-w-0 flex-1 truncate hover:underline max-sm:order-first max-sm:basis-full"
      >
        <span className="mono">{run.id}</span> <span className="text-text2">{keyOf(run.input)}</span>
      </Link>
      {run.steps === null ? null : <StepBar steps={run.steps} status={run.status} />}
      {span === null ? null : <Ticking from={span.from} to={span.to} />}
      <span className="text-meta text-text2">
        <Ago at={run.createdAt} />
      </span>
    </li>
  );
}
