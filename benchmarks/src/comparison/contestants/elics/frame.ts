/** elics: matrices are its vectors of three numbers, read and written in their arrays by `entity.index`. */
import { createComponent, type Entity, Types, World } from "elics";
import { takeOut } from "../../game-frame/fields.ts";
import { framePlanOf, frameSubject, LIVE_QUERIES, NODES, type Round } from "../../game-frame/work.ts";
import { attach, createChildList, move } from "../../workloads/child-list.ts";
import type { Subject } from "../../workloads/subject.ts";
import type { Given } from "../../workloads/workloads.ts";

const f32 = { type: Types.Float32, default: 0 } as const;
const vec3 = { type: Types.Vec3, default: [0, 0, 0] as [number, number, number] } as const;
const Position = createComponent("FramePosition", { x: f32, y: f32, z: f32 });
const Velocity = createComponent("FrameVelocity", { x: f32, y: f32, z: f32 });
const Basis = createComponent("FrameBasis", { x: vec3, y: vec3, z: vec3 });
const Place = createComponent("FramePlace", { x: vec3, y: vec3, z: vec3, at: vec3 });
const absent = Array.from({ length: LIVE_QUERIES }, (_, at) => createComponent(`FrameOther${at}`, {}));

/** The product for one node: columns of the parent's matrix, and of what is to be placed. */
function turn(
  into: Float32Array,
  to: number,
  [ax, ay, az]: readonly Float32Array[],
  up: number,
  basis: Float32Array,
): void {
  const x = basis[to]!;
  const y = basis[to + 1]!;
  const z = basis[to + 2]!;
  into[to] = ax![up]! * x + ay![up]! * y + az![up]! * z;
  into[to + 1] = ax![up + 1]! * x + ay![up + 1]! * y + az![up + 1]! * z;
  into[to + 2] = ax![up + 2]! * x + ay![up + 2]! * y + az![up + 2]! * z;
}

export function frame(given: Given<"frame">): Subject {
  const plan = framePlanOf(given);
  const { slots, roots, parents } = plan;
  const world = new World({ entityCapacity: slots, checksOn: false });
  for (const component of [Position, Velocity, Basis, Place, ...absent]) world.registerComponent(component);
  const live = absent.map((tag) => {
    return world.queryManager.registerQuery({ required: [Position], excluded: [tag] });
  });
  const moving = world.queryManager.registerQuery({ required: [Position, Velocity] });
  /** Node -> its basis, the initial value of a new entity. */
  const bases = Array.from({ length: NODES }, (_, node) => {
    const columnOf = (first: number) =>
      [...plan.basis.subarray(first, first + 3)] as [number, number, number];
    return { x: columnOf(node * 9), y: columnOf(node * 9 + 3), z: columnOf(node * 9 + 6) };
  });
  const list = createChildList(slots);
  const queue = new Int32Array(slots);
  /** Slot -> entity; index -> entity. */
  const handles: Entity[] = [];
  const entities: Entity[] = [];

  const bear = (slot: number, parent: Entity | undefined): void => {
    const { px, py, pz, vx, vy, vz, moves } = plan;
    const entity = world.createEntity();
    entity.addComponent(Position, { x: px[slot]!, y: py[slot]!, z: pz[slot]! });
    if (moves[slot] === 1) entity.addComponent(Velocity, { x: vx[slot]!, y: vy[slot]!, z: vz[slot]! });
    entity.addComponent(Basis, bases[slot % NODES]!).addComponent(Place);
    handles[slot] = entity;
    entities[entity.index] = entity;
    if (parent !== undefined) attach(list, entity.index, parent.index);
  };
  for (let slot = 0; slot < slots; slot++) bear(slot, handles[parents[slot]!]);

  const { x: px, y: py, z: pz } = Position.data as Record<"x" | "y" | "z", Float32Array>;
  const { x: vx, y: vy, z: vz } = Velocity.data as Record<"x" | "y" | "z", Float32Array>;
  const { x: bx, y: by, z: bz } = Basis.data as Record<"x" | "y" | "z", Float32Array>;
  const { x: wx, y: wy, z: wz, at: wt } = Place.data as Record<"x" | "y" | "z" | "at", Float32Array>;
  const columns = [wx, wy, wz] as const;

  const placeRoot = (root: number): void => {
    const first = root * 3;
    for (let number = first; number < first + 3; number++) {
      wx[number] = bx[number]!;
      wy[number] = by[number]!;
      wz[number] = bz[number]!;
    }
    wt[first] = px[root]!;
    wt[first + 1] = py[root]!;
    wt[first + 2] = pz[root]!;
  };
  const placeTree = (root: number): void => {
    placeRoot(root);
    queue[0] = root;
    let length = 1;
    for (let at = 0; at < length; at++) {
      const below = list.children[queue[at]!];
      if (below === undefined) continue;
      const up = queue[at]! * 3;
      for (let child = 0; child < below.length; child++) {
        const node = below[child]!;
        const to = node * 3;
        turn(wx, to, columns, up, bx);
        turn(wy, to, columns, up, by);
        turn(wz, to, columns, up, bz);
        const x = px[node]!;
        const y = py[node]!;
        const z = pz[node]!;
        wt[to] = wx[up]! * x + wy[up]! * y + wz[up]! * z + wt[up]!;
        wt[to + 1] = wx[up + 1]! * x + wy[up + 1]! * y + wz[up + 1]! * z + wt[up + 1]!;
        wt[to + 2] = wx[up + 2]! * x + wy[up + 2]! * y + wz[up + 2]! * z + wt[up + 2]!;
        queue[length++] = node;
      }
    }
  };
  const run = ({ movers, goals, victims, homes }: Round): void => {
    for (const { index } of moving.entities) {
      px[index]! += vx[index]!;
      py[index]! += vy[index]!;
      pz[index]! += vz[index]!;
    }
    for (let at = 0; at < roots.length; at++) placeTree(handles[roots[at]!]!.index);
    for (let at = 0; at < movers.length; at++) {
      move(list, handles[movers[at]!]!.index, handles[goals[at]!]!.index);
    }
    for (let at = 0; at < victims.length; at++) {
      for (let deleted = takeOut(list, handles[victims[at]!]!.index, queue) - 1; deleted >= 0; deleted--) {
        entities[queue[deleted]!]!.destroy();
      }
    }
    for (let at = 0; at < victims.length; at++) bear(victims[at]!, handles[homes[at]!]!);
  };
  return frameSubject(plan, run, () => {
    const numbers = new Map(handles.map(({ index }, slot) => [index, slot]));
    return {
      parentOf: (slot) => numbers.get(list.parent[handles[slot]!.index]!) ?? -1,
      read: (slot, into) => {
        const { index } = handles[slot]!;
        for (let number = 0; number < 3; number++) {
          into[number] = wx[index * 3 + number]!;
          into[3 + number] = wy[index * 3 + number]!;
          into[6 + number] = wz[index * 3 + number]!;
          into[9 + number] = wt[index * 3 + number]!;
        }
        into[12] = px[index]!;
        into[13] = py[index]!;
        into[14] = pz[index]!;
      },
      matches: () => live.reduce((sum, one) => sum + one.entities.size, 0),
    };
  });
}
