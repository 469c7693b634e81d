// Beside the name of a run: how it is, of which version, its id, how long it takes, and where it comes from.

import { Link, useNavigate } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { copyText } from "../../components/copy-text.ts";
import { Menu } from "../../components/menu.tsx";
import { StatusPill } from "../../components/status.tsx";
import { Ago } from "../../components/time.tsx";
import { TriggerIcon } from "../../components/trigger-icon.tsx";
import type { Outline } from "../../model/run.ts";
import { showRunOf } from "../../model/run-view.ts";
import { showAbsolute, showDuration } from "../../model/time.ts";
import { triggerOf } from "../../model/trigger.ts";
import { Ticking } from "./ticking.tsx";

export function RunFacts({ outline }: { readonly outline: Outline }) {
  const { run, version } = outline;
  return (
    <>
      <span data-testid="run-status" data-run-id={run.id} data-status={run.status}>
        <StatusPill shown={showRunOf(outline)} isLarge />
      </span>
      <div className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1 text-meta text-text2 max-md:order-last max-md:basis-full">
        {version === null ? null : (
          <Link
            to="/library/$name"
            params={{ name: version.name }}
            search={{ version: String(version.version) }}
            className="inline-flex min-h-6 items-center underline hover:text-text"
            title={`Version ${version.version} of ${version.name}`}
          >
            v{version.version}
          </Link>
        )}
        <CopyId id={run.id} uid={run.uid} />
        <RunDuration outline={outline} />
        <Origins outline={outline} />
      </div>
    </>
  );
}

function CopyId({ id, uid }: { readonly id: number; readonly uid: string }) {
  return (
    <button
      type="button"
      data-testid="run-id"
      title={`Copy the id (C). uid: ${uid}`}
      aria-label={`Copy the id ${id}`}
      onClick={() => void copyText(String(id), `Copied the id ${id}.`)}
      className="mono inline-flex min-h-6 items-center gap-1 rounded px-1 hover:bg-sunken hover:text-text"
    >
      {id}
    </button>
  );
}

function RunDuration({ outline: { run } }: { readonly outline: Outline }) {
  if (run.startedAt === null) return null;
  // Here, where its duration stood: a line of its own would move all that is below it.
  if (run.status === "completed" && run.completedAt !== null)
    return <span data-testid="quiet-line">{`Completed in ${showDuration(run.completedAt - run.startedAt)}`}</span>;
  return <Ticking from={run.startedAt} to={run.completedAt} />;
}

function Origins({ outline: { run, parent, children } }: { readonly outline: Outline }) {
  const { kind, word, run: from, at } = triggerOf(run);
  return (
    <>
      <span data-testid="trigger" data-trigger={kind} className="inline-flex flex-wrap items-center gap-x-1">
        <TriggerIcon kind={kind} />
        {from === null ? (
          <span title={at === null ? undefined : showAbsolute(at)}>{word}</span>
        ) : (
          <ToRun id={from}>{parent?.id === from ? `part of ${parent.name}` : word}</ToRun>
        )}
        <span>
          by <span className="text-text">{run.createdBy}</span>, <Ago at={run.createdAt} />
        </span>
      </span>
      {children.length === 0 ? null : <Children runs={children} />}
    </>
  );
}

export function ToRun({ id, children }: { readonly id: number; readonly children: ReactNode }) {
  return (
    <Link
      to="/runs/$id"
      params={{ id: String(id) }}
      className="inline-flex min-h-6 items-center underline hover:text-text"
    >
      {children}
    </Link>
  );
}

function Children({ runs }: { readonly runs: Outline["children"] }) {
  const navigate = useNavigate();
  const [only] = runs;
  if (runs.length === 1 && only !== undefined) return <ToRun id={only.id}>{`started ${only.name}`}</ToRun>;
  return (
    <Menu
      trigger={
        <button type="button" className="min-h-6 rounded underline hover:text-text">
          started {runs.length} runs
        </button>
      }
      entries={runs.slice(0, 30).map(({ id, name, status }) => ({
        label: `${name} ${id}: ${status}`,
        act: () => void navigate({ to: "/runs/$id", params: { id: String(id) } }),
      }))}
    />
  );
}
