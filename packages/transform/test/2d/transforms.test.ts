import {
  add,
  ChildOf,
  createWorld,
  type Entity,
  get,
  isAlive,
  Parent,
  parentOf,
  remove,
  set,
  spawn,
  type World,
} from "@treeline/core";
import { destroy, isDescendant } from "@treeline/query";
import { describe, expect, it, vi } from "vitest";
import {
  distance,
  Local2D,
  lookAt,
  propagate,
  reparentInPlace,
  rotateWorld,
  setWorld,
  translateWorld,
  World2D,
  worldOf,
} from "../../src/2d.ts";
import { Dice, difference, expectMatrices, expectSound } from "../support.ts";

/** From scratch, in 64 bits, by the definition. */
function naive(world: World, entity: Entity): number[] {
  const { position, angle, scale } = get(world, entity, Local2D)!;
  const [cosine, sine] = [Math.cos(angle), Math.sin(angle)];
  const local = [
    cosine * scale[0]!,
    sine * scale[0]!,
    -sine * scale[1]!,
    cosine * scale[1]!,
    position[0]!,
    position[1]!,
  ];
  const parent = parentOf(world, entity);
  if (parent === undefined) return local;
  const [a, b, c, d, e, f] = naive(world, parent) as [number, number, number, number, number, number];
  return [0, 2, 4].flatMap((at) => {
    const [x, y] = [local[at]!, local[at + 1]!];
    return [a * x + c * y + (at === 4 ? e : 0), b * x + d * y + (at === 4 ? f : 0)];
  });
}

const WALKS = Number(process.env.TREELINE_WALKS ?? 1);

describe("propagate in 2D", () => {
  it.each(Array.from({ length: 10 * WALKS }, (_, seed) => seed + 1))(
    "computes what a computation from scratch does, on random trees with random edits: seed %i",
    (seed) => {
      const world = createWorld();
      const dice = new Dice(seed);
      const value = () => ({
        position: [dice.between(-3, 3), dice.between(-3, 3)],
        angle: dice.between(-4, 4),
        scale: [dice.between(0.7, 1.3), dice.between(-1.3, 1.3)],
      });
      let entities: Entity[] = [];
      for (let frame = 0; frame < 60; frame++) {
        for (let step = dice.below(20); step >= 0; step--) {
          const kind = entities.length < 20 ? 0 : dice.below(8);
          const one = kind === 0 ? spawn(world, Local2D(value()), World2D) : dice.pick(entities);
          if (kind === 0) entities.push(one);
          const parent = dice.pick(entities);
          if (kind < 3 && parent !== one && !isDescendant(world, parent, one))
            add(world, one, dice.pick([ChildOf, Parent])(parent));
          else if (kind < 6) set(world, one, Local2D, value());
          else if (kind === 6 && parentOf(world, one) !== undefined)
            remove(world, one, ChildOf(parentOf(world, one)!));
          else if (kind === 7 && dice.below(3) === 0) {
            destroy(world, one);
            entities = entities.filter((entity) => isAlive(world, entity));
          }
        }

        propagate(world);

        const rightOf = (entity: Entity): number[] => naive(world, entity);
        expectMatrices(entities, (entity) => get(world, entity, World2D)!.matrix, rightOf, 2e-5);
        expectMatrices(entities, (entity) => worldOf(world, entity), rightOf, 1e-6);
        expect(propagate(world)).toBe(0);
      }
      expectSound(world);
    },
  );

  it("computes sines and cosines only of those that turned", () => {
    const world = createWorld();
    const ship = spawn(world, Local2D({ angle: 1 }), World2D);
    for (let at = 0; at < 10; at++) spawn(world, Local2D({ angle: at + 2 }), World2D, ChildOf(ship));
    propagate(world);
    const sine = vi.spyOn(Math, "sin");

    set(world, ship, Local2D, { position: [5, 5] });
    propagate(world);
    const without = sine.mock.calls.length;
    set(world, ship, Local2D, { angle: 2 });
    propagate(world);

    expect([without, sine.mock.calls.length]).toEqual([0, 1]);
    sine.mockRestore();
  });
});

describe("places in 2D", () => {
  /** A ship at 10 0 that is turned by a quarter and twice as large, with a gun at 3 0 in it. */
  function plantGun() {
    const world = createWorld();
    const ship = spawn(world, Local2D({ position: [10, 0], angle: Math.PI / 2, scale: [2, 2] }), World2D);
    const gun = spawn(world, Local2D({ position: [3, 0] }), World2D, ChildOf(ship));
    return { world, ship, gun };
  }

  const near = (numbers: ArrayLike<number>): number[] =>
    Array.from(numbers, (one) => Math.round(one * 1e4) / 1e4 + 0);

  it("setWorld goes through the inverse of the parent, mirrored ones included", () => {
    const { world, gun } = plantGun();
    for (const place of [
      [0, 3, 2, 0, 5, 6],
      [0, 0, 0, 2, 5, 6],
      [3, 4, 0, 0, 5, 6],
    ]) {
      setWorld(world, gun, place);

      expect(difference(worldOf(world, gun), place)).toBeLessThan(1e-6);
    }
  });

  it("reparentInPlace keeps places, and refuses a parent that is flat", () => {
    const { world, gun } = plantGun();
    const other = spawn(world, Local2D({ position: [1, 1], angle: 1 }), World2D);
    const flat = spawn(world, Local2D({ scale: [0, 1] }), World2D);
    const before = near(worldOf(world, gun));

    reparentInPlace(world, gun, other);

    expect(near(worldOf(world, gun))).toEqual(before);
    expect(() => reparentInPlace(world, gun, flat)).toThrow(expect.objectContaining({ code: "bad-value" }));
    expect(parentOf(world, gun)).toBe(other);
  });

  it("translateWorld, rotateWorld and lookAt move along the axes of the world", () => {
    const { world, gun } = plantGun();

    translateWorld(world, gun, [1, 2]);
    expect(near(worldOf(world, gun))).toEqual([0, 2, -2, 0, 11, 8]);
    rotateWorld(world, gun, Math.PI / 2);
    expect(near(worldOf(world, gun))).toEqual([-2, 0, 0, -2, 11, 8]);
    lookAt(world, gun, [20, 8]);
    expect(near(worldOf(world, gun))).toEqual([2, 0, 0, 2, 11, 8]);
    lookAt(world, gun, gun);
    expect(near(worldOf(world, gun))).toEqual([2, 0, 0, 2, 11, 8]);
  });

  it("distance is in units of the world", () => {
    const { world, ship, gun } = plantGun();

    expect(distance(world, ship, gun)).toBeCloseTo(6, 6);
  });
});
