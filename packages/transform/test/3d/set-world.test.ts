import {
  ChildOf,
  createWorld,
  type Entity,
  get,
  has,
  Parent,
  parentOf,
  set,
  spawn,
  type World,
} from "@treeline/core";
import { dump } from "@treeline/core/debug";
import { destroy, each, query, roots } from "@treeline/query";
import { describe, expect, it } from "vitest";
import { Local3D, Matrix3D, propagate, reparentInPlace, setWorld, World3D, worldOf } from "../../src/3d.ts";
import { Dice, difference, expectMatrices } from "../support.ts";

/** A chain of entities with turns and even scales, each below the one before, in this storage. */
function plantChain(storage: typeof ChildOf = ChildOf, count = 5): { world: World; chain: Entity[] } {
  const world = createWorld();
  const dice = new Dice(7);
  const chain: Entity[] = [];
  for (let at = 0; at < count; at++) {
    const raw = [0, 0, 0, 0].map(() => dice.between(-1, 1));
    const size = dice.between(0.5, 2);
    const value = {
      position: [0, 0, 0].map(() => dice.between(-5, 5)),
      rotation: raw.map((one) => one / Math.hypot(...raw)),
      scale: [size, size, size],
    };
    chain.push(spawn(world, Local3D(value), World3D, ...(at === 0 ? [] : [storage(chain[at - 1]!)])));
  }
  return { world, chain };
}

const PLACE = [0, 2, 0, 0, -2, 0, 0, 0, 0, 0, 2, 0, 7, 8, 9, 1];

function expectRefused(world: World, call: () => void, code: string): void {
  const before = dump(world);
  expect(call).toThrow(expect.objectContaining({ code }));
  expect(dump(world)).toEqual(before);
}

describe("setWorld", () => {
  it("puts an entity at a place through the inverse of its parent", () => {
    const { world, chain } = plantChain();

    setWorld(world, chain[4]!, PLACE);
    propagate(world);

    expect(difference(worldOf(world, chain[4]!), PLACE)).toBeLessThan(1e-6);
    expect(difference(get(world, chain[4]!, World3D)!.matrix, PLACE)).toBeLessThan(1e-5);
  });

  it("writes any matrix into a Matrix3D, also one that shears", () => {
    const { world, chain } = plantChain();
    const one = spawn(world, Matrix3D, World3D, ChildOf(chain[2]!));
    const sheared = [1, 0, 0, 0, 0.5, 1, 0, 0, 0, 0, -1, 0, 1, 2, 3, 1];

    setWorld(world, one, sheared);

    expect(difference(worldOf(world, one), sheared)).toBeLessThan(1e-6);
  });

  it("writes the world transform of an entity that has no other", () => {
    const { world, chain } = plantChain();
    const body = spawn(world, World3D, ChildOf(chain[2]!));

    setWorld(world, body, PLACE);

    expect([...get(world, body, World3D)!.matrix]).toEqual(PLACE);
  });

  it("gives a mirrored entity a negative scale along x", () => {
    const world = createWorld();
    const one = spawn(world, Local3D, World3D);
    const mirrored = [0, 3, 0, 0, 4, 0, 0, 0, 0, 0, 5, 0, 1, 2, 3, 1];

    setWorld(world, one, mirrored);

    expect([...get(world, one, Local3D)!.scale]).toEqual([-3, 4, 5]);
    expect(difference(worldOf(world, one), mirrored)).toBeLessThan(1e-6);
  });

  it("takes a matrix that is flat along an axis", () => {
    const world = createWorld();
    const one = spawn(world, Local3D, World3D);
    for (const flat of [
      [0, 0, 0, 0, 0, 0, 2, 0, 0, -3, 0, 0, 1, 2, 3, 1],
      [0, 0, 2, 0, 0, 0, 0, 0, 0, 3, 0, 0, 1, 2, 3, 1],
      [0, 0, 2, 0, 3, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 1],
    ]) {
      setWorld(world, one, flat);

      expect(difference(worldOf(world, one), flat)).toBeLessThan(1e-6);
    }
  });

  it("refuses a parent whose place cannot be inverted", () => {
    const { world, chain } = plantChain();
    set(world, chain[1]!, Local3D, { scale: [1, 0, 1] });

    expectRefused(world, () => setWorld(world, chain[4]!, PLACE), "bad-value");
  });

  it("refuses what is no matrix, and entities without a transform", () => {
    const { world, chain } = plantChain();
    const bare = spawn(world);

    for (const wrong of [[1, 2], undefined, PLACE.map(() => Number.NaN)])
      expectRefused(world, () => setWorld(world, chain[1]!, wrong as number[]), "bad-value");
    expectRefused(world, () => setWorld(world, bare, PLACE), "bad-value");
  });

  it("refuses entities that are not alive", () => {
    const { world, chain } = plantChain();
    destroy(world, chain[4]!);

    expectRefused(world, () => setWorld(world, chain[4]!, PLACE), "dead-entity");
  });
});

