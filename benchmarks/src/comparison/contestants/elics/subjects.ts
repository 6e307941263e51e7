/**
 * elics: components are read and written in their arrays by `entity.index` (page "Component" of its documentation), without
 * checks ("World"); queries are iterated by their `entities`, the only list they have. Components belong to the world that
 * registered them last; the one before is unusable then. Parents and children: `child-list.ts`, over `index`.
 */
import { type Component, createComponent, type Entity, Types, World } from "elics";
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

const f32 = { type: Types.Float32, default: 0 } as const;
export const Position = createComponent("Position", { x: f32, y: f32 });
export const Velocity = createComponent("Velocity", { x: f32, y: f32 });
const Local = createComponent("Local", { x: f32, y: f32 });
const Global = createComponent("Global", { x: f32, y: f32 });
const Mass = createComponent("Mass", { value: f32 });
export const Aim = createComponent("Aim", { x: f32, y: f32 });
export const Tag = createComponent("Tag", {});

function tagsOf(count: number, name: string): Component<Record<string, never>>[] {
  return Array.from({ length: count }, (_, at) => createComponent(`${name}${at}`, {}));
}

const partTags = tagsOf(PARTS, "Part");
const queryTags = tagsOf(50, "Other");

/** More entities than its capacity lose their values, without an error. */
export function worldFor(entities: number): World {
  const world = new World({ entityCapacity: entities, checksOn: false });
  for (const component of [Position, Velocity, Local, Global, Mass, Aim, Tag, ...partTags]) {
    world.registerComponent(component);
  }
  return world;
}

/** One entity, as usual. */
function addMover(world: World, at: number): Entity {
  return world
    .createEntity()
    .addComponent(Position, { x: at % 1024, y: 0 })
    .addComponent(Velocity, { x: 1, y: 1 + (at % 3) });
}

export function addMovers(world: World, count: number): Entity[] {
  return Array.from({ length: count }, (_, at) => addMover(world, at));
}

/** Parents are created after their children: the index of the first parent is the number of children. */
export function addParents(world: World, above: Int32Array, parents: number, spare = 0): ChildList {
  const list = createChildList(above.length + parents + spare);
  for (let parent = 0; parent < parents; parent++) world.createEntity();
  above.forEach((parent, at) => {
    attach(list, at, above.length + parent);
  });
  return list;
}

/** Of `count` entities, the first of which has this index. */
function placesFrom(first: number, count: number): number {
  const { x, y } = Position.data;
  return sumOfPlaces(
    count,
    (at) => x[first + at]!,
    (at) => y[first + at]!,
  );
}

/** Different ones, because equal queries are shared. */
export function registerQueries(world: World, count: number): void {
  for (let at = 0; at < count; at++) {
    const tag = queryTags[at]!;
    world.registerComponent(tag);
    world.queryManager.registerQuery({ required: [Position], excluded: at === 0 ? [] : [tag] });
  }
}

function iterate({ parents, order }: Given<"iterate">): Subject {
  const world = worldFor(ENTITIES + parents);
  addMovers(world, ENTITIES);
  addParents(world, parentsOf(parents, order), parents);
  const moving = world.queryManager.registerQuery({ required: [Position, Velocity] });
  return {
    run: () => {
      const { x: px, y: py } = Position.data;
      const { x: vx, y: vy } = Velocity.data;
      for (const { index } of moving.entities) {
        px[index]! += vx[index]!;
        py[index]! += vy[index]!;
      }
    },
    checksum: () => placesFrom(0, ENTITIES),
  };
}

function cut({ without }: Given<"cut">): Subject {
  const world = worldFor(ENTITIES);
  const entities = addMovers(world, ENTITIES);
  for (const number of cutOf(without)) entities[number]!.addComponent(Tag);
  const moving = world.queryManager.registerQuery({ required: [Position, Velocity], excluded: [Tag] });
  return {
    run: () => {
      const { x: px, y: py } = Position.data;
      const { x: vx, y: vy } = Velocity.data;
      for (const { index } of moving.entities) {
        px[index]! += vx[index]!;
        py[index]! += vy[index]!;
      }
    },
    checksum: () => placesFrom(0, ENTITIES),
  };
}

