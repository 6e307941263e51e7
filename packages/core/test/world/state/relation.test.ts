import { beforeEach, describe, expect, it } from "vitest";
import { add, type Entity, release, remove, spawn, spawnMany } from "../../../src/index.ts";
import { component, tag } from "../../defining.ts";
import { Any, ChildOf, Damage, DockedTo, Likes, Parent } from "../../definitions.ts";
import { setWorld, world } from "../../fixture.ts";
import { codeOf, entityAt, isAlive, parentOf, subjectsOf, targetOf, targetsOf } from "../../reading.ts";

beforeEach(setWorld);

describe("isAlive", () => {
  it("is true from spawn to destruction", () => {
    const one = spawn(world);
    const before = isAlive(world, one);

    release(world, one);

    expect([before, isAlive(world, one)]).toEqual([true, false]);
  });

  it("never throws, whatever its argument", () => {
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
    const ship = spawn(world);
    const one = spawn(world, ChildOf(ship), Likes(ship));

    expect([parentOf(world, one), parentOf(world, ship)]).toEqual([ship, undefined]);
  });

  it("refuses an entity that is not alive as dead-entity", () => {
    const destroyed = spawn(world);
    release(world, destroyed);

    expect(codeOf(() => parentOf(world, destroyed))).toBe("dead-entity");
  });
});

describe("targetOf", () => {
  it("is the target of an exclusive relation", () => {
    const [a, b] = [spawn(world), spawn(world)];
    const one = spawn(world, DockedTo(a), Likes(b), ChildOf(b));

    expect([targetOf(world, one, DockedTo), targetOf(world, one, ChildOf)]).toEqual([a, b]);
    expect(targetOf(world, a, DockedTo)).toBeUndefined();
  });

  it("finds the target of a pair with data", () => {
    const a = spawn(world);

    expect(targetOf(world, spawn(world, Damage(a)), Damage)).toBe(a);
  });

  it("is the first one added of several targets, whatever numbers their pairs have", () => {
    const [gone, b, c] = [spawn(world), spawn(world), spawn(world)];
    const fan = spawn(world, Likes(gone));
    const one = spawn(world, Likes(b));
    remove(world, fan, Likes(gone));
    release(world, gone);
    add(world, one, Likes(c));

    const other = spawn(world, Likes(c), Likes(b));

    expect([targetOf(world, one, Likes), targetOf(world, other, Likes)]).toEqual([b, c]);
  });

  it("refuses an entity that is not alive as dead-entity, and a definition that is not a relation as bad-term", () => {
    const [one, destroyed] = [spawn(world), spawn(world)];
    release(world, destroyed);

    expect(codeOf(() => targetOf(world, destroyed, Likes))).toBe("dead-entity");
    expect(codeOf(() => targetOf(world, one, tag("Frozen") as never))).toBe("bad-term");
    expect(codeOf(() => targetOf(world, one, component<string>("Label") as never))).toBe("bad-term");
  });
});

describe("targetsOf and subjectsOf", () => {
  it("list all targets in the order of adding, and all sources in the order of spawning", () => {
    const [a, b] = [spawn(world), spawn(world)];
    const one = spawn(world, Likes(b), Likes(a), Damage(a), DockedTo(b), ChildOf(a));
    const [two, three] = [spawn(world, Likes(a), Parent(a)), spawn(world, Likes(a))];

    expect([
      targetsOf(world, one, Likes),
      targetsOf(world, one, DockedTo),
      targetsOf(world, one, ChildOf),
    ]).toEqual([[b, a], [b], [a]]);
    expect([
      targetsOf(world, two, ChildOf),
      targetsOf(world, two, Parent),
      targetsOf(world, one, Parent),
    ]).toEqual([[a], [a], []]);
    expect([subjectsOf(world, a, Likes), subjectsOf(world, b, Likes), subjectsOf(world, a, Damage)]).toEqual([
      [one, two, three],
      [one],
      [one],
    ]);
  });

  it("list sources in the order of spawn or last attach, whatever their tables", () => {
    const [a, b] = [spawn(world), spawn(world)];
    const crowd = [tag("One"), tag("Two"), tag("Three")].map((term) => spawn(world, Likes(a), term));

    add(world, crowd[0]!, ChildOf(b));

    expect(subjectsOf(world, a, Likes)).toEqual([crowd[1], crowd[2], crowd[0]]);
  });

  it("return fresh lists, empty where there is nothing", () => {
    const one = spawn(world);

    targetsOf(world, one, Likes).push(one);
    subjectsOf(world, one, Likes).push(one);

    expect([targetsOf(world, one, Likes), subjectsOf(world, one, Likes)]).toEqual([[], []]);
  });

  it("refuse an entity that is not alive as dead-entity, and a definition that is not a relation as bad-term", () => {
    const [one, destroyed] = [spawn(world), spawn(world)];
    release(world, destroyed);
    const odd = [tag("Frozen"), undefined, null, Any, {}, "Likes", Object.create(null), Symbol("s")];

    expect([
      codeOf(() => targetsOf(world, destroyed, Likes)),
      codeOf(() => subjectsOf(world, destroyed, Likes)),
    ]).toEqual(["dead-entity", "dead-entity"]);
    for (const what of odd) {
      expect(codeOf(() => targetsOf(world, one, what as never))).toBe("bad-term");
      expect(codeOf(() => subjectsOf(world, one, what as never))).toBe("bad-term");
      expect(codeOf(() => targetOf(world, one, what as never))).toBe("bad-term");
    }
  });
});

describe("entityAt", () => {
  it("is the handle of the entity that has an index now", () => {
    const [one, destroyed] = [spawn(world), spawn(world)];
    release(world, destroyed);

    expect([entityAt(world, 1), entityAt(world, 2), entityAt(world, 3)]).toEqual([one, undefined, undefined]);
  });

  it("is undefined for a number that cannot be an index", () => {
    spawn(world);
    const odd = [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, "1", undefined, null, {}, 2 ** 40];

    expect(odd.map((one) => entityAt(world, one as number))).toEqual(odd.map(() => undefined));
  });
});
