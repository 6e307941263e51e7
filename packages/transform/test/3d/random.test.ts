import {
  add,
  ChildOf,
  createWorld,
  Disabled,
  DisabledTree,
  type Entity,
  get,
  has,
  isAlive,
  Parent,
  pack,
  parentOf,
  remove,
  type SpawnTerm,
  set,
  spawn,
  type World,
} from "@treeline/core";
import { onWarning } from "@treeline/core/debug";
import { restore, type Snapshot, snapshot } from "@treeline/document/snapshot";
import { destroy, eachRun, isDescendant, query } from "@treeline/query";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Local3D, Matrix3D, propagate, World3D, worldOf } from "../../src/3d.ts";
import { Dice, expectMatrices, expectSound, randomLocal } from "../support.ts";

// Random edits remove what is required.
beforeAll(() => onWarning(() => {}));
afterAll(() => onWarning(undefined));

/** All matrices from scratch, in 64 bits, by the definition. */
function naive(world: World, entity: Entity): number[] {
  const isPlaced = has(world, entity, World3D);
  const local = isPlaced ? localOf(world, entity) : IDENTITY;
  if (isPlaced && !has(world, entity, Local3D) && !has(world, entity, Matrix3D)) return local;
  const parent = parentOf(world, entity);
  return parent === undefined ? local : times(naive(world, parent), local);
}

const IDENTITY = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];

function localOf(world: World, entity: Entity): number[] {
  const parts = get(world, entity, Local3D);
  if (parts === undefined) return [...(get(world, entity, Matrix3D) ?? get(world, entity, World3D))!.matrix];
  const [x, y, z, w] = parts.rotation as unknown as [number, number, number, number];
  const turned = [
    [1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)],
    [2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)],
    [2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)],
  ];
  const scaled = turned.map((column, axis) => [...column.map((cell) => cell * parts.scale[axis]!), 0]);
  return [...scaled.flat(), ...parts.position, 1];
}

function times(one: readonly number[], other: readonly number[]): number[] {
  return Array.from({ length: 16 }, (_, at) => {
    let sum = 0;
    for (let step = 0; step < 4; step++) sum += one[(at % 4) + step * 4]! * other[step + (at >> 2) * 4]!;
    return sum;
  });
}

const randomMatrix = (dice: Dice): number[] =>
  IDENTITY.map((one, at) => (at % 4 === 3 ? one : one * 0.8 + dice.between(-0.3, 0.3)));

const moving = (world: World) => query(world, Local3D);

class Walk {
  readonly world: World = createWorld();
  entities: Entity[] = [];
  readonly dice: Dice;
  saved: { readonly state: Snapshot; readonly entities: Entity[] } | undefined;

  constructor(seed: number) {
    this.dice = new Dice(seed);
  }

  terms(): SpawnTerm[] {
    const { dice } = this;
    const terms: SpawnTerm[] = [];
    const kind = dice.below(10);
    if (kind < 6) terms.push(Local3D(randomLocal(dice)), World3D);
    else if (kind < 7) terms.push(Matrix3D({ matrix: randomMatrix(dice) }), World3D);
    else if (kind < 8) terms.push(World3D({ matrix: randomMatrix(dice) }));
    else if (kind < 9) terms.push(Local3D(randomLocal(dice)));
    if (this.entities.length > 0 && dice.next() < 0.8) terms.push(this.below(dice.pick(this.entities)));
    return terms;
  }

  below(parent: Entity): SpawnTerm {
    return this.dice.pick([ChildOf, ChildOf, Parent])(parent);
  }

  step(): void {
    const { world, dice, entities } = this;
    const kind = dice.below(24);
    if (entities.length < 20 || kind < 4) {
      entities.push(spawn(world, ...this.terms()));
      return;
    }
    const one = dice.pick(entities);
    if (kind < 10) set(world, one, Local3D, randomLocal(dice));
    else if (kind < 14) {
      const parent = dice.pick(entities);
      if (parent !== one && !isDescendant(world, parent, one)) add(world, one, this.below(parent));
    } else if (kind === 14) {
      const parent = parentOf(world, one);
      if (parent !== undefined) remove(world, one, ChildOf(parent));
    } else if (kind === 15) {
      destroy(world, one);
      this.entities = entities.filter((entity) => isAlive(world, entity));
    } else if (kind === 16) remove(world, one, dice.pick([Local3D, Matrix3D, World3D]));
    else if (kind === 17) add(world, one, World3D);
    else if (kind === 18) set(world, one, Matrix3D, { matrix: randomMatrix(dice) });
    else if (kind === 19) (has(world, one, Disabled) ? remove : add)(world, one, Disabled);
    else if (kind === 20) (has(world, one, DisabledTree) ? remove : add)(world, one, DisabledTree);
    else if (kind === 21) {
      if (!has(world, one, Local3D) && !has(world, one, Matrix3D))
        set(world, one, World3D, { matrix: randomMatrix(dice) });
    } else if (kind === 22 && dice.below(8) === 0) {
      eachRun(
        moving(world),
        (run) => {
          const { position } = run.columns(Local3D);
          for (let row = run.first; row < run.end; row++) position[row * 3]! *= 0.9;
        },
        { writes: [Local3D] },
      );
    } else if (kind === 23 && dice.below(6) === 0) {
      const { saved } = this;
      if (saved === undefined) this.saved = { state: snapshot(world), entities: [...entities] };
      else {
        restore(world, saved.state);
        this.entities = [...saved.entities];
        this.saved = undefined;
      }
    } else if (dice.below(10) === 0) pack(world);
  }

  compare(): void {
    const { world } = this;
    const placed = this.entities.filter((entity) => has(world, entity, World3D));
    const rightOf = (entity: Entity): number[] => naive(world, entity);
    expectMatrices(placed, (entity) => get(world, entity, World3D)!.matrix, rightOf, 2e-5);
  }
}

describe("random trees with random edits", () => {
  it.each(Array.from({ length: 5 * Number(process.env.TREELINE_WALKS ?? 1) }, (_, seed) => seed + 1))(
    "have the matrices of a computation from scratch after each frame: seed %i",
    (seed) => {
      const walk = new Walk(seed);
      const steps = walk.dice.pick([1, 3, 10, 40]);

      for (let frame = 0; frame < 120; frame++) {
        for (let step = 0; step < steps; step++) walk.step();
        if (frame % 10 === 3) {
          const { world } = walk;
          const rightOf = (entity: Entity): number[] => naive(world, entity);
          const placed = walk.entities.filter((entity) => has(world, entity, World3D));
          expectMatrices(placed, (entity) => worldOf(world, entity), rightOf, 1e-6);
        }
        propagate(walk.world);
        walk.compare();
        expect(propagate(walk.world)).toBe(0);
      }
      expectSound(walk.world);
    },
  );
});
