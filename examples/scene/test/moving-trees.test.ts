import {
  add,
  ChildOf,
  descendants,
  destroy,
  type Entity,
  get,
  isAlive,
  pack,
  parentOf,
  spawn,
  TreelineError,
  type World,
} from "treeline";
import { verify } from "treeline/debug";
import { Local3D, Matrix3D, World3D } from "treeline/transform/3d";
import { describe, expect, it } from "vitest";
import { loadGltf } from "../src/gltf/load.ts";
import { runFrame, setInMotion } from "../src/tree/animate.ts";
import { buildScene, transformTerms } from "../src/tree/build-scene.ts";
import { planScene } from "../src/tree/plan.ts";
import { here } from "./support.ts";

/** A deterministic random source. */
function createDice(seed: number): (sides: number) => number {
  let state = seed;
  return (sides) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * sides);
  };
}

/** Translation x rotation x scale, column by column. */
function localMatrixOf(world: World, entity: Entity): ArrayLike<number> {
  const local = get(world, entity, Local3D);
  if (local === undefined) return get(world, entity, Matrix3D)!.matrix;
  const [x, y, z, w] = local.rotation as unknown as [number, number, number, number];
  const [sx, sy, sz] = local.scale as unknown as [number, number, number];
  return [
    ...[1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)].map((cell) => cell * sx),
    0,
    ...[2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)].map((cell) => cell * sy),
    0,
    ...[2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)].map((cell) => cell * sz),
    0,
    ...local.position,
    1,
  ];
}

/** A simple reference: each world matrix from the parent's, one entity after the other. */
function worstDifference(world: World, entities: readonly Entity[]): number {
  let worst = 0;
  for (const entity of entities) {
    const local = localMatrixOf(world, entity);
    const parent = parentOf(world, entity);
    const above = parent === undefined ? undefined : get(world, parent, World3D)!.matrix;
    const { matrix } = get(world, entity, World3D)!;
    for (let column = 0; column < 4; column++) {
      for (let row = 0; row < 4; row++) {
        let wanted = local[column * 4 + row]!;
        if (above !== undefined) {
          wanted = 0;
          for (let step = 0; step < 4; step++) wanted += above[step * 4 + row]! * local[column * 4 + step]!;
        }
        const scale = Math.max(1, Math.abs(wanted));
        worst = Math.max(worst, Math.abs(matrix[column * 4 + row]! - wanted) / scale);
      }
    }
  }
  return worst;
}

describe("world matrices", () => {
  it.each(["penguin", "love-neon-sign", "many-cubes"])(
    "of %s stay correct while nodes are moved, destroyed and spawned",
    (name) => {
      const scene = buildScene(planScene(loadGltf(here(`scenes/${name}.gltf`))));
      const motion = setInMotion(scene);
      const { world } = scene;
      const dice = createDice(7);
      const leaf = transformTerms({
        index: 0,
        name: undefined,
        children: [],
        transform: { kind: "trs", translation: [1, 2, 3], rotation: [0, 0, 0.6, 0.8], scale: [1, 2, 1] },
      });
      let living = [...scene.entities];

      for (let frame = 1; frame <= 60; frame++) {
        for (let move = 0; move < 10; move++) {
          const [one, other] = [living[dice(living.length)]!, living[dice(living.length)]!];
          try {
            add(world, one, ChildOf(other));
          } catch (error) {
            const code = error instanceof TreelineError ? error.code : String(error);
            expect(["cycle", "name-taken"]).toContain(code);
          }
        }
        const chosen = living[dice(living.length)]!;
        if (descendants(world, chosen).length < 5) destroy(world, chosen);
        living = living.filter((entity) => isAlive(world, entity));
        for (let spawned = 0; spawned < 3; spawned++) {
          living.push(spawn(world, ...leaf, ChildOf(living[dice(living.length)]!)));
        }
        if (frame % 20 === 0) pack(world);

        runFrame(motion, frame);

        expect(worstDifference(world, living)).toBeLessThan(1e-4);
      }
      expect(verify(world)).toEqual([]);
    },
  );
});
