// What is known about the thing that waits, by its kind.

import { Link } from "@tanstack/react-router";
import { Suspense, type ReactNode } from "react";
import { lazyPart } from "../../components/lazy-part.ts";
import { partOfStep } from "../../api/run-values.ts";
import type { StepPart } from "../../api/runs.ts";
import { Skeleton } from "../../components/page.tsx";
import { Ago } from "../../components/time.tsx";
import { showOrdinal, showOutcome } from "../../model/inbox.ts";
import type { Json } from "../../model/json.ts";
import type { InboxGate, InboxItem } from "../../model/run.ts";

/** Only where there is a value to look at. */
const ValuePanel = lazyPart(
  () => import("../run/value-panel.tsx"),
  (loaded) => loaded.ValuePanel,
);

export function ItemFacts({ item }: { readonly item: InboxItem }) {
  const { gate, call, crossroads, change } = item;
  return (
    <>
      {gate === null ? null : (
        <>
          {gate.data === null ? null : <Value title="What is approved" value={gate.data} item={item} part="previous" />}
          <Answers gate={gate} />
        </>
      )}
      {call === null ? null : <Call call={call} item={item} />}
      {crossroads === null ? null : (
        <>
          <Value title="What the step gave" value={crossroads.value} item={item} part="result" />
          {crossroads.outcome === null ? null : (
            <p>
              Its outcome is <code>{crossroads.outcome}</code>, and no way leads on from there.
            </p>
          )}
        </>
      )}
      {change === null ? null : <ToolChange change={change} />}
    </>
  );
}

function Part({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section aria-label={title} className="flex min-w-0 flex-col gap-1.5">
      <h3 className="text-table font-medium text-text2">{title}</h3>
      {children}
    </section>
  );
}

type ValueProps = {
  readonly title: string;
  readonly value: Json;
  readonly item: InboxItem;
  /** Which of the step's values it is, for when it is too large to come along. */
  readonly part: StepPart;
};

function Value({ title, value, item: { run, step, hash }, part }: ValueProps) {
  return (
    <Part title={title}>
      <div className="min-w-0 rounded-card border border-border bg-surface p-2">
        <Suspense fallback={<Skeleton lines={3} />}>
          <ValuePanel
            key={`${run}/${step}/${hash}`}
            label={title}
            value={value}
            root={null}
            part={run === null || step === null ? null : partOfStep(run, step, part)}
          />
        </Suspense>
      </div>
    </Part>
  );
}

function Answers({ gate }: { readonly gate: InboxGate }) {
  const { need, answers, approvers, mayAnswerOwn } = gate;
  const isPlain = need === 1 && answers.length === 0 && approvers === null && mayAnswerOwn;
  if (isPlain) return null;
  return (
    <Part title={`Answers: ${answers.length} of ${need}`}>
      {answers.length === 0 ? null : (
        <ul className="flex flex-col gap-1">
          {answers.map(({ by, at, outcome, comment }) => (
            <li key={by} className="break-words">
              <span className="font-medium">{by}</span> {showOutcome(outcome).toLowerCase()} <Ago at={at} />
              {comment === null ? null : <span className="text-text2">: {comment}</span>}
            </li>
          ))}
        </ul>
      )}
      {approvers === null ? null : (
        <p className="text-text2">May answer: {approvers.map((who) => who.replace(/^user:/, "")).join(", ")}</p>
      )}
      {mayAnswerOwn ? null : <p className="text-text2">Whoever started the run may not answer.</p>}
    </Part>
  );
}

function Call({ call, item }: { readonly call: NonNullable<InboxItem["call"]>; readonly item: InboxItem }) {
  return (
    <>
      <Part title="What was called">
        <p>
          <code>{call.tool ?? "(none)"}</code>
          {call.attempt > 1 ? <span className="text-text2">, for the {showOrdinal(call.attempt)} time</span> : null}
        </p>
      </Part>
      {call.args === null ? null : <Value title="With what" value={call.args} item={item} part="args" />}
      {call.error === null ? null : (
        <Part title="What went wrong">
          <p className="mono rounded-card bg-danger-tint p-2 break-words whitespace-pre-wrap text-danger">
            {call.error.code}: {call.error.message}
          </p>
        </Part>
      )}
    </>
  );
}

function ToolChange({ change }: { readonly change: NonNullable<InboxItem["change"]> }) {
  return (
    <Part title="What has changed">
      <ul
        className="mono overflow-x-auto rounded-card border border-border bg-surface p-2"
        aria-label="Lines that differ"
      >
        {change.lines.map((line, at) => (
          <li key={at} className={`break-words whitespace-pre-wrap ${lineLook(line)}`}>
            {line}
          </li>
        ))}
      </ul>
      <Link to="/tools" search={{ tool: change.tool }} className="self-start underline">
        Look at the tool {change.tool}
      </Link>
    </Part>
  );
}

function lineLook(line: string): string {
  if (line.trimStart().startsWith("+")) return "bg-good-tint text-good";
  return line.trimStart().startsWith("-") ? "bg-danger-tint text-danger" : "";
}
