// The node that every way from the root to a node passes last: Cooper, Harvey and Kennedy's iteration over reverse
// postorder, a few passes for any flow a person would draw. References are checked with this tree, and the outline of a
// flow follows it: what a step dominates is drawn beneath it.

type Cell<Node> = { readonly node: Node; readonly at: number; isKnown: boolean; up: () => Cell<Node> };

/** Immediate dominators of all nodes but the first; `order` is a reverse postorder that begins with the root. */
export function immediateDominators<Node>(
  order: readonly Node[],
  predecessors: (node: Node) => readonly Node[],
): ReadonlyMap<Node, Node> {
  const cells = new Map(order.map((node, at) => [node, newCell(node, at)]));
  const inner = [...cells.values()]
    .slice(1)
    .map((cell) => ({ cell, from: predecessors(cell.node).flatMap((node) => cells.get(node) ?? []) }));
  for (let isChanged = true; isChanged;) {
    isChanged = false;
    for (const { cell, from } of inner) {
      const up = from.filter(({ isKnown }) => isKnown).reduce(meet);
      isChanged ||= cell.up() !== up;
      cell.up = () => up;
      cell.isKnown = true;
    }
  }
  return new Map(inner.map(({ cell }) => [cell.node, cell.up().node]));
}

// Until it is known, a cell is its own dominator; the root stays so.
function newCell<Node>(node: Node, at: number): Cell<Node> {
  const cell: Cell<Node> = { node, at, isKnown: at === 0, up: () => cell };
  return cell;
}

function meet<Node>(one: Cell<Node>, other: Cell<Node>): Cell<Node> {
  let [left, right] = [one, other];
  while (left !== right) {
    if (left.at > right.at) left = left.up();
    else right = right.up();
  }
  return left;
}
