import { beforeEach, describe, expect, it } from "vitest";
import { add, clear, clone, createWorld, defer, remove, spawn, spawnMany } from "../../../../src/index.ts";
import { f32, relation, tag, withDisabledTree } from "../../../defining.ts";
import {
  Any,
  ChildOf,
  Disabled,
  DisabledTree,
  Likes,
  OrderedChildren,
  Parent,
  Position,
} from "../../../definitions.ts";
import { createDice, seeds } from "../../../dice.ts";
import type { Entity } from "../../../fixture.ts";
import { addObservers, attachAll, DisabledFromAbove, replaceChildren } from "../../../internal.ts";
import { codeOf, isDisabled, verify } from "../../../reading.ts";
import { destroy } from "../../destroy.ts";
import { snapshot } from "../../snapshot.ts";
import { belt, deck, disabled, seat, setFixture, ship, world } from "../disabled-tree.ts";

/** Exclusive: what is in a box is in no other. */
const In = withDisabledTree(relation("In", { traversable: true }));
/** Several targets. */
const PartOf = withDisabledTree(relation("PartOf", { traversable: true, exclusive: false }));
const Weighs = withDisabledTree(relation("Weighs", { traversable: true, fields: { grams: f32 } }));

let box: Entity;
let coin: Entity;

//  ship         box
//    deck         coin   In
//      seat
//        belt
beforeEach(() => {
  setFixture();
  box = spawn(world);
  coin = spawn(world, In(box));
});

