import { beforeEach, describe, expect, it } from "vitest";
import { add, clear, clone, defer, release, remove, spawn, spawnMany } from "../../../src/index.ts";
import { Any, ChildOf, Disabled, DisabledTree, Likes, Parent, Position } from "../../definitions.ts";
import { createDice, seeds } from "../../dice.ts";
import type { Entity } from "../../fixture.ts";
import { isDisabledFromAbove } from "../../handles.ts";
import { codeOf, get, has, isDisabled, subjectsOf, verify } from "../../reading.ts";
import { destroy } from "../destroy.ts";
import { belt, deck, disabled, seat, setFixture, ship, world } from "./disabled-tree.ts";

beforeEach(setFixture);

/** Which of them are disabled by an ancestor. */
function disabledFromAbove(...entities: Entity[]): boolean[] {
  return entities.map((one) => isDisabledFromAbove(world, one));
}

describe("Disabled", () => {
  it("disables only the entity", () => {
    add(world, deck, Disabled);

    expect(disabled(ship, deck, seat, belt)).toEqual([false, true, false, false]);
  });

  it("has no effect once it is removed", () => {
    add(world, deck, Disabled);
    remove(world, deck, Disabled);

    expect(disabled(ship, deck)).toEqual([false, false]);
  });
});

describe("DisabledTree", () => {
  it("disables the entity and everything below it, in both storages", () => {
    add(world, deck, DisabledTree);

    expect(disabled(ship, deck, seat, belt)).toEqual([false, true, true, true]);
    expect(disabledFromAbove(ship, deck, seat, belt)).toEqual([false, false, true, true]);
    expect(verify(world)).toEqual([]);
  });

  it("keeps values, parents and the order of siblings", () => {
    const others = [spawn(world, ChildOf(deck)), spawn(world, Parent(deck))];

    add(world, deck, DisabledTree);

    expect([get(world, deck, Position), get(world, seat, Position)]).toEqual([{ x: 1 }, { x: 2 }]);
    expect(subjectsOf(world, deck, ChildOf)).toEqual([seat, ...others]);
    remove(world, deck, DisabledTree);
    expect(subjectsOf(world, deck, ChildOf)).toEqual([seat, ...others]);
  });

  it("when it is removed, restores the state of each entity", () => {
    add(world, seat, Disabled);
    add(world, deck, DisabledTree);

    remove(world, deck, DisabledTree);

    expect(disabled(ship, deck, seat, belt)).toEqual([false, false, true, false]);
  });

  it("below another one stays when that one is removed, and has no effect when both are", () => {
    add(world, ship, DisabledTree);
    add(world, seat, DisabledTree);

    remove(world, ship, DisabledTree);
    const half = disabled(ship, deck, seat, belt);
    remove(world, seat, DisabledTree);

    expect(half).toEqual([false, false, true, true]);
    expect(disabled(ship, deck, seat, belt)).toEqual([false, false, false, false]);
  });

  it("below another one that is removed first from below: the upper one still disables everything", () => {
    add(world, seat, DisabledTree);
    add(world, ship, DisabledTree);

    remove(world, seat, DisabledTree);

    expect(disabledFromAbove(ship, deck, seat, belt)).toEqual([false, true, true, true]);
    remove(world, ship, DisabledTree);
    expect(disabled(ship, deck, seat, belt)).toEqual([false, false, false, false]);
  });

  it.each([
    ["ChildOf", ChildOf],
    ["Parent", Parent],
  ])(
    "disables an entity that is moved below it, with its subtree, and enables them again: %s",
    (_, storage) => {
      const shed = spawn(world, DisabledTree);

      add(world, seat, storage(shed));
      const inside = disabled(ship, deck, seat, belt);
      add(world, seat, storage(ship));

      expect(inside).toEqual([false, false, true, true]);
      expect(disabled(ship, deck, seat, belt)).toEqual([false, false, false, false]);
      expect(verify(world)).toEqual([]);
    },
  );

  it("keeps an entity disabled that moves from one to another, and to the other storage", () => {
    const shed = spawn(world, DisabledTree);
    add(world, ship, DisabledTree);

    add(world, seat, ChildOf(shed));
    add(world, seat, Parent(shed));

    expect(disabled(seat, belt)).toEqual([true, true]);
    remove(world, shed, DisabledTree);
    expect(disabled(seat, belt)).toEqual([false, false]);
  });

  it("enables an entity that becomes a root, by remove and by clear", () => {
    add(world, ship, DisabledTree);

    remove(world, seat, ChildOf(Any));
    clear(world, deck);

    expect([disabled(seat, belt), disabled(deck), verify(world)]).toEqual([[false, false], [false], []]);
  });

  it("disables entities spawned below it, by every verb", () => {
    add(world, seat, DisabledTree);

    const spawned = [
      spawn(world, ChildOf(seat)),
      spawn(world, Parent(belt), Position),
      ...spawnMany(world, 2, ChildOf(belt)),
      ...spawnMany(world, 2, Parent(seat)),
      clone(world, belt),
      defer(world, () => spawn(world, Parent(seat))),
    ];

    expect(disabled(...spawned)).toEqual(spawned.map(() => true));
    remove(world, seat, DisabledTree);
    expect(disabled(...spawned)).toEqual(spawned.map(() => false));
  });

  it("disables everything below an entity that is spawned with it, or below a clone with it", () => {
    const shed = spawn(world, DisabledTree);
    const tool = spawn(world, ChildOf(shed));

    const copy = clone(world, deck, { deep: true, with: [DisabledTree] });

    const [below] = subjectsOf(world, copy, ChildOf) as [Entity];
    expect(disabled(tool, copy, below, ...subjectsOf(world, below, ChildOf))).toEqual([
      true,
      true,
      true,
      true,
    ]);
    expect(disabled(deck, seat)).toEqual([false, false]);
  });

  it("of a clone outside is not copied with its effects: a copy of an entity disabled from above is enabled elsewhere", () => {
    add(world, ship, DisabledTree);

    const copy = clone(world, seat, { deep: true, with: [ChildOf(spawn(world))] });

    expect(disabled(copy, ...subjectsOf(world, copy, ChildOf))).toEqual([false, false]);
  });

  it("is removed by a clear of its entity, whose children stay its children", () => {
    add(world, deck, DisabledTree);

    clear(world, deck);

    expect([disabled(deck, seat, belt), subjectsOf(world, deck, ChildOf)]).toEqual([
      [false, false, false],
      [seat],
    ]);
  });

  it("is destroyed with its entity", () => {
    add(world, deck, DisabledTree);

    destroy(world, deck);

    expect([disabled(ship), verify(world)]).toEqual([[false], []]);
  });

  it("ignores other relations", () => {
    const friend = spawn(world, Likes(deck));
    add(world, deck, DisabledTree);

    expect(disabled(friend)).toEqual([false]);
  });

  it("disables and enables a chain of 30,000 in alternating storages", () => {
    const chain = [ship];
    while (chain.length < 30_000)
      chain.push(spawn(world, (chain.length % 2 ? ChildOf : Parent)(chain.at(-1)!)));

    add(world, ship, DisabledTree);
    const deep = disabled(chain[15_000]!, chain.at(-1)!);
    add(world, chain[20_000]!, DisabledTree);
    remove(world, ship, DisabledTree);

    expect(deep).toEqual([true, true]);
    expect(disabled(chain[15_000]!, chain[19_999]!, chain[20_000]!, chain.at(-1)!)).toEqual([
      false,
      false,
      true,
      true,
    ]);
  });

  it.each(seeds(1, 3))("matches a walk up the tree under random changes, seed %i", (seed) => {
    const dice = createDice(seed);
    const all = spawnMany(world, 40);
    const parents = new Map<Entity, Entity>();
    const trees = new Set<Entity>();
    const isAbove = (one: Entity, other: Entity | undefined): boolean =>
      other !== undefined && (one === other || isAbove(one, parents.get(other)));
    const isBelowDisabled = (one: Entity | undefined): boolean =>
      one !== undefined && (trees.has(one) || isBelowDisabled(parents.get(one)));
    const wrong: string[] = [];

    for (let step = 0; step < 1500; step++) {
      const [one, other] = [dice.pick(all), dice.pick(all)];
      const act = dice.below(5);
      if (act === 0) {
        remove(world, one, ChildOf(Any));
        parents.delete(one);
      } else if (act === 1) {
        if (dice.chance(0.4)) {
          add(world, one, DisabledTree);
          trees.add(one);
        } else {
          remove(world, one, DisabledTree);
          trees.delete(one);
        }
      } else if (!isAbove(one, other)) {
        add(world, one, dice.chance(0.5) ? ChildOf(other) : Parent(other));
        parents.set(one, other);
      }
      for (const each of all)
        if (isDisabled(world, each) !== isBelowDisabled(each)) wrong.push(`step ${step}`);
    }

    expect(wrong.slice(0, 3)).toEqual([]);
    expect(verify(world)).toEqual([]);
  });
});

describe("isDisabled", () => {
  it("refuses an entity that is not alive as dead-entity", () => {
    const destroyed = spawn(world);
    release(world, destroyed);

    expect(codeOf(() => isDisabled(world, destroyed))).toBe("dead-entity");
  });
});

describe("the internal tag of disabled subtrees", () => {
  it("is invisible to wildcards, and not removed by them", () => {
    add(world, ship, DisabledTree);

    remove(world, belt, Any(Any));
    expect(disabled(belt)).toEqual([false]);
    expect([has(world, seat, Any(Any)), has(world, deck, Position)]).toEqual([true, true]);
  });
});
