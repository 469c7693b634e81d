// What is known about the thing that waits, by its kind.

import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { JsonView } from "../../components/json-view.tsx";
import { Ago } from "../../components/time.tsx";
import { showOrdinal, showOutcome } from "../../model/inbox.ts";
import { omittedBytes, type Json } from "../../model/json.ts";
import type { InboxGate, InboxItem } from "../../model/run.ts";
import { showBytes } from "../../model/time.ts";

export function ItemFacts({ item }: { readonly item: InboxItem }) {
  const { gate, call, crossroads, change, run } = item;
  return (
    <>
      {gate === null ? null : (
        <>
          {gate.data === null ? null : <Value title="What is approved" value={gate.data} run={run} />}
          <Answers gate={gate} />
        </>
      )}
      {call === null ? null : <Call call={call} run={run} />}
      {crossroads === null ? null : (
        <>
          <Value title="What the step gave" value={crossroads.value} run={run} />
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

function Value({ title, value, run }: { readonly title: string; readonly value: Json; readonly run: number | null }) {
  const bytes = omittedBytes(value);
  return (
    <Part title={title}>
      {bytes === null ? (
        <div className="min-w-0 rounded-card border border-border bg-surface p-2">
          <JsonView key={JSON.stringify(value).slice(0, 200)} value={value} root={null} label={title} />
        </div>
      ) : (
        <p className="text-text2">
          It has {showBytes(bytes)}, too much for here.{" "}
          {run === null ? null : (
            <Link to="/runs/$id" params={{ id: String(run) }} className="underline">
              Look at it in the run
            </Link>
          )}
        </p>
      )}
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

function Call({ call, run }: { readonly call: NonNullable<InboxItem["call"]>; readonly run: number | null }) {
  return (
    <>
      <Part title="What was called">
        <p>
          <code>{call.tool ?? "(none)"}</code>
          {call.attempt > 1 ? <span className="text-text2">, for the {showOrdinal(call.attempt)} time</span> : null}
        </p>
      </Part>
      {call.args === null ? null : <Value title="With what" value={call.args} run={run} />}
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
