/**
 * oecs 0.3.1, in the ways of its README: queries are made before and give archetypes, whose columns a loop reads; several components
 * are added in one step; `get_field` and `set_field` where handles are given. Entities are destroyed by `flush`. Its changes outside
 * of systems are immediate. It has no relations: `child-list.ts`, over the slots of entities. Queries cannot be freed, and it has no
 * templates: entries kept for `add_components` are the template.
 */
import type { EntityID } from "@oasys/oecs";
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
  type Archetype,
  createStage,
  makeQueries,
  numbersOf,
  placesOf,
  planeIn,
  type Settled,
  type Stage,
  settle,
  slotOf,
  spawnerOf,
} from "./stage.ts";

/** One run: position += velocity, for all that the query matches. */
function movingAll({ world, position, velocity }: Stage, query: ReturnType<typeof world.query>): () => void {
  let tick = 0;
  return () => {
    tick++;
    query.for_each((archetype: Archetype) => {
      const px = archetype.get_column_mut(position, "x", tick);
      const py = archetype.get_column_mut(position, "y", tick);
      const vx = archetype.get_column(velocity, "x");
      const vy = archetype.get_column(velocity, "y");
      for (let row = 0, { entity_count: count } = archetype; row < count; row++) {
        px[row]! += vx[row]!;
        py[row]! += vy[row]!;
      }
    });
  };
}

function iterate({ parents, order }: Given<"iterate">): Subject {
  const stage = createStage(ENTITIES + parents, ENTITIES);
  const { handles } = settle(stage, ENTITIES, parents, parentsOf(parents, order));
  const { world, position, velocity } = stage;
  return {
    run: movingAll(stage, world.query(position, velocity)),
    checksum: () => placesOf(world, position, handles),
  };
}

function cut({ without }: Given<"cut">): Subject {
  const stage = createStage(ENTITIES, ENTITIES);
  const { world, position, velocity } = stage;
  const { handles } = settle(stage, ENTITIES, 0, new Int32Array(0));
  const out = world.register_tag();
  for (const number of cutOf(without)) world.add_component(handles[number]!, out);
  return {
    run: movingAll(stage, world.query(position, velocity).not(out)),
    checksum: () => placesOf(world, position, handles),
  };
}

function siblings(): Subject {
  const count = SIBLING_PARENTS * SIBLINGS;
  const stage = createStage(count + SIBLING_PARENTS, count);
  const { world, position, list } = stage;
  const { handles, homes } = settle(
    stage,
    count,
    SIBLING_PARENTS,
    parentsOf(SIBLING_PARENTS, "block", count),
  );
  /** Slot -> handle, of which the list has the slots. */
  const bySlot: EntityID[] = [];
  for (const entity of handles) bySlot[slotOf(entity)] = entity;
  const order = shuffledParents();
  const sums = new Float64Array(SIBLING_PARENTS);
  return {
    run: () => {
      for (let turn = 0; turn < SIBLING_PARENTS; turn++) {
        const childList = list.children[slotOf(homes[order[turn]!]!)]!;
        let sum = 0;
        for (let at = 0; at < childList.length; at++)
          sum += world.get_field(bySlot[childList[at]!]!, position, "x");
        sums[order[turn]!] = sum;
      }
    },
    checksum: () => sumOfCounts(SIBLING_PARENTS, (at) => sums[at]!),
  };
}

/** A tree in a world of its own. */
function plant(parents: Int32Array) {
  const { world, list } = createStage(parents.length, parents.length);
  const local = planeIn(world);
  const place = planeIn(world);
  const values = { x: 0, y: 1 };
  const entries = [
    { def: local, values },
    { def: place, values: { x: 0, y: 0 } },
  ];
  const handles: EntityID[] = [];
  parents.forEach((parent, at) => {
    const entity = world.create_entity();
    values.x = 1 + (at % 3);
    world.add_components(entity, entries);
    handles.push(entity);
    if (parent >= 0) attach(list, slotOf(entity), slotOf(handles[parent]!));
  });
  return { world, list, local, place, handles };
}

