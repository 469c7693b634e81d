// The page of one run. All it says comes from the run's outline, which is folded on live: to load the page anew shows the same.

import { useQuery } from "@tanstack/react-query";
import { Link, Navigate } from "@tanstack/react-router";
import { useState } from "react";
import { Problem } from "../../api/request.ts";
import { outlineQuery } from "../../api/queries.ts";
import { findRuns } from "../../api/runs.ts";
import { Empty, Failed, Page, Skeleton } from "../../components/page.tsx";
import type { Outline, Run } from "../../model/run.ts";
import { showRunOf } from "../../model/run-view.ts";
import { RunActions } from "./actions/run-actions.tsx";
import { Announcer } from "./announcer.tsx";
import { useWantedTitle } from "./focus-title.ts";
import { runRoute } from "./route.ts";
import { RunBanner } from "./banner/run-banner.tsx";
import { RunBody } from "./run-body.tsx";
import { RunFacts } from "./run-facts.tsx";
import { useSelection } from "./use-selection.ts";
import { useRunKeys } from "./use-run-keys.ts";

export function RunPage() {
  const { id } = runRoute.useParams();
  return /^[1-9]\d{0,15}$/.test(id) ? <RunById key={id} id={Number(id)} /> : <RunByUid uid={id} />;
}

/** Other systems know a run by its uid. */
function RunByUid({ uid }: { readonly uid: string }) {
  const { data, error } = useQuery({ queryKey: ["find", uid], queryFn: () => findRuns(uid) });
  const found = data?.[0];
  if (found !== undefined) return <Navigate to="/runs/$id" params={{ id: String(found.run) }} replace />;
  if (data !== undefined || error !== null) return <NoRun id={uid} />;
  return <Loading />;
}

function RunById({ id }: { readonly id: number }) {
  const { data, error: found, refetch } = useQuery(outlineQuery(id));
  // What is known of it stands while it is read anew: that it does not exist must not flicker.
  const [last, setLast] = useState(found);
  if (found !== null && found !== last) setLast(found);
  const error = found ?? (data === undefined ? last : null);
  if (error instanceof Problem && error.status === 404)
    return data === undefined ? <NoRun id={String(id)} /> : <Removed run={data.run} />;
  if (error instanceof Problem && error.status === 403) return <Forbidden id={id} problem={error} />;
  if (data !== undefined) return <RunView outline={data} />;
  if (error === null) return <Loading />;
  return (
    <Page page="run" title={`Run ${id}`} titles={["Not loaded", "Runs"]}>
      <Failed error={error} again={() => void refetch()} />
    </Page>
  );
}

function RunView({ outline }: { readonly outline: Outline }) {
  const { run } = outline;
  const shown = showRunOf(outline);
  const selection = useSelection(outline);
  useRunKeys(outline, selection);
  useWantedTitle();
  return (
    <Page
      page="run"
      title={run.name}
      titles={[run.name, shown.word, "Runs"]}
      crumb={`${run.name} ${run.id}`}
      beside={<RunFacts outline={outline} />}
      actions={<RunActions outline={outline} selection={selection} />}
      isFull
    >
      <Announcer name={run.name} shown={shown} />
      <RunBanner outline={outline} selection={selection} />
      <RunBody outline={outline} selection={selection} />
    </Page>
  );
}

function Loading() {
  return (
    <Page page="run" title="Run" titles={["Runs"]}>
      <Skeleton lines={8} />
    </Page>
  );
}

function NoRun({ id }: { readonly id: string }) {
  return (
    <Page page="run" title="There is no such run" titles={["Not found", "Runs"]}>
      <Empty title={`No run has the id ${id}.`} action={<ToRuns />}>
        It may have been mistyped, or the run was removed when its time to be kept was over.
      </Empty>
    </Page>
  );
}

/** It was here a moment ago. */
function Removed({ run }: { readonly run: Run }) {
  return (
    <Page page="run" title={run.name} titles={["Removed", "Runs"]} crumb={`${run.name} ${run.id}`}>
      <Empty title={`Run ${run.id} was removed.`} action={<ToRuns />}>
        Somebody has deleted it, or its time to be kept was over. Nothing is known of it any more.
      </Empty>
    </Page>
  );
}

function Forbidden({ id, problem }: { readonly id: number; readonly problem: Problem }) {
  return (
    <Page page="run" title={`Run ${id}`} titles={["No permission", "Runs"]}>
      <Empty title="You may not see this run." action={<ToRuns />}>
        {problem.message} {problem.hint}
      </Empty>
    </Page>
  );
}

function ToRuns() {
  return (
    <Link to="/runs" className="inline-flex min-h-8 items-center text-accent underline">
      See all runs
    </Link>
  );
}