describe.each([
  ["ChildOf", ChildOf],
  ["Parent", Parent],
])("reparentInPlace, with parents stored by %s", (_, storage) => {
  it("keeps an entity, and all below it, where they are in the world", () => {
    const { world, chain } = plantChain(storage);
    const other = spawn(world, Local3D({ position: [9, 9, 9], rotation: [0.6, 0, 0, 0.8] }), World3D);
    const before = chain.map((entity) => worldOf(world, entity));

    reparentInPlace(world, chain[3]!, other);
    propagate(world);

    expect(parentOf(world, chain[3]!)).toBe(other);
    expect(has(world, chain[3]!, Parent(other))).toBe(storage === Parent);
    expectMatrices(
      chain,
      (entity) => get(world, entity, World3D)!.matrix,
      (entity) => before[chain.indexOf(entity)]!,
      1e-5,
    );
  });

  it("makes roots of entities where they are", () => {
    const { world, chain } = plantChain(storage);
    const before = chain.map((entity) => worldOf(world, entity));

    reparentInPlace(world, [chain[1]!, chain[3]!], undefined);
    reparentInPlace(world, chain[4]!, undefined);

    expect([...roots(world)]).toEqual([chain[0], chain[1], chain[3], chain[4]]);
    expectMatrices(
      chain,
      (entity) => worldOf(world, entity),
      (entity) => before[chain.indexOf(entity)]!,
      1e-5,
    );
  });

  it("moves many as they are, also some that were below one another", () => {
    const { world, chain } = plantChain(storage);
    const before = chain.map((entity) => worldOf(world, entity));

    reparentInPlace(world, [chain[4]!, chain[2]!, chain[3]!], chain[0]!);

    expect(chain.slice(2).map((entity) => parentOf(world, entity))).toEqual([chain[0], chain[0], chain[0]]);
    expectMatrices(
      chain,
      (entity) => worldOf(world, entity),
      (entity) => before[chain.indexOf(entity)]!,
      1e-5,
    );
  });
});

describe("reparentInPlace", () => {
  it("keeps the places of the call when it is deferred", () => {
    const { world, chain } = plantChain();
    const before = worldOf(world, chain[3]!);

    each(query(world, Local3D, World3D), (_, __, entity) => {
      if (entity === chain[0]) reparentInPlace(world, chain[3]!, chain[0]!);
    });

    expect(parentOf(world, chain[3]!)).toBe(chain[0]);
    expect(difference(worldOf(world, chain[3]!), before)).toBeLessThan(1e-5);
  });

  it("only moves an entity that has no local transform", () => {
    const { world, chain } = plantChain();
    const body = spawn(world, World3D({ matrix: PLACE }));

    reparentInPlace(world, body, chain[2]!);

    expect(parentOf(world, body)).toBe(chain[2]);
    expect([...worldOf(world, body)]).toEqual(PLACE);
  });

  it("refuses a parent whose place cannot be inverted", () => {
    const { world, chain } = plantChain();
    const flat = spawn(world, Local3D({ scale: [0, 0, 0] }), World3D);

    expectRefused(world, () => reparentInPlace(world, chain[3]!, flat), "bad-value");
    expectRefused(world, () => reparentInPlace(world, [chain[3]!], flat), "bad-value");
  });

  it("refuses a cycle and entities that are not alive, with nothing changed", () => {
    const { world, chain } = plantChain();
    const dead = spawn(world);
    destroy(world, dead);

    expectRefused(world, () => reparentInPlace(world, chain[1]!, chain[4]!), "cycle");
    expectRefused(world, () => reparentInPlace(world, [chain[4]!, dead], chain[0]!), "dead-entity");
    expectRefused(world, () => reparentInPlace(world, chain[4]!, dead), "dead-entity");
  });
});
