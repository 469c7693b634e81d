// Graph and inspector side by side, the tabs below; in a narrow window one below the other, and the inspector over them.

import { Suspense, useState, useSyncExternalStore, type ReactNode } from "react";
import { lazyPart } from "../../components/lazy-part.ts";
import { ErrorBoundary } from "./error-boundary.tsx";
import { lazyAgain } from "../../components/lazy-again.ts";
import { useLive } from "../../components/live.tsx";
import { Empty, Skeleton } from "../../components/page.tsx";
import { Splitter } from "../../components/splitter.tsx";
import { Table2, Waypoints } from "lucide-react";
import { Button } from "../../components/button.tsx";
import { graphOfRows, nodeOf } from "../../model/run-view.ts";
import type { Outline } from "../../model/run.ts";
import { prefer, usePreference } from "../../preferences.ts";
import { useFire } from "./banner/machine-banner.tsx";
import { loadGraph } from "./graph/load-graph.ts";
import { Inspector } from "./inspector/inspector.tsx";
import { runRoute, useShow } from "./route.ts";
import { RunTabs } from "./tabs/run-tabs.tsx";
import type { Selection } from "./use-selection.ts";

/** Its libraries are large; the words are there first. */
const graphView = lazyAgain(async () => (await loadGraph()).FlowGraph);
/** Only where there is no room beside the graph, and a step is chosen. */
const Dialog = lazyPart(
  () => import("../../components/dialog.tsx"),
  (loaded) => loaded.Dialog,
);
const StepTable = lazyPart(
  () => import("./graph/step-table.tsx"),
  (loaded) => loaded.StepTable,
);

type BodyProps = { readonly outline: Outline; readonly selection: Selection };

/** With less room the graph would be narrower than what stands beside it. */
const cramped = matchMedia("(max-width: 1023.98px)");

function watchRoom(watcher: () => void): () => void {
  cramped.addEventListener("change", watcher);
  return () => cramped.removeEventListener("change", watcher);
}

export function RunBody({ outline, selection }: BodyProps) {
  const isCramped = useSyncExternalStore(watchRoom, () => cramped.matches);
  return isCramped ? (
    <NarrowBody outline={outline} selection={selection} />
  ) : (
    <WideBody outline={outline} selection={selection} />
  );
}

const inspectorSizes = { min: 280, max: 720, usual: "380" };
const tabsSizes = { min: 120, max: 640 };

/** As high as it takes to see between six and ten steps in the timeline. It stays so while steps are added: the graph above
 *  must not move. */
function tabsHeightFor({ steps }: Outline): number {
  const rows = new Set(steps.map((loaded) => loaded.key)).size;
  const [tabLine, axis, rowHeight, rest] = [37, 24, 28, 6];
  return tabLine + axis + rest + rowHeight * Math.min(10, Math.max(6, rows));
}

type Sizes = { readonly min: number; readonly max: number; readonly usual: string };

function useSize(name: string, { min, max, usual }: Sizes): number {
  const kept = Number(usePreference(name, usual));
  return Number.isFinite(kept) ? Math.min(max, Math.max(min, kept)) : Number(usual);
}

function WideBody({ outline, selection }: BodyProps) {
  const width = useSize("run.inspector", inspectorSizes);
  const [usual] = useState(() => String(tabsHeightFor(outline)));
  const height = useSize("run.tabs", { ...tabsSizes, usual });
  // Nobody has asked for it: the graph keeps the larger part.
  const most = String(height) === usual ? "44%" : "65%";
  return (
    <div className="flex min-h-[560px] flex-1 flex-col">
      <div className="flex min-h-0 flex-1">
        <StepsPanel outline={outline} selection={selection} />
        <Splitter
          label="Width of the inspector"
          orientation="vertical"
          size={width}
          {...inspectorSizes}
          onSize={(size) => prefer("run.inspector", String(size))}
        />
        <div
          style={{ width, maxWidth: String(width) === inspectorSizes.usual ? "38%" : "60%" }}
          className="flex shrink-0 flex-col bg-surface"
        >
          <Inspector outline={outline} selection={selection} />
        </div>
      </div>
      <Splitter
        label="Height of the tabs"
        orientation="horizontal"
        size={height}
        {...tabsSizes}
        onSize={(size) => prefer("run.tabs", String(size))}
      />
      <div style={{ height, maxHeight: most }} className="flex shrink-0 flex-col bg-surface">
        <RunTabs outline={outline} selection={selection} />
      </div>
    </div>
  );
}

