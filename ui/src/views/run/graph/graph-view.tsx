import { MiniMap, type NodeHandle, Position, ReactFlow } from "@xyflow/react";
import { useMemo, useRef, type KeyboardEvent, type ReactNode } from "react";
import type { Layout } from "../../../model/layout.ts";
import type { Graph } from "../../../model/run.ts";
import { mapSize } from "../../../model/viewport.ts";
import { type Direction, walk } from "../../../model/ways.ts";
import { useIsDark } from "../../../preferences.ts";
import { useShortcuts } from "../../../shell/shortcuts.ts";
import { GraphControls } from "./graph-controls.tsx";
import { useGraphState } from "./graph-state.ts";
import { LinkEdge, type LinkEdgeType } from "./link-edge.tsx";
import { DotNode, type DotNodeType, StepNode, type StepNodeType } from "./step-node.tsx";
import { useViewport } from "./use-viewport.ts";

const nodeTypes = { step: StepNode, dot: DotNode };
const edgeTypes = { link: LinkEdge };

/** Narrower than this a map would hide what it is a map of, and fingers zoom. */
const roomyWidth = 400;
/** From this many on only what is seen is drawn. */
const manyNodes = 200;

const directions: { readonly [key: string]: Direction } = {
  ArrowUp: "up",
  ArrowDown: "down",
  ArrowLeft: "left",
  ArrowRight: "right",
};

type ViewProps = {
  readonly graph: Graph;
  readonly layout: Layout;
  readonly label: string;
  readonly selected: string | null;
  readonly buttons: ReactNode;
};

export function GraphView({ graph, layout, label, selected, buttons }: ViewProps) {
  const frame = useRef<HTMLDivElement>(null);
  const isDark = useIsDark();
  const state = useGraphState();
  const { nodes, edges } = useElements(graph, layout);
  const view = useViewport(layout, graph, { selected, conditions: state.conditions });
  const arrows = useArrowKeys({ graph, layout, show: view.show });
  useZoomKeys(view);
  return (
    <div
      ref={frame}
      className="size-full min-h-0"
      data-testid="graph"
      onKeyDown={(event) => arrows(event, frame.current)}
    >
      <ReactFlow
        className="graph"
        aria-label={label}
        nodes={nodes}
        edges={edges}
        nodeTypes={nodeTypes}
        edgeTypes={edgeTypes}
        colorMode={isDark ? "dark" : "light"}
        onInit={view.begin}
        onMoveStart={view.onMoveStart}
        onPaneClick={() => state.onSelect(null)}
        onNodeClick={nothing}
        minZoom={0.1}
        maxZoom={2}
        nodesDraggable={false}
        nodesConnectable={false}
        nodesFocusable={false}
        edgesFocusable={false}
        elementsSelectable={false}
        disableKeyboardA11y
        zoomOnDoubleClick={false}
        panOnScroll
        deleteKeyCode={null}
        selectionKeyCode={null}
        multiSelectionKeyCode={null}
        panActivationKeyCode={null}
        onlyRenderVisibleElements={nodes.length > manyNodes}
      >
        <GraphControls onZoom={view.zoom} onFit={view.fit} hasZoom={view.width > roomyWidth}>
          {buttons}
        </GraphControls>
        {view.mapCorner !== null && view.width > roomyWidth ? (
          <MiniMap
            position={view.mapCorner}
            pannable
            zoomable
            ariaLabel="Map of the graph"
            className={`!mx-2 !mt-2 ${view.mapCorner === "bottom-right" ? "!mb-6" : "!mb-2"}`}
            style={mapSize}
            nodeColor={({ id }) => `var(--${state.conditions?.get(id)?.shown.token ?? "pending"}-solid)`}
          />
        ) : null}
      </ReactFlow>
    </div>
  );
}

// Without somebody who listens for clicks xyflow lets the pointer through to what lies below.
const nothing = (): void => undefined;

function useZoomKeys(view: Pick<ReturnType<typeof useViewport>, "fit" | "zoom">): void {
  useShortcuts(
    useMemo(
      () => [
        { keys: "f", about: "Fit the graph", act: view.fit },
        { keys: "+", about: "Zoom in", act: () => view.zoom(1.25) },
        { keys: "=", about: "Zoom in", act: () => view.zoom(1.25) },
        { keys: "-", about: "Zoom out", act: () => view.zoom(0.8) },
      ],
      [view],
    ),
  );
}

function useElements(graph: Graph, layout: Layout) {
  return useMemo(() => {
    const known = new Map(graph.nodes.map((node) => [node.key, node]));
    const links = new Map(graph.links.map((link) => [link.id, link]));
    const nodes = layout.nodes.flatMap(({ key, x, y, width, height, isDot }): (StepNodeType | DotNodeType)[] => {
      const common = {
        id: key,
        position: { x, y },
        width,
        height,
        measured: { width, height },
        handles: handlesOf(width, height),
      };
      if (isDot) {
        const link = layout.links.find(({ to }) => to === key);
        return [{ ...common, type: "dot", data: { link: links.get(link?.id ?? "") ?? null } }];
      }
      const node = known.get(key);
      return node === undefined ? [] : [{ ...common, type: "step", data: { node } }];
    });
    const edges = layout.links.flatMap((placed): LinkEdgeType[] => {
      const link = links.get(placed.id);
      return link === undefined
        ? []
        : [{ id: placed.id, type: "link", source: placed.from, target: placed.to, data: { link, placed } }];
    });
    return { nodes, edges };
  }, [graph, layout]);
}

/** Told beforehand, so that xyflow need not draw all steps once to find out where arrows begin. */
function handlesOf(width: number, height: number): NodeHandle[] {
  const common = { x: width / 2, width: 1, height: 1 };
  return [
    { ...common, type: "target", position: Position.Top, y: 0 },
    { ...common, type: "source", position: Position.Bottom, y: height },
  ];
}

type ArrowParts = { readonly graph: Graph; readonly layout: Layout; readonly show: (key: string) => void };

/** Arrow keys lead along the arrows; the focus goes with them. */
function useArrowKeys({ graph, layout, show }: ArrowParts) {
  return (event: KeyboardEvent, frame: HTMLElement | null): void => {
    const direction = directions[event.key];
    const from = event.target instanceof HTMLElement ? event.target.dataset["nodeKey"] : undefined;
    if (direction === undefined || from === undefined || frame === null) return;
    event.preventDefault();
    const spots = layout.nodes
      .filter(({ isDot }) => !isDot)
      .map(({ key, x, y, width, height }) => ({ key, x: x + width / 2, y: y + height / 2 }));
    const to = walk(graph, spots, from, direction);
    if (to === null) return;
    show(to);
    focusSoon(frame, to, 20);
  };
}

/** What was out of sight is drawn a moment after it has come into sight. */
function focusSoon(frame: HTMLElement, key: string, tries: number): void {
  const found = frame.querySelector<HTMLElement>(`[data-node-key="${CSS.escape(key)}"]`);
  if (found !== null) found.focus({ preventScroll: true });
  else if (tries > 0) requestAnimationFrame(() => focusSoon(frame, key, tries - 1));
}