/** Slots are numbers of nodes here: nothing was destroyed before. */
function cascade({ tree }: Given<"cascade">): Subject {
  const { world, list, local, place, handles } = plant(treeOf(tree));
  const order = levels(list, handles.length);
  const { parent } = list;
  return {
    run: () => {
      for (let at = 0; at < order.length; at++) {
        const node = handles[order[at]!]!;
        const above = parent[order[at]!]!;
        const x = world.get_field(node, local, "x");
        const y = world.get_field(node, local, "y");
        world.set_field(node, place, "x", above < 0 ? x : world.get_field(handles[above]!, place, "x") + x);
        world.set_field(node, place, "y", above < 0 ? y : world.get_field(handles[above]!, place, "y") + y);
      }
    },
    checksum: () => placesOf(world, place, handles),
  };
}

function spawn({ parents }: Given<"spawn">): Subject {
  const above = parentsOf(Math.max(parents, 1), "block");
  let stage = createStage(0);
  let handles: EntityID[] = [];
  let homes: EntityID[] = [];
  return {
    before: () => {
      stage = createStage(ENTITIES + parents, ENTITIES);
      homes = Array.from({ length: parents }, () => stage.world.create_entity());
      handles = new Array(ENTITIES);
    },
    run: () => {
      const { list } = stage;
      const one = spawnerOf(stage);
      for (let at = 0; at < ENTITIES; at++) {
        const entity = one(at);
        handles[at] = entity;
        if (parents > 0) attach(list, slotOf(entity), slotOf(homes[above[at]!]!));
      }
    },
    checksum: () =>
      placesOf(stage.world, stage.position, handles) +
      sumOfCounts(parents, (at) => stage.list.children[slotOf(homes[at]!)]?.length ?? 0),
  };
}

function reparent({ order }: Given<"reparent">): Subject {
  const { movers, goals } = movesOf(order);
  const stage = createStage(ENTITIES + REPARENT_PARENTS, ENTITIES);
  const { list } = stage;
  const { handles, homes } = settle(stage, ENTITIES, REPARENT_PARENTS, parentsOf(REPARENT_PARENTS, "block"));
  let round = 0;
  return {
    run: () => {
      const goal = goals[round++ % goals.length]!;
      for (let turn = 0; turn < movers.length; turn++) {
        const mover = movers[turn]!;
        move(list, slotOf(handles[mover]!), slotOf(homes[goal[mover]!]!));
      }
    },
    checksum: () => {
      const numberOf = numbersOf(homes);
      return (
        sumOfParents(ENTITIES, (at) => numberOf(list.parent[slotOf(handles[at]!)]!)) +
        sumOfCounts(REPARENT_PARENTS, (at) => list.children[slotOf(homes[at]!)]!.length)
      );
    },
  };
}

/** Slots are used again: nothing may remain in the list. */
function destroyTree(
  { world }: Pick<Stage, "world">,
  list: ChildList,
  root: number,
  bySlot: readonly EntityID[],
): void {
  detach(list, root);
  const deleted = subtree(list, root);
  for (let at = deleted.length - 1; at >= 0; at--) {
    const slot = deleted[at]!;
    world.destroy_entity_deferred(bySlot[slot]!);
    list.children[slot] = undefined;
    list.parent[slot] = -1;
  }
}

function destroy({ tree }: Given<"destroy">): Subject {
  const parents = treeOf(tree);
  const victims = victimsOf(tree);
  let planted = plant(new Int32Array(0));
  return {
    before: () => {
      planted = plant(parents);
    },
    run: () => {
      const { world, list, handles } = planted;
      for (let at = 0; at < victims.length; at++) {
        destroyTree(planted, list, slotOf(handles[victims[at]!]!), handles);
      }
      world.flush();
    },
    checksum: () => {
      const { world, handles } = planted;
      return 1 + handles.reduce((sum, entity) => sum + Number(world.is_alive(entity)), 0);
    },
  };
}

