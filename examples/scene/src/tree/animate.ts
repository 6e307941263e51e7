// Which nodes move (`setInMotion`: of every `EVERY` one spins and one bobs), and how far in a frame (`runFrame`).
import { add, eachRun, get, has, pack, type Query, query, type World } from "treeline";
import { Local3D, propagate } from "treeline/transform/3d";
import type { Scene } from "./build-scene.ts";
import { Bob, Spin } from "./components.ts";

/** A scene with animated nodes. */
export interface Motion {
  readonly world: World;
  readonly spinning: Query;
  readonly bobbing: Query;
  /** The number of animated nodes. */
  readonly moving: number;
}

/** Every fourth node spins, every fourth bobs, the others do not move. Nodes with a matrix never move. */
const EVERY = 4;
const SECONDS_PER_FRAME = 1 / 60;

/** Adds animation components to a share of the nodes; the choice is deterministic. */
export function setInMotion(scene: Scene): Motion {
  const { world } = scene;
  const able = scene.entities.filter((entity) => has(world, entity, Local3D));
  let moving = 0;
  for (const [at, entity] of able.entries()) {
    const local = get(world, entity, Local3D)!;
    const radiansPerSecond = 1 + (at % 5) * 0.25;
    if (at % EVERY === 1) add(world, entity, Spin({ rest: local.rotation, radiansPerSecond }));
    else if (at % EVERY === 3)
      add(world, entity, Bob({ rest: local.position, height: 0.1, radiansPerSecond }));
    else continue;
    moving += 1;
  }
  pack(world); // rows of the new archetypes are not in order of depth yet

  return {
    world,
    spinning: query(world, Local3D, Spin),
    bobbing: query(world, Local3D, Bob),
    moving,
  };
}

/** Moves the animated nodes to their places in this frame, and computes the world matrices of all that has moved. */
export function runFrame(motion: Motion, frame: number): void {
  const seconds = frame * SECONDS_PER_FRAME;
  spin(motion.spinning, seconds);
  bob(motion.bobbing, seconds);
  propagate(motion.world);
}

function spin(spinning: Query, seconds: number): void {
  eachRun(
    spinning,
    (run) => {
      const { rotation } = run.columns(Local3D);
      const { rest, radiansPerSecond } = run.columns(Spin);
      for (let row = run.first; row < run.end; row++) {
        const half = (radiansPerSecond[row]! * seconds) / 2;
        const sine = Math.sin(half);
        const cosine = Math.cos(half);
        const at = row * 4;
        const x = rest[at]!;
        const y = rest[at + 1]!;
        const z = rest[at + 2]!;
        const w = rest[at + 3]!;
        // rest x (0, sine, 0, cosine)
        rotation[at] = x * cosine - z * sine;
        rotation[at + 1] = y * cosine + w * sine;
        rotation[at + 2] = z * cosine + x * sine;
        rotation[at + 3] = w * cosine - y * sine;
      }
    },
    { writes: [Local3D] },
  );
}

function bob(bobbing: Query, seconds: number): void {
  eachRun(
    bobbing,
    (run) => {
      const { position } = run.columns(Local3D);
      const { rest, height, radiansPerSecond } = run.columns(Bob);
      for (let row = run.first; row < run.end; row++) {
        const at = row * 3 + 1; // y
        position[at] = rest[at]! + height[row]! * Math.sin(radiansPerSecond[row]! * seconds);
      }
    },
    { writes: [Local3D] },
  );
}
