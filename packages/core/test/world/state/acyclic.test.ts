import { beforeEach, describe, expect, it } from "vitest";
import { add, release, remove, spawn, spawnMany } from "../../../src/index.ts";
import { relation } from "../../defining.ts";
import { ChildOf, Follows, Frozen, Parent } from "../../definitions.ts";
import { drawing, plant } from "../../drawn-tree.ts";
import { createWorld, type Entity, setWorld, type World, world } from "../../fixture.ts";
import { codeOf } from "../../reading.ts";
import { snapshot } from "../snapshot.ts";

const DependsOn = relation("DependsOn", { acyclic: true, exclusive: false });
const Ranks = relation("Ranks", { acyclic: true, traversable: false });

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

beforeEach(setWorld);

describe("a parent is refused before anything changes (I7)", () => {
  it.each([
    ["alone", []],
    ["together with a tag", [Frozen]],
  ])("as cycle when it is the entity itself, %s", (_, terms) => {
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
  ])("as cycle when it is %i below the entity, %s", (depth, _, terms) => {
    const all = chain(world, 10);
    const before = snapshot(world);

    expect(codeOf(() => add(world, all[0]!, ChildOf(all[depth]!), ...terms))).toBe("cycle");

    expect(snapshot(world)).toEqual(before);
  });

  it("as dead-entity when it is not alive", () => {
    const [one, destroyed] = [spawn(world), spawn(world)];
    release(world, destroyed);
    const before = snapshot(world);

    expect(codeOf(() => add(world, one, ChildOf(destroyed)))).toBe("dead-entity");
    expect(codeOf(() => spawn(world, ChildOf(destroyed)))).toBe("dead-entity");

    expect(snapshot(world)).toEqual(before);
  });

  it("as cycle also below a chain of 30,000, without running out of stack", () => {
    const all = chain(world, 30_000);

    expect(codeOf(() => add(world, all[0]!, ChildOf(all.at(-1)!)))).toBe("cycle");
  });
});

describe("other acyclic relations", () => {
  it("refuse cycles of their own (I7)", () => {
    const a = spawn(world);
    const b = spawn(world, Follows(a));
    const c = spawn(world, Follows(b));
    const before = snapshot(world);

    expect(codeOf(() => add(world, a, Follows(c)))).toBe("cycle");
    expect(codeOf(() => add(world, a, Frozen, Follows(c)))).toBe("cycle");

    expect(snapshot(world)).toEqual(before);
  });

  it("ignore cycles through different relations", () => {
    const a = spawn(world);
    const b = spawn(world, ChildOf(a));

    expect(codeOf(() => add(world, a, Follows(b)))).toBeUndefined();
  });
});

describe("a parent in either storage (I7)", () => {
  const storages = [ChildOf, Parent];

  it.each([2, 3, 4, 7])("is refused as cycle, however the storages alternate in a cycle of %i", (length) => {
    for (let mixture = 0; mixture < 2 ** length; mixture++) {
      const storageAt = (at: number) => storages[(mixture >> at) & 1]!;
      const world = createWorld();
      const all = [spawn(world)];
      while (all.length < length) all.push(spawn(world, storageAt(all.length)(all.at(-1)!)));
      const before = snapshot(world);

      expect(codeOf(() => add(world, all[0]!, storageAt(0)(all.at(-1)!)))).toBe("cycle");
      expect(codeOf(() => add(world, all[0]!, Frozen, storageAt(0)(all.at(-1)!)))).toBe("cycle");

      expect(snapshot(world)).toEqual(before);
    }
  });

  it("is refused as cycle when it is the entity itself", () => {
    const one = spawn(world);

    expect(codeOf(() => add(world, one, Parent(one)))).toBe("cycle");
    expect(codeOf(() => add(world, one, Parent(one), Frozen))).toBe("cycle");
  });

  it("may change places with its child, step by step", () => {
    const planted = plant(world, "top\n  upper by value\n    lower");
    const { top, upper, lower } = planted;

    add(world, lower, Parent(top));
    add(world, upper, ChildOf(lower));

    expect(drawing(world, planted)).toBe("top\n  lower by value\n    upper");
  });

  it("is checked also below a chain of 30,000 in alternating storages", () => {
    const all = [spawn(world)];
    while (all.length < 30_000) all.push(spawn(world, storages[all.length % 2]!(all.at(-1)!)));

    expect(codeOf(() => add(world, all[0]!, Parent(all.at(-1)!)))).toBe("cycle");
    expect(codeOf(() => add(world, all[0]!, ChildOf(all.at(-1)!)))).toBe("cycle");
  });
});

