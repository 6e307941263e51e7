/** Hand-written: each node has a map of its children by name, and paths are split by `split`. The usual code for names. */
import { lastSign, namedTree, sumOfNodes, sumOfTexts } from "../../workloads/inputs.ts";
import type { Subject, Subjects } from "../../workloads/subject.ts";
import { type Given, LOOKUPS } from "../../workloads/workloads.ts";
import { namingMany } from "./maps-many.ts";

interface Node {
  readonly number: number;
  readonly name: string;
  readonly parent: Node | undefined;
  readonly children: Map<string, Node>;
}

/** The first one is the root. */
function plant(parents: Int32Array, names: readonly string[]): Node[] {
  const nodes: Node[] = [];
  parents.forEach((above, number) => {
    const parent = above < 0 ? undefined : nodes[above]!;
    const node: Node = { number, name: names[number]!, parent, children: new Map() };
    parent?.children.set(node.name, node);
    nodes.push(node);
  });
  return nodes;
}

function find(roots: Map<string, Node>, path: string): Node | undefined {
  let level: Map<string, Node> | undefined = roots;
  let found: Node | undefined;
  for (const step of path.split("::")) {
    found = level?.get(step);
    level = found?.children;
  }
  return found;
}

function write(leaf: Node): string {
  let path = leaf.name;
  for (let node = leaf.parent; node !== undefined; node = node.parent) path = `${node.name}::${path}`;
  return path;
}

function naming({ operation }: Given<"names">): Subject {
  const { parents, names, leaves, paths, leafNames } = namedTree();
  const nodes = plant(parents, names);
  const roots = new Map([[nodes[0]!.name, nodes[0]!]]);
  const asking = Array.from(leaves, (leaf) => nodes[leaf]!);
  const above = asking.map(({ parent }) => parent!);
  const found: (Node | undefined)[] = [...above];
  let signs = 0;
  const run = {
    path: () => {
      for (let at = 0; at < LOOKUPS; at++) found[at] = find(roots, paths[at]!);
    },
    child: () => {
      for (let at = 0; at < LOOKUPS; at++) found[at] = above[at]!.children.get(leafNames[at]!);
    },
    write: () => {
      for (let at = 0; at < LOOKUPS; at++) signs += lastSign(write(asking[at]!));
    },
    parent: () => {
      for (let at = 0; at < LOOKUPS; at++) found[at] = asking[at]!.parent;
    },
  };
  return {
    run: run[operation],
    checksum: () => {
      return operation === "write"
        ? signs + sumOfTexts((at) => write(asking[at]!))
        : sumOfNodes((at) => found[at]?.number ?? -1);
    },
  };
}

export const subjects: Subjects = { names: naming, nameMany: namingMany };
