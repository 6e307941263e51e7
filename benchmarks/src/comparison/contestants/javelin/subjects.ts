/**
 * Javelin: changes of a world are deferred to its next `tick`, which therefore belongs to the run. Entities are spawned with all
 * their components at once, as the page "Entities" of its documentation advises; queries are iterated column by column.
 * Components come from pools, filled before the clock (`componentPoolSize`). Parents and children: `child-list.ts`, over
 * entities, which are numbers from 0 in order of creation and are never used again.
 */
import { query, type World } from "@javelin/ecs";
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
  movesOf,
  parentsOf,
  renewals,
  shuffledParents,
  sumOfCounts,
  sumOfParents,
  sumOfPlaces,
  turnsOf,
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
import {
  Aim,
  addParents,
  aliveIn,
  connectQueries,
  emptyWorld,
  Global,
  Local,
  Mass,
  Position,
  partTags,
  placesFrom,
  spawnMovers,
  Tag,
  Velocity,
} from "./world.ts";

function iterate({ parents, order }: Given<"iterate">): Subject {
  const world = emptyWorld(undefined, ENTITIES + 1);
  spawnMovers(world, ENTITIES);
  addParents(world, parentsOf(parents, order), parents);
  const moving = query(Position, Velocity);
  world.addSystem(() => {
    for (const [entities, [positions, velocities]] of moving) {
      for (let at = 0; at < entities.length; at++) {
        const position = positions[at]!;
        const velocity = velocities[at]!;
        position.x += velocity.x;
        position.y += velocity.y;
      }
    }
  });
  return {
    run: () => world.tick(),
    checksum: () => placesFrom(world, 0, ENTITIES),
  };
}

function cut({ without }: Given<"cut">): Subject {
  const world = emptyWorld(undefined, ENTITIES + 1, [Position, Velocity, Tag]);
  spawnMovers(world, ENTITIES);
  world.tick();
  for (const entity of cutOf(without)) world.attach(entity, world.component(Tag));
  world.tick();
  const moving = query(Position, Velocity).not(Tag);
  world.addSystem(() => {
    for (const [entities, [positions, velocities]] of moving) {
      for (let at = 0; at < entities.length; at++) {
        const position = positions[at]!;
        const velocity = velocities[at]!;
        position.x += velocity.x;
        position.y += velocity.y;
      }
    }
  });
  return {
    run: () => world.tick(),
    checksum: () => placesFrom(world, 0, ENTITIES),
  };
}

function siblings(): Subject {
  const count = SIBLING_PARENTS * SIBLINGS;
  const world = emptyWorld(undefined, count + 1);
  spawnMovers(world, count);
  const { children } = addParents(world, parentsOf(SIBLING_PARENTS, "block", count), SIBLING_PARENTS);
  const order = shuffledParents();
  const sums = new Float64Array(SIBLING_PARENTS);
  return {
    run: () => {
      for (let turn = 0; turn < SIBLING_PARENTS; turn++) {
        const childList = children[count + order[turn]!]!;
        let sum = 0;
        for (let at = 0; at < childList.length; at++) sum += world.get(childList[at]!, Position).x;
        sums[order[turn]!] = sum;
      }
    },
    checksum: () => sumOfCounts(SIBLING_PARENTS, (at) => sums[at]!),
  };
}

function spawnTree(world: World<void>, parents: Int32Array): ChildList {
  const list = createChildList(parents.length);
  parents.forEach((parent, at) => {
    world.spawn(world.component(Local, 1 + (at % 3), 1), world.component(Global, 0, 0));
    if (parent >= 0) attach(list, at, parent);
  });
  world.tick();
  return list;
}

function cascade({ tree }: Given<"cascade">): Subject {
  const parents = treeOf(tree);
  const world = emptyWorld(undefined, parents.length + 1, [Local, Global]);
  const list = spawnTree(world, parents);
  const order = levels(list, parents.length);
  const { parent } = list;
  return {
    run: () => {
      for (let at = 0; at < order.length; at++) {
        const node = order[at]!;
        const local = world.get(node, Local);
        const global = world.get(node, Global);
        const above = parent[node]!;
        if (above < 0) {
          global.x = local.x;
          global.y = local.y;
          continue;
        }
        const from = world.get(above, Global);
        global.x = from.x + local.x;
        global.y = from.y + local.y;
      }
    },
    checksum: () =>
      sumOfPlaces(
        parents.length,
        (at) => world.get(at, Global).x,
        (at) => world.get(at, Global).y,
      ),
  };
}

