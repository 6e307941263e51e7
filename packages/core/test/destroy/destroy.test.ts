import { beforeEach, describe, expect, it } from "vitest";
import { add, defer, type Entity, observe, release, remove, spawn, spawnMany } from "../../src/index.ts";
import { component, f32, relation, withHooks } from "../defining.ts";
import { Any, ChildOf, Damage, DockedTo, Frozen, OrderedChildren, Parent, Position } from "../definitions.ts";
import { createDice, seeds } from "../dice.ts";
import { setShip, ship, world } from "../fixture.ts";
import { asTag, codeOf, get, has, isAlive, parentOf, subjectsOf, targetsOf, verify } from "../reading.ts";
import { destroy } from "../world/destroy.ts";
import { livingTables, snapshot } from "../world/snapshot.ts";
import { Holds, Likes, Owns } from "./target-policies.ts";

const Leases = relation("Leases", { fields: { price: f32 }, onTargetDestroy: "delete" });
let removedInOrder: unknown[] = [];
const Hooked = withHooks(component<string>("Hooked"), {
  onRemove: (world, entity, value, parent) =>
    removedInOrder.push([value, isAlive(world, entity), parent === undefined || isAlive(world, parent)]),
});
const AnyOrder = withHooks(component<string>("AnyOrder"), {
  onRemove: (_, __, value) => removedInOrder.push(value),
  anyOrder: true,
});

beforeEach(setShip);
beforeEach(() => {
  removedInOrder = [];
});

function alive(...entities: Entity[]): boolean[] {
  return entities.map((one) => isAlive(world, one));
}

