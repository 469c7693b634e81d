// Above everything: why the run failed, what it waits for, in which state a machine is; or one quiet line.

import { useQuery } from "@tanstack/react-query";
import { CircleAlert } from "lucide-react";
import { Suspense, type ReactNode } from "react";
import { lazyPart } from "../../../components/lazy-part.ts";
import { historyQuery } from "../../../api/run-values.ts";
import { workflowQuery } from "../../../api/workflows.ts";
import { Button } from "../../../components/button.tsx";
import { omittedBytes } from "../../../model/json.ts";
import type { Failure, Outline } from "../../../model/run.ts";
import { cancellationOf, failingRow } from "../../../model/run-view.ts";
import { countCrashes } from "../../../model/crashes.ts";
import { endSentence, sayBegin, sayError, times } from "../../../model/sentence.ts";
import { hasRunEnded } from "../../../model/status.ts";
import { showDuration } from "../../../model/time.ts";
import { useAgain } from "../actions/use-again.ts";
import { Words } from "../inspector/said.tsx";
import { useStart } from "../../../shell/use-start.ts";
import { useShow } from "../route.ts";
import type { Selection } from "../use-selection.ts";
import { MachineBanner } from "./machine-banner.tsx";

/** Seldom is anything held. */
const HeldBanner = lazyPart(
  () => import("./held-banner.tsx"),
  (loaded) => loaded.HeldBanner,
);

/** Only of a run that failed is it asked whether its tool is called. */
const BreakerOf = lazyPart(
  () => import("../../tools/breaker-line.tsx"),
  (loaded) => loaded.BreakerOf,
);

type BannerProps = { readonly outline: Outline; readonly selection: Selection };

export function RunBanner({ outline, selection }: BannerProps) {
  const { run } = outline;
  const isFailing = run.status === "failed" || run.ending?.kind === "failure";
  return (
    <>
      {isFailing ? <FailureBanner outline={outline} /> : null}
      {run.ending !== null && !hasRunEnded(run.status) ? <EndingLine outline={outline} /> : null}
      {outline.waiting
        .filter(({ kind }) => kind !== "gate" && kind !== "state")
        .map((item, at) => (
          <Suspense key={`${item.kind}/${item.step ?? at}`} fallback={null}>
            <HeldBanner item={item} outline={outline} selection={selection} />
          </Suspense>
        ))}
      {outline.graph?.notation === "machine" && !hasRunEnded(run.status) ? <MachineBanner outline={outline} /> : null}
      <QuietLine outline={outline} />
      <CrashLine outline={outline} />
      {selection.unknown === null ? null : (
        <Line testId="no-step">
          There is no step <code>{selection.unknown}</code> in this run.
        </Line>
      )}
    </>
  );
}

function FailureBanner({ outline }: { readonly outline: Outline }) {
  const { run, can } = outline;
  const row = failingRow(outline);
  const again = useAgain(run.id);
  const show = useShow();
  const error = run.error ?? row?.error ?? null;
  return (
    <section
      aria-label="Why it failed"
      data-testid="failure-banner"
      className="flex flex-wrap items-start gap-x-3 gap-y-2 border-b border-border bg-danger-tint px-4 py-2.5 text-danger md:px-5"
    >
      <CircleAlert size={18} strokeWidth={1.75} aria-hidden className="mt-0.5 shrink-0" />
      <div className="min-w-0 flex-1 basis-60">
        <p className="line-clamp-4 font-medium break-words">
          {row === null ? "The run failed." : <>Step {row.name} failed.</>}{" "}
          <span className="font-normal">{sayWhy(row?.error ?? null, error)}</span>
        </p>
        {error === null ? null : <p className="mono text-meta">{error.code}</p>}
        {row === null || row.tool === null || !can.rerun ? null : (
          <Suspense fallback={null}>
            <div className="mt-1 text-table text-text">
              <BreakerOf tool={row.tool} note="Until then a retry does not call it either." />
            </div>
          </Suspense>
        )}
        {outline.version === null ? null : <NewerVersion outline={outline} {...outline.version} />}
      </div>
      {row === null ? null : (
        <div className="flex flex-wrap gap-2">
          <Button isSmall onClick={() => show({ step: row.key, row: String(row.id), part: undefined })}>
            Show step
          </Button>
          {can.rerun ? (
            <Button isSmall onClick={() => void again("rerun", { from: row.id })}>
              Retry from here
            </Button>
          ) : null}
        </div>
      )}
    </section>
  );
}

