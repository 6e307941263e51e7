/**
 * Treeline, with components and tags in one of its storages: in tables, which is the default, or sparse (components) and in bits
 * (tags), as the page "Which storage" says. `field` reads and writes one value by its handle; kernels loop over tables, `each` over
 * sparse values, which no run has columns of.
 */
import {
  add,
  bits,
  component,
  createWorld,
  type Entity,
  f32,
  field,
  remove,
  sparse,
  spawn,
  tag,
  type World,
} from "@treeline/core";
import { count, each, eachRun, not, query } from "@treeline/query";
import { runKernel } from "@treeline/query/kernels";
import { Position, Velocity } from "../../../fixtures/components.ts";
import type { Moving } from "../../../fixtures/each/written.ts";
import type { Holdings } from "../../memory/holdings.ts";
import { cutOf, inTurn, sumOfPlaces } from "../../workloads/inputs.ts";
import type { Subject, Subjects } from "../../workloads/subject.ts";
import { ENTITIES, type Given } from "../../workloads/workloads.ts";

const PLANE = { x: f32, y: f32 };
export const IN_TABLES = { Position, Velocity, Aim: component("Aim", PLANE), Marked: tag("Marked") };
const BESIDE = {
  Position: component("SparsePosition", PLANE, { storage: sparse }),
  Velocity: component("SparseVelocity", PLANE, { storage: sparse }),
  Aim: component("SparseAim", PLANE, { storage: sparse }),
  Marked: tag("MarkedByBits", { storage: bits }),
};

type Storage = typeof IN_TABLES | typeof BESIDE;

function spawnMoving(world: World, at: number, storage: Storage): Entity {
  return spawn(world, storage.Position({ x: at % 1024, y: 0 }), storage.Velocity({ x: 1, y: 1 + (at % 3) }));
}

function placesOf(world: World, entities: readonly Entity[], what: typeof Position): number {
  const x = field(what, "x");
  const y = field(what, "y");
  return sumOfPlaces(
    entities.length,
    (at) => x.get(world, entities[at]!)!,
    (at) => y.get(world, entities[at]!)!,
  );
}

/** What is added and removed has the storage, or else what is read and written. */
function handles(storage: Storage, { operation, order }: Given<"handles">): Subject {
  const world = createWorld();
  const isValue = operation === "get" || operation === "put";
  const values = isValue ? storage : IN_TABLES;
  const { Marked, Aim } = storage;
  const all = Array.from({ length: ENTITIES }, (_, at) => spawnMoving(world, at, values));
  const entities = inTurn(all, order);
  const x = field(values.Position, "x");
  let total = 0;
  let runs = 0;
  const run = {
    tag: () => {
      for (let at = 0; at < ENTITIES; at++) add(world, entities[at]!, Marked);
      for (let at = 0; at < ENTITIES; at++) remove(world, entities[at]!, Marked);
    },
    pair: () => {
      const aim = Aim({ x: 2, y: 3 });
      for (let at = 0; at < ENTITIES; at++) add(world, entities[at]!, aim);
      for (let at = 0; at < ENTITIES; at++) remove(world, entities[at]!, Aim);
    },
    get: () => {
      let sum = 0;
      for (let at = 0; at < ENTITIES; at++) sum += x.get(world, entities[at]!)!;
      total += sum;
    },
    put: () => {
      runs++;
      for (let at = 0; at < ENTITIES; at++) x.set(world, entities[at]!, (at + runs) % 1024);
    },
  };
  return { run: run[operation], checksum: () => placesOf(world, all, values.Position) + total };
}

const move = runKernel([Position, Velocity], ([position, velocity]) => {
  const { x: px, y: py } = position;
  const { x: vx, y: vy } = velocity;
  return (first, end) => {
    for (let row = first; row < end; row++) {
      px[row]! += vx[row]!;
      py[row]! += vy[row]!;
    }
  };
});

const moveByRuns = (moving: Moving): void => eachRun(moving, move);

/**
 * Without entities to leave out, the values have the storage; otherwise the tag.
 *
 * @param loop for values in tables.
 */
export function cut(
  storage: Storage,
  { without }: Given<"cut">,
  loop: typeof moveByRuns = moveByRuns,
): Subject {
  const world = createWorld();
  const values = without === "none" ? storage : IN_TABLES;
  const { Marked } = storage;
  const entities = Array.from({ length: ENTITIES }, (_, at) => spawnMoving(world, at, values));
  for (const number of cutOf(without)) add(world, entities[number]!, Marked);
  const checksum = (): number => placesOf(world, entities, values.Position);
  if (values === BESIDE) {
    const moving = query(world, BESIDE.Position, BESIDE.Velocity);
    const run = (): void =>
      each(moving, (position, velocity) => {
        position.x += velocity.x;
        position.y += velocity.y;
      });
    return { run, checksum };
  }
  const moving = query(world, Position, Velocity, not(Marked));
  return { run: () => loop(moving as unknown as Moving), checksum };
}

export function storedIn(name: "sparse" | "table"): Subjects {
  const storage = name === "sparse" ? BESIDE : IN_TABLES;
  return {
    handles: (given) => handles(storage, given),
    cut: (given) => cut(storage, given),
  };
}

/** Position and Velocity are in tables, what some have in addition has the storage. */
export function equipIn(name: "sparse" | "table"): NonNullable<Holdings["equip"]> {
  const { Aim, Marked } = name === "sparse" ? BESIDE : IN_TABLES;
  return ({ roots, extra, every }) => {
    const world = createWorld();
    for (let at = 0; at < roots; at++) {
      const root = spawnMoving(world, at, IN_TABLES);
      if (extra === "nothing" || at % every !== 0) continue;
      add(world, root, extra === "tag" ? Marked : Aim({ x: 2, y: 3 }));
    }
    const terms = { nothing: Position, tag: Marked, component: Aim };
    return { count: () => count(query(world, terms[extra])) };
  };
}
