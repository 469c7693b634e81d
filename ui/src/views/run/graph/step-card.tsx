// What is drawn of one step: its name, what it does, how it is.

import {
  Ban,
  Braces,
  Check,
  Hand,
  Hourglass,
  Layers,
  type LucideIcon,
  Merge,
  Square,
  TriangleAlert,
  Workflow,
  Wrench,
  X,
} from "lucide-react";
import { memo, useState, type ReactNode } from "react";
import { ProgressBar, useProgress } from "../../../components/progress.tsx";
import { StatusPill } from "../../../components/status.tsx";
import { sayProgress } from "../../../model/progress.ts";
import type { GraphNode, ItemCounts } from "../../../model/run.ts";
import type { Token } from "../../../model/status.ts";
import { type NodeCondition, sayItems, spanOf } from "../../../model/steps.ts";
import { Ticking } from "../ticking.tsx";

const kinds: { readonly [kind in GraphNode["kind"]]: readonly [LucideIcon, string] | null } = {
  tool: [Wrench, "tool"],
  flow: [Workflow, "workflow"],
  gate: [Hand, "gate"],
  wait: [Hourglass, "wait"],
  set: [Braces, "set"],
  missing: [TriangleAlert, "missing"],
  end: null,
  state: null,
};

const endings: { readonly [ending in "success" | "failure" | "cancel"]: readonly [LucideIcon, Token, string] } = {
  success: [Check, "done", "success"],
  failure: [X, "failed", "failure"],
  cancel: [Ban, "cancelled", "cancellation"],
};

type CardProps = { readonly node: GraphNode; readonly condition: NodeCondition | null };

export const StepCard = memo(function StepCard({ node, condition }: CardProps) {
  if (node.kind === "end") return <EndCard node={node} condition={condition} />;
  return (
    <>
      <Flash token={condition?.shown.token ?? null} />
      <span className="flex items-start gap-2">
        <span className="graph-name line-clamp-2 min-w-0 flex-1 font-semibold break-all text-text" title={node.name}>
          {node.name}
        </span>
        {condition === null ? <KindMark node={node} /> : <StatusPill shown={condition.shown} />}
      </span>
      <span className="flex items-center gap-2">
        <Detail node={node} condition={condition} />
        {condition === null ? null : <Numbers condition={condition} />}
      </span>
      {node.isEach ? <Items items={condition?.items ?? null} /> : null}
      {node.isJoin ? <Arrived arrived={condition?.arrived ?? null} /> : null}
      {node.ending === null ? null : <EndMark ending={node.ending} condition={condition} />}
    </>
  );
});

/** What it does; while its tool says how far it is, that. */
function Detail({ node, condition }: CardProps) {
  const progress = useProgress(condition?.step ?? null);
  const isSaid = progress !== null && progress.message !== null;
  return (
    <>
      <span
        className={`graph-detail min-w-0 flex-1 truncate ${isSaid ? "text-text2" : "mono text-text3"}`}
        title={isSaid ? `${sayProgress(progress)} (${node.detail})` : node.detail}
      >
        {isSaid ? progress.message : node.detail}
      </span>
      {progress === null || node.isEach ? null : (
        <span className="absolute inset-x-2 bottom-1">
          <ProgressBar progress={progress} label={`How far ${node.name} is`} />
        </span>
      )}
    </>
  );
}

/** Once for each change, never at first. */
function Flash({ token }: { readonly token: Token | null }) {
  const [first] = useState(token);
  const [hasChanged, setChanged] = useState(false);
  if (token !== first && !hasChanged) setChanged(true);
  return hasChanged ? (
    <span key={token} aria-hidden className="flash pointer-events-none absolute inset-0 -z-1 rounded-card" />
  ) : null;
}

function KindMark({ node }: { readonly node: GraphNode }) {
  const kind = node.isEach ? ([Layers, "for each"] as const) : kinds[node.kind];
  if (kind === null) return null;
  const [Icon, word] = kind;
  return (
    <span
      className={`graph-small inline-flex items-center gap-1 ${node.kind === "missing" ? "text-danger" : "text-text3"}`}
    >
      <Icon size={12} strokeWidth={1.75} aria-hidden />
      {word}
    </span>
  );
}

