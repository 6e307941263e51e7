/**
 * three.js 0.187.0: a scene graph, so only what it is made for. Nodes are `Object3D`, Position is their `position`, Velocity
 * their `userData` ("custom data"). World positions come as matrices of sixteen numbers: more work than two sums, and the least
 * that it offers, since local matrices do not change: `matrixAutoUpdate` is off and `updateMatrix` called once, which its
 * documentation leaves to the program. A node that is removed leaves with all below it, to the garbage collector: that is not the
 * work of `destroy`, which is left out. There are no queries, so cells beside live ones are left out as well.
 */
import { Object3D } from "three";
import { treeOf } from "../../../fixtures/trees.ts";
import {
  movesOf,
  parentsOf,
  renewals,
  shuffledParents,
  sumOfCounts,
  sumOfParents,
  sumOfPlaces,
} from "../../workloads/inputs.ts";
import type { Subject, Subjects } from "../../workloads/subject.ts";
import {
  CYCLES,
  ENTITIES,
  type Given,
  INSTANCES,
  PARTS,
  RENEW_PARENTS,
  REPARENT_PARENTS,
  SIBLING_PARENTS,
  SIBLINGS,
  STEPS,
} from "../../workloads/workloads.ts";
import { frame } from "./frame.ts";
import { naming, namingMany } from "./names.ts";

/** With members that the declarations for the other benchmarks leave out. */
type Node = Object3D & {
  readonly position: { readonly x: number; readonly y: number };
  readonly parent: Node | null;
  readonly children: readonly Node[];
  readonly layers: { enable(layer: number): void };
  userData: object;
  removeFromParent(): Node;
  clone(recursive: boolean): Node;
};

export function createNode(): Node {
  return new Object3D() as Node;
}

function createNodes(count: number): Node[] {
  return Array.from({ length: count }, createNode);
}

/** Entities as usual, below their parents. */
export function settle(
  count: number,
  parents: number,
  above: Int32Array,
): { handles: Node[]; homes: Node[] } {
  const homes = createNodes(parents);
  const handles = Array.from({ length: count }, (_, at) => {
    const node = createNode();
    node.position.set(at % 1024, 0, 0);
    node.userData = { x: 1, y: 1 + (at % 3) };
    homes[above[at]!]!.add(node);
    return node;
  });
  return { handles, homes };
}

/** All below a node. */
function below(top: Node): Node[] {
  const found = [...top.children];
  for (let at = 0; at < found.length; at++) for (const child of found[at]!.children) found.push(child);
  return found;
}

function siblings(): Subject {
  const count = SIBLING_PARENTS * SIBLINGS;
  const { homes } = settle(count, SIBLING_PARENTS, parentsOf(SIBLING_PARENTS, "block", count));
  const order = shuffledParents();
  const sums = new Float64Array(SIBLING_PARENTS);
  return {
    run: () => {
      for (let turn = 0; turn < SIBLING_PARENTS; turn++) {
        const { children } = homes[order[turn]!]!;
        let sum = 0;
        for (let at = 0, { length } = children; at < length; at++) sum += children[at]!.position.x;
        sums[order[turn]!] = sum;
      }
    },
    checksum: () => sumOfCounts(SIBLING_PARENTS, (at) => sums[at]!),
  };
}

/** @returns nodes in the order of `parents`, roots without a parent. */
function plant(parents: Int32Array): Node[] {
  const nodes = createNodes(parents.length);
  nodes.forEach((node, at) => {
    node.position.set(1 + (at % 3), 1, 0);
    node.matrixAutoUpdate = false;
    node.updateMatrix();
    if (parents[at]! >= 0) nodes[parents[at]!]!.add(node);
  });
  return nodes;
}

function cascade({ tree }: Given<"cascade">): Subject {
  const nodes = plant(treeOf(tree));
  const roots = nodes.filter(({ parent }) => parent === null);
  return {
    run: () => {
      for (let at = 0; at < roots.length; at++) roots[at]!.updateMatrixWorld(true);
    },
    checksum: () =>
      sumOfPlaces(
        nodes.length,
        (at) => nodes[at]!.matrixWorld.elements[12]!,
        (at) => nodes[at]!.matrixWorld.elements[13]!,
      ),
  };
}

