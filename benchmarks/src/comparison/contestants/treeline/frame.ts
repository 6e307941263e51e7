/** Treeline: columns of the moving rows by `eachRun`, parents first by `eachBatch`; changes at once, one by one. */
import {
  add,
  array,
  component,
  createWorld,
  type Entity,
  f32,
  locate,
  parentOf,
  spawn,
} from "@treeline/core";
import { cascade, count, destroy, eachBatch, eachRun, query } from "@treeline/query";
import { batchKernel, runKernel } from "@treeline/query/kernels";
import type * as written from "../../../fixtures/each/written.ts";
import { makeFiftyQueries } from "../../../fixtures/fifty-queries.ts";
import { multiplyFrame } from "../../game-frame/fields.ts";
import { framePlanOf, frameSubject, NODES, type Round } from "../../game-frame/work.ts";
import type { Subject } from "../../workloads/subject.ts";
import type { Given } from "../../workloads/workloads.ts";
import type { Below } from "./loops.ts";

const SPACE = { x: f32, y: f32, z: f32 };
const Position = component("Position", SPACE);
const Velocity = component("Velocity", SPACE);
const Basis = component("Basis", { m: array(f32, 9) });
const World = component("World", { m: array(f32, 12) });

const moveRuns = runKernel([Position, Velocity], ([position, velocity]) => {
  const { x: px, y: py, z: pz } = position;
  const { x: vx, y: vy, z: vz } = velocity;
  return (first, end) => {
    for (let row = first; row < end; row++) {
      px[row]! += vx[row]!;
      py[row]! += vy[row]!;
      pz[row]! += vz[row]!;
    }
  };
});

const placeBatches = batchKernel(
  { own: [Position, Basis, World], above: [World] },
  ([position, { m: basis }, { m: world }], above, { rows, parentRows }, { multiply }) => {
    const { x: px, y: py, z: pz } = position;
    if (above === undefined) {
      return (from, to) => {
        for (let at = from; at < to; at++) {
          const row = rows[at]!;
          for (let number = 0; number < 9; number++) world[row * 12 + number] = basis[row * 9 + number]!;
          world[row * 12 + 9] = px[row]!;
          world[row * 12 + 10] = py[row]!;
          world[row * 12 + 11] = pz[row]!;
        }
      };
    }
    const { m: upper } = above[0];
    return (from, to) => {
      for (let at = from; at < to; at++) {
        const row = rows[at]!;
        multiply(world, row * 12, upper, parentRows[at]! * 12, basis, row * 9, px, py, pz, row);
      }
    };
  },
  { multiply: multiplyFrame },
);

/** How the loops of a frame are written: `written.ts` has them by `each`. */
export type FrameLoops = Pick<typeof written, "moveInSpace" | "placeInSpace">;

const BY_HAND: FrameLoops = {
  moveInSpace: (moving) => eachRun(moving, moveRuns),
  placeInSpace: (placing) => eachBatch(placing, placeBatches),
};

export function frameIn(
  below: Below,
  given: Given<"frame">,
  { moveInSpace, placeInSpace }: FrameLoops = BY_HAND,
): Subject {
  const plan = framePlanOf(given);
  const world = createWorld();
  makeFiftyQueries(world, Position);
  const moving = query(world, Position, Velocity);
  const placing = query(world, Position, Basis, World, cascade(World));
  /** Node -> the initial value of each of its kind. */
  const bases = Array.from({ length: NODES }, (_, node) => {
    return Basis({ m: plan.basis.subarray(node * 9, node * 9 + 9) });
  });
  /** Slot -> entity. */
  const handles: Entity[] = [];

  const bear = (slot: number, parent: Entity | undefined): void => {
    const { px, py, pz, vx, vy, vz } = plan;
    const position = Position({ x: px[slot]!, y: py[slot]!, z: pz[slot]! });
    const own = bases[slot % NODES]!;
    if (parent === undefined) {
      handles[slot] = spawn(
        world,
        position,
        Velocity({ x: vx[slot]!, y: vy[slot]!, z: vz[slot]! }),
        own,
        World,
      );
    } else if (plan.moves[slot] === 1) {
      const velocity = Velocity({ x: vx[slot]!, y: vy[slot]!, z: vz[slot]! });
      handles[slot] = spawn(world, position, velocity, own, World, below(parent));
    } else handles[slot] = spawn(world, position, own, World, below(parent));
  };
  plan.parents.forEach((parent, slot) => {
    bear(slot, handles[parent]);
  });

  const run = ({ movers, goals, victims, homes }: Round): void => {
    moveInSpace(moving);
    placeInSpace(placing);
    for (let at = 0; at < movers.length; at++) {
      add(world, handles[movers[at]!]!, below(handles[goals[at]!]!));
    }
    for (let at = 0; at < victims.length; at++) destroy(world, handles[victims[at]!]!);
    for (let at = 0; at < victims.length; at++) bear(victims[at]!, handles[homes[at]!]!);
  };
  return frameSubject(plan, run, () => {
    const slots = new Map<Entity | undefined, number>(handles.map((entity, slot) => [entity, slot]));
    return {
      parentOf: (slot) => slots.get(parentOf(world, handles[slot]!)) ?? -1,
      read: (slot, into) => {
        const { columns, row } = locate(world, handles[slot]!, World)!;
        for (let number = 0; number < 12; number++) into[number] = columns.m[row * 12 + number]!;
        const position = locate(world, handles[slot]!, Position)!;
        into[12] = position.columns.x[position.row]!;
        into[13] = position.columns.y[position.row]!;
        into[14] = position.columns.z[position.row]!;
      },
      matches: () => makeFiftyQueries(world, Position).reduce((sum, one) => sum + count(one), 0),
    };
  });
}
