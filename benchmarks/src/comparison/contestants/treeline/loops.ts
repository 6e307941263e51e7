// Treeline's loops: over rows, over the children of one parent, down the tree; by kernels and by `each`.
import {
  type ChildOf,
  createWorld,
  type Entity,
  locate,
  spawn,
  type World as TreelineWorld,
} from "@treeline/core";
import {
  bind,
  cascade as byDepth,
  count,
  dispose,
  eachBatch,
  eachRun,
  query,
  variable,
} from "@treeline/query";
import { batchKernel, runKernel } from "@treeline/query/kernels";
import { Local, Position, Velocity, World } from "../../../fixtures/components.ts";
import type * as written from "../../../fixtures/each/written.ts";
import type { Placed } from "../../../fixtures/each/written.ts";
import { treeOf } from "../../../fixtures/trees.ts";
import { parentsOf, shuffledParents, sumOfCounts, sumOfPlaces } from "../../workloads/inputs.ts";
import type { Subject, Subjects } from "../../workloads/subject.ts";
import { type Given, SIBLING_PARENTS, SIBLINGS } from "../../workloads/workloads.ts";

/** One of the two storages of parents. */
export type Below = typeof ChildOf;

interface Crowd {
  readonly world: TreelineWorld;
  readonly parents: readonly Entity[];
  readonly children: readonly Entity[];
}

/** Parents without components, then their children, as usual. */
export function gather(below: Below, parentCount: number, above: Int32Array): Crowd {
  const world = createWorld();
  const parents = Array.from({ length: parentCount }, () => spawn(world));
  const children = Array.from(above, (parent, at) =>
    spawn(
      world,
      Position({ x: at % 1024, y: 0 }),
      Velocity({ x: 1, y: 1 + (at % 3) }),
      below(parents[parent]!),
    ),
  );
  return { world, parents, children };
}

/** A field of Position, or of another component with the same fields. */
export function placeOf(world: TreelineWorld, entity: Entity, name: "x" | "y", what = Position): number {
  const { columns, row } = locate(world, entity, what)!;
  return columns[name][row]!;
}

/** Of Position, or of another component with the same fields. */
export function placesOf(world: TreelineWorld, entities: readonly Entity[], what = Position): number {
  return sumOfPlaces(
    entities.length,
    (at) => placeOf(world, entities[at]!, "x", what),
    (at) => placeOf(world, entities[at]!, "y", what),
  );
}

/** How the loops of a contestant are written: `written.ts` has them by `each`. */
export type Loops = Pick<typeof written, "move" | "addUp" | "place">;

const moveRuns = runKernel([Position, Velocity], ([position, velocity]) => {
  const { x: px, y: py } = position;
  const { x: vx, y: vy } = velocity;
  return (first, end) => {
    for (let row = first; row < end; row++) {
      px[row]! += vx[row]!;
      py[row]! += vy[row]!;
    }
  };
});

const total = { sum: 0 };
const addUpRuns = runKernel(
  [Position],
  ([{ x }], total) => {
    return (first, end) => {
      let sum = 0;
      for (let row = first; row < end; row++) sum += x[row]!;
      total.sum += sum;
    };
  },
  total,
);

function iterate(below: Below, { move }: Loops, { parents, order }: Given<"iterate">): Subject {
  const { world, children } = gather(below, parents, parentsOf(parents, order));
  const moving = query(world, Position, Velocity);
  return {
    run: () => move(moving),
    checksum: () => placesOf(world, children),
  };
}

/** One query is used for all parents, by its variable. */
function siblings(below: Below, { addUp }: Loops): Subject {
  const { world, parents } = gather(
    below,
    SIBLING_PARENTS,
    parentsOf(SIBLING_PARENTS, "block", SIBLING_PARENTS * SIBLINGS),
  );
  const order = shuffledParents();
  const inOrder = Array.from(order, (number) => parents[number]!);
  const parent = variable("parent");
  const childrenOf = query(world, Position, below(parent));
  const sums = new Float64Array(SIBLING_PARENTS);
  return {
    run: () => {
      for (let turn = 0; turn < SIBLING_PARENTS; turn++) {
        sums[order[turn]!] = addUp(bind(childrenOf, parent, inOrder[turn]!) as unknown as Placed);
      }
    },
    checksum: () => sumOfCounts(SIBLING_PARENTS, (at) => sums[at]!),
  };
}

const placeBatches = batchKernel(
  { own: [Local, World], above: [World] },
  ([local, world], above, { rows, parentRows }) => {
    const { x: lx, y: ly } = local;
    const { x: wx, y: wy } = world;
    if (above === undefined) {
      return (from, to) => {
        for (let at = from; at < to; at++) {
          const row = rows[at]!;
          wx[row] = lx[row]!;
          wy[row] = ly[row]!;
        }
      };
    }
    const { x: ax, y: ay } = above[0];
    return (from, to) => {
      for (let at = from; at < to; at++) {
        const row = rows[at]!;
        const parent = parentRows[at]!;
        wx[row] = ax[parent]! + lx[row]!;
        wy[row] = ay[parent]! + ly[row]!;
      }
    };
  },
);

/** By kernels: the fastest ones. */
export const BY_HAND: Loops = {
  move: (moving) => eachRun(moving, moveRuns),
  addUp: (placed) => {
    total.sum = 0;
    eachRun(placed, addUpRuns);
    return total.sum;
  },
  place: (placing) => eachBatch(placing, placeBatches),
};

/** In order, parents first. */
export function plant(below: Below, tree: Int32Array): { world: TreelineWorld; nodes: readonly Entity[] } {
  const world = createWorld();
  const nodes = new Array<Entity>(tree.length);
  tree.forEach((parent, node) => {
    const local = Local({ x: 1 + (node % 3), y: 1 });
    nodes[node] = parent < 0 ? spawn(world, local, World) : spawn(world, local, World, below(nodes[parent]!));
  });
  return { world, nodes };
}

function cascade(below: Below, { place }: Loops, { tree }: Given<"cascade">): Subject {
  const { world, nodes } = plant(below, treeOf(tree));
  const placing = query(world, Local, World, byDepth(World));
  return {
    run: () => place(placing),
    checksum: () => placesOf(world, nodes, World),
  };
}

/** There is no equal query, so that it is built each time. */
function buildQuery(below: Below, { parents }: Given<"query">): Subject {
  const { world } = gather(below, parents, parentsOf(parents, "block"));
  let matches = 0;
  return {
    run: () => {
      const moving = query(world, Position, Velocity);
      matches = count(moving);
      dispose(moving);
    },
    checksum: () => matches,
  };
}

export function iterationsIn(below: Below, loops: Loops = BY_HAND): Subjects {
  return {
    iterate: (given) => iterate(below, loops, given),
    siblings: () => siblings(below, loops),
    cascade: (given) => cascade(below, loops, given),
    query: (given) => buildQuery(below, given),
  };
}
