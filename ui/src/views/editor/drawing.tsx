import { Suspense } from "react";
import { lazyPart } from "../../components/lazy-part.ts";
import { Empty, Skeleton } from "../../components/page.tsx";
import type { Validated } from "./use-validation.ts";

const FlowGraph = lazyPart(
  () => import("../run/graph/flow-graph.tsx"),
  (loaded) => loaded.FlowGraph,
);

type DrawingProps = {
  readonly validated: Validated;
  readonly selected: string | null;
  readonly onSelect: (key: string | null) => void;
};

export function Drawing({ validated: { graph, isDrawn, isChecking }, selected, onSelect }: DrawingProps) {
  if (graph === null)
    return isChecking ? (
      <Skeleton />
    ) : (
      <Empty title="Nothing to draw yet.">It is drawn as soon as nothing is wrong with it.</Empty>
    );
  return (
    <section aria-label="Drawing" className="relative size-full min-h-0 flex-1">
      {isDrawn ? null : (
        <p
          role="status"
          className="absolute top-2 right-36 left-2 z-10 rounded-control border border-border bg-surface px-2 py-1 text-meta text-text2"
        >
          This is how it was before something went wrong.
        </p>
      )}
      <div className={`size-full ${isDrawn ? "" : "grayscale"}`}>
        <Suspense fallback={<Skeleton />}>
          <FlowGraph graph={graph} selected={selected} onSelect={onSelect} label="Steps of this workflow" />
        </Suspense>
      </div>
    </section>
  );
}
