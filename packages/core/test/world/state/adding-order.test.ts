import { beforeEach, describe, expect, it } from "vitest";
import { describe as textOf } from "../../../src/debug.ts";
import type { WorldEvent } from "../../../src/index.ts";
import { add, clear, clone, defer, observe, pack, release, remove, set } from "../../../src/index.ts";
import { relation } from "../../defining.ts";
import { Any, ChildOf, Damage, DockedTo, Frozen, Likes, Parent, Position } from "../../definitions.ts";
import { createDice, seeds } from "../../dice.ts";
import { a, b, c, d, type Entity, setFour, spawn, spawnMany, world } from "../../fixture.ts";
import { indexOf } from "../../handles.ts";
import { parseTerm, removeFromAll } from "../../internal.ts";
import { get, targetOf, targetsOf } from "../../reading.ts";
import { destroy } from "../destroy.ts";

const Fears = relation("Fears");

beforeEach(setFour);
beforeEach(() => {
  // The pairs get their numbers in the order a, b, c, d.
  spawn(world, Likes(a), Likes(b), Likes(c), Likes(d));
  spawn(world, Damage(a), Damage(b), Damage(c), Damage(d));
});

describe("targets come in the order in which they were added", () => {
  it.each<[string, () => Entity]>([
    ["at spawn", () => spawn(world, Likes(c), Likes(a), Likes(d))],
    ["at the spawn of many", () => spawnMany(world, 3, Likes(c), Likes(a), Likes(d))[2]!],
    [
      "in one add",
      () => {
        const one = spawn(world);
        add(world, one, Likes(c), Likes(a), Likes(d));
        return one;
      },
    ],
    [
      "one by one",
      () => {
        const one = spawn(world);
        for (const target of [c, a, d]) add(world, one, Likes(target));
        return one;
      },
    ],
    [
      "before other things",
      () => {
        const one = spawn(world, Likes(c), Likes(a), Likes(d));
        add(world, one, Frozen, Position({ x: 1 }));
        add(world, one, ChildOf(a));
        add(world, one, Parent(b));
        add(world, one, DockedTo(d));
        add(world, one, Fears(c), Fears(a));
        remove(world, one, Frozen);
        pack(world);
        return one;
      },
    ],
    [
      "with another between that went again",
      () => {
        const one = spawn(world, Likes(c), Likes(b), Likes(a), Likes(d));
        remove(world, one, Likes(b));
        return one;
      },
    ],
    [
      "again what is there",
      () => {
        const one = spawn(world, Likes(c), Likes(a), Likes(d));
        add(world, one, Likes(a));
        add(world, one, Frozen, Likes(c), Likes(d));
        return one;
      },
    ],
    [
      "inside an iteration",
      () =>
        defer(world, () => {
          const one = spawn(world, Likes(c));
          add(world, one, Likes(a));
          add(world, one, Likes(d));
          return one;
        }),
    ],
    ["of a clone", () => clone(world, spawn(world, Likes(c), Likes(a), Likes(d)))],
    [
      "after a clear",
      () => {
        const one = spawn(world, Likes(a), Likes(d), Likes(c));
        clear(world, one);
        add(world, one, Likes(c), Likes(a));
        add(world, one, Likes(d));
        return one;
      },
    ],
    [
      "after all were taken off",
      () => {
        const one = spawn(world, Likes(d), Likes(c), Likes(b));
        remove(world, one, Likes(Any));
        add(world, one, Likes(c), Likes(a), Likes(d));
        return one;
      },
    ],
    [
      "when one in between is destroyed",
      () => {
        const one = spawn(world, Likes(c), Likes(b), Likes(a), Likes(d));
        destroy(world, b);
        return one;
      },
    ],
  ])("%s", (_, give) => {
    const one = give();

    expect(targetsOf(world, one, Likes)).toEqual([c, a, d]);
    expect([0, 1, 2, 3, -1, 0.5].map((place) => targetOf(world, one, Likes, place))).toEqual([
      c,
      a,
      d,
      undefined,
      undefined,
      undefined,
    ]);
    expect(targetOf(world, one, Likes)).toBe(c);
  });

  it("and one that is removed and added again is the last", () => {
    const one = spawn(world, Likes(a), Likes(b), Likes(c));

    remove(world, one, Likes(a));
    add(world, one, Likes(a));

    expect(targetsOf(world, one, Likes)).toEqual([b, c, a]);
  });

  it("for observers that hear of what is there, in both directions", () => {
    const one = spawn(world, Likes(c), Likes(a), Likes(d));
    const added: unknown[] = [];
    const removed: unknown[] = [];
    const tell = (events: unknown[]) => (event: WorldEvent) => {
      if (event.entity === one) events.push(event.target);
    };

    observe(world, { added: Likes }, tell(added), { yieldExisting: true });
    observe(world, { removed: Likes }, tell(removed), { yieldExisting: true })();

    expect([added, removed]).toEqual([
      [c, a, d],
      [c, a, d],
    ]);
  });

  describe("for observers of change events", () => {
    let events: unknown[];

    beforeEach(() => {
      events = [];
      observe(world, { added: Likes(Any), removed: Likes(Any) }, ({ kind, target }) => {
        events.push([kind, target]);
      });
    });

    it.each<[string, () => Entity]>([
      ["spawned", () => spawn(world, Likes(c), Likes(a), Likes(d))],
      ["spawned with others", () => spawnMany(world, 2, Likes(c), Likes(a), Likes(d))[0]!],
      [
        "added",
        () => {
          const one = spawn(world, Likes(b));
          remove(world, one, Likes(b));
          add(world, one, Likes(c), Likes(a), Likes(d));
          return one;
        },
      ],
      ["cloned", () => clone(world, spawn(world, Likes(c), Likes(a), Likes(d)))],
    ])("%s", (_, make) => {
      const one = make();

      expect(events.slice(-3)).toEqual([
        ["added", c],
        ["added", a],
        ["added", d],
      ]);
      expect(targetsOf(world, one, Likes)).toEqual([c, a, d]);
    });

    it.each<[string, (one: Entity) => void]>([
      ["destroyed", (one) => void destroy(world, one)],
      ["cleared", (one) => clear(world, one)],
      ["removed by a wildcard", (one) => remove(world, one, Likes(Any))],
      ["removed by the wildcard of all pairs", (one) => remove(world, one, Any(Any))],
      ["removed from all", () => removeFromAll(world, parseTerm(world, Likes(Any)))],
    ])("%s", (_, change) => {
      const one = spawn(world, Likes(c), Likes(a));
      add(world, one, Likes(d));
      events = [];

      change(one);

      expect(events.slice(-3)).toEqual([
        ["removed", c],
        ["removed", a],
        ["removed", d],
      ]);
    });

    it("of several added to one that has others", () => {
      const one = spawn(world, Likes(d), Likes(b));
      events = [];

      add(world, one, Frozen, Likes(c), Likes(a));

      expect(events).toEqual([
        ["added", c],
        ["added", a],
      ]);
    });

    it("and relations come in the order of definition, the parent first in both storages", () => {
      const all: unknown[] = [];
      observe(world, { removed: Any(Any) }, ({ definition, target }) => all.push([definition.name, target]));
      for (const parent of [ChildOf(a), Parent(a)]) {
        const one = spawn(world, Fears(c), Likes(c), parent, Fears(b), Likes(a));
        all.length = 0;

        destroy(world, one);

        expect(all).toEqual([
          ["ChildOf", a],
          ["Likes", c],
          ["Likes", a],
          ["Fears", c],
          ["Fears", b],
        ]);
      }
    });

    it("of symmetric pairs that others get", () => {
      const Near = relation("Near", { symmetric: true });
      const told: unknown[] = [];
      spawn(world, Near(a), Near(b), Near(c));
      observe(world, { added: Near(Any), removed: Near(Any) }, ({ kind, entity, target }) =>
        told.push([kind, entity, target]),
      );

      const one = spawn(world, Near(c), Near(a));

      expect(told.filter((event) => (event as unknown[])[1] === one)).toEqual([
        ["added", one, c],
        ["added", one, a],
      ]);
    });
  });

  it("in what describe shows", () => {
    const one = spawn(world, Likes(c), Likes(a));

    expect(textOf(world, one)).toContain(`[(Likes, #${indexOf(c)}), (Likes, #${indexOf(a)})]`);
  });

  it("for observers that are told of all pairs that are there", () => {
    const one = spawn(world, Fears(b), Likes(c), Fears(a), Likes(a));
    const told: unknown[] = [];

    observe(
      world,
      { added: Any(Any) },
      ({ entity, definition, target }) => {
        if (entity === one) told.push([definition.name, target]);
      },
      { yieldExisting: true },
    );

    expect(told).toEqual([
      ["Likes", c],
      ["Likes", a],
      ["Fears", b],
      ["Fears", a],
    ]);
  });

  it("each relation separately", () => {
    const one = spawn(world, Likes(d), Fears(d), Likes(a), Fears(b), Likes(b));

    expect([targetsOf(world, one, Likes), targetsOf(world, one, Fears)]).toEqual([
      [d, a, b],
      [d, b],
    ]);
  });

  it("of pairs with data too, and the values stay with them", () => {
    const one = spawn(world, Damage(c, { amount: 3 }), Damage(a, { amount: 1 }));
    set(world, one, Damage(d), { amount: 4 });

    add(world, one, Frozen);

    expect(targetsOf(world, one, Damage)).toEqual([c, a, d]);
    expect([a, c, d].map((target) => get(world, one, Damage(target))!.amount)).toEqual([1, 3, 4]);
  });

  it("of each entity separately, also in one table", () => {
    const [one, other] = [spawn(world, Likes(a), Likes(b)), spawn(world, Likes(b), Likes(a))];

    expect([targetsOf(world, one, Likes), targetsOf(world, other, Likes)]).toEqual([
      [a, b],
      [b, a],
    ]);
  });

  it("although the number of a pair is reused for another one", () => {
    const one = spawn(world, Likes(d), Likes(c), Likes(b));
    destroy(world, c);
    const young = spawn(world);
    add(world, one, Likes(young));
    destroy(world, d);
    const younger = spawn(world);
    add(world, one, Likes(younger));
    add(world, one, Likes(a));

    expect(targetsOf(world, one, Likes)).toEqual([b, young, younger, a]);
  });

  it("is not inherited by an entity spawned with the same index", () => {
    for (const old of spawnMany(world, 5000)) release(world, old);
    const one = spawn(world, Likes(d), Likes(a));
    release(world, one);

    const spawned = Array.from({ length: 5000 }, () => spawn(world, Likes(a), Likes(b)));

    expect(spawned.every((each) => targetOf(world, each, Likes) === a)).toBe(true);
    expect(world.orders.size).toBe(0);
  });

  it("costs nothing to keep where pairs are added in the order of their numbers", () => {
    const one = spawn(world, Likes(a), Likes(b));
    add(world, one, Likes(c));

    expect(world.orders.size).toBe(0);
    add(world, spawn(world, Likes(b)), Likes(a));
    expect(world.orders.size).toBe(1);
  });

  it.each(seeds(1, 3))("under random changes, seed %i", (seed) => {
    const dice = createDice(seed);
    const targets = spawnMany(world, 12);
    const sources = spawnMany(world, 6);
    const twin = new Map(sources.map((one) => [one, { likes: [] as Entity[], damage: [] as Entity[] }]));
    const wrong: string[] = [];

    for (let step = 0; step < 1500; step++) {
      const one = dice.pick(sources);
      const target = dice.pick(targets);
      const known = twin.get(one)!;
      const list = dice.chance(0.5) ? "likes" : "damage";
      const pair = list === "likes" ? Likes(target) : Damage(target);
      switch (dice.below(8)) {
        case 0:
        case 1:
        case 2:
        case 3:
          add(world, one, pair, ...(dice.chance(0.2) ? [Frozen] : []));
          if (!known[list].includes(target)) known[list].push(target);
          break;
        case 4:
        case 5:
          remove(world, one, pair);
          known[list] = known[list].filter((each) => each !== target);
          break;
        case 6: {
          destroy(world, target);
          for (const each of twin.values()) {
            each.likes = each.likes.filter((other) => other !== target);
            each.damage = each.damage.filter((other) => other !== target);
          }
          targets[targets.indexOf(target)] = spawn(world);
          break;
        }
        default:
          if (dice.chance(0.5)) add(world, one, dice.chance(0.5) ? ChildOf(a) : Parent(b));
          else remove(world, one, Frozen);
      }
      if (targetsOf(world, one, Likes).join() !== twin.get(one)!.likes.join()) wrong.push(`likes in ${step}`);
      if (targetsOf(world, one, Damage).join() !== twin.get(one)!.damage.join())
        wrong.push(`damage in ${step}`);
    }

    expect(wrong.slice(0, 3)).toEqual([]);
  });
});
