// What all drawings share: the steps in the order of a breadth-first walk from the start, their arrows, which arrows
// close a loop, and how deep each step lies. The order of the plan's keys plays no part in it.

import { edgesFrom, sideEdgesFrom, type Edge } from "../edges.ts";
import { own } from "../json.ts";
import type { Plan, PlanStep, StepKey, TerminalKind } from "../plan.ts";
import { under } from "../pointer.ts";
import { findArrivals, type Arrival } from "./arrivals.ts";
import { describeStep, describeTransition } from "./caption.ts";
import { toPlainText } from "./text.ts";
import { walkDepthFirst } from "../graph/depth-first.ts";

export type Picture = {
  readonly title: string;
  readonly nodes: readonly PictureNode[];
  /** From here the drawing begins: the start, then one step of each part that the start does not reach. */
  readonly roots: readonly PictureNode[];
};

export type PictureNode = {
  readonly index: number;
  readonly key: StepKey;
  /** `missing`: an arrow names it, but the plan has no such step. */
  readonly kind: PlanStep["kind"] | "missing";
  readonly label: string;
  readonly detail: string;
  /** How the path ends after this step; null: it goes on. */
  readonly ending: TerminalKind | null;
  /** Index of the root from which the walk found it; 0: reachable. */
  readonly root: number;
  readonly isFork: boolean;
  /** The step that joins the branches which this one forks. */
  readonly join: PictureNode | null;
  /** The steps whose branches it joins. */
  readonly forks: readonly PictureNode[];
  /** Branches of a fork meet here. */
  readonly isJoin: boolean;
  readonly links: readonly Link[];
  readonly into: readonly Link[];
  /** Arrows on the longest way to it, loops aside. */
  readonly rank: number;
};

export type Link = {
  readonly kind: Edge["kind"];
  readonly from: PictureNode;
  /** null: the path ends here. */
  readonly to: PictureNode | null;
  readonly label: string;
  readonly isFailure: boolean;
  /** It leads back to a step that led here. */
  readonly isBack: boolean;
};

type Draft<T> = { -readonly [Key in keyof T]: T[Key] };
type NodeDraft = Omit<Draft<PictureNode>, "links" | "into" | "join" | "forks"> & {
  join: NodeDraft | null;
  readonly forks: NodeDraft[];
  readonly links: LinkDraft[];
  readonly into: LinkDraft[];
};
type LinkDraft = Omit<Draft<Link>, "from" | "to"> & { readonly from: NodeDraft; readonly to: NodeDraft | null };

/** What runs beside the flow or at its cancellation, drawn with a broken line. */
export function isSide(link: Link): boolean {
  return link.kind === "escalate" || link.kind === "cleanup";
}

/** One of the arrows that start together or arrive together. */
export function isParallel(link: Link): boolean {
  return link.kind === "fork" || link.kind === "join";
}

export function buildPicture(plan: Plan): Picture {
  const arrivals = findArrivals(plan);
  const nodes = new Map<StepKey, NodeDraft>();
  const roots: NodeDraft[] = [];
  for (const key of rootKeys(plan)) {
    if (nodes.has(key)) continue;
    const root = nodes.size;
    const reach = (to: StepKey): NodeDraft => {
      const node = nodes.get(to) ?? draftNode(plan, to, { index: nodes.size, root });
      nodes.set(to, node);
      return node;
    };
    roots.push(reach(key));
    // A map iterates over what is added while it is walked: it is its own queue.
    for (const node of nodes.values()) if (node.root === root) linkNode(plan, node, { reach, arrivals });
  }
  const all = [...nodes.values()];
  linkLostJoins(all, roots);
  findLoopsAndRanks(roots);
  return { title: toPlainText(plan.name ?? "") || plan.notation, nodes: all, roots };
}

// After the start, the parts that nothing reaches: first steps without an arrow into them, then what is left.
function rootKeys(plan: Plan): readonly StepKey[] {
  const keys = Object.keys(plan.steps).toSorted();
  const entered = new Set<StepKey | null>();
  for (const step of Object.values(plan.steps)) {
    for (const { from, to } of [...edgesFrom(step), ...sideEdgesFrom(step)]) if (to !== from) entered.add(to);
  }
  return [plan.start, ...keys.filter((key) => !entered.has(key)), ...keys];
}

