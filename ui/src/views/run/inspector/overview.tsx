// How a step is: in a sentence, try by try, what it asks, what belongs to it.

import { Link } from "@tanstack/react-router";
import { TriangleAlert } from "lucide-react";
import { Suspense, type ReactNode } from "react";
import { lazyPart } from "../../../components/lazy-part.ts";
import { makeReady } from "../../../api/runs.ts";
import { Button } from "../../../components/button.tsx";
import { CopyButton, Skeleton } from "../../../components/page.tsx";
import { ProgressBar, useProgress } from "../../../components/progress.tsx";
import { Ticking } from "../ticking.tsx";
import { sayProgress } from "../../../model/progress.ts";
import type { Outline, Step } from "../../../model/run.ts";
import { nodeOf, servantsOf, spansOf, visitsOf, waitingOf } from "../../../model/run-view.ts";
import { sayStep } from "../../../model/sentence.ts";
import { isReused } from "../../../model/steps.ts";
import { showDuration } from "../../../model/time.ts";
import { isServerGone } from "../../../model/tool.ts";
import { useAct } from "../actions/use-act.ts";
import { ToRun } from "../run-facts.tsx";
import type { Selection } from "../use-selection.ts";
import { Attempts, Servants } from "./attempts.tsx";
import { GateAnswers } from "./gate-answers.tsx";
import { Said } from "./said.tsx";

/** Only where a step is visited again, has items, or asks something. */
const VisitChooser = lazyPart(
  () => import("./visit-chooser.tsx"),
  (loaded) => loaded.VisitChooser,
);
const BreakerOf = lazyPart(
  () => import("../../tools/breaker-line.tsx"),
  (loaded) => loaded.BreakerOf,
);
const ServerLine = lazyPart(
  () => import("./server-line.tsx"),
  (loaded) => loaded.ServerLine,
);
const EachItems = lazyPart(
  () => import("./each-items.tsx"),
  (loaded) => loaded.EachItems,
);
const GatePanel = lazyPart(
  () => import("./gate-panel.tsx"),
  (loaded) => loaded.GatePanel,
);

type OverviewProps = { readonly outline: Outline; readonly selection: Selection; readonly row: Step };

export function Overview({ outline, selection, row }: OverviewProps) {
  const visits = visitsOf(selection.rows);
  const tries = visits.find(({ visit }) => visit === row.visit)?.tries ?? [row];
  const item = waitingOf(outline, row.id);
  return (
    <>
      {visits.length < 2 ? null : <VisitChooser visits={visits} row={row} onRow={selection.selectRow} />}
      <div className="flex flex-col items-start gap-2">
        <Said sentence={sayStep(row, tries, outline)} />
        <ReadyButton run={outline.run.id} row={row} isAllowed={outline.can.answer} />
      </div>
      <HowFar row={row} />
      {row.tool === null || !mayBeOutOfOrder(row) ? null : (
        <Suspense fallback={null}>
          <BreakerOf tool={row.tool} isToldClosed={row.error?.code === "circuit_open"} />
        </Suspense>
      )}
      {row.tool === null || !lacksServer(tries) ? null : (
        <Suspense fallback={null}>
          <ServerLine tool={row.tool} />
        </Suspense>
      )}
      <Warnings warnings={row.warnings} />
      {item?.kind === "gate" ? (
        <Suspense fallback={<Skeleton lines={3} />}>
          <GatePanel key={item.hash ?? row.id} item={item} outline={outline} />
        </Suspense>
      ) : (
        <GateAnswers answers={row.gate?.answers ?? []} />
      )}
      <Attempts tries={tries} row={row} outline={outline} onRow={selection.selectRow} />
      {outline.items[String(row.id)] === undefined ? null : (
        <Suspense fallback={<Skeleton lines={3} height={28} />}>
          <EachItems outline={outline} row={row} />
        </Suspense>
      )}
      <Servants servants={servantsOf(outline, row.id)} outline={outline} />
      <Facts outline={outline} row={row} />
    </>
  );
}

function HowFar({ row }: { readonly row: Step }) {
  const progress = useProgress(row);
  if (progress === null) return null;
  return (
    <div className="flex flex-col gap-1.5">
      <ProgressBar progress={progress} label={`How far ${row.name} is`} />
      <span className="text-table break-words text-text2">{sayProgress(progress)}</span>
    </div>
  );
}

