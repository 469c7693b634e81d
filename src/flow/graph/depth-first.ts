// Depth-first order without recursion: a chain of ten thousand steps must not need ten thousand stack frames.

type Arrow<Node> = { readonly to: Node | null };
type Frame<Node, Link> = { readonly node: Node; readonly rest: Iterator<Link> };

export type DepthFirst<Node, Link> = {
  /** In the order in which the walk enters the nodes. */
  readonly entered: readonly Node[];
  /** In the order in which the walk leaves the nodes: each after all it leads to, loops aside. */
  readonly order: readonly Node[];
  /** The arrows to a node that the walk had entered but not left. */
  readonly backward: readonly Link[];
};

export function walkDepthFirst<Node, Link extends Arrow<Node>>(
  roots: readonly Node[],
  linksOf: (node: Node) => readonly Link[],
): DepthFirst<Node, Link> {
  const order: Node[] = [];
  const backward: Link[] = [];
  const entered = new Set<Node>();
  const left = new Set<Node>();
  const enter = (node: Node): Frame<Node, Link> => {
    entered.add(node);
    return { node, rest: linksOf(node).values() };
  };
  for (const root of roots) {
    const stack = entered.has(root) ? [] : [enter(root)];
    for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
      const step = top.rest.next();
      if (step.done === true) {
        order.push(top.node);
        left.add(top.node);
        stack.pop();
      } else if (step.value.to !== null) {
        if (!entered.has(step.value.to)) stack.push(enter(step.value.to));
        else if (!left.has(step.value.to)) backward.push(step.value);
      }
    }
  }
  return { entered: [...entered], order, backward };
}
