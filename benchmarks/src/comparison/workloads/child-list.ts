// The child list that programs write for libraries without relations (`attach`, `detach`, `levels`).

/**
 * A hand-written child list in its fast form, as programs write it for libraries without relations. Attach, detach and reparent
 * take constant time: the last sibling fills the vacated place. Nothing recurses.
 */
export interface ChildList {
  /** Node -> its parent; -1 for roots. */
  readonly parent: Int32Array;
  /** Node -> its place among its siblings. */
  readonly place: Int32Array;
  /** Node -> its children; `undefined` until it has had one. */
  readonly children: (number[] | undefined)[];
}

export function createChildList(nodes: number): ChildList {
  return {
    parent: new Int32Array(nodes).fill(-1),
    place: new Int32Array(nodes),
    children: new Array<number[] | undefined>(nodes).fill(undefined),
  };
}

export function attach({ parent, place, children }: ChildList, node: number, to: number): void {
  let siblings = children[to];
  if (siblings === undefined) {
    siblings = [];
    children[to] = siblings;
  }
  parent[node] = to;
  place[node] = siblings.push(node) - 1;
}

export function detach({ parent, place, children }: ChildList, node: number): void {
  const from = parent[node]!;
  if (from < 0) return;
  const siblings = children[from]!;
  const last = siblings.pop()!;
  if (last !== node) {
    siblings[place[node]!] = last;
    place[last] = place[node]!;
  }
  parent[node] = -1;
}

export function move(list: ChildList, node: number, to: number): void {
  detach(list, node);
  attach(list, node, to);
}

/** A node and all below it, parents before children, level by level. */
export function subtree({ children }: ChildList, root: number): number[] {
  const found = [root];
  for (let at = 0; at < found.length; at++) {
    const below = children[found[at]!];
    if (below !== undefined) for (const child of below) found.push(child);
  }
  return found;
}

/** All nodes below the first `nodes`, parents before children, level by level. To be computed again after attaching or moving. */
export function levels(list: ChildList, nodes: number): Int32Array {
  const order = new Int32Array(nodes);
  let length = 0;
  for (let node = 0; node < nodes; node++) if (list.parent[node]! < 0) order[length++] = node;
  for (let at = 0; at < length; at++) {
    const below = list.children[order[at]!];
    if (below !== undefined) for (const child of below) order[length++] = child;
  }
  return order.subarray(0, length);
}
