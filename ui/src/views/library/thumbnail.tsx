// A flow in small: its steps, branches and forks where the drawing of a run has them, with names and nothing else.

import { useQuery } from "@tanstack/react-query";
import { Suspense, use } from "react";
import { validationQuery } from "../../api/writing.ts";
import type { PlacedNode } from "../../model/layout.ts";
import type { Graph } from "../../model/run.ts";
import { loadLayouter } from "../run/graph/layouter.ts";

type ThumbnailProps = {
  readonly text: string;
  /** In words, for who does not see it. */
  readonly label: string;
};

/** As high before it is drawn as then. */
const room = "flex h-44 items-center justify-center overflow-hidden rounded-control bg-sunken p-2";

export function Thumbnail({ text, label }: ThumbnailProps) {
  const { data } = useQuery({ ...validationQuery(text), staleTime: Number.POSITIVE_INFINITY });
  const graph = data?.graph ?? null;
  return (
    <div role="img" aria-label={label} className={room}>
      {graph === null ? null : (
        <Suspense fallback={null}>
          <Drawing graph={graph} />
        </Suspense>
      )}
    </div>
  );
}

/** A line around it, half of which would be cut off. */
const edge = 4;
/** Few steps are drawn no larger than several. */
const least = { width: 520, height: 280 };
const heads = { down: "l-7,-12h14z", up: "l-7,12h14z", left: "l12,-7v14z", right: "l-12,-7v14z" };

function Drawing({ graph }: { readonly graph: Graph }) {
  const { width, height, nodes, links } = use(loadLayouter()).layOut(graph);
  const names = new Map(graph.nodes.map(({ key, name }) => [key, name]));
  const [wide, high] = [Math.max(width, least.width), Math.max(height, least.height)];
  const failures = new Set(graph.links.filter((loaded) => loaded.isFailure).map((loaded) => loaded.id));
  return (
    <svg
      aria-hidden
      data-testid="thumbnail"
      viewBox={`${(width - wide) / 2 - edge} ${(height - high) / 2 - edge} ${wide + 2 * edge} ${high + 2 * edge}`}
      className="h-full w-full"
    >
      {links.map(({ id, path, arrow: { x, y, towards } }) => (
        <g key={id}>
          <path
            d={path}
            className="fill-none stroke-strong"
            strokeWidth={3}
            strokeDasharray={failures.has(id) ? "8 6" : undefined}
          />
          <path d={`M${x},${y}${heads[towards]}`} className="fill-strong" />
        </g>
      ))}
      {nodes.map((node) => (
        <Node key={node.key} node={node} name={names.get(node.key) ?? ""} />
      ))}
    </svg>
  );
}

/** So many letters fit into a step, as large as they have to be here. */
const lettersMax = 14;

function Node({ node: { x, y, width, height, isDot }, name }: { readonly node: PlacedNode; readonly name: string }) {
  if (isDot) return <circle cx={x + width / 2} cy={y + height / 2} r={width / 2} className="fill-strong" />;
  return (
    <g data-step={name}>
      <rect
        x={x}
        y={y}
        width={width}
        height={height}
        rx={10}
        className="fill-surface stroke-strong"
        strokeWidth={2.5}
      />
      <text
        x={x + width / 2}
        y={y + height / 2}
        textAnchor="middle"
        dominantBaseline="central"
        fontSize={26}
        className="fill-text font-sans"
      >
        {name.length > lettersMax ? `${name.slice(0, lettersMax - 1)}…` : name}
      </text>
    </g>
  );
}
