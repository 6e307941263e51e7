import { describe, expect, it } from "vitest";
import {
  add,
  ChildOf,
  component,
  createWorld,
  type Entity,
  f32,
  isAlive,
  parentOf,
  relation,
  release,
  remove,
  spawn,
  spawnMany,
  tag,
  targetOf,
} from "../../src/index.ts";
import { codeOf } from "../code-of.ts";

const Likes = relation("Likes");
const DockedTo = relation("DockedTo", { exclusive: true });
const Damage = relation("Damage", { fields: { amount: f32 } });

describe("isAlive", () => {
  it("is true from birth to death", () => {
    const world = createWorld();
    const one = spawn(world);
    const before = isAlive(world, one);

    release(world, one);

    expect([before, isAlive(world, one)]).toEqual([true, false]);
  });

  it("never throws, whatever it is asked", () => {
    const world = createWorld();
    spawnMany(world, 10);
    const odd = [
      0,
      -1,
      1.5,
      Number.NaN,
      Number.POSITIVE_INFINITY,
      2 ** 53,
      undefined,
      null,
      "x",
      {},
      5n,
      [1],
      Symbol("s"),
      Object.create(null),
    ];

    expect(odd.map((one) => isAlive(world, one as Entity))).toEqual(odd.map(() => false));
  });

  it("is false for the old handle of an index that was reused", () => {
    const world = createWorld();
    const old = spawnMany(world, 5000);
    for (const one of old) release(world, one);

    const young = spawnMany(world, 5000);

    expect(old.some((one) => isAlive(world, one))).toBe(false);
    expect(young.every((one) => isAlive(world, one))).toBe(true);
    expect(world.entities.length).toBeLessThan(10_000);
  });
});

describe("parentOf", () => {
  it("is the target of ChildOf, and undefined for a root", () => {
    const world = createWorld();
    const ship = spawn(world);
    const one = spawn(world, ChildOf(ship), Likes(ship));

    expect([parentOf(world, one), parentOf(world, ship)]).toEqual([ship, undefined]);
  });

  it("refuses a dead entity as dead-entity", () => {
    const world = createWorld();
    const dead = spawn(world);
    release(world, dead);

    expect(codeOf(() => parentOf(world, dead))).toBe("dead-entity");
  });
});

describe("targetOf", () => {
  it("is the target of an exclusive relation", () => {
    const world = createWorld();
    const [a, b] = [spawn(world), spawn(world)];
    const one = spawn(world, DockedTo(a), Likes(b), ChildOf(b));

    expect([targetOf(world, one, DockedTo), targetOf(world, one, ChildOf)]).toEqual([a, b]);
    expect(targetOf(world, a, DockedTo)).toBeUndefined();
  });

  it("finds the target of a pair with data", () => {
    const world = createWorld();
    const a = spawn(world);

    expect(targetOf(world, spawn(world, Damage(a)), Damage)).toBe(a);
  });

  it("is the first one added of several targets, whatever numbers their pairs have", () => {
    const world = createWorld();
    const [gone, b, c] = [spawn(world), spawn(world), spawn(world)];
    const fan = spawn(world, Likes(gone));
    const one = spawn(world, Likes(b));
    remove(world, fan, Likes(gone));
    release(world, gone);
    add(world, one, Likes(c));

    const other = spawn(world, Likes(c), Likes(b));

    expect([targetOf(world, one, Likes), targetOf(world, other, Likes)]).toEqual([b, c]);
  });

  it("refuses a dead entity as dead-entity, and what is no relation as bad-term", () => {
    const world = createWorld();
    const [one, dead] = [spawn(world), spawn(world)];
    release(world, dead);

    expect(codeOf(() => targetOf(world, dead, Likes))).toBe("dead-entity");
    expect(codeOf(() => targetOf(world, one, tag("Frozen") as never))).toBe("bad-term");
    expect(codeOf(() => targetOf(world, one, component<string>("Label") as never))).toBe("bad-term");
  });
});