function spawn({ parents }: Given<"spawn">): Subject {
  const above = parentsOf(Math.max(parents, 1), "block");
  let world: World<void>;
  let entities: number[] = [];
  let list = createChildList(0);
  return {
    before: () => {
      world = emptyWorld(world, ENTITIES + 1);
      for (let parent = 0; parent < parents; parent++) world.spawn();
      world.tick();
      entities = [];
      list = createChildList(parents + ENTITIES);
    },
    run: () => {
      for (let at = 0; at < ENTITIES; at++) {
        const position = world.component(Position, at % 1024, 0);
        const entity = world.spawn(position, world.component(Velocity, 1, 1 + (at % 3)));
        entities.push(entity);
        if (parents > 0) attach(list, entity, above[at]!);
      }
      world.tick();
    },
    checksum: () =>
      placesFrom(world, entities[0]!, ENTITIES) +
      sumOfCounts(parents, (at) => list.children[at]?.length ?? 0),
  };
}

function reparent({ order }: Given<"reparent">): Subject {
  const { movers, goals } = movesOf(order);
  const world = emptyWorld(undefined, ENTITIES + 1);
  spawnMovers(world, ENTITIES);
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
  let world: World<void>;
  let list = createChildList(0);
  return {
    before: () => {
      world = emptyWorld(world, parents.length + 1, [Local, Global]);
      list = spawnTree(world, parents);
    },
    run: () => {
      for (let turn = 0; turn < victims.length; turn++) {
        detach(list, victims[turn]!);
        const deleted = subtree(list, victims[turn]!);
        for (let at = deleted.length - 1; at >= 0; at--) {
          world.destroy(deleted[at]!);
          list.children[deleted[at]!] = undefined;
        }
      }
      world.tick();
    },
    checksum: () => 1 + aliveIn(world, parents.length),
  };
}

function change({ operation, order }: Given<"change">): Subject {
  const turns = turnsOf(order);
  const types = [
    Position,
    Velocity,
    ...(operation === "tag" || operation === "component" ? [Tag, Mass] : []),
    ...(operation === "pair" ? [Aim] : []),
  ];
  const world = emptyWorld(undefined, ENTITIES + 1, types);
  spawnMovers(world, ENTITIES);
  world.tick();
  let total = 0;
  let runs = 0;
  const run = {
    tag: () => {
      for (let at = 0; at < ENTITIES; at++) world.attach(turns[at]!, world.component(Tag));
      world.tick();
      for (let at = 0; at < ENTITIES; at++) world.detach(turns[at]!, Tag);
      world.tick();
    },
    component: () => {
      for (let at = 0; at < ENTITIES; at++) world.attach(at, world.component(Mass, 2));
      world.tick();
      for (let at = 0; at < ENTITIES; at++) world.detach(at, Mass);
      world.tick();
    },
    pair: () => {
      for (let at = 0; at < ENTITIES; at++) world.attach(turns[at]!, world.component(Aim, 2, 3));
      world.tick();
      for (let at = 0; at < ENTITIES; at++) world.detach(turns[at]!, Aim);
      world.tick();
    },
    get: () => {
      let sum = 0;
      for (let at = 0; at < ENTITIES; at++) sum += world.get(turns[at]!, Position).x;
      total += sum;
    },
    set: () => {
      runs++;
      for (let at = 0; at < ENTITIES; at++) {
        const position = world.get(at, Position);
        position.x = at % 1024;
        position.y = runs;
      }
    },
    put: () => {
      runs++;
      for (let at = 0; at < ENTITIES; at++) world.get(turns[at]!, Position).x = (at + runs) % 1024;
    },
  };
  return { run: run[operation], checksum: () => placesFrom(world, 0, ENTITIES) + total };
}

