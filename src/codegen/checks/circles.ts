/** Finds the nodes of a graph that lead to each other: strongly connected components, by Tarjan's algorithm. */

/** The groups of the nodes that are reached, by node, numbered after those that they lead to. It needs no stack for deep graphs. */
export function groupsOf<Node>(
  seeds: Iterable<Node>,
  next: (node: Node) => Iterable<Node>,
): ReadonlyMap<Node, number> {
  const groups = new Map<Node, number>();
  const order = new Map<Node, number>();
  const lowest = new Map<Node, number>();
  const open: Node[] = [];
  let count = 0;
  const lower = (node: Node, to: number): void => {
    lowest.set(node, Math.min(lowest.get(node) ?? to, to));
  };
  for (const seed of seeds) {
    if (order.has(seed)) continue;
    const stack: { readonly node: Node; readonly ahead: Iterator<Node, unknown> }[] = [];
    const enter = (node: Node): void => {
      lower(node, order.size);
      order.set(node, order.size);
      open.push(node);
      stack.push({ node, ahead: next(node)[Symbol.iterator]() });
    };
    enter(seed);
    for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
      const { node, ahead } = top;
      const step = ahead.next();
      if (step.done !== true) {
        const to = step.value;
        if (!order.has(to)) enter(to);
        else if (!groups.has(to)) lower(node, order.get(to) ?? 0);
        continue;
      }
      stack.pop();
      const above = stack.at(-1);
      if (above !== undefined) lower(above.node, lowest.get(node) ?? 0);
      if (lowest.get(node) !== order.get(node)) continue;
      for (const each of open.splice(open.lastIndexOf(node)).reverse()) groups.set(each, count);
      count += 1;
    }
  }
  return groups;
}