function siblings(): Subject {
  const count = SIBLING_PARENTS * SIBLINGS;
  const world = worldFor(count + SIBLING_PARENTS);
  addMovers(world, count);
  const { children } = addParents(world, parentsOf(SIBLING_PARENTS, "block", count), SIBLING_PARENTS);
  const order = shuffledParents();
  const sums = new Float64Array(SIBLING_PARENTS);
  return {
    run: () => {
      const { x } = Position.data;
      for (let turn = 0; turn < SIBLING_PARENTS; turn++) {
        const childList = children[count + order[turn]!]!;
        let sum = 0;
        for (let at = 0; at < childList.length; at++) sum += x[childList[at]!]!;
        sums[order[turn]!] = sum;
      }
    },
    checksum: () => sumOfCounts(SIBLING_PARENTS, (at) => sums[at]!),
  };
}

interface Grove {
  readonly nodes: readonly Entity[];
  readonly list: ChildList;
}

function groveOf(parents: Int32Array): Grove {
  const world = worldFor(parents.length);
  const list = createChildList(parents.length);
  const nodes: Entity[] = [];
  parents.forEach((parent, at) => {
    const node = world.createEntity().addComponent(Local, { x: 1 + (at % 3), y: 1 });
    nodes.push(node.addComponent(Global));
    if (parent >= 0) attach(list, at, parent);
  });
  return { nodes, list };
}

function cascade({ tree }: Given<"cascade">): Subject {
  const { nodes, list } = groveOf(treeOf(tree));
  const order = levels(list, nodes.length);
  const { parent } = list;
  return {
    run: () => {
      const { x: lx, y: ly } = Local.data;
      const { x: wx, y: wy } = Global.data;
      for (let at = 0; at < order.length; at++) {
        const node = order[at]!;
        const above = parent[node]!;
        wx[node] = above < 0 ? lx[node]! : wx[above]! + lx[node]!;
        wy[node] = above < 0 ? ly[node]! : wy[above]! + ly[node]!;
      }
    },
    checksum: () => {
      const { x, y } = Global.data;
      return sumOfPlaces(
        nodes.length,
        (at) => x[at]!,
        (at) => y[at]!,
      );
    },
  };
}

function spawn({ parents }: Given<"spawn">): Subject {
  const above = parentsOf(Math.max(parents, 1), "block");
  let world: World;
  let entities: Entity[] = [];
  let list = createChildList(0);
  return {
    before: () => {
      world = worldFor(parents + ENTITIES);
      for (let parent = 0; parent < parents; parent++) world.createEntity();
      entities = [];
      list = createChildList(parents + ENTITIES);
    },
    run: () => {
      for (let at = 0; at < ENTITIES; at++) {
        const entity = world
          .createEntity()
          .addComponent(Position, { x: at % 1024, y: 0 })
          .addComponent(Velocity, { x: 1, y: 1 + (at % 3) });
        entities.push(entity);
        if (parents > 0) attach(list, entity.index, above[at]!);
      }
    },
    checksum: () =>
      placesFrom(entities[0]!.index, ENTITIES) + sumOfCounts(parents, (at) => list.children[at]?.length ?? 0),
  };
}

function reparent({ order }: Given<"reparent">): Subject {
  const { movers, goals } = movesOf(order);
  const world = worldFor(ENTITIES + REPARENT_PARENTS);
  addMovers(world, ENTITIES);
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
      const { nodes, list } = grove;
      for (let turn = 0; turn < victims.length; turn++) {
        detach(list, victims[turn]!);
        const deleted = subtree(list, victims[turn]!);
        for (let at = deleted.length - 1; at >= 0; at--) {
          nodes[deleted[at]!]!.destroy();
          list.children[deleted[at]!] = undefined;
        }
      }
    },
    checksum: () => 1 + grove.nodes.reduce((sum, { active }) => sum + Number(active), 0),
  };
}

function change({ operation, order }: Given<"change">): Subject {
  const world = worldFor(ENTITIES);
  const entities = inTurn(addMovers(world, ENTITIES), order);
  let total = 0;
  let runs = 0;
  const run = {
    tag: () => {
      for (let at = 0; at < ENTITIES; at++) entities[at]!.addComponent(Tag);
      for (let at = 0; at < ENTITIES; at++) entities[at]!.removeComponent(Tag);
    },
    component: () => {
      for (let at = 0; at < ENTITIES; at++) entities[at]!.addComponent(Mass, { value: 2 });
      for (let at = 0; at < ENTITIES; at++) entities[at]!.removeComponent(Mass);
    },
    pair: () => {
      for (let at = 0; at < ENTITIES; at++) entities[at]!.addComponent(Aim, { x: 2, y: 3 });
      for (let at = 0; at < ENTITIES; at++) entities[at]!.removeComponent(Aim);
    },
    get: () => {
      const { x } = Position.data;
      let sum = 0;
      for (let at = 0; at < ENTITIES; at++) sum += x[entities[at]!.index]!;
      total += sum;
    },
    set: () => {
      runs++;
      const { x, y } = Position.data;
      for (let at = 0; at < ENTITIES; at++) {
        const { index } = entities[at]!;
        x[index] = at % 1024;
        y[index] = runs;
      }
    },
    put: () => {
      runs++;
      const { x } = Position.data;
      for (let at = 0; at < ENTITIES; at++) x[entities[at]!.index] = (at + runs) % 1024;
    },
  };
  return { run: run[operation], checksum: () => placesFrom(0, ENTITIES) + total };
}