function change({ operation, order }: Given<"change">): Subject {
  const stage = createStage(ENTITIES, ENTITIES);
  const { world, position } = stage;
  const { handles } = settle(stage, ENTITIES, 0, new Int32Array(0));
  const marked = world.register_tag();
  const mass = world.register_component({ value: "f32" });
  const aim = planeIn(world);
  const entities = inTurn(handles, order);
  let total = 0;
  let runs = 0;
  const run = {
    tag: () => {
      for (let at = 0; at < ENTITIES; at++) world.add_component(entities[at]!, marked);
      for (let at = 0; at < ENTITIES; at++) world.remove_component(entities[at]!, marked);
    },
    component: () => {
      const values = { value: 2 };
      for (let at = 0; at < ENTITIES; at++) world.add_component(entities[at]!, mass, values);
      for (let at = 0; at < ENTITIES; at++) world.remove_component(entities[at]!, mass);
    },
    pair: () => {
      const values = { x: 2, y: 3 };
      for (let at = 0; at < ENTITIES; at++) world.add_component(entities[at]!, aim, values);
      for (let at = 0; at < ENTITIES; at++) world.remove_component(entities[at]!, aim);
    },
    get: () => {
      let sum = 0;
      for (let at = 0; at < ENTITIES; at++) sum += world.get_field(entities[at]!, position, "x");
      total += sum;
    },
    set: () => {
      runs++;
      for (let at = 0; at < ENTITIES; at++) {
        world.set_field(entities[at]!, position, "x", at % 1024);
        world.set_field(entities[at]!, position, "y", runs);
      }
    },
    put: () => {
      runs++;
      for (let at = 0; at < ENTITIES; at++) world.set_field(entities[at]!, position, "x", (at + runs) % 1024);
    },
  };
  return { run: run[operation], checksum: () => placesOf(world, position, handles) + total };
}

function churn({ queries }: Given<"churn">): Subject {
  const stage = createStage(CYCLES * 2);
  const { world, position, list } = stage;
  makeQueries(stage, queries);
  const bySlot: EntityID[] = [];
  let last: readonly EntityID[] = [];
  const values = { x: 0, y: 0 };
  return {
    run: () => {
      for (let cycle = 0; cycle < CYCLES; cycle++) {
        const parent = world.create_entity();
        const child = world.create_entity();
        values.x = cycle;
        world.add_component(child, position, values);
        bySlot[slotOf(parent)] = parent;
        bySlot[slotOf(child)] = child;
        attach(list, slotOf(child), slotOf(parent));
        destroyTree(stage, list, slotOf(parent), bySlot);
        world.flush();
        last = [parent, child];
      }
    },
    checksum: () => last.reduce((sum, entity) => sum + Number(world.is_alive(entity)), 1),
  };
}

function renew({ queries }: Given<"renew">): Subject {
  const above = parentsOf(RENEW_PARENTS, "block", RENEW_PARENTS * 2);
  const steps = renewals();
  let stage = createStage(0);
  let settled: Settled = { handles: [], homes: [] };
  let homes: EntityID[] = [];
  return {
    before: () => {
      stage = createStage(RENEW_PARENTS * 3 + STEPS, RENEW_PARENTS * 2);
      settled = settle(stage, RENEW_PARENTS * 2, RENEW_PARENTS, above);
      makeQueries(stage, queries);
      homes = [...settled.homes];
    },
    run: () => {
      const { world, list } = stage;
      for (let step = 0; step < STEPS; step++) {
        const home = world.create_entity();
        homes.push(home);
        move(list, slotOf(settled.handles[steps[step]!]!), slotOf(home));
      }
    },
    checksum: () => {
      const numberOf = numbersOf(homes);
      return sumOfParents(RENEW_PARENTS * 2, (at) =>
        numberOf(stage.list.parent[slotOf(settled.handles[at]!)]!),
      );
    },
  };
}

function instances({ parts }: Given<"instances">): Subject {
  const count = INSTANCES * (PARTS + 1);
  let stage = createStage(0);
  let template: Parameters<Stage["world"]["add_components"]>[1][] = [];
  let copies: EntityID[] = [];
  let list = createChildList(0);
  return {
    before: () => {
      stage = createStage(count, count);
      const { world, position, velocity } = stage;
      list = stage.list;
      copies = [];
      template = Array.from({ length: PARTS + 1 }, (_, part) => [
        { def: position, values: { x: part === 0 ? 1 : part - 1, y: 2 } },
        { def: velocity, values: { x: 3, y: 4 } },
        ...(part > 0 && parts === "distinct" ? [{ def: world.register_tag() }] : []),
      ]);
    },
    run: () => {
      const { world } = stage;
      for (let instance = 0; instance < INSTANCES; instance++) {
        let root = -1;
        for (let part = 0; part <= PARTS; part++) {
          const copy = world.create_entity();
          world.add_components(copy, template[part]!);
          if (part === 0) root = slotOf(copy);
          else attach(list, slotOf(copy), root);
          copies.push(copy);
        }
      }
    },
    checksum: () =>
      copies.length + copies.reduce((sum, copy) => sum + stage.world.get_field(copy, stage.position, "x"), 0),
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
  renew,
  instances,
  frame,
};
