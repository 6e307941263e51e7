/** Shared by both ways to use bitECS: worlds without parents, and changes of single entities. */
import {
  addComponent,
  addEntity,
  asBuffer,
  createWorld,
  Not,
  Or,
  query,
  registerComponents,
  removeComponent,
  type World,
} from "bitecs";
import { cutOf, inTurn, sumOfPlaces } from "../../workloads/inputs.ts";
import type { Subject } from "../../workloads/subject.ts";
import { ENTITIES, type Given } from "../../workloads/workloads.ts";

/** Typed arrays by entity. */
export interface Plane {
  readonly x: Float32Array;
  readonly y: Float32Array;
}

/** A world, and its components. */
export interface Stage {
  readonly world: World;
  readonly Position: Plane;
  readonly Velocity: Plane;
}

/** @param entities the maximum of entities. Their ids begin with 1. */
export function planeOf(entities: number): Plane {
  return { x: new Float32Array(entities + 1), y: new Float32Array(entities + 1) };
}

export function createStage(entities: number): Stage {
  const world = createWorld();
  const Position = planeOf(entities);
  const Velocity = planeOf(entities);
  registerComponents(world, [Position, Velocity]);
  return { world, Position, Velocity };
}

/** Position and Velocity as usual. */
export function addMoving({ world, Position, Velocity }: Stage, at: number): number {
  const entity = addEntity(world);
  addComponent(world, entity, Position);
  Position.x[entity] = at % 1024;
  Position.y[entity] = 0;
  addComponent(world, entity, Velocity);
  Velocity.x[entity] = 1;
  Velocity.y[entity] = 1 + (at % 3);
  return entity;
}

export function placesOf({ x, y }: Plane, entities: readonly number[]): number {
  return sumOfPlaces(
    entities.length,
    (at) => x[entities[at]!]!,
    (at) => y[entities[at]!]!,
  );
}

/** Live queries for Position. Equal ones would be shared: each names another component that no entity has. */
export function makeQueries({ world, Position }: Stage, queries: number): void {
  if (queries === 1) query(world, [Position]);
  for (let at = 0; at < 25 && queries === 50; at++) {
    query(world, [Position, Not({})]);
    query(world, [Position, Or(Position, {})]);
  }
}

/** Without parents, which is the same in both ways. */
export function cut({ without }: Given<"cut">): Subject {
  const stage = createStage(ENTITIES);
  const { world, Position, Velocity } = stage;
  const Out = {};
  registerComponents(world, [Out]);
  const entities = Array.from({ length: ENTITIES }, (_, at) => addMoving(stage, at));
  for (const number of cutOf(without)) addComponent(world, entities[number]!, Out);
  const moving = [Position, Velocity, Not(Out)];
  query(world, moving, asBuffer);
  return {
    run: () => {
      const { x: px, y: py } = Position;
      const { x: vx, y: vy } = Velocity;
      const matches = query(world, moving, asBuffer);
      for (let at = 0, { length } = matches; at < length; at++) {
        const entity = matches[at]!;
        px[entity]! += vx[entity]!;
        py[entity]! += vy[entity]!;
      }
    },
    checksum: () => placesOf(Position, entities),
  };
}

export function change({ operation, order }: Given<"change">): Subject {
  const stage = createStage(ENTITIES);
  const { world, Position } = stage;
  const Marked = {};
  const Mass = { value: new Float32Array(ENTITIES + 1) };
  const Aim = planeOf(ENTITIES);
  registerComponents(world, [Marked, Mass, Aim]);
  const all = Array.from({ length: ENTITIES }, (_, at) => addMoving(stage, at));
  const entities = inTurn(all, order);
  let total = 0;
  let runs = 0;
  const run = {
    tag: () => {
      for (let at = 0; at < ENTITIES; at++) addComponent(world, entities[at]!, Marked);
      for (let at = 0; at < ENTITIES; at++) removeComponent(world, entities[at]!, Marked);
    },
    component: () => {
      const { value } = Mass;
      for (let at = 0; at < ENTITIES; at++) {
        addComponent(world, entities[at]!, Mass);
        value[entities[at]!] = 2;
      }
      for (let at = 0; at < ENTITIES; at++) removeComponent(world, entities[at]!, Mass);
    },
    pair: () => {
      const { x, y } = Aim;
      for (let at = 0; at < ENTITIES; at++) {
        addComponent(world, entities[at]!, Aim);
        x[entities[at]!] = 2;
        y[entities[at]!] = 3;
      }
      for (let at = 0; at < ENTITIES; at++) removeComponent(world, entities[at]!, Aim);
    },
    get: () => {
      const { x } = Position;
      let sum = 0;
      for (let at = 0; at < ENTITIES; at++) sum += x[entities[at]!]!;
      total += sum;
    },
    set: () => {
      runs++;
      const { x, y } = Position;
      for (let at = 0; at < ENTITIES; at++) {
        x[entities[at]!] = at % 1024;
        y[entities[at]!] = runs;
      }
    },
    put: () => {
      runs++;
      const { x } = Position;
      for (let at = 0; at < ENTITIES; at++) x[entities[at]!] = (at + runs) % 1024;
    },
  };
  return { run: run[operation], checksum: () => placesOf(Position, all) + total };
}