function spawn({ parents }: Given<"spawn">): Subject {
  const above = parentsOf(Math.max(parents, 1), "block");
  let handles: Node[] = [];
  let homes: Node[] = [];
  return {
    before: () => {
      handles = new Array<Node>(ENTITIES);
      homes = createNodes(parents);
    },
    run: () => {
      for (let at = 0; at < ENTITIES; at++) {
        const node = createNode();
        node.position.set(at % 1024, 0, 0);
        node.userData = { x: 1, y: 1 + (at % 3) };
        handles[at] = node;
        if (parents > 0) homes[above[at]!]!.add(node);
      }
    },
    checksum: () =>
      sumOfPlaces(
        ENTITIES,
        (at) => handles[at]!.position.x,
        (at) => handles[at]!.position.y,
      ) + sumOfCounts(parents, (at) => homes[at]!.children.length),
  };
}

/** Node -> its place in the list. */
function numbersOf(nodes: readonly Node[]): Map<Node | null, number> {
  return new Map(nodes.map((node, at) => [node, at]));
}

function reparent({ order }: Given<"reparent">): Subject {
  const { movers, goals } = movesOf(order);
  const { handles, homes } = settle(ENTITIES, REPARENT_PARENTS, parentsOf(REPARENT_PARENTS, "block"));
  const numbers = numbersOf(homes);
  let round = 0;
  return {
    run: () => {
      const goal = goals[round++ % goals.length]!;
      for (let turn = 0; turn < movers.length; turn++) {
        const mover = movers[turn]!;
        homes[goal[mover]!]!.add(handles[mover]!);
      }
    },
    checksum: () =>
      sumOfParents(ENTITIES, (at) => numbers.get(handles[at]!.parent)!) +
      sumOfCounts(REPARENT_PARENTS, (at) => homes[at]!.children.length),
  };
}

function churn({ queries }: Given<"churn">): Subject | undefined {
  if (queries > 0) return undefined;
  const scene = createNode();
  return {
    run: () => {
      for (let cycle = 0; cycle < CYCLES; cycle++) {
        const parent = createNode();
        scene.add(parent);
        const child = createNode();
        child.position.set(cycle, 0, 0);
        parent.add(child);
        parent.removeFromParent();
      }
    },
    checksum: () => 1 + below(scene).length,
  };
}

function renew({ queries }: Given<"renew">): Subject | undefined {
  if (queries > 0) return undefined;
  const above = parentsOf(RENEW_PARENTS, "block", RENEW_PARENTS * 2);
  const steps = renewals();
  let handles: Node[] = [];
  let homes: Node[] = [];
  return {
    before: () => {
      ({ handles, homes } = settle(RENEW_PARENTS * 2, RENEW_PARENTS, above));
    },
    run: () => {
      for (let step = 0; step < STEPS; step++) {
        const home = createNode();
        homes.push(home);
        home.add(handles[steps[step]!]!);
      }
    },
    checksum: () => {
      const numbers = numbersOf(homes);
      return sumOfParents(RENEW_PARENTS * 2, (at) => numbers.get(handles[at]!.parent)!);
    },
  };
}

/** A tag is a layer. */
function instances({ parts }: Given<"instances">): Subject {
  let template: Node;
  let copies: Node[] = [];
  return {
    before: () => {
      copies = new Array<Node>(INSTANCES);
      template = createNode();
      template.position.set(1, 2, 0);
      template.userData = { x: 3, y: 4 };
      for (let part = 0; part < PARTS; part++) {
        const child = createNode();
        child.position.set(part, 2, 0);
        child.userData = { x: 3, y: 4 };
        if (parts === "distinct") child.layers.enable(1 + part);
        template.add(child);
      }
    },
    run: () => {
      for (let instance = 0; instance < INSTANCES; instance++) copies[instance] = template.clone(true);
    },
    checksum: () => {
      let sum = 0;
      for (const copy of copies) {
        sum += 1 + copy.position.x;
        for (const { position } of below(copy)) sum += 1 + position.x;
      }
      return sum;
    },
  };
}

export const subjects: Subjects = {
  siblings,
  cascade,
  spawn,
  reparent,
  names: naming,
  nameMany: namingMany,
  churn,
  renew,
  instances,
  frame,
};
