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
  /** null: itself, as for the two below. */
  semi: Cell<Node> | null;
  /** Of the compressed path above, the cell with the lowest semidominator. */
  best: Cell<Node> | null;
  dominator: Cell<Node> | null;
  above: Cell<Node> | null;
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
      const semi = semiOf(bestAbove(from));
      if (semi.at < semiOf(cell).at) cell.semi = semi;
    }
    semiOf(cell).waiting.push(cell);
    cell.above = cell.parent;
    settleWaiting(cell.parent);
  }
  for (const cell of cells) if (dominatorOf(cell) !== semiOf(cell)) cell.dominator = dominatorOf(dominatorOf(cell));
  return new Map(cells.slice(1).map((cell) => [cell.node, dominatorOf(cell).node]));
}

function semiOf<Node>(cell: Cell<Node>): Cell<Node> {
  return cell.semi ?? cell;
}

function bestOf<Node>(cell: Cell<Node>): Cell<Node> {
  return cell.best ?? cell;
}

function dominatorOf<Node>(cell: Cell<Node>): Cell<Node> {
  return cell.dominator ?? cell;
}

function settleWaiting<Node>(parent: Cell<Node>): void {
  for (const cell of parent.waiting) {
    const best = bestAbove(cell);
    cell.dominator = semiOf(best).at < semiOf(cell).at ? best : parent;
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
  return { node, at, parent, from: [], waiting: [], semi: null, best: null, dominator: null, above: null };
}

/** The cell with the lowest semidominator on the way up as far as it is linked; the way is shortened for the next. */
function bestAbove<Node>(cell: Cell<Node>): Cell<Node> {
  const path: { readonly at: Cell<Node>; readonly above: Cell<Node> }[] = [];
  for (let at = cell, { above } = at; above !== null && above.above !== null; at = above, { above } = at) {
    path.push({ at, above });
  }
  for (const { at, above } of path.toReversed()) {
    if (semiOf(bestOf(above)).at < semiOf(bestOf(at)).at) at.best = bestOf(above);
    at.above = above.above;
  }
  return bestOf(cell);
}