function NarrowBody({ outline, selection }: BodyProps) {
  const name = selection.key === null ? "" : (nodeOf(outline, selection.key)?.name ?? selection.key);
  return (
    <div className="flex flex-col">
      <div className="flex h-80 flex-col md:h-[max(20rem,46dvh)]">
        <StepsPanel outline={outline} selection={selection} />
      </div>
      <div className="flex h-[420px] flex-col border-t border-border bg-surface">
        <RunTabs outline={outline} selection={selection} />
      </div>
      {selection.isChosen ? (
        <Suspense fallback={null}>
          <Dialog title={`Step ${name}`} isOpen isWide onClose={() => selection.select(null)}>
            <div className="-m-4 flex min-h-[70dvh] flex-col">
              <Inspector outline={outline} selection={selection} isInSheet />
            </div>
          </Dialog>
        </Suspense>
      ) : null}
    </div>
  );
}

/** The graph, or its twin in words. */
function StepsPanel({ outline, selection }: BodyProps) {
  const { view } = runRoute.useSearch();
  const show = useShow();
  const isTable = view === "table" || outline.graph === null;
  const toggle = (
    <Button
      isSmall
      look="quiet"
      icon={isTable ? Waypoints : Table2}
      title={isTable ? "Show the graph (V)" : "Show the steps as a table (V)"}
      aria-label={isTable ? "Show the graph" : "Show the steps as a table"}
      onClick={() => show({ view: isTable ? undefined : "table" })}
    />
  );
  return (
    <section aria-label="Steps" className="relative flex min-h-0 min-w-0 flex-1 flex-col bg-bg">
      {isTable && outline.graph !== null ? (
        <span className="flex shrink-0 justify-end border-b border-border bg-surface px-2 py-1">{toggle}</span>
      ) : null}
      {isTable ? (
        <>
          {outline.graph === null ? (
            <p className="p-3 text-text2">This version cannot draw the flow of this run; its steps are these.</p>
          ) : null}
          <Suspense fallback={<Skeleton lines={4} />}>
            <StepTable
              graph={outline.graph ?? graphOfRows(outline)}
              outline={outline}
              selected={selection.key}
              hovered={selection.hovered}
              onSelect={selection.select}
              onHover={selection.hover}
              label="Table of steps"
            />
          </Suspense>
        </>
      ) : (
        <GraphPanel outline={outline} selection={selection} buttons={toggle} />
      )}
    </section>
  );
}

function GraphPanel({ outline, selection, buttons }: BodyProps & { readonly buttons: ReactNode }) {
  const { fire, dialog } = useFire(outline.run.id);
  const { line } = useLive();
  const FlowGraph = graphView();
  const { graph } = outline;
  if (graph === null) return null;
  const fireByName = (name: string): void => {
    const found = outline.transitions.find((each) => each.name === name);
    if (found !== undefined) fire(found);
  };
  return (
    <ErrorBoundary
      isLive={line === "live"}
      fallback={<Empty title="The graph could not be drawn.">Press V for the steps as a table.</Empty>}
    >
      <Suspense fallback={<Skeleton lines={4} height={48} />}>
        <FlowGraph
          graph={graph}
          outline={outline}
          selected={selection.key}
          hovered={selection.hovered}
          onSelect={selection.select}
          onHover={selection.hover}
          onFire={fireByName}
          label={`Graph of ${outline.run.name}`}
          buttons={buttons}
        />
      </Suspense>
      {dialog}
    </ErrorBoundary>
  );
}