/** Only then is it asked for: it is asked again and again. */
function mayBeOutOfOrder({ status, nextTryAt }: Step): boolean {
  return status === "failed" || nextTryAt !== null;
}

/** The last that was tried found no server. */
function lacksServer(tries: readonly Step[]): boolean {
  const last = tries.findLast(({ status }) => status !== "pending" && status !== "ready");
  return last?.error !== null && last !== undefined && isServerGone(last.error.code);
}

/** What waits for its time can go on now. */
function ReadyButton({
  run,
  row,
  isAllowed,
}: {
  readonly run: number;
  readonly row: Step;
  readonly isAllowed: boolean;
}) {
  const { isBusy, act } = useAct(run);
  const isSleeping = row.alarms.some(({ kind }) => kind === "sleep" || kind === "start");
  if (row.status !== "pending" || !isAllowed || (row.nextTryAt === null && !isSleeping)) return null;
  const isLater = row.alarms.some(({ kind }) => kind === "start");
  const word = isLater ? "Begin now" : row.nextTryAt === null ? "Go on now" : "Retry now";
  return (
    <Button
      isSmall
      isBusy={isBusy}
      onClick={() => void act(() => makeReady(row.id), isLater ? "It begins now." : `${row.name} goes on now.`)}
    >
      {word}
    </Button>
  );
}

function Warnings({ warnings }: { readonly warnings: readonly string[] }) {
  if (warnings.length === 0) return null;
  return (
    <ul aria-label="Warnings" className="flex flex-col gap-1">
      {warnings.map((warning, at) => (
        <li key={at} className="flex gap-2 rounded-control bg-warn-tint px-2 py-1 text-table text-warn">
          <TriangleAlert size={14} strokeWidth={1.75} aria-hidden className="mt-0.5 shrink-0" />
          <span className="min-w-0 break-words">{warning}</span>
        </li>
      ))}
    </ul>
  );
}

function Facts({ outline, row }: { readonly outline: Outline; readonly row: Step }) {
  const { queuedMs, from, to } = spansOf(row);
  const child = outline.children.find(({ id }) => id === row.child);
  return (
    <dl className="grid grid-cols-[auto_minmax(0,1fr)] items-center gap-x-4 gap-y-1 text-table">
      {queuedMs === null ? null : <Fact word="Queued">{showDuration(queuedMs)}</Fact>}
      {from === null ? null : (
        <Fact word={spanWord(row)}>
          <Ticking from={from} to={to} />
        </Fact>
      )}
      {outline.run.origin === null || !isReused(row, nodeOf(outline, row.key), outline.run) ? null : (
        <Fact word="Taken from">
          <ToRun id={outline.run.origin.id}>{`run ${outline.run.origin.id}`}</ToRun>
        </Fact>
      )}
      {row.interruptions === 0 ? null : (
        <Fact word="Cut off">
          {row.interruptions === 1 ? "once by a crash" : `${row.interruptions} times by crashes`}
        </Fact>
      )}
      {row.tool === null ? null : (
        <Fact word="Tool">
          <Link to="/tools" search={{ tool: row.tool }} className="mono inline-flex min-h-6 items-center underline">
            {row.tool}
          </Link>
        </Fact>
      )}
      {row.child === null ? null : (
        <Fact word="Started">
          <ToRun id={row.child}>{child === undefined ? `run ${row.child}` : `${child.name} (${child.status})`}</ToRun>
        </Fact>
      )}
      {row.idempotencyKey === null ? null : (
        <Fact word="Key">
          <span className="flex min-w-0 items-center">
            <code className="min-w-0 truncate" title={row.idempotencyKey}>
              {row.idempotencyKey}
            </code>
            <CopyButton isSmall text={row.idempotencyKey} label="Copy the idempotency key" />
          </span>
        </Fact>
      )}
    </dl>
  );
}

/** A gate does nothing but wait. */
function spanWord({ tool, gate, completedAt }: Step): string {
  if (gate !== null) return completedAt === null ? "Waits for" : "Waited";
  return tool === null ? "Took" : "Ran";
}

function Fact({ word, children }: { readonly word: string; readonly children: ReactNode }) {
  return (
    <>
      <dt className="text-text2">{word}</dt>
      <dd className="min-w-0">{children}</dd>
    </>
  );
}