/** An entity cannot be destroyed before a tick has added it to the world: one tick for each cycle. */
function churn({ queries }: Given<"churn">): Subject {
  let world: World<void>;
  let list = createChildList(0);
  return {
    before: () => {
      world = emptyWorld(world, 1_000);
      connectQueries(world, queries);
      list = createChildList(CYCLES * 2);
    },
    run: () => {
      for (let cycle = 0; cycle < CYCLES; cycle++) {
        const parent = world.spawn();
        const child = world.spawn(world.component(Position, cycle, 0));
        attach(list, child, parent);
        world.tick();
        const deleted = subtree(list, parent);
        for (let at = deleted.length - 1; at >= 0; at--) {
          world.destroy(deleted[at]!);
          list.children[deleted[at]!] = undefined;
        }
      }
      world.tick();
    },
    checksum: () => 1 + aliveIn(world, CYCLES * 2),
  };
}

/** A world keeps notifying a query of new tables after it is dropped: there is no way to free it. */
function buildQuery({ parents }: Given<"query">): Subject {
  const world = emptyWorld(undefined, ENTITIES + 1);
  spawnMovers(world, ENTITIES);
  addParents(world, parentsOf(parents, "block"), parents);
  let matches = 0;
  world.addSystem(() => {
    matches = 0;
    for (const [entities] of query(Position, Velocity)) matches += entities.length;
  });
  return { run: () => world.tick(), checksum: () => matches };
}

function renew({ queries }: Given<"renew">): Subject {
  const above = parentsOf(RENEW_PARENTS, "block", RENEW_PARENTS * 2);
  const steps = renewals();
  let world: World<void>;
  let list = createChildList(0);
  return {
    before: () => {
      world = emptyWorld(world, RENEW_PARENTS * 2 + 1);
      connectQueries(world, queries);
      spawnMovers(world, RENEW_PARENTS * 2);
      list = addParents(world, above, RENEW_PARENTS, STEPS);
    },
    run: () => {
      for (let step = 0; step < STEPS; step++) move(list, steps[step]!, world.spawn());
      world.tick();
    },
    checksum: () => sumOfParents(RENEW_PARENTS * 2, (at) => list.parent[at]! - RENEW_PARENTS * 2),
  };
}

/** Pools are of one size for all components: that of one tag. */
function instances({ parts }: Given<"instances">): Subject {
  const count = INSTANCES * (PARTS + 1);
  const tags = parts === "distinct" ? [undefined, ...partTags] : [];
  let world: World<void>;
  let template: number[] = [];
  let copies: number[] = [];
  let list = createChildList(0);
  const spawnCopy = (x: number, y: number, vx: number, vy: number, part: number): number => {
    const position = world.component(Position, x, y);
    const velocity = world.component(Velocity, vx, vy);
    const tag = tags[part];
    return tag === undefined
      ? world.spawn(position, velocity)
      : world.spawn(position, velocity, world.component(tag));
  };
  return {
    before: () => {
      world = emptyWorld(world, INSTANCES + 1, [Position, Velocity, ...(tags.length > 0 ? partTags : [])]);
      list = createChildList(count + PARTS + 1);
      copies = [];
      template = Array.from({ length: PARTS + 1 }, (_, part) => {
        const entity = spawnCopy(part === 0 ? 1 : part - 1, 2, 3, 4, part);
        if (part > 0) attach(list, entity, 0);
        return entity;
      });
      world.tick();
    },
    run: () => {
      for (let instance = 0; instance < INSTANCES; instance++) {
        let root = -1;
        for (let part = 0; part <= PARTS; part++) {
          const { x, y } = world.get(template[part]!, Position);
          const velocity = world.get(template[part]!, Velocity);
          const copy = spawnCopy(x, y, velocity.x, velocity.y, part);
          if (part === 0) root = copy;
          else attach(list, copy, root);
          copies.push(copy);
        }
      }
      world.tick();
    },
    checksum: () => copies.length + copies.reduce((sum, copy) => sum + world.get(copy, Position).x, 0),
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