/** Whole tables at once, entity by entity because there is an observer, and because of a hook: all give the same result. */
describe.each<[string, () => void]>([
  ["in bulk", () => undefined],
  ["one by one", () => observe(world, { removed: Any }, () => undefined)],
])("a destroy, %s,", (_, prepare) => {
  it.each([
    ["ChildOf", [ChildOf, ChildOf]],
    ["Parent", [Parent, Parent]],
    ["ChildOf, then Parent", [ChildOf, Parent]],
    ["Parent, then ChildOf", [Parent, ChildOf]],
  ] as const)("destroys everything below, and nothing else: %s", (__, [upper, lower]) => {
    const dock = spawn(world);
    const mine = [spawn(world, upper(ship)), spawn(world, upper(ship), Frozen)];
    const others = [spawn(world, upper(dock)), spawn(world, upper(dock), Frozen)];
    const below = mine.map((one) => spawn(world, lower(one), Position));
    const beside = others.map((one, at) => spawn(world, lower(one), Position({ x: at })));
    prepare();

    expect(destroy(world, ship)).toBe(5);

    expect(alive(ship, ...mine, ...below)).toEqual(Array.from({ length: 5 }, () => false));
    expect(alive(dock, ...others, ...beside)).toEqual(Array.from({ length: 5 }, () => true));
    expect(beside.map((one) => get(world, one, Position)!.x)).toEqual([0, 1]);
    expect([others.map((one) => parentOf(world, one)), verify(world)]).toEqual([[dock, dock], []]);
  });

  it("of an entity in the middle leaves its siblings in order", () => {
    const children = [ChildOf, Parent, ChildOf, Parent, Parent].map((storage) => spawn(world, storage(ship)));
    spawn(world, Parent(children[1]!));
    prepare();

    destroy(world, children[1]!, children[4]!);

    expect([subjectsOf(world, ship, ChildOf), verify(world)]).toEqual([
      [children[0], children[2], children[3]],
      [],
    ]);
  });

  it("of a subtree leaves nothing of it below the parent that stays", () => {
    const [parent] = spawnMany(world, 1, ChildOf(ship));
    const top = spawn(world, ChildOf(parent!));
    const below = spawn(world, ChildOf(top));
    spawn(world, ChildOf(below));

    destroy(world, top);

    expect(verify(world)).toEqual([]);
    expect(subjectsOf(world, parent!, ChildOf)).toEqual([]);
  });

  it("of several roots at once counts each destroyed entity once", () => {
    const deck = spawn(world, Parent(ship));
    const seat = spawn(world, ChildOf(deck));
    const [dock, other] = [spawn(world), spawn(world)];
    prepare();

    expect(destroy(world, dock, seat, ship, deck)).toBe(4);

    expect([alive(other), verify(world)]).toEqual([[true], []]);
  });

  it("of no entity does nothing", () => {
    const before = snapshot(world);
    prepare();

    expect(destroy(world)).toBe(0);

    expect(snapshot(world)).toEqual(before);
  });

  it("follows all relations that delete, through cycles and diamonds, each once", () => {
    const [a, b, c] = spawnMany(world, 3) as [Entity, Entity, Entity];
    add(world, a, Owns(ship));
    add(world, b, Owns(a), Leases(ship, { price: 1 }));
    add(world, c, Leases(b, { price: 2 }), Parent(a));
    add(world, ship, Owns(c));
    const bystander = spawn(world, Likes(a));
    prepare();

    expect(destroy(world, b)).toBe(4);

    expect([alive(ship, a, b, c, bystander), verify(world)]).toEqual([
      [false, false, false, false, true],
      [],
    ]);
    expect(has(world, bystander, Likes(Any))).toBe(false);
  });

  it("of an entity that points at itself by every relation destroys it alone", () => {
    add(world, ship, Owns(ship), Likes(ship), Holds(ship), Leases(ship, { price: 1 }), asTag(ship));
    prepare();

    expect(destroy(world, ship)).toBe(1);

    expect([world.entities.alive, world.graph.pairs.alive, verify(world)]).toEqual([0, 0, []]);
  });

  it("removes pairs from the remaining entities, which keep the rest", () => {
    const dock = spawn(world);
    const [one, other] = [
      spawn(
        world,
        Likes(ship),
        Likes(dock),
        Damage(ship, { amount: 1 }),
        Damage(dock, { amount: 2 }),
        DockedTo(ship),
      ),
      spawn(world, Parent(dock), Likes(ship), asTag(ship), Position({ x: 3 })),
    ];
    prepare();

    expect(destroy(world, ship)).toBe(1);

    expect([
      targetsOf(world, one, Likes),
      get(world, one, Damage(dock)),
      has(world, one, DockedTo(Any)),
    ]).toEqual([[dock], { amount: 2 }, false]);
    expect([has(world, other, Any(Any)), parentOf(world, other), get(world, other, Position)]).toEqual([
      true,
      dock,
      { x: 3 },
    ]);
    expect(verify(world)).toEqual([]);
  });

  it("does not destroy a child of another parent that only has a pair with a destroyed entity", () => {
    const dock = spawn(world);
    const low = spawn(world, Parent(spawn(world, Parent(spawn(world, Parent(ship))))));
    const child = spawn(world, Damage(low, { amount: 1 }), Parent(dock));
    prepare();

    destroy(world, ship);

    expect([alive(child, dock), parentOf(world, child), verify(world)]).toEqual([[true, true], dock, []]);
  });

  it("of some entities of a table keeps the values of the others", () => {
    const dock = spawn(world);
    const crowd = Array.from({ length: 20 }, (__, at) =>
      spawn(world, Parent(at % 3 ? dock : ship), Position({ x: at })),
    );
    prepare();

    destroy(world, ship);

    const left = crowd.filter((__, at) => at % 3);
    expect(left.map((one) => get(world, one, Position)!.x)).toEqual(
      crowd.flatMap((__, at) => (at % 3 ? [at] : [])),
    );
    expect([subjectsOf(world, dock, ChildOf), verify(world)]).toEqual([left, []]);
  });

  it("of a policy that deletes and one that removes destroys an entity that has both", () => {
    const [both, lover] = [spawn(world, Owns(ship), Likes(ship)), spawn(world, Likes(ship))];
    prepare();

    destroy(world, ship);

    expect(alive(both, lover)).toEqual([false, true]);
  });

  it.each<[string, (subject: Entity) => Entity[]]>([
    ["the entity itself", () => [ship]],
    ["something below it", () => [ship]],
    ["one of several", () => [spawn(world), ship]],
  ])("is refused while a remaining entity holds %s, and nothing has changed", (what, rootsFor) => {
    const deck = spawn(world, Parent(ship));
    const subject = spawn(world, Holds(what === "something below it" ? deck : ship), Parent(spawn(world)));
    const roots = rootsFor(subject);
    prepare();
    const before = snapshot(world);

    expect(codeOf(() => destroy(world, ...roots))).toBe("refused");

    expect(snapshot(world)).toEqual(before);
    remove(world, subject, Holds(Any));
    expect(codeOf(() => destroy(world, ...roots))).toBeUndefined();
  });

  it("is not refused because of a subject that is destroyed with it", () => {
    const deck = spawn(world, Parent(ship));
    spawn(world, ChildOf(ship), Holds(deck), Holds(ship));
    prepare();

    expect(destroy(world, ship)).toBe(3);

    expect([world.entities.alive, verify(world)]).toEqual([0, []]);
  });

  it("of a parent with OrderedChildren leaves nothing behind", () => {
    add(world, ship, OrderedChildren);
    spawnMany(world, 3, ChildOf(ship));
    spawnMany(world, 3, Parent(ship));
    prepare();

    destroy(world, ship);

    expect([world.entities.alive, world.graph.pairs.alive, verify(world)]).toEqual([0, 0, []]);
  });

  it("follows a chain of 20,000 of a relation that deletes, and of alternating storages", () => {
    let last = ship;
    for (let at = 0; at < 10_000; at++) last = spawn(world, Owns(last));
    for (let at = 0; at < 10_000; at++) last = spawn(world, (at % 2 ? ChildOf : Parent)(last));
    prepare();

    expect(destroy(world, ship)).toBe(20_001);

    expect(world.entities.alive).toBe(0);
  });

  it.each(seeds(1, 4))("destroys exactly the reachable entities in random graphs, seed %i", (seed) => {
    const dice = createDice(seed);
    prepare();
    for (let round = 0; round < 12; round++) {
      const all = spawnMany(world, 30);
      const deletions = new Map(all.map((one) => [one, [] as Entity[]]));
      const parents = new Map<Entity, Entity>();
      const isAbove = (one: Entity, other: Entity | undefined): boolean =>
        other !== undefined && (one === other || isAbove(one, parents.get(other)));
      for (let link = 0; link < 45; link++) {
        const [one, other] = [dice.pick(all), dice.pick(all)];
        const kind = dice.below(6);
        if (kind < 3) {
          if (isAbove(one, other)) continue;
          parents.set(one, other);
          add(world, one, kind === 0 ? ChildOf(other) : Parent(other));
        } else if (kind === 3) {
          add(world, one, Owns(other));
          deletions.get(other)!.push(one);
        } else if (kind === 4) {
          add(world, one, Leases(other, { price: 1 }));
          deletions.get(other)!.push(one);
        } else add(world, one, Likes(other), Damage(other, { amount: 1 }), Position({ x: one }));
      }
      for (const [child, parent] of parents) deletions.get(parent)!.push(child);
      const roots = [dice.pick(all), dice.pick(all)];
      const deleted = new Set(roots);
      for (const one of deleted) for (const source of deletions.get(one)!) deleted.add(source);

      destroy(world, ...new Set(roots));

      expect(all.filter((one) => !isAlive(world, one)).toSorted()).toEqual([...deleted].toSorted());
      expect(verify(world)).toEqual([]);
    }
  });
});

