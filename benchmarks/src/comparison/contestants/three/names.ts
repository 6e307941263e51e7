/**
 * three.js: nodes have a `name`, but are not found by it: `getObjectByName` searches everything below. So a step is searched
 * among `children`, which is what programs do.
 */
import { Object3D } from "three";
import {
  lastSign,
  namedTree,
  parentsOfNamed,
  sumOfNamed,
  sumOfNodes,
  sumOfTexts,
  textsOf,
} from "../../workloads/inputs.ts";
import type { Subject } from "../../workloads/subject.ts";
import { ENTITIES, type Given, LOOKUPS, NAME_PARENTS } from "../../workloads/workloads.ts";

/** With members that the declarations for the other benchmarks leave out. */
type Node = Object3D & {
  name: string;
  readonly position: { readonly x: number; readonly y: number };
  readonly parent: Node | null;
  readonly children: readonly Node[];
  userData: object;
};

/** Everything is below a scene that is not part of any path. @returns it and the nodes, the root first. */
function plant(parents: Int32Array, names: readonly string[]): { scene: Node; nodes: readonly Node[] } {
  const scene = new Object3D() as Node;
  const nodes: Node[] = [];
  parents.forEach((parent, at) => {
    const node = new Object3D() as Node;
    node.name = names[at]!;
    (parent < 0 ? scene : nodes[parent]!).add(node);
    nodes.push(node);
  });
  return { scene, nodes };
}

function childOf({ children }: Node, name: string): Node | undefined {
  for (let at = 0, { length } = children; at < length; at++) {
    const child = children[at]!;
    if (child.name === name) return child;
  }
  return undefined;
}

function find(scene: Node, path: string): Node | undefined {
  let node: Node | undefined = scene;
  for (const step of path.split("::")) node = node && childOf(node, step);
  return node;
}

function write(leaf: Node, scene: Node): string {
  let path = leaf.name;
  for (let node = leaf.parent; node !== scene; node = node!.parent) path = `${node!.name}::${path}`;
  return path;
}

export function naming({ operation }: Given<"names">): Subject {
  const { parents, names, leaves, paths, leafNames } = namedTree();
  const { scene, nodes } = plant(parents, names);
  const asking = Array.from(leaves, (leaf) => nodes[leaf]!);
  const above = asking.map(({ parent }) => parent!);
  const found: (Node | null | undefined)[] = [...above];
  let signs = 0;
  const run = {
    path: () => {
      for (let at = 0; at < LOOKUPS; at++) found[at] = find(scene, paths[at]!);
    },
    child: () => {
      for (let at = 0; at < LOOKUPS; at++) found[at] = childOf(above[at]!, leafNames[at]!);
    },
    write: () => {
      for (let at = 0; at < LOOKUPS; at++) signs += lastSign(write(asking[at]!, scene));
    },
    parent: () => {
      for (let at = 0; at < LOOKUPS; at++) found[at] = asking[at]!.parent;
    },
  };
  return {
    run: run[operation],
    checksum: () => {
      if (operation === "write") return signs + sumOfTexts((at) => write(asking[at]!, scene));
      const numbers = new Map<Node | null | undefined, number>(nodes.map((node, at) => [node, at]));
      return sumOfNodes((at) => numbers.get(found[at]) ?? -1);
    },
  };
}

function spawnAll(homes: readonly Node[], above: Int32Array): Node[] {
  return Array.from(above, (parent, at) => {
    const node = new Object3D() as Node;
    node.position.set(at % 1024, 0, 0);
    node.userData = { x: 1, y: 1 + (at % 3) };
    homes[parent]!.add(node);
    return node;
  });
}

export function namingMany({ children: which }: Given<"nameMany">): Subject {
  const above = parentsOfNamed();
  const texts = textsOf();
  let homes: Node[] = [];
  let handles: Node[] = [];
  return {
    before: () => {
      homes = Array.from({ length: NAME_PARENTS }, () => new Object3D() as Node);
      if (which === "existing") handles = spawnAll(homes, above);
    },
    run: () => {
      if (which === "spawned") handles = spawnAll(homes, above);
      for (let at = 0; at < ENTITIES; at++) handles[at]!.name = texts[at]!;
    },
    checksum: () =>
      sumOfNamed(
        (at) => handles[at]!.position.x,
        (at) => handles[at]!.position.y,
        (at) => childOf(homes[above[at]!]!, texts[at]!) === handles[at],
      ),
  };
}