describe("a relation that DisabledTree follows", () => {
  it.each([
    ["exclusive", In],
    ["with several targets", PartOf],
    ["with values", Weighs],
  ])("disables the subjects of a disabled target, and what is below them: %s", (_, relationOf) => {
    const crate = spawn(world, relationOf(deck));
    const label = spawn(world, Parent(crate));
    const ink = spawn(world, relationOf(label));

    add(world, ship, DisabledTree);

    expect(disabled(deck, crate, label, ink, coin)).toEqual([true, true, true, true, false]);
    expect(verify(world)).toEqual([]);
    remove(world, ship, DisabledTree);
    expect(disabled(deck, crate, label, ink, coin)).toEqual([false, false, false, false, false]);
    expect(verify(world)).toEqual([]);
  });

  it("keeps Disabled of each entity", () => {
    add(world, coin, Disabled);
    add(world, box, DisabledTree);

    remove(world, box, DisabledTree);

    expect(disabled(box, coin)).toEqual([false, true]);
  });

  it("disables an entity as long as one of several targets or its parent does", () => {
    const [one, other, home] = [spawn(world), spawn(world), spawn(world)];
    const part = spawn(world, PartOf(one), PartOf(other), ChildOf(home));
    const screw = spawn(world, In(part));
    for (const target of [one, other, home]) add(world, target, DisabledTree);

    const seen = [one, home, other].map((target) => {
      remove(world, target, DisabledTree);
      return [...disabled(part, screw), ...verify(world)];
    });

    expect(seen).toEqual([
      [true, true],
      [true, true],
      [false, false],
    ]);
  });

  it("enables an entity again that two paths lead to from the same DisabledTree", () => {
    const [left, right] = [spawn(world, PartOf(box)), spawn(world, ChildOf(box))];
    const bottom = spawn(world, PartOf(left), PartOf(right));
    const last = spawn(world, ChildOf(bottom));

    add(world, box, DisabledTree);
    expect(disabled(left, right, bottom, last)).toEqual([true, true, true, true]);
    remove(world, left, PartOf(box));
    expect(disabled(left, right, bottom, last)).toEqual([false, true, true, true]);
    remove(world, box, DisabledTree);

    expect(disabled(left, right, bottom, last)).toEqual([false, false, false, false]);
    expect(verify(world)).toEqual([]);
  });

  it("stops at a DisabledTree below when the one above is removed", () => {
    const purse = spawn(world, In(box), DisabledTree);
    const note = spawn(world, In(purse));
    add(world, box, DisabledTree);

    remove(world, box, DisabledTree);

    expect(disabled(coin, purse, note)).toEqual([false, true, true]);
    remove(world, purse, DisabledTree);
    expect(disabled(purse, note)).toEqual([false, false]);
  });

  it("does not concern other relations", () => {
    const fan = spawn(world, Likes(box));

    add(world, box, DisabledTree);

    expect(disabled(fan)).toEqual([false]);
  });

  it.each<[string, () => void]>([
    ["added", () => add(world, seat, In(box))],
    ["added with another term", () => add(world, seat, In(box), Position({ x: 1 }))],
    ["added in a deferred command", () => defer(world, () => add(world, seat, In(box)))],
    [
      "given another target",
      () => {
        add(world, seat, In(spawn(world)));
        add(world, seat, In(box));
      },
    ],
  ])("disables an entity and what is below it when the pair is %s", (_, act) => {
    add(world, box, DisabledTree);

    act();

    expect(disabled(deck, seat, belt)).toEqual([false, true, true]);
    expect(verify(world)).toEqual([]);
  });

  it.each<[string, () => void]>([
    ["removed", () => remove(world, seat, In(box))],
    ["removed by a wildcard", () => remove(world, seat, Any(Any))],
    ["removed in a deferred command", () => defer(world, () => remove(world, seat, In(box)))],
    ["given another target", () => add(world, seat, In(ship))],
    ["cleared", () => clear(world, seat)],
    ["removed since its target is destroyed", () => void destroy(world, box)],
  ])("enables an entity and what is below it when the pair is %s", (_, act) => {
    add(world, seat, In(box));
    add(world, box, DisabledTree);

    act();

    expect(disabled(seat, belt)).toEqual([false, false]);
    expect(verify(world)).toEqual([]);
  });

  it("disables what is spawned with a pair, one by one, many at once and deferred", () => {
    add(world, box, DisabledTree);

    const spawned = [
      spawn(world, In(box)),
      ...spawnMany(world, 2, In(box), Position({ x: 1 })),
      ...defer(world, () => {
        const bag = spawn(world, In(box));
        return [bag, spawn(world, ChildOf(bag)), spawn(world, PartOf(bag))];
      }),
    ];

    expect(disabled(...spawned)).toEqual(spawned.map(() => true));
    expect(verify(world)).toEqual([]);
  });

  it("disables what has its target spawned with a DisabledTree later in the same iteration", () => {
    const [bag, note] = defer(world, () => {
      const pending = spawn(world, DisabledTree);
      return [pending, spawn(world, In(pending))];
    });

    expect(disabled(bag!, note!)).toEqual([true, true]);
  });

  it("disables copies like their originals, and not below an enabled target", () => {
    add(world, box, DisabledTree);
    const purse = spawn(world, In(box));
    const note = spawn(world, ChildOf(purse), In(purse));

    const copy = clone(world, purse, { deep: true });
    const free = clone(world, purse, { deep: true, with: [In(deck)] });

    expect(disabled(note, copy, free)).toEqual([true, true, false]);
    expect(verify(world)).toEqual([]);
  });

  it("disables the children of what is disabled along it, in lists and as values too", () => {
    add(world, coin, OrderedChildren);
    add(world, box, DisabledTree);

    const children = [spawn(world, ChildOf(coin)), spawn(world, Parent(coin))];
    add(world, belt, Parent(coin));

    expect(disabled(...children, belt)).toEqual([true, true, true]);
    remove(world, coin, In(Any));
    expect(disabled(...children, belt)).toEqual([false, false, false]);
    expect(verify(world)).toEqual([]);
  });

  it("notifies of each entity that it disables, once", () => {
    const both = spawn(world, PartOf(box), PartOf(coin));
    const notified: [string, Entity][] = [];
    addObservers(
      world,
      (["added", "removed"] as const).map((kind) => ({
        kind,
        definition: DisabledFromAbove,
        target: 0,
        isStopped: false,
        call: ({ entity }) => void notified.push([kind, entity]),
      })),
    );

    add(world, box, DisabledTree);
    remove(world, coin, In(box));
    remove(world, both, PartOf(box));

    expect(notified).toEqual([
      ["added", both],
      ["added", coin],
      ["removed", coin],
      ["removed", both],
    ]);
  });

  it("disables chains of 30,000 entities, iteratively", () => {
    let last = box;
    for (let depth = 0; depth < 30_000; depth++) last = spawn(world, depth % 2 ? In(last) : ChildOf(last));

    add(world, box, DisabledTree);
    expect(disabled(last)).toEqual([true]);
    remove(world, box, DisabledTree);

    expect(disabled(last)).toEqual([false]);
  });

  it.each(seeds(1, 4))("matches a search upwards under random changes, seed %i", (seed) => {
    const dice = createDice(seed);
    const all = spawnMany(world, 30);
    const trees = new Set<Entity>();
    const targets = new Map<Entity, Map<typeof ChildOf, Set<Entity>>>();
    const above = (one: Entity): Set<Entity> => {
      const found = new Set<Entity>([one]);
      for (const at of found)
        for (const some of targets.get(at)?.values() ?? []) for (const to of some) found.add(to);
      return found;
    };
    const setOf = (one: Entity, along: typeof ChildOf): Set<Entity> => {
      if (!targets.has(one)) targets.set(one, new Map());
      const own = targets.get(one)!;
      if (!own.has(along)) own.set(along, new Set());
      return own.get(along)!;
    };
    const wrong: string[] = [];

    for (let step = 0; step < 1200; step++) {
      const [one, other] = [dice.pick(all), dice.pick(all)];
      const along = dice.pick([ChildOf, In, PartOf, PartOf]);
      const act = dice.below(5);
      if (act === 0) {
        remove(world, one, along(Any));
        setOf(one, along).clear();
      } else if (act === 1) {
        if (dice.chance(0.4)) {
          add(world, one, DisabledTree);
          trees.add(one);
        } else {
          remove(world, one, DisabledTree);
          trees.delete(one);
        }
      } else {
        const pair = along === ChildOf && dice.chance(0.5) ? Parent(other) : along(other);
        const code = codeOf(() => add(world, one, pair));
        if ((code === "cycle") !== above(other).has(one)) wrong.push(`step ${step}: ${code}`);
        if (code !== undefined) continue;
        if (along !== PartOf) setOf(one, along).clear();
        setOf(one, along).add(other);
      }
      for (const each of all)
        if (isDisabled(world, each) !== [...above(each)].some((to) => trees.has(to)))
          wrong.push(`step ${step}`);
      if (step % 50 === 0) wrong.push(...verify(world));
    }

    expect(wrong.slice(0, 3)).toEqual([]);
    expect(verify(world)).toEqual([]);
  });
});

