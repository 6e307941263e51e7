import { describe, expect, it } from "vitest";
import {
  add,
  ChildOf,
  createWorld,
  type Entity,
  relation,
  release,
  spawn,
  spawnMany,
  tag,
  type World,
} from "../../src/index.ts";
import { codeOf } from "../code-of.ts";
import { snapshot } from "./snapshot.ts";

const Frozen = tag("Frozen");
const Follows = relation("Follows", { acyclic: true });

function chain(world: World, length: number): Entity[] {
  const all = [spawn(world)];
  while (all.length < length) all.push(spawn(world, ChildOf(all.at(-1)!)));
  return all;
}

function messageOf(act: () => void): string {
  try {
    act();
  } catch (error) {
    return String(error);
  }
  return "";
}

describe("a parent is refused before anything changes (L7)", () => {
  it.each([
    ["alone", []],
    ["together with a tag", [Frozen]],
  ])("as cycle when it is the entity itself, %s", (_, terms) => {
    const world = createWorld();
    const [top] = chain(world, 2) as [Entity];
    const before = snapshot(world);

    expect(codeOf(() => add(world, top, ChildOf(top), ...terms))).toBe("cycle");

    expect(snapshot(world)).toEqual(before);
  });

  it.each([
    [1, "alone", []],
    [2, "alone", []],
    [9, "alone", []],
    [1, "together with a tag", [Frozen]],
    [9, "together with a tag", [Frozen]],
  ])("as cycle when it lies %i below the entity, %s", (depth, _, terms) => {
    const world = createWorld();
    const all = chain(world, 10);
    const before = snapshot(world);

    expect(codeOf(() => add(world, all[0]!, ChildOf(all[depth]!), ...terms))).toBe("cycle");

    expect(snapshot(world)).toEqual(before);
  });

  it("as dead-entity when it is dead", () => {
    const world = createWorld();
    const [one, dead] = [spawn(world), spawn(world)];
    release(world, dead);
    const before = snapshot(world);

    expect(codeOf(() => add(world, one, ChildOf(dead)))).toBe("dead-entity");
    expect(codeOf(() => spawn(world, ChildOf(dead)))).toBe("dead-entity");

    expect(snapshot(world)).toEqual(before);
  });

  it("as cycle also below a chain of 100,000, without running out of stack", () => {
    const world = createWorld();
    const all = chain(world, 100_000);

    expect(codeOf(() => add(world, all[0]!, ChildOf(all.at(-1)!)))).toBe("cycle");
  });
});

describe("other acyclic relations", () => {
  it("refuse circles of their own (L7)", () => {
    const world = createWorld();
    const a = spawn(world);
    const b = spawn(world, Follows(a));
    const c = spawn(world, Follows(b));
    const before = snapshot(world);

    expect(codeOf(() => add(world, a, Follows(c)))).toBe("cycle");
    expect(codeOf(() => add(world, a, Frozen, Follows(c)))).toBe("cycle");

    expect(snapshot(world)).toEqual(before);
  });

  it("do not care for circles through different relations", () => {
    const world = createWorld();
    const a = spawn(world);
    const b = spawn(world, ChildOf(a));

    expect(codeOf(() => add(world, a, Follows(b)))).toBeUndefined();
  });
});

describe("what is no circle is not refused", () => {
  it("between siblings, up the tree, and across trees", () => {
    const world = createWorld();
    const [top, middle, low] = chain(world, 3) as [Entity, Entity, Entity];
    const [left, right] = spawnMany(world, 2, ChildOf(top)) as [Entity, Entity];
    const other = spawn(world);

    const codes = [
      codeOf(() => add(world, left, ChildOf(right))),
      codeOf(() => add(world, low, ChildOf(top))),
      codeOf(() => add(world, middle, ChildOf(low))),
      codeOf(() => add(world, top, ChildOf(other))),
    ];

    expect(codes).toEqual([undefined, undefined, undefined, undefined]);
  });
});

describe("the message of a cycle", () => {
  it("names the chain, and what to do", () => {
    const world = createWorld();
    world.textOf = (_, entity) => ["Ship", "Cockpit", "Seat"][(entity & 0xffffff) - 1] ?? "?";
    const [ship, , seat] = chain(world, 3) as [Entity, Entity, Entity];

    const message = messageOf(() => add(world, ship, ChildOf(seat)));

    expect(message).toContain("Seat -> Cockpit -> Ship");
    expect(message).toContain("ChildOf");
    expect(message).toContain("move Seat elsewhere first");
  });

  it("says so when an entity is to be its own parent", () => {
    const world = createWorld();
    world.textOf = () => "Ship";
    const ship = spawn(world);

    expect(messageOf(() => add(world, ship, ChildOf(ship)))).toContain("Ship cannot have itself");
  });

  it("stays short for a long chain", () => {
    const world = createWorld();
    const all = chain(world, 1000);

    expect(messageOf(() => add(world, all[0]!, ChildOf(all.at(-1)!))).length).toBeLessThan(500);
  });
});
