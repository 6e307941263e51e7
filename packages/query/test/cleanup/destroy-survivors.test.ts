import { add, type Entity, get, has, isAlive, parentOf, spawn, spawnMany, targetOf } from "@treeline/core";
import { dump, type Stats, stats } from "@treeline/core/debug";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { children, destroy } from "../../src/index.ts";
import { codeOf } from "../code-of.ts";
import { Damage, DockedTo, Frozen, Holds, Likes, Mesh, Position } from "../definitions.ts";
import { Any, ChildOf, Parent } from "../public/builtins.ts";
import { relation } from "../public/define.ts";
import { setShipAndStation, ship, station, verifyWorld, world } from "../test-world.ts";
import { nameEntities } from "../world-state.ts";
import { living } from "./alive.ts";

const PartOf = relation("PartOf", { acyclic: true });

/** Stats without the lists that verbs use again for each call: a refused one may leave them longer. */
function withoutBuffers({ bytes, bytesByPart: { buffers, ...parts }, ...others }: Stats): unknown {
  return { ...others, parts, rest: bytes - buffers };
}

beforeEach(setShipAndStation);

afterEach(verifyWorld);

describe("a survivor whose parent is stored by value", () => {
  it("stays alive when losing a pair moves it to a table all rows of which are destroyed", () => {
    const destroyed = spawn(world, Parent(ship), Frozen);
    const fan = spawn(world, Parent(station), Frozen, Likes(destroyed), Damage(ship));
    const other = spawn(world, Likes(fan), DockedTo(fan));

    destroy(world, ship);

    expect(living(destroyed, fan, other)).toEqual([false, true, true]);
    expect([parentOf(world, fan), has(world, fan, Likes(Any)), has(world, other, Likes(fan))]).toEqual([
      station,
      false,
      true,
    ]);
  });
});

describe("pairs of survivors with destroyed targets", () => {
  it("are removed, and the survivors keep everything else", () => {
    const cockpit = spawn(world, ChildOf(ship));
    const fan = spawn(
      world,
      Likes(cockpit),
      Likes(station),
      Position({ x: 5 }),
      Mesh("fan"),
      ChildOf(station),
    );

    destroy(world, ship);

    expect([has(world, fan, Likes(cockpit)), has(world, fan, Likes(station))]).toEqual([false, true]);
    expect([get(world, fan, Position), get(world, fan, Mesh), parentOf(world, fan)]).toEqual([
      { x: 5 },
      "fan",
      station,
    ]);
  });

  it("are removed from all entities that have them, in many tables", () => {
    const fans = Array.from({ length: 40 }, (_, at) =>
      spawn(world, Likes(ship), ...(at % 2 ? [Position] : []), ...(at % 3 ? [Frozen] : [])),
    );

    destroy(world, ship);

    expect(fans.map((fan) => has(world, fan, Likes(ship)))).toEqual(fans.map(() => false));
    expect(living(...fans)).toEqual(fans.map(() => true));
  });

  it("are removed together with their values, and those of other pairs stay", () => {
    const fan = spawn(world, Damage(ship, { amount: 1 }), Damage(station, { amount: 2 }), Position({ x: 3 }));

    destroy(world, ship);

    expect([get(world, fan, Damage(ship)), get(world, fan, Damage(station))]).toEqual([
      undefined,
      { amount: 2 },
    ]);
    expect(get(world, fan, Position)).toEqual({ x: 3 });
  });

  it("are removed when several targets are destroyed", () => {
    const cockpit = spawn(world, ChildOf(ship));
    const seat = spawn(world, ChildOf(cockpit));
    const fan = spawn(
      world,
      Likes(ship),
      Likes(cockpit),
      Likes(seat),
      Damage(seat, { amount: 1 }),
      Likes(station),
    );

    destroy(world, ship);

    expect([isAlive(world, fan), targetOf(world, fan, Likes), targetOf(world, fan, Damage)]).toEqual([
      true,
      station,
      undefined,
    ]);
  });

  it("are removed from exclusive and acyclic relations as well", () => {
    const fan = spawn(world, DockedTo(ship), PartOf(ship));
    const part = spawn(world, PartOf(fan));

    destroy(world, ship);

    expect([targetOf(world, fan, DockedTo), targetOf(world, fan, PartOf)]).toEqual([undefined, undefined]);
    expect(targetOf(world, part, PartOf)).toBe(fan);
  });

  it("do not matter when the root itself has them", () => {
    const cockpit = spawn(world, ChildOf(ship));
    add(world, ship, Likes(cockpit));
    add(world, ship, Damage(cockpit, { amount: 1 }));
    const beside = spawn(world, Likes(cockpit));

    destroy(world, ship);

    expect([living(ship, cockpit, beside), has(world, beside, Likes(cockpit))]).toEqual([
      [false, false, true],
      false,
    ]);
  });

  it("do not matter between entities that are destroyed together", () => {
    const [first, second] = spawnMany(world, 2, ChildOf(ship)) as [Entity, Entity];
    add(world, first, Likes(second));
    add(world, second, Likes(ship));
    add(world, ship, Likes(first));

    destroy(world, ship);

    expect(stats(world).entities).toBe(1);
  });
});

describe("a relation that refuses", () => {
  it.each<[title: string, held: () => Entity]>([
    ["the entity itself", () => ship],
    ["something far below it", () => children(world, children(world, ship)[0]!)[0]!],
  ])("keeps all entities alive when a survivor holds %s, and changes nothing", (_, held) => {
    const cockpit = spawn(world, ChildOf(ship), Position);
    spawn(world, ChildOf(cockpit));
    spawn(world, Likes(cockpit), Damage(ship, { amount: 3 }));
    spawn(world, Holds(held()), Likes(ship));
    const before = [dump(world), withoutBuffers(stats(world))];

    expect(codeOf(() => destroy(world, ship))).toBe("refused");

    expect([dump(world), withoutBuffers(stats(world))]).toEqual(before);
  });

  it("names the subject, the relation and the target", () => {
    const source = spawn(world, Holds(ship));
    nameEntities(world, (entity) => (entity === ship ? "the ship" : entity === source ? "the subject" : "?"));

    expect(() => destroy(world, ship)).toThrow(/the subject .*Holds .*the ship/);
  });

  it("does not matter when the subject is destroyed as well", () => {
    const cockpit = spawn(world, ChildOf(ship));
    const source = spawn(world, ChildOf(cockpit), Holds(ship), Holds(cockpit));

    destroy(world, ship);

    expect(living(ship, cockpit, source)).toEqual([false, false, false]);
  });

  it("does not matter when the root itself is the subject", () => {
    const cockpit = spawn(world, ChildOf(ship));
    add(world, ship, Holds(cockpit));

    destroy(world, ship);

    expect(living(ship, cockpit)).toEqual([false, false]);
  });

  it("lets the target be destroyed once the pair is removed", () => {
    const source = spawn(world, Holds(ship));

    destroy(world, source);

    expect([codeOf(() => destroy(world, ship)), isAlive(world, ship)]).toEqual([undefined, false]);
  });
});
