// An arrow: solid where the run has gone, dashed where it has not, with what decides about it in its middle.

import { type Edge, EdgeLabelRenderer, type EdgeProps } from "@xyflow/react";
import { Play, TriangleAlert } from "lucide-react";
import type { PlacedLink } from "../../../model/layout.ts";
import type { Arrow } from "../../../model/path.ts";
import type { GraphLink } from "../../../model/run.ts";
import { useGraphState } from "./graph-state.ts";

export type LinkEdgeType = Edge<{ readonly link: GraphLink; readonly placed: PlacedLink }, "link">;

const heads: { readonly [towards in Arrow["towards"]]: string } = {
  down: "l-4,-7h8z",
  up: "l-4,7h8z",
  left: "l7,-4v8z",
  right: "l-7,-4v8z",
};

export function LinkEdge({ data }: EdgeProps<LinkEdgeType>) {
  const { taken } = useGraphState();
  if (data === undefined) return null;
  const { link, placed } = data;
  const isTaken = taken === null || taken.has(link.id);
  const look = `graph-link ${isTaken ? "" : "graph-untaken"} ${link.isFailure ? "graph-failure" : ""} ${link.isSide ? "graph-side" : ""}`;
  const { x, y, towards } = placed.arrow;
  return (
    <>
      <g className={look} data-link-id={link.id} data-from={link.from} data-to={link.to ?? ""} data-taken={isTaken}>
        <path d={placed.path} className="graph-line" />
        <path d={`M${x},${y}${heads[towards]}`} className="graph-head" />
      </g>
      {placed.label === null ? null : <LinkLabel link={link} place={placed.label} isTaken={isTaken} />}
    </>
  );
}

type LabelProps = {
  readonly link: GraphLink;
  readonly place: NonNullable<PlacedLink["label"]>;
  readonly isTaken: boolean;
};

function LinkLabel({ link, place, isTaken }: LabelProps) {
  const { open, onFire } = useGraphState();
  const transition = open.get(link.id);
  const style = { transform: `translate(-50%, -50%) translate(${place.x}px, ${place.y}px)`, maxWidth: place.width };
  const look = "nodrag nopan pointer-events-auto absolute flex items-center gap-1 graph-small rounded-control px-1.5";
  if (transition !== undefined && onFire !== null) {
    return (
      <EdgeLabelRenderer>
        <button
          type="button"
          // It is as small as the graph is drawn: whoever has no pointer fires it above the graph.
          tabIndex={-1}
          style={style}
          title={`Fire ${link.label}`}
          data-fire={transition.name}
          className={`${look} min-h-6 border border-transparent bg-accent font-medium text-on-accent hover:opacity-90`}
          onClick={() => onFire(transition.name)}
        >
          <Play size={11} strokeWidth={2} aria-hidden className="shrink-0" />
          <span className="truncate">{link.label}</span>
        </button>
      </EdgeLabelRenderer>
    );
  }
  return (
    <EdgeLabelRenderer>
      <span
        style={style}
        title={link.label}
        className={`${look} bg-bg ${link.isFailure ? "text-danger" : isTaken ? "text-text2" : "text-text3"}`}
      >
        {link.isFailure ? <TriangleAlert size={11} strokeWidth={2} aria-hidden className="shrink-0" /> : null}
        <span className="truncate">{link.label}</span>
      </span>
    </EdgeLabelRenderer>
  );
}