function Numbers({ condition }: { readonly condition: NodeCondition }) {
  const span = spanOf(condition);
  return (
    <span className="flex shrink-0 items-center gap-1.5 text-meta text-text2">
      {condition.visits > 1 ? <span title={`${condition.visits} visits`}>×{condition.visits}</span> : null}
      {condition.attempts > 1 ? (
        <span title={`Try ${condition.attempts} of ${condition.attemptsMax}`}>
          {condition.attempts}/{condition.attemptsMax}
        </span>
      ) : null}
      {condition.isReused ? <span title="Taken from another run; it was not done again">reused</span> : null}
      {span === null ? null : <Ticking from={span.from} to={span.to} />}
    </span>
  );
}

const itemTokens: readonly (readonly [status: string, token: Token])[] = [
  ["done", "done"],
  ["running", "running"],
  ["ready", "ready"],
  ["failed", "failed"],
  ["uncertain", "uncertain"],
  ["cancelled", "cancelled"],
  ["skipped", "skipped"],
];

function Items({ items }: { readonly items: ItemCounts | null }) {
  if (items === null) return <span className="graph-small pt-0.5 text-text3">one call per item</span>;
  const text = sayItems(items);
  return (
    <>
      <span className="graph-small truncate pt-0.5 text-text2" title={text}>
        {text}
      </span>
      <span aria-hidden className="absolute inset-x-2 bottom-1 flex h-[3px] overflow-hidden rounded-full bg-sunken">
        {itemTokens.map(([status, token]) => {
          const share = ((items.statuses[status] ?? 0) / Math.max(1, items.count)) * 100;
          return share === 0 ? null : (
            <span key={status} data-token={token} className="status-solid" style={{ width: `${share}%` }} />
          );
        })}
      </span>
    </>
  );
}

function Arrived({ arrived }: { readonly arrived: NodeCondition["arrived"] }) {
  return (
    <span className="graph-small flex items-center gap-1 pt-0.5 text-text2">
      <Merge size={12} strokeWidth={1.75} aria-hidden />
      {arrived === null
        ? "joins the branches"
        : `${arrived.count.toLocaleString("en")} of ${arrived.of.toLocaleString("en")} arrived`}
    </span>
  );
}

type EndMarkProps = {
  readonly ending: "success" | "failure" | "cancel";
  readonly condition: NodeCondition | null;
};

/** In colour only where the run has ended so, or where no run is looked at; else it says no more than that the path ends. */
function EndMark({ ending, condition }: EndMarkProps) {
  const [Icon, token, word] = endings[ending];
  const isTold = condition === null || condition.isEnd;
  return (
    <span
      data-testid="end-mark"
      data-token={isTold ? token : undefined}
      title={condition?.isEnd === true ? `Ended in ${word}` : `Ends in ${word}`}
      className={`absolute -bottom-4 left-1/2 flex size-5 -translate-x-1/2 items-center justify-center rounded-full border border-border ${isTold ? "status" : "bg-surface text-text3"}`}
    >
      {isTold ? <Icon size={12} strokeWidth={2} aria-hidden /> : <PathEnd />}
    </span>
  );
}

/** A path ends, whichever way. */
export function PathEnd() {
  return <Square size={7} strokeWidth={2} fill="currentColor" aria-hidden />;
}

/** A small round one: where a path ends there is nothing to be done. */
function EndCard({ node, condition }: CardProps) {
  const [Icon, token, word] = endings[node.ending ?? "success"];
  const wasReached = condition !== null && condition.step !== null;
  const text: ReactNode = condition === null || wasReached ? word : condition.shown.word;
  return (
    <span className="flex h-full items-center justify-center gap-2">
      <span
        data-token={wasReached || condition === null ? token : "skipped"}
        className="status flex size-5 shrink-0 items-center justify-center rounded-full"
      >
        {wasReached || condition === null ? <Icon size={12} strokeWidth={2} aria-hidden /> : <PathEnd />}
      </span>
      <span className="graph-name min-w-0 truncate font-semibold text-text" title={node.name}>
        {node.name}
      </span>
      <span className="graph-small shrink-0 text-text3">{text}</span>
    </span>
  );
}