describe("an acyclic relation with many targets", () => {
  it("may have diamonds, and refuses cycles along every path (I7)", () => {
    const [a, b, c, d] = spawnMany(world, 4) as [Entity, Entity, Entity, Entity];
    add(world, a, DependsOn(b), DependsOn(c));
    add(world, b, DependsOn(d));
    add(world, c, DependsOn(d));
    add(world, a, DependsOn(d));
    const before = snapshot(world);

    const codes = [
      codeOf(() => add(world, d, DependsOn(a))),
      codeOf(() => add(world, d, DependsOn(b))),
      codeOf(() => add(world, b, DependsOn(a))),
      codeOf(() => add(world, d, Frozen, DependsOn(c))),
      codeOf(() => add(world, a, DependsOn(a))),
    ];

    expect(codes).toEqual(["cycle", "cycle", "cycle", "cycle", "cycle"]);
    expect(snapshot(world)).toEqual(before);
    expect(codeOf(() => add(world, b, DependsOn(c)))).toBeUndefined();
  });

  it("allows what a removal has made possible", () => {
    const [a, b] = spawnMany(world, 2) as [Entity, Entity];
    add(world, a, DependsOn(b));
    remove(world, a, DependsOn(b));

    expect(codeOf(() => add(world, b, DependsOn(a)))).toBeUndefined();
  });

  it("is searched each entity once: a ladder of a thousand diamonds is quickly checked", () => {
    let bottom = spawn(world);
    const first = bottom;
    for (let step = 0; step < 1000; step++) {
      const [left, right] = [spawn(world, DependsOn(bottom)), spawn(world, DependsOn(bottom))];
      bottom = spawn(world, DependsOn(left), DependsOn(right));
    }

    expect(codeOf(() => add(world, first, DependsOn(bottom)))).toBe("cycle");
  });

  it("refuses a cycle along a chain of 30,000", () => {
    const all = [spawn(world)];
    while (all.length < 30_000) all.push(spawn(world, DependsOn(all.at(-1)!)));

    expect(codeOf(() => add(world, all[0]!, DependsOn(all.at(-1)!)))).toBe("cycle");
  });

  it("names the chain", () => {
    world.textOf = (_, entity) => "-abcd"[entity & 0xffffff]!;
    const [a, b, c] = spawnMany(world, 3) as [Entity, Entity, Entity];
    add(world, a, DependsOn(b));
    add(world, b, DependsOn(c));

    expect(messageOf(() => add(world, c, DependsOn(a)))).toContain("DependsOn: a -> b -> c");
  });
});

describe("an acyclic relation that is not traversable", () => {
  it("refuses cycles as well", () => {
    const a = spawn(world);
    const b = spawn(world, Ranks(a));

    expect(codeOf(() => add(world, a, Ranks(b)))).toBe("cycle");
    expect(codeOf(() => add(world, a, Ranks(a)))).toBe("cycle");
  });
});

describe("what is not a cycle is not refused", () => {
  it("between siblings, up the tree, and across trees", () => {
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
    world.textOf = (_, entity) => ["Ship", "Cockpit", "Seat"][(entity & 0xffffff) - 1] ?? "?";
    const [ship, , seat] = chain(world, 3) as [Entity, Entity, Entity];

    const message = messageOf(() => add(world, ship, ChildOf(seat)));

    expect(message).toContain("Seat -> Cockpit -> Ship");
    expect(message).toContain("ChildOf");
    expect(message).toContain("move Seat elsewhere first");
  });

  it("says so when an entity is to be its own parent", () => {
    world.textOf = () => "Ship";
    const ship = spawn(world);

    expect(messageOf(() => add(world, ship, ChildOf(ship)))).toContain("Ship cannot be its own");
  });

  it("stays short for a long chain", () => {
    const all = chain(world, 1000);

    expect(messageOf(() => add(world, all[0]!, ChildOf(all.at(-1)!))).length).toBeLessThan(500);
  });
});
