import {
  add,
  ChildOf,
  createWorld,
  Disabled,
  type Entity,
  get,
  isAlive,
  Parent,
  set,
  spawn,
  type World,
} from "@treeline/core";
import { destroy } from "@treeline/query";
import { describe, expect, it } from "vitest";
import * as narrow from "../../src/3d.ts";
import {
  distance,
  Local3D,
  lookAt,
  Matrix3D,
  propagate,
  reparentInPlace,
  rotateWorld,
  setWorld,
  translateWorld,
  World3D,
  worldOf,
} from "../../src/3d-f64.ts";
import { Dice, difference, expectSound, randomLocal } from "../support.ts";

/** The distance of the Earth from the Sun, in metres; neighbouring numbers of 32 bits are 16 km apart there. */
const UNIT = 149_597_870_700;
const half = Math.SQRT1_2;

function place(world: World, entity: Entity): number[] {
  return [...get(world, entity, World3D)!.matrix.slice(12, 15)];
}

/** A station far away from the Sun, turned by a quarter about z, with a lamp that is half a metre in front of it. */
function plantLamp(): { world: World; station: Entity; lamp: Entity } {
  const world = createWorld();
  const sun = spawn(world, Local3D, World3D);
  const station = spawn(
    world,
    Local3D({ position: [UNIT, 0, 0], rotation: [0, 0, half, half] }),
    World3D,
    ChildOf(sun),
  );
  const lamp = spawn(world, Local3D({ position: [0.5, 0, 0] }), World3D, ChildOf(station));
  return { world, station, lamp };
}

describe("transforms in 64 bits", () => {
  it("are exact to a millimetre at the distance of the Earth from the Sun", () => {
    const { world, station, lamp } = plantLamp();

    expect(propagate(world)).toBe(3);
    expect(place(world, lamp)[0]).toBe(UNIT);
    expect(place(world, lamp)[1]).toBeCloseTo(0.5, 9);

    set(world, station, Local3D, { position: [UNIT + 0.001, 0, 0] });
    expect(propagate(world)).toBe(2);
    expect(place(world, lamp)[0]! - UNIT).toBeCloseTo(0.001, 4);
    expect(propagate(world)).toBe(0);
  });

  it("turn and move by millimetres far away", () => {
    const { world, station, lamp } = plantLamp();

    translateWorld(world, lamp, [0, 0, 0.001]);
    expect(worldOf(world, lamp)[14]).toBeCloseTo(0.001, 9);
    expect(distance(world, station, lamp)).toBeCloseTo(Math.hypot(0.5, 0.001), 4);

    rotateWorld(world, station, [0, 0, half, half]);
    expect(worldOf(world, lamp)[12]! - UNIT).toBeCloseTo(-0.5, 4);

    lookAt(world, lamp, station);
    expect(worldOf(world, lamp)[8]).toBeCloseTo(-1, 4);

    const matrix = worldOf(world, station);
    matrix[13] = 0.25;
    setWorld(world, lamp, matrix);
    expect(worldOf(world, lamp)[13]).toBeCloseTo(0.25, 9);
  });

  it("keep their place in the world with another parent", () => {
    const { world, lamp } = plantLamp();
    const ship = spawn(world, Local3D({ position: [UNIT, 3, 0], rotation: [half, 0, 0, half] }), World3D);
    const before = worldOf(world, lamp);

    reparentInPlace(world, lamp, ship);

    for (const [at, one] of worldOf(world, lamp).entries()) expect(one).toBeCloseTo(before[at]!, 4);
    expect(Math.hypot(...get(world, lamp, Local3D)!.position)).toBeCloseTo(2.5, 4);
  });

  it("take matrices, and pass on a world transform that a program writes", () => {
    const world = createWorld();
    const base = spawn(world, World3D);
    const arm = spawn(
      world,
      Matrix3D({ matrix: [1, 0, 0, 0, 0.5, 1, 0, 0, 0, 0, 1, 0, 0.25, 0, 0, 1] }),
      World3D,
      ChildOf(base),
    );
    const matrix = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, UNIT, 0, 0, 1];

    set(world, base, World3D, { matrix });
    propagate(world);

    expect(place(world, arm)).toEqual([UNIT + 0.25, 0, 0]);
    expect(get(world, arm, World3D)!.matrix[4]).toBe(0.5);
  });

  it("are not mixed with those in 32 bits, which would not follow them", () => {
    const { world, station } = plantLamp();

    expect(() => spawn(world, narrow.Local3D, narrow.World3D, ChildOf(station))).toThrow(
      expect.objectContaining({ code: "bad-definition" }),
    );
    expectSound(world);
  });

  it.each([1, 2, 3, 4])("equal the ones computed at the moment, whatever changed: seed %i", (seed) => {
    const dice = new Dice(seed);
    const world = createWorld();
    const alive: Entity[] = [];
    const grow = (): void => {
      const parent =
        dice.below(4) > 0 && alive.length > 0 ? [dice.pick([ChildOf, Parent])(dice.pick(alive))] : [];
      alive.push(spawn(world, Local3D(randomLocal(dice)), World3D, ...parent));
    };
    for (let count = 0; count < 60; count++) grow();
    for (let frame = 0; frame < 30; frame++) {
      for (let count = dice.below(8); count > 0; count--) {
        const one = dice.pick(alive);
        const kind = dice.below(5);
        if (kind === 0) grow();
        else if (kind === 1) reparentInPlace(world, one, undefined);
        else if (kind === 2 && alive.length > 40) {
          destroy(world, one);
          alive.splice(0, alive.length, ...alive.filter((other) => isAlive(world, other)));
        } else if (kind === 3) add(world, one, Disabled);
        else set(world, one, Local3D, randomLocal(dice));
      }
      propagate(world);
      for (const one of alive) {
        const wanted = worldOf(world, one);
        expect(difference(get(world, one, World3D)!.matrix, wanted)).toBeLessThan(1e-9);
      }
      expectSound(world);
    }
  });
});
