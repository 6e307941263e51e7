import { beforeEach, describe, expect, it } from "vitest";
import { entitiesIn, sizesOf } from "../../src/cursor/archetype.ts";
import { verify } from "../../src/debug.ts";
import { indexOf } from "../../src/id/entity.ts";
import { add, createWorld, isAlive, release, spawn, tag } from "../../src/index.ts";
import { textOf } from "../../src/world/state/require.ts";
import { worldState } from "../../src/world/state/world.ts";
import { setWorld, world } from "../fixture.ts";
import { codeOf } from "../reading.ts";

const Tag = tag("Tag");

beforeEach(setWorld);

describe("world state", () => {
  it("is created once for each world, on first use", () => {
    let made = 0;
    const listOf = worldState(() => [++made]);
    const [one, other] = [createWorld(), createWorld()];

    expect(made).toBe(0);
    expect([listOf(one), listOf(other), listOf(one)]).toEqual([[1], [2], [1]]);
    expect(listOf(one)).toBe(listOf(one));
  });

  it("is refused for a world of another copy of the package, as for whatever is no world", () => {
    const numberOf = worldState(() => 1);
    const copied = Object.assign(Object.create(null), createWorld());
    for (const wrong of [copied, {}, undefined, 5]) expect(codeOf(() => numberOf(wrong))).toBe("bad-value");
  });

  it("may add invariants, and give entities other names", () => {
    const broken = worldState((_, extension) => {
      extension.invariants.push((world) => [`alive: ${isAlive(world, 5 as never)}`]);
      extension.textOf = (_world, entity) => `<${indexOf(entity)}>`;
      return [];
    });
    const entity = spawn(world);
    broken(world);

    expect(verify(world)).toEqual(["alive: false"]);
    expect(textOf(world, entity)).toBe(`<${indexOf(entity)}>`);
  });
});

describe("the entities of some archetypes", () => {
  it("are listed in the order in which they were spawned, whatever their rows", () => {
    const spawned = [spawn(world), spawn(world, Tag), spawn(world)];
    add(world, spawned[0]!, Tag);
    const hasTag = ({ definitions }: { readonly definitions: readonly unknown[] }): boolean =>
      definitions.includes(Tag);

    expect(entitiesIn(world, hasTag)).toEqual([indexOf(spawned[0]!), indexOf(spawned[1]!)]);
    expect(
      entitiesIn(
        world,
        () => true,
        (index) => index !== indexOf(spawned[1]!),
      ),
    ).toEqual([spawned[0]!, spawned[2]!].map((entity) => indexOf(entity)));
  });
});

it("the sizes of a world count all indexes ever used, and the entities that are alive", () => {
  const before = sizesOf(world);
  const one = spawn(world, Tag);
  spawn(world, Tag);
  release(world, one);

  const { entities, alive } = sizesOf(world);
  expect([entities - before.entities, alive - before.alive]).toEqual([2, 1]);
});
