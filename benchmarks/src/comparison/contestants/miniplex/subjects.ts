/**
 * miniplex: entities are plain objects, each with its keys in the same order; queries are made once and iterated by `for ... of`,
 * as "Best Practices" of its README recommends. Parents and children: `child-list.ts`, over numbers that are places in a list of
 * all entities.
 */
import { Query, World } from "miniplex";
import { treeOf } from "../../../fixtures/trees.ts";
import {
  attach,
  type ChildList,
  createChildList,
  detach,
  levels,
  move,
  subtree,
} from "../../workloads/child-list.ts";
import {
  cutOf,
  inTurn,
  movesOf,
  parentsOf,
  renewals,
  shuffledParents,
  sumOfCounts,
  sumOfParents,
  sumOfPlaces,
  victimsOf,
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

interface Pair {
  x: number;
  y: number;
}

export interface Entity {
  position?: Pair;
  velocity?: Pair;
  tag?: true;
  mass?: { value: number };
  aim?: Pair;
}

/** Entities with Position and Velocity; the handle is the object itself. */
interface Mover extends Entity {
  position: Pair;
  velocity: Pair;
}

function mover(at: number): Mover {
  return { position: { x: at % 1024, y: 0 }, velocity: { x: 1, y: 1 + (at % 3) } };
}

/** `count` entities, as usual. */
export function moversIn(world: World<Entity>, count: number): Mover[] {
  const movers: Mover[] = [];
  for (let at = 0; at < count; at++) movers.push(world.add(mover(at)));
  return movers;
}

/** Numbers of parents follow those of their children. */
export function addParents(world: World<Entity>, above: Int32Array, parents: number, spare = 0): ChildList {
  const list = createChildList(above.length + parents + spare);
  for (let parent = 0; parent < parents; parent++) world.add({});
  above.forEach((parent, at) => {
    attach(list, at, above.length + parent);
  });
  return list;
}

function placesOf(movers: readonly Mover[]): number {
  return sumOfPlaces(
    movers.length,
    (at) => movers[at]!.position.x,
    (at) => movers[at]!.position.y,
  );
}

/** Different ones, because equal queries are shared. */
export function connectQueries(world: World<Entity>, count: number): void {
  const anyWorld: World<Record<string, unknown>> = world as World;
  for (let at = 0; at < count; at++) {
    const query = anyWorld.with("position");
    (at === 0 ? query : query.without(`other${at}`)).connect();
  }
}

function iterate({ parents, order }: Given<"iterate">): Subject {
  const world = new World<Entity>();
  const movers = moversIn(world, ENTITIES);
  addParents(world, parentsOf(parents, order), parents);
  const moving = world.with("position", "velocity").connect();
  return {
    run: () => {
      for (const { position, velocity } of moving) {
        position.x += velocity.x;
        position.y += velocity.y;
      }
    },
    checksum: () => placesOf(movers),
  };
}

function cut({ without }: Given<"cut">): Subject {
  const world = new World<Entity>();
  const movers = moversIn(world, ENTITIES);
  for (const number of cutOf(without)) world.addComponent(movers[number]!, "tag", true);
  const moving = world.with("position", "velocity").without("tag").connect();
  return {
    run: () => {
      for (const { position, velocity } of moving) {
        position.x += velocity.x;
        position.y += velocity.y;
      }
    },
    checksum: () => placesOf(movers),
  };
}

function siblings(): Subject {
  const world = new World<Entity>();
  const movers = moversIn(world, SIBLING_PARENTS * SIBLINGS);
  const { children } = addParents(world, parentsOf(SIBLING_PARENTS, "block", movers.length), SIBLING_PARENTS);
  const order = shuffledParents();
  const sums = new Float64Array(SIBLING_PARENTS);
  return {
    run: () => {
      for (let turn = 0; turn < SIBLING_PARENTS; turn++) {
        const childList = children[movers.length + order[turn]!]!;
        let sum = 0;
        for (let at = 0; at < childList.length; at++) sum += movers[childList[at]!]!.position.x;
        sums[order[turn]!] = sum;
      }
    },
    checksum: () => sumOfCounts(SIBLING_PARENTS, (at) => sums[at]!),
  };
}

interface Node {
  local: Pair;
  world: Pair;
}

interface Grove {
  readonly world: World<Node>;
  readonly nodes: readonly Node[];
  readonly list: ChildList;
}

function groveOf(parents: Int32Array): Grove {
  const world = new World<Node>();
  const nodes: Node[] = [];
  const list = createChildList(parents.length);
  parents.forEach((parent, at) => {
    nodes.push(world.add({ local: { x: 1 + (at % 3), y: 1 }, world: { x: 0, y: 0 } }));
    if (parent >= 0) attach(list, at, parent);
  });
  return { world, nodes, list };
}

function cascade({ tree }: Given<"cascade">): Subject {
  const { nodes, list } = groveOf(treeOf(tree));
  const order = levels(list, nodes.length);
  const { parent } = list;
  return {
    run: () => {
      for (let at = 0; at < order.length; at++) {
        const node = order[at]!;
        const { local, world } = nodes[node]!;
        const above = parent[node]!;
        if (above < 0) {
          world.x = local.x;
          world.y = local.y;
          continue;
        }
        const from = nodes[above]!.world;
        world.x = from.x + local.x;
        world.y = from.y + local.y;
      }
    },
    checksum: () =>
      sumOfPlaces(
        nodes.length,
        (at) => nodes[at]!.world.x,
        (at) => nodes[at]!.world.y,
      ),
  };
}

function spawn({ parents }: Given<"spawn">): Subject {
  const above = parentsOf(Math.max(parents, 1), "block");
  let world = new World<Entity>();
  let movers: Mover[] = [];
  let list = createChildList(0);
  return {
    before: () => {
      world = new World<Entity>();
      movers = [];
      list = createChildList(ENTITIES + parents);
      for (let parent = 0; parent < parents; parent++) world.add({});
    },
    run: () => {
      for (let at = 0; at < ENTITIES; at++) {
        movers.push(world.add({ position: { x: at % 1024, y: 0 }, velocity: { x: 1, y: 1 + (at % 3) } }));
        if (parents > 0) attach(list, at, ENTITIES + above[at]!);
      }
    },
    checksum: () =>
      placesOf(movers) + sumOfCounts(parents, (at) => list.children[ENTITIES + at]?.length ?? 0),
  };
}

function reparent({ order }: Given<"reparent">): Subject {
  const { movers, goals } = movesOf(order);
  const world = new World<Entity>();
  moversIn(world, ENTITIES);
  const list = addParents(world, parentsOf(REPARENT_PARENTS, "block"), REPARENT_PARENTS);
  let round = 0;
  return {
    run: () => {
      const goal = goals[round++ % goals.length]!;
      for (let turn = 0; turn < movers.length; turn++) {
        const at = movers[turn]!;
        move(list, at, ENTITIES + goal[at]!);
      }
    },
    checksum: () =>
      sumOfParents(ENTITIES, (at) => list.parent[at]! - ENTITIES) +
      sumOfCounts(REPARENT_PARENTS, (at) => list.children[ENTITIES + at]!.length),
  };
}

function destroy({ tree }: Given<"destroy">): Subject {
  const parents = treeOf(tree);
  const victims = victimsOf(tree);
  let grove: Grove;
  return {
    before: () => {
      grove = groveOf(parents);
    },
    run: () => {
      const { world, nodes, list } = grove;
      for (let turn = 0; turn < victims.length; turn++) {
        detach(list, victims[turn]!);
        const deleted = subtree(list, victims[turn]!);
        for (let at = deleted.length - 1; at >= 0; at--) {
          world.remove(nodes[deleted[at]!]!);
          list.children[deleted[at]!] = undefined;
        }
      }
    },
    checksum: () => 1 + grove.world.size,
  };
}

function change({ operation, order }: Given<"change">): Subject {
  const world = new World<Entity>();
  const all = moversIn(world, ENTITIES);
  const movers = inTurn(all, order);
  let total = 0;
  let runs = 0;
  const run = {
    tag: () => {
      for (let at = 0; at < ENTITIES; at++) world.addComponent(movers[at]!, "tag", true);
      for (let at = 0; at < ENTITIES; at++) world.removeComponent(movers[at]!, "tag");
    },
    component: () => {
      for (let at = 0; at < ENTITIES; at++) world.addComponent(movers[at]!, "mass", { value: 2 });
      for (let at = 0; at < ENTITIES; at++) world.removeComponent(movers[at]!, "mass");
    },
    pair: () => {
      for (let at = 0; at < ENTITIES; at++) world.addComponent(movers[at]!, "aim", { x: 2, y: 3 });
      for (let at = 0; at < ENTITIES; at++) world.removeComponent(movers[at]!, "aim");
    },
    get: () => {
      let sum = 0;
      for (let at = 0; at < ENTITIES; at++) sum += movers[at]!.position.x;
      total += sum;
    },
    set: () => {
      runs++;
      for (let at = 0; at < ENTITIES; at++) {
        const { position } = movers[at]!;
        position.x = at % 1024;
        position.y = runs;
      }
    },
    put: () => {
      runs++;
      for (let at = 0; at < ENTITIES; at++) movers[at]!.position.x = (at + runs) % 1024;
    },
  };
  return { run: run[operation], checksum: () => placesOf(all) + total };
}

function churn({ queries }: Given<"churn">): Subject {
  const world = new World<Entity>();
  connectQueries(world, queries);
  const list = createChildList(2);
  const free: number[] = [1, 0];
  const entities: Entity[] = [];
  return {
    run: () => {
      for (let cycle = 0; cycle < CYCLES; cycle++) {
        const parent = free.pop()!;
        const child = free.pop()!;
        entities[parent] = world.add({});
        entities[child] = world.add({ position: { x: cycle, y: 0 } });
        attach(list, child, parent);
        const deleted = subtree(list, parent);
        for (let at = deleted.length - 1; at >= 0; at--) {
          const node = deleted[at]!;
          world.remove(entities[node]!);
          list.children[node] = undefined;
          list.parent[node] = -1;
          free.push(node);
        }
      }
    },
    checksum: () => 1 + world.size,
  };
}

/** `with` keeps its queries permanently, so the query is made without it: the class is exported, and freed by dropping it. */
function buildQuery({ parents }: Given<"query">): Subject {
  const world = new World<Entity>();
  moversIn(world, ENTITIES);
  addParents(world, parentsOf(parents, "block"), parents);
  let matches = 0;
  return {
    run: () => {
      const query = new Query<Mover>(world, { with: ["position", "velocity"], without: [], predicates: [] });
      matches = query.size;
    },
    checksum: () => matches,
  };
}

function renew({ queries }: Given<"renew">): Subject {
  const above = parentsOf(RENEW_PARENTS, "block", RENEW_PARENTS * 2);
  const steps = renewals();
  let world = new World<Entity>();
  let entities: Entity[] = [];
  let list = createChildList(0);
  return {
    before: () => {
      world = new World<Entity>();
      connectQueries(world, queries);
      entities = moversIn(world, RENEW_PARENTS * 2);
      list = addParents(world, above, RENEW_PARENTS, STEPS);
    },
    run: () => {
      for (let step = 0; step < STEPS; step++) {
        entities.push(world.add({}));
        move(list, steps[step]!, RENEW_PARENTS * 3 + step);
      }
    },
    checksum: () => sumOfParents(RENEW_PARENTS * 2, (at) => list.parent[at]! - RENEW_PARENTS * 2),
  };
}

/** A copy is a literal with the template's values: entities are plain objects. */
function instances({ parts }: Given<"instances">): Subject {
  const count = INSTANCES * (PARTS + 1);
  let world = new World<Mover & Record<string, unknown>>();
  let template: Mover[] = [];
  let copies: Mover[] = [];
  let list = createChildList(0);
  const tags = Array.from({ length: PARTS + 1 }, (_, part) => {
    return parts === "distinct" && part > 0 ? `part${part}` : undefined;
  });
  const copyOf = (
    { position, velocity }: Mover,
    tag: string | undefined,
  ): Mover & Record<string, unknown> => {
    const copy: Mover & Record<string, unknown> = {
      position: { x: position.x, y: position.y },
      velocity: { x: velocity.x, y: velocity.y },
    };
    if (tag !== undefined) copy[tag] = true;
    return copy;
  };
  return {
    before: () => {
      world = new World();
      list = createChildList(count + PARTS + 1);
      copies = [];
      template = tags.map((tag, part) => {
        const velocity = { x: 3, y: 4 };
        if (part > 0) attach(list, count + part, count);
        return world.add(copyOf({ position: { x: part === 0 ? 1 : part - 1, y: 2 }, velocity }, tag));
      });
    },
    run: () => {
      for (let root = 0; root < count; root += PARTS + 1) {
        for (let part = 0; part <= PARTS; part++) {
          copies.push(world.add(copyOf(template[part]!, tags[part])));
          if (part > 0) attach(list, root + part, root);
        }
      }
    },
    checksum: () => world.size - template.length + copies.reduce((sum, { position }) => sum + position.x, 0),
  };
}

export const subjects: Subjects = {
  iterate,
  siblings,
  cascade,
  spawn,
  reparent,
  destroy,
  change,
  cut,
  churn,
  query: buildQuery,
  renew,
  instances,
  frame,
};