describe("a cycle across ChildOf and relations that DisabledTree follows", () => {
  it.each<[string, () => void]>([
    ["by the relation", () => add(world, ship, In(belt))],
    ["by another one", () => add(world, box, PartOf(coin))],
    ["by ChildOf", () => add(world, box, ChildOf(coin))],
    ["by Parent", () => add(world, box, Parent(coin))],
    ["by attachAll", () => attachAll(world, coin, [deck, box])],
    ["by replaceChildren", () => replaceChildren(world, coin, [deck, box])],
  ])("is refused as cycle, and nothing changes: %s", (_, act) => {
    add(world, box, In(belt));
    const before = snapshot(world);

    expect(codeOf(act)).toBe("cycle");

    expect(snapshot(world)).toEqual(before);
    expect(verify(world)).toEqual([]);
  });

  it("is refused for the first pair of such a relation in a world", () => {
    const fresh = createWorld();
    const top = spawn(fresh);
    const below = spawn(fresh, ChildOf(top));

    expect(codeOf(() => add(fresh, top, PartOf(below)))).toBe("cycle");

    expect(verify(fresh)).toEqual([]);
  });

  it("is named in the message, step by step", () => {
    expect(() => add(world, box, ChildOf(coin))).toThrow(
      /is already below .* \(ChildOf, .*In.*: #\d+ -> #\d+\)/,
    );
  });

  it("is allowed in a world that uses no such relation", () => {
    const plain = createWorld();
    const Near = relation("Near", { traversable: true });
    const one = spawn(plain);
    const other = spawn(plain, Near(one));

    add(plain, one, ChildOf(other));

    expect(verify(plain)).toEqual([]);
  });
});

describe("withDisabledTree", () => {
  it("returns the relation", () => {
    const Near = relation("Near", { traversable: true });

    expect(withDisabledTree(Near)).toBe(Near);
  });

  it.each<[string, unknown]>([
    ["a relation that is not traversable", relation("Near")],
    ["an acyclic relation that is not traversable", relation("Near", { acyclic: true, traversable: false })],
    ["a relation that has it already", In],
    ["ChildOf", ChildOf],
    ["Parent", Parent],
    ["the wildcard", Any],
    ["a tag", tag("Near")],
    ["undefined", undefined],
    ["an object", { kind: "relation", traversable: true }],
  ])("refuses %s as bad-definition", (_, given) => {
    expect(codeOf(() => withDisabledTree(given as never))).toBe("bad-definition");
  });
});
