// The graph of a flow or of a run: what stands where, how it is, and where to go from it.

import "@xyflow/react/dist/style.css";
import { ReactFlowProvider } from "@xyflow/react";
import { useCallback, useMemo, useState, type ReactNode } from "react";
import { Skeleton } from "../../../components/page.tsx";
import type { Graph, MachineTransition, Outline } from "../../../model/run.ts";
import { conditionsOf } from "../../../model/steps.ts";
import { openTransitions, takenLinks } from "../../../model/ways.ts";
import "./graph.css";
import { GraphContext, type GraphState } from "./graph-state.ts";
import { GraphView } from "./graph-view.tsx";
import { useLayout } from "./use-layout.ts";

export type FlowGraphProps = {
  readonly graph: Graph;
  /** How a run of it is; without one it is the graph of a definition. */
  readonly outline?: Outline | null;
  /** Key of a step. */
  readonly selected: string | null;
  readonly hovered?: string | null;
  readonly onSelect: (key: string | null) => void;
  readonly onHover?: (key: string | null) => void;
  /** Called with the name of a machine's transition. */
  readonly onFire?: (transition: string) => void;
  readonly label: string;
  /** Beside its own buttons. */
  readonly buttons?: ReactNode;
};

const nothing = (): void => undefined;
const noTransitions: ReadonlyMap<string, MachineTransition> = new Map();

/** It fills what it stands in, which needs a height of its own. */
export function FlowGraph(props: FlowGraphProps) {
  const { graph, label, buttons = null } = props;
  const layout = useLayout(graph);
  const state = useGraphStateOf(props);
  if (layout === null) {
    return (
      <div className="size-full" data-testid="graph-loading">
        <Skeleton lines={5} height={52} />
      </div>
    );
  }
  return (
    <ReactFlowProvider>
      <GraphContext value={state}>
        <GraphView graph={graph} layout={layout} label={label} selected={state.selected} buttons={buttons} />
      </GraphContext>
    </ReactFlowProvider>
  );
}

function useGraphStateOf({
  graph,
  outline = null,
  selected,
  hovered = null,
  onSelect,
  onHover,
  onFire,
}: FlowGraphProps): GraphState {
  const [focused, setFocused] = useState<string | null>(null);
  const conditions = useMemo(() => (outline === null ? null : conditionsOf(outline)), [outline]);
  const taken = useMemo(() => (outline === null ? null : takenLinks(graph, outline)), [graph, outline]);
  const open = useMemo(() => (outline === null ? noTransitions : openTransitions(graph, outline)), [graph, outline]);
  const onFocus = useCallback((key: string) => setFocused(key), []);
  const [pointed, setPointed] = useState<string | null>(null);
  const hover = onHover ?? setPointed;
  const wanted = focused ?? selected ?? graph.start;
  const tabStop = graph.nodes.some(({ key }) => key === wanted) ? wanted : graph.start;
  return useMemo(
    () => ({
      conditions,
      taken,
      open,
      selected,
      hovered: onHover === undefined ? pointed : hovered,
      tabStop,
      onSelect: onSelect ?? nothing,
      onHover: hover,
      onFocus,
      onFire: onFire ?? null,
    }),
    [conditions, taken, open, selected, hovered, pointed, tabStop, onSelect, onHover, hover, onFocus, onFire],
  );
}