type NewerProps = { readonly outline: Outline; readonly name: string; readonly version: number };

/** Whoever has mended the workflow meanwhile would repeat the old one: a run keeps to its version. */
function NewerVersion({ outline: { run }, name, version }: NewerProps) {
  const { data: current } = useQuery({ ...workflowQuery(name), retry: false });
  const start = useStart();
  if (current === undefined || current.version <= version) return null;
  const input = omittedBytes(run.input) === null ? JSON.stringify(run.input) : undefined;
  return (
    <p data-testid="newer-version" className="mt-1 flex flex-wrap items-center gap-2 text-text">
      Version {current.version} was saved since. Retry and rerun keep to version {version}.
      <Button isSmall onClick={() => start(name, input)}>
        Run version {current.version}…
      </Button>
    </p>
  );
}

/** What an end says is not what went wrong at the step that led there: both are told. */
function sayWhy(ofStep: Failure | null, ofRun: Failure | null): string | null {
  if (ofRun === null) return null;
  if (ofRun.code !== "ended_with_failure" || ofStep === null || ofRun.message.includes(ofStep.message))
    return sayFailure(ofRun);
  return `${sayFailure(ofStep)} ${sayFailure(ofRun)}`;
}

/** What an open breaker promised then is nothing that this run still does. */
function sayFailure({ code, message }: Failure): string {
  if (code !== "circuit_open") return endSentence(sayError(message));
  return "Its tool has failed too often lately and was not called. Retry from here once it may be called again.";
}

function EndingLine({ outline: { run } }: { readonly outline: Outline }) {
  const by = run.ending?.by ?? null;
  const reason = run.ending?.reason ?? null;
  return (
    <Line>
      {run.ending?.kind === "cancel" ? "It is being cancelled" : "It is failing"}
      {by === null ? "" : ` by ${by}`}
      {reason === null ? "" : ` (${reason})`}: what has to be cleaned up or undone comes first.
    </Line>
  );
}

function QuietLine({ outline }: { readonly outline: Outline }) {
  const { run } = outline;
  const took =
    run.startedAt === null || run.completedAt === null ? null : showDuration(run.completedAt - run.startedAt);
  switch (run.status) {
    case "cancelled":
      return <CancelledLine outline={outline} took={took} />;
    case "paused":
      return <Line>Paused: what was called finishes, nothing new begins until it is resumed.</Line>;
    case "scheduled":
      return run.scheduledAt === null ? null : (
        <Line>
          <Words sentence={sayBegin(run.scheduledAt)} />
        </Line>
      );
    case "running":
    case "completed":
    case "failed":
      return null;
  }
}

function CrashLine({ outline: { steps } }: { readonly outline: Outline }) {
  const count = countCrashes(steps);
  if (count === 0) return null;
  return (
    <Line testId="crash-line">
      Cut off {times(count)} by a crash; it went on from the saved step{count === 1 ? "" : " each time"}.
    </Line>
  );
}

/** Of a run of so many steps, nobody reads the whole history for one line. */
const manySteps = 500;

/** By whom, and why, stands in the history alone. */
function CancelledLine({ outline: { run, steps }, took }: { readonly outline: Outline; readonly took: string | null }) {
  const { data } = useQuery({ ...historyQuery(run.id), enabled: steps.length <= manySteps });
  const { by, reason } = cancellationOf(data ?? []);
  return (
    <Line>
      Cancelled{by === null ? "" : ` by ${by}`}
      {took === null ? "" : ` after ${took}`}
      {reason === null ? "" : `: ${reason}`}
    </Line>
  );
}

function Line({ children, testId = "quiet-line" }: { readonly children: ReactNode; readonly testId?: string }) {
  return (
    <p data-testid={testId} className="border-b border-border bg-surface px-4 py-1.5 text-table text-text2 md:px-5">
      {children}
    </p>
  );
}