describe("hooks of destroyed entities", () => {
  it("are called for children before parents, while all ancestors are alive", () => {
    const deck = spawn(world, ChildOf(ship), Hooked("deck"));
    const seat = spawn(world, Parent(deck), Hooked("seat"));
    spawn(world, ChildOf(seat), Hooked("belt"));
    spawn(world, Parent(ship), Hooked("hold"));
    add(world, ship, Hooked("ship"));

    destroy(world, ship);

    expect(removedInOrder).toEqual(
      ["belt", "seat", "deck", "hold", "ship"].map((name) => [name, true, true]),
    );
  });

  it("that do not depend on the order are called once each, also for tables that are freed as a whole", () => {
    spawnMany(world, 3, Parent(ship), AnyOrder("by value"));
    spawnMany(world, 2, ChildOf(ship), AnyOrder("typed"));
    add(world, ship, AnyOrder("ship"));
    spawn(world, AnyOrder("bystander"));

    destroy(world, ship);

    expect(removedInOrder.toSorted()).toEqual(["by value", "by value", "by value", "ship", "typed", "typed"]);
  });

  it("are not called for remaining entities that only lose a pair", () => {
    spawn(world, Likes(ship), Hooked("remaining entity"));

    destroy(world, ship);

    expect(removedInOrder).toEqual([]);
  });
});

describe("a destroy inside an iteration", () => {
  it("is deferred to its end, and applies to what is there then", () => {
    const deck = spawn(world, Parent(ship));

    const [spawned, moved] = defer(world, () => {
      const child = spawn(world, ChildOf(deck));
      destroy(world, ship);
      add(world, deck, ChildOf(spawn(world)));
      expect(isAlive(world, ship)).toBe(true);
      return [child, deck];
    }) as [Entity, Entity];

    expect(alive(ship, spawned, moved)).toEqual([false, false, false]);
  });

  it("skips an entity that was destroyed before its command runs", () => {
    defer(world, () => {
      release(world, ship);
      destroy(world, ship);
    });

    expect([world.entities.alive, livingTables(world).length]).toEqual([0, 0]);
  });
});
