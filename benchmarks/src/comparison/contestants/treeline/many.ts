/** Treeline: many entities at once, by columns and by lists, which each run makes from the numbers of the entities. */
import {
  add,
  ChildOf,
  createWorld,
  destroyMany,
  type Entity,
  isAlive,
  Parent,
  reparentMany,
  reserve,
  spawn,
  spawnRows,
  type World,
} from "@treeline/core";
import { childNamed, Name, nameMany } from "@treeline/names";
import { children } from "@treeline/query";
import { Position, Velocity } from "../../../fixtures/components.ts";
import { treeOf } from "../../../fixtures/trees.ts";
import {
  movesOf,
  parentsOf,
  parentsOfNamed,
  sumOfCounts,
  sumOfNamed,
  sumOfParents,
  textsOf,
  victimsOf,
} from "../../workloads/inputs.ts";
import type { Subject, Subjects } from "../../workloads/subject.ts";
import { ENTITIES, type Given, NAME_PARENTS, REPARENT_PARENTS } from "../../workloads/workloads.ts";
import { parentNumbers } from "./changes.ts";
import { type Below, gather, placeOf, placesOf, plant } from "./loops.ts";

/** Entities as usual, below the parents that a list names by their numbers, and with names. */
function spawnAll(
  world: World,
  below: Below,
  parents: readonly Entity[],
  above: Int32Array,
  texts?: readonly string[],
): Entity[] {
  const homes = new Array<Entity>(above.length);
  for (let at = 0; at < above.length; at++) homes[at] = parents[above[at]!]!;
  const listed = below === Parent ? Parent.each(homes) : ChildOf.each(homes);
  const terms = [Position, Velocity, listed, ...(texts === undefined ? [] : [Name.each(texts)])];
  return spawnRows(world, above.length, terms, (columns, first, end) => {
    const { x: px, y: py } = columns(Position);
    const { x: vx, y: vy } = columns(Velocity);
    for (let row = first; row < end; row++) {
      const at = row - first;
      px[row] = at % 1024;
      py[row] = 0;
      vx[row] = 1;
      vy[row] = 1 + (at % 3);
    }
  });
}

function spawning(below: Below, { parents: parentCount }: Given<"spawnRows">): Subject {
  const above = parentsOf(parentCount, "block");
  let world = createWorld();
  let parents: Entity[] = [];
  let spawned: Entity[] = [];
  return {
    before: () => {
      world = createWorld();
      parents = Array.from({ length: parentCount }, () => spawn(world));
      reserve(world, ENTITIES, Position, Velocity, below(parents[0]!));
    },
    run: () => {
      spawned = spawnAll(world, below, parents, above);
    },
    checksum: () =>
      placesOf(world, spawned) + sumOfCounts(parentCount, (at) => children(world, parents[at]!).length),
  };
}

/** One call each. */
function spawnEach(
  world: World,
  below: Below,
  parents: readonly Entity[],
  above: Int32Array,
  texts: readonly string[],
): Entity[] {
  return Array.from(above, (parent, at) =>
    spawn(
      world,
      Position({ x: at % 1024, y: 0 }),
      Velocity({ x: 1, y: 1 + (at % 3) }),
      below(parents[parent]!),
      Name(texts[at]!),
    ),
  );
}

function nameEach(world: World, entities: readonly Entity[], texts: readonly string[]): void {
  for (let at = 0; at < entities.length; at++) add(world, entities[at]!, Name(texts[at]!));
}

/** @param isOneByOne whether it makes one call for each child. */
export function namingIn(
  below: Below,
  { children: which }: Given<"nameMany">,
  isOneByOne: boolean = false,
): Subject {
  const spawnNamed = isOneByOne ? spawnEach : spawnAll;
  const name = isOneByOne ? nameEach : nameMany;
  const above = parentsOfNamed();
  const texts = textsOf();
  let world = createWorld();
  let parents: readonly Entity[] = [];
  let named: readonly Entity[] = [];
  return {
    before: () => {
      const crowd = gather(below, NAME_PARENTS, which === "existing" ? above : new Int32Array(0));
      world = crowd.world;
      parents = crowd.parents;
      named = crowd.children;
    },
    run: () => {
      if (which === "existing") name(world, named, texts);
      else named = spawnNamed(world, below, parents, above, texts);
    },
    checksum: () =>
      sumOfNamed(
        (at) => placeOf(world, named[at]!, "x"),
        (at) => placeOf(world, named[at]!, "y"),
        (at) => childNamed(world, parents[above[at]!]!, texts[at]!) === named[at],
      ),
  };
}

function reparenting(below: Below, { order }: Given<"reparentMany">): Subject {
  const { movers, goals } = movesOf(order);
  const crowd = gather(below, REPARENT_PARENTS, parentsOf(REPARENT_PARENTS, "block"));
  const { world, parents } = crowd;
  let round = 0;
  return {
    run: () => {
      const goal = goals[round++ % goals.length]!;
      const moved: Entity[] = [];
      const homes: Entity[] = [];
      for (let turn = 0; turn < movers.length; turn++) {
        const mover = movers[turn]!;
        moved.push(crowd.children[mover]!);
        homes.push(parents[goal[mover]!]!);
      }
      reparentMany(world, moved, homes);
    },
    checksum: () => {
      const numberOf = parentNumbers(world, parents);
      return (
        sumOfParents(ENTITIES, (at) => numberOf(crowd.children[at]!)) +
        sumOfCounts(REPARENT_PARENTS, (at) => children(world, parents[at]!).length)
      );
    },
  };
}

function destroying(below: Below, { tree }: Given<"destroyMany">): Subject {
  const victims = victimsOf(tree);
  let grove = plant(below, new Int32Array(0));
  return {
    before: () => {
      grove = plant(below, treeOf(tree));
    },
    run: () => {
      const { world, nodes } = grove;
      const gone: Entity[] = [];
      for (let at = 0; at < victims.length; at++) gone.push(nodes[victims[at]!]!);
      destroyMany(world, gone);
    },
    checksum: () => 1 + grove.nodes.reduce((sum, node) => sum + (isAlive(grove.world, node) ? 1 : 0), 0),
  };
}

export function manyIn(below: Below): Subjects {
  return {
    spawnRows: (given) => spawning(below, given),
    nameMany: (given) => namingIn(below, given),
    reparentMany: (given) => reparenting(below, given),
    destroyMany: (given) => destroying(below, given),
  };
}
