/**
 * koota with its own relation. Positions and velocities are in one array for each field, matrices are one typed array each, by a
 * callback. It has no order with parents first: for each node in the query, the ones above it are placed before.
 */
import { createQuery, type Entity, getStore, Not, Or, type Query, trait } from "koota";
import { multiplyFrame } from "../../game-frame/fields.ts";
import { framePlanOf, frameSubject, LIVE_QUERIES, type Round } from "../../game-frame/work.ts";
import type { Subject } from "../../workloads/subject.ts";
import type { Given } from "../../workloads/workloads.ts";
import { ChildOf, createOnlyWorld } from "./world.ts";

const Position = trait({ x: 0, y: 0, z: 0 });
const Velocity = trait({ x: 0, y: 0, z: 0 });
const Basis = trait(() => new Float32Array(9));
const Place = trait(() => new Float32Array(12));
const MOVING = createQuery(Position, Velocity);
const PLACED = createQuery(Place);
/** Equal ones would be shared: each names another trait that no entity has. */
const LIVE: readonly Query[] = Array.from({ length: LIVE_QUERIES / 2 }, () => trait()).flatMap((absent) => [
  createQuery(Position, Not(absent)),
  createQuery(Position, Or(Position, absent)),
]);

interface Space {
  readonly x: number[];
  readonly y: number[];
  readonly z: number[];
}

/** Positions are multiples of 1/16384, so their sums are exact in 32 and in 64 bits. */
function moveAll([position, velocity]: [Space, Space], entities: readonly Entity[]): void {
  const { x: px, y: py, z: pz } = position;
  const { x: vx, y: vy, z: vz } = velocity;
  for (let at = 0, { length } = entities; at < length; at++) {
    const id = entities[at]!.id();
    px[id]! += vx[id]!;
    py[id]! += vy[id]!;
    pz[id]! += vz[id]!;
  }
}

export function frame(given: Given<"frame">): Subject {
  const plan = framePlanOf(given);
  const world = createOnlyWorld();
  for (const one of LIVE) world.query(one);
  /** Slot -> entity. */
  const handles: Entity[] = [];
  /** Id -> the last frame in which it was placed. */
  const placed: number[] = [];
  let now = 0;

  const bear = (slot: number, parent: Entity | undefined): void => {
    const { px, py, pz, vx, vy, vz, basis, moves } = plan;
    const position = Position({ x: px[slot]!, y: py[slot]!, z: pz[slot]! });
    const own = Basis(basis.slice(slot * 9, slot * 9 + 9));
    const velocity = Velocity({ x: vx[slot]!, y: vy[slot]!, z: vz[slot]! });
    if (parent === undefined) handles[slot] = world.spawn(position, velocity, own, Place);
    else if (moves[slot] === 1) handles[slot] = world.spawn(position, velocity, own, Place, ChildOf(parent));
    else handles[slot] = world.spawn(position, own, Place, ChildOf(parent));
  };
  plan.parents.forEach((parent, slot) => {
    bear(slot, handles[parent]);
  });
  for (const node of world.query(PLACED)) placed[node.id()] = 0;

  const stores = () => ({
    ...{ position: getStore(world, Position), bases: getStore(world, Basis), places: getStore(world, Place) },
  });
  const place = (node: Entity, { position, bases, places }: ReturnType<typeof stores>): void => {
    const id = node.id();
    const parent = node.targetFor(ChildOf);
    const own = places[id]!;
    const basis = bases[id]!;
    const { x, y, z } = position;
    placed[id] = now;
    if (parent === undefined) {
      for (let number = 0; number < 9; number++) own[number] = basis[number]!;
      own[9] = x[id]!;
      own[10] = y[id]!;
      own[11] = z[id]!;
      return;
    }
    const above = parent.id();
    if (placed[above] !== now) place(parent, { position, bases, places });
    multiplyFrame(own, 0, places[above]!, 0, basis, 0, x, y, z, id);
  };
  const placeAll = (): void => {
    now++;
    const inStores = stores();
    const nodes = world.query(PLACED);
    for (let at = 0, { length } = nodes; at < length; at++) {
      if (placed[nodes[at]!.id()] !== now) place(nodes[at]!, inStores);
    }
  };
  const run = ({ movers, goals, victims, homes }: Round): void => {
    world.query(MOVING).useStores(moveAll);
    placeAll();
    for (let at = 0; at < movers.length; at++) {
      handles[movers[at]!]!.add(ChildOf(handles[goals[at]!]!));
    }
    for (let at = 0; at < victims.length; at++) handles[victims[at]!]!.destroy();
    for (let at = 0; at < victims.length; at++) bear(victims[at]!, handles[homes[at]!]!);
  };
  return frameSubject(plan, run, () => {
    const { position, places } = stores();
    const slots = new Map<Entity | undefined, number>(handles.map((entity, slot) => [entity, slot]));
    return {
      parentOf: (slot) => slots.get(handles[slot]!.targetFor(ChildOf)) ?? -1,
      read: (slot, into) => {
        const id = handles[slot]!.id();
        into.set(places[id]!);
        into[12] = position.x[id]!;
        into[13] = position.y[id]!;
        into[14] = position.z[id]!;
      },
      matches: () => LIVE.reduce((sum, one) => sum + world.query(one).length, 0),
    };
  });
}