function churn({ queries }: Given<"churn">): Subject {
  const world = worldFor(2);
  registerQueries(world, queries);
  const list = createChildList(2);
  const entities: Entity[] = [];
  return {
    run: () => {
      for (let cycle = 0; cycle < CYCLES; cycle++) {
        const parent = world.createEntity();
        const child = world.createEntity().addComponent(Position, { x: cycle, y: 0 });
        entities[parent.index] = parent;
        entities[child.index] = child;
        attach(list, child.index, parent.index);
        const deleted = subtree(list, parent.index);
        for (let at = deleted.length - 1; at >= 0; at--) {
          const index = deleted[at]!;
          entities[index]!.destroy();
          list.children[index] = undefined;
          list.parent[index] = -1;
        }
      }
    },
    checksum: () => 1 + entities.reduce((sum, { active }) => sum + Number(active), 0),
  };
}

/** Queries are never freed: instead of freeing one in the run, the next is built in a fresh world. */
function buildQuery({ parents }: Given<"query">): Subject {
  const above = parentsOf(parents, "block");
  let world: World;
  let matches = 0;
  return {
    before: () => {
      world = worldFor(ENTITIES + parents);
      addMovers(world, ENTITIES);
      addParents(world, above, parents);
    },
    run: () => {
      matches = world.queryManager.registerQuery({ required: [Position, Velocity] }).entities.size;
    },
    checksum: () => matches,
  };
}

function renew({ queries }: Given<"renew">): Subject {
  const above = parentsOf(RENEW_PARENTS, "block", RENEW_PARENTS * 2);
  const steps = renewals();
  let world: World;
  let list = createChildList(0);
  return {
    before: () => {
      world = worldFor(RENEW_PARENTS * 3 + STEPS);
      registerQueries(world, queries);
      addMovers(world, RENEW_PARENTS * 2);
      list = addParents(world, above, RENEW_PARENTS, STEPS);
    },
    run: () => {
      for (let step = 0; step < STEPS; step++) move(list, steps[step]!, world.createEntity().index);
    },
    checksum: () => sumOfParents(RENEW_PARENTS * 2, (at) => list.parent[at]! - RENEW_PARENTS * 2),
  };
}

function instances({ parts }: Given<"instances">): Subject {
  const count = INSTANCES * (PARTS + 1);
  const tags = parts === "distinct" ? [undefined, ...partTags] : [];
  let world: World;
  let template: Entity[] = [];
  let copies: Entity[] = [];
  let list = createChildList(0);
  return {
    before: () => {
      world = worldFor(count + PARTS + 1);
      list = createChildList(count + PARTS + 1);
      copies = [];
      template = Array.from({ length: PARTS + 1 }, (_, part) => {
        const entity = world.createEntity().addComponent(Position, { x: part === 0 ? 1 : part - 1, y: 2 });
        const tag = tags[part];
        if (part > 0) attach(list, part, 0);
        if (tag !== undefined) entity.addComponent(tag);
        return entity.addComponent(Velocity, { x: 3, y: 4 });
      });
    },
    run: () => {
      const { x: px, y: py } = Position.data;
      const { x: vx, y: vy } = Velocity.data;
      for (let instance = 0; instance < INSTANCES; instance++) {
        let root = -1;
        for (let part = 0; part <= PARTS; part++) {
          const from = template[part]!.index;
          const copy = world
            .createEntity()
            .addComponent(Position, { x: px[from]!, y: py[from]! })
            .addComponent(Velocity, { x: vx[from]!, y: vy[from]! });
          const tag = tags[part];
          if (tag !== undefined) copy.addComponent(tag);
          if (part === 0) root = copy.index;
          else attach(list, copy.index, root);
          copies.push(copy);
        }
      }
    },
    checksum: () => copies.length + copies.reduce((sum, { index }) => sum + Position.data.x[index]!, 0),
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