function draftNode(plan: Plan, key: StepKey, place: { readonly index: number; readonly root: number }): NodeDraft {
  const step = own(plan.steps, key);
  return {
    ...place,
    key,
    kind: step === undefined ? "missing" : step.kind,
    label: toPlainText(step === undefined ? key : step.label) || toPlainText(key) || "(no name)",
    detail: step === undefined ? "missing" : toPlainText(describeStep(step)),
    ending: step !== undefined && step.transition.kind === "end" ? step.transition.terminal : null,
    isFork: step !== undefined && step.transition.kind === "fork",
    join: null,
    forks: [],
    isJoin: false,
    links: [],
    into: [],
    rank: 0,
  };
}

type Linking = {
  readonly reach: (to: StepKey) => NodeDraft;
  readonly arrivals: ReadonlyMap<StepKey, Arrival>;
};

function linkNode(plan: Plan, node: NodeDraft, { reach, arrivals }: Linking): void {
  const step = own(plan.steps, node.key);
  if (step === undefined) return;
  const arrival = arrivals.get(node.key);
  if (arrival !== undefined && !arrival.isEndToo) node.ending = null;
  for (const edge of orderEdges(step, arrival)) {
    const to = edge.to === null ? null : reach(edge.to);
    const { kind, isFailure } = edge;
    const link = { kind, from: node, to, label: toPlainText(labelOf(step, edge)), isFailure, isBack: false };
    node.links.push(link);
    to?.into.push(link);
    if (to !== null && kind === "join") to.isJoin = true;
  }
  if (step.transition.kind === "fork" && step.transition.join !== null) {
    node.join = reach(step.transition.join);
    node.join.isJoin = true;
    node.join.forks.push(node);
  }
}

// In a flow that is not valid there may be no way to a join; it still belongs below its fork. Breadth-first, so that
// what a lost join leads to is known before the forks behind it are asked.
function linkLostJoins(nodes: readonly NodeDraft[], roots: readonly NodeDraft[]): void {
  const reached = new Set(walkDepthFirst(roots, ({ links }) => links).entered);
  for (const from of nodes) {
    if (from.join === null || reached.has(from.join)) continue;
    const link: LinkDraft = { kind: "join", from, to: from.join, label: "", isFailure: false, isBack: false };
    from.links.push(link);
    from.join.into.push(link);
    for (const node of walkDepthFirst([from.join], ({ links }) => links).entered) reached.add(node);
  }
}

// Ways of success first, then failures, then side paths; otherwise as the plan lists them.
function orderEdges(step: PlanStep, arrival: Arrival | undefined): readonly Edge[] {
  const edges = edgesFrom(step).flatMap((edge) => {
    // The arrow from a fork to its join stands for the arrivals, which are drawn.
    if (edge.kind === "join" && step.transition.kind === "fork") return [];
    return edge.to === null && arrival !== undefined ? arrive(edge, arrival) : [edge];
  });
  if (arrival !== undefined && step.transition.kind === "end") {
    const end = { kind: "join", from: step.key, to: null, label: "", isFailure: false, pointer: step.pointer } as const;
    edges.unshift(...arrive(end, { ...arrival, isEndToo: false }));
  }
  const failures = edges.filter((edge) => edge.isFailure);
  return [...edges.filter((edge) => !edge.isFailure), ...failures, ...sideEdgesFrom(step)];
}

function arrive(edge: Edge, { joins, isEndToo }: Arrival): readonly Edge[] {
  const arrivals = [...joins].toSorted().map((to) => ({ ...edge, kind: "join" as const, to }));
  return isEndToo ? [...arrivals, edge] : arrivals;
}

function labelOf(step: PlanStep, edge: Edge): string {
  if (step.kind !== "state") return edge.label;
  const fired = step.transitions.find((transition) => under(transition.pointer, "to") === edge.pointer);
  return fired === undefined ? edge.label : describeTransition(fired);
}

function findLoopsAndRanks(roots: readonly NodeDraft[]): void {
  const { backward, order } = walkDepthFirst(roots, (node) => node.links);
  for (const link of backward) link.isBack = true;
  // Reverse postorder: every step comes after all that lead to it without a loop.
  for (const node of order.toReversed()) {
    for (const { to, isBack } of node.links) if (to !== null && !isBack) to.rank = Math.max(to.rank, node.rank + 1);
  }
}
