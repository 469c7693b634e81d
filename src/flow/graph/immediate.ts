// The node that every way from the root to a node passes last: Lengauer and Tarjan's algorithm with path compression,
// nearly linear. The simpler iteration over postorder is quadratic where many steps share one `alert`, as they do in
// real flows. References are checked with this tree, and the outline of a flow follows it: what a step dominates is
// drawn beneath it.

type Cell<Node> = {
  readonly node: Node;
  /** Number in the order in which a depth-first walk enters. */
  readonly at: number;
  readonly parent: Cell<Node> | null;
  readonly from: Cell<Node>[];
  /** The nodes whose semidominator this one is, still to be looked at. */
  waiting: Cell<Node>[];
  semi: Cell<Node>;
  /** Of the compressed path above, the cell with the lowest semidominator. */
  best: Cell<Node>;
  above: Cell<Node> | null;
  dominator: Cell<Node>;
};

/** Immediate dominators of all nodes that the root reaches, itself left out. */
export function immediateDominators<Node>(
  root: Node,
  successors: (node: Node) => readonly Node[],
): ReadonlyMap<Node, Node> {
  const cells = enterAll(root, successors);
  for (const cell of cells.toReversed()) {
    if (cell.parent === null) continue;
    for (const from of cell.from) {
      const { semi } = bestAbove(from);
      if (semi.at < cell.semi.at) cell.semi = semi;
    }
    cell.semi.waiting.push(cell);
    cell.above = cell.parent;
    settleWaiting(cell.parent);
  }
  for (const cell of cells) if (cell.dominator !== cell.semi) cell.dominator = cell.dominator.dominator;
  return new Map(cells.slice(1).map((cell) => [cell.node, cell.dominator.node]));
}

function settleWaiting<Node>(parent: Cell<Node>): void {
  for (const cell of parent.waiting) {
    const best = bestAbove(cell);
    cell.dominator = best.semi.at < cell.semi.at ? best : parent;
  }
  parent.waiting = [];
}

/** All cells in depth-first order, each with what leads to it. */
function enterAll<Node>(root: Node, successors: (node: Node) => readonly Node[]): readonly Cell<Node>[] {
  const cells = new Map<Node, Cell<Node>>();
  const enter = (node: Node, parent: Cell<Node> | null): Cell<Node> => {
    const cell = newCell(node, cells.size, parent);
    cells.set(node, cell);
    return cell;
  };
  const first = enter(root, null);
  const stack = [{ cell: first, rest: successors(root).values() }];
  for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
    const next = top.rest.next();
    if (next.done === true) {
      stack.pop();
      continue;
    }
    const known = cells.get(next.value);
    const cell = known ?? enter(next.value, top.cell);
    cell.from.push(top.cell);
    if (known === undefined) stack.push({ cell, rest: successors(next.value).values() });
  }
  return [...cells.values()];
}

function newCell<Node>(node: Node, at: number, parent: Cell<Node> | null): Cell<Node> {
  const links = { node, at, parent, from: [], waiting: [], above: null };
  const cell = links as unknown as Cell<Node>;
  cell.semi = cell;
  cell.best = cell;
  cell.dominator = cell;
  return cell;
}

/** The cell with the lowest semidominator on the way up as far as it is linked; the way is shortened for the next. */
function bestAbove<Node>(cell: Cell<Node>): Cell<Node> {
  const path: Cell<Node>[] = [];
  for (let at = cell; at.above?.above != null; at = at.above) path.push(at);
  for (const at of path.toReversed()) {
    const { above } = at;
    if (above === null) continue;
    if (above.best.semi.at < at.best.semi.at) at.best = above.best;
    at.above = above.above;
  }
  return cell.best;
}
