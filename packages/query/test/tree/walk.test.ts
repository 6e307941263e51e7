import {
  type AnyKindOfRelation,
  add,
  type Entity,
  pack,
  parentOf,
  release,
  remove,
  spawn,
  spawnMany,
} from "@treeline/core";
import { verify } from "@treeline/core/debug";
import { beforeEach, describe, expect, it } from "vitest";
import { ancestors, children, depthOf, descendants, destroy, roots } from "../../src/index.ts";
import { codeOf } from "../code-of.ts";
import { Frozen, Likes } from "../definitions.ts";
import { plant } from "../drawn-tree.ts";
import { Any, ChildOf, Parent } from "../public/builtins.ts";
import { createWorld, relation } from "../public/define.ts";
import { Local, Mark } from "../random/twin.ts";
import { setShipAndStation, ship, station, world } from "../test-world.ts";

const WiredTo = relation("WiredTo", { traversable: true });
const PartOf = relation("PartOf", { acyclic: true });

beforeEach(setShipAndStation);

describe("children", () => {
  it("come in the order of attaching", () => {
    const first = spawn(world, ChildOf(ship));
    const late = spawn(world);
    const second = spawn(world, ChildOf(ship));
    add(world, late, ChildOf(ship));

    expect(children(world, ship)).toEqual([first, second, late]);
  });

  it("of several tables under one parent come in the order of attaching", () => {
    const spawned = Array.from({ length: 30 }, (_, at) =>
      spawn(world, ChildOf(ship), ...(at % 2 ? [Mark] : []), ...(at % 3 ? [Frozen] : [])),
    );

    expect(children(world, ship)).toEqual(spawned);
  });

  it("keep their order when they get and lose components", () => {
    const spawned = spawnMany(world, 6, ChildOf(ship));
    for (const at of [4, 0, 2]) add(world, spawned[at]!, Mark);
    remove(world, spawned[0]!, Mark);
    add(world, spawned[5]!, Frozen, Local);

    expect(children(world, ship)).toEqual(spawned);
  });

  it("keep their order when one of them leaves", () => {
    const [a, b, c, d] = spawnMany(world, 4, ChildOf(ship)) as [Entity, Entity, Entity, Entity];

    release(world, a);
    const three = children(world, ship);
    add(world, c, ChildOf(station));

    expect([three, children(world, ship)]).toEqual([
      [b, c, d],
      [b, d],
    ]);
  });

  it("are last after a reparent, and after coming back", () => {
    const [a, b] = spawnMany(world, 2, ChildOf(ship)) as [Entity, Entity];
    const c = spawn(world, ChildOf(station));

    add(world, a, ChildOf(station));
    const away = children(world, station);
    add(world, a, ChildOf(ship));

    expect([away, children(world, ship), children(world, station)]).toEqual([[c, a], [b, a], [c]]);
  });

  it("keep their place when the same parent is given again", () => {
    const spawned = spawnMany(world, 3, ChildOf(ship));

    add(world, spawned[0]!, ChildOf(ship));
    add(world, spawned[1]!, ChildOf(ship), Frozen);

    expect(children(world, ship)).toEqual(spawned);
  });

  it("are in the same order after a pack", () => {
    const spawned = Array.from({ length: 20 }, (_, at) =>
      spawn(world, ChildOf(ship), ...(at % 2 ? [Mark] : [])),
    );
    for (const at of [3, 7, 11]) destroy(world, spawned[at]!);
    add(world, spawned[5]!, ChildOf(station));
    add(world, spawned[5]!, ChildOf(ship));
    const before = children(world, ship);

    pack(world);

    expect(children(world, ship)).toEqual(before);
    expect(before.at(-1)).toBe(spawned[5]);
  });

  it("are a new list: the world may be changed while walking it", () => {
    spawnMany(world, 5, ChildOf(ship));

    for (const child of children(world, ship)) destroy(world, child);

    expect(children(world, ship)).toEqual([]);
  });

  it("are none for a leaf, and for a parent that lost all", () => {
    const child = spawn(world, ChildOf(ship));
    remove(world, child, ChildOf(Any));

    expect([children(world, ship), children(world, child)]).toEqual([[], []]);
  });

  it("are not the subjects of other relations", () => {
    spawn(world, PartOf(ship));

    expect(children(world, ship)).toEqual([]);
  });

  it("of a parent whose index was used before are its own", () => {
    spawn(world, ChildOf(ship));
    destroy(world, ship);
    let reused = spawn(world);
    while (reused % 2 ** 24 !== ship % 2 ** 24) {
      destroy(world, reused);
      reused = spawn(world);
    }
    const child = spawn(world, ChildOf(reused));

    expect(children(world, reused)).toEqual([child]);
  });
});

describe("roots", () => {
  it("are the entities without parent, in the order in which they became that", () => {
    const child = spawn(world, ChildOf(ship), Mark);
    const buoy = spawn(world, Mark);
    remove(world, child, ChildOf(Any));
    add(world, station, ChildOf(ship));

    expect(roots(world)).toEqual([ship, buoy, child]);
  });

  it("are all entities in a flat world, whatever they have, also other pairs", () => {
    const liked = spawn(world, PartOf(ship), Mark);

    expect(roots(world)).toEqual([ship, station, liked]);
  });

  it("are none in an empty world", () => {
    expect(roots(createWorld())).toEqual([]);
  });

  it("have no parent in either storage; with Parent, those with ChildOf are included", () => {
    const child = spawn(world, ChildOf(ship));
    spawn(world, Parent(ship));

    expect([roots(world), roots(world, ChildOf)]).toEqual([
      [ship, station],
      [ship, station],
    ]);
    expect(roots(world, Parent)).toEqual([ship, station, child]);
  });

  it("along another relation are the entities without a target of it", () => {
    const plug = spawn(world, WiredTo(ship), ChildOf(ship));
    const cable = spawn(world, WiredTo(plug));
    const seat = spawn(world, ChildOf(ship));

    expect(roots(world, WiredTo)).toEqual([ship, station, seat]);
    expect([plug, cable].map((one) => depthOf(world, one, WiredTo))).toEqual([1, 2]);
  });

  it.each<[title: string, relation: AnyKindOfRelation]>([
    ["a relation that is not traversable", Likes],
    ["Any", Any],
    ["a component", Local as unknown as AnyKindOfRelation],
    ["null", null as unknown as AnyKindOfRelation],
  ])("along %s are refused", (_, relation) => {
    expect(codeOf(() => roots(world, relation))).toBe("bad-term");
    expect(codeOf(() => children(world, ship, relation))).toBe("bad-term");
  });
});

describe("ancestors", () => {
  it("are the parent, its parent, and so on to the root", () => {
    const cockpit = spawn(world, ChildOf(ship));
    const seat = spawn(world, ChildOf(cockpit));
    add(world, ship, ChildOf(station));

    expect(ancestors(world, seat)).toEqual([cockpit, ship, station]);
  });

  it("are none for a root, and along other relations", () => {
    const part = spawn(world, PartOf(ship));

    expect([ancestors(world, ship), ancestors(world, part)]).toEqual([[], []]);
  });
});

describe("descendants", () => {
  it("come in pre-order, siblings in order", () => {
    const drawn = "liner\n  cockpit\n    seat\n    lamp\n  engine\n    pump\nfreighter\n  crate";
    const { liner, cockpit, engine, seat, lamp, pump } = plant(world, drawn);
    add(world, engine, Mark);
    add(world, seat, Frozen);

    expect(descendants(world, liner)).toEqual([cockpit, seat, lamp, engine, pump]);
  });

  it("are none for a leaf", () => {
    expect(descendants(world, ship)).toEqual([]);
  });

  it("follow reparents", () => {
    const { liner, freighter, cockpit, seat } = plant(world, "liner\n  cockpit\n    seat\nfreighter");

    add(world, cockpit, ChildOf(freighter));

    expect([descendants(world, liner), descendants(world, freighter)]).toEqual([[], [cockpit, seat]]);
  });
});

describe("depthOf", () => {
  it("counts along Parent the parents that are stored as values, as ancestors does", () => {
    const arm = spawn(world, Parent(ship));
    const hand = spawn(world, Parent(arm));
    const ring = spawn(world, ChildOf(hand));

    expect([arm, hand, ring].map((one) => depthOf(world, one))).toEqual([1, 2, 3]);
    expect([arm, hand, ring].map((one) => depthOf(world, one, Parent))).toEqual([1, 2, 0]);
    expect(ancestors(world, ring, Parent)).toEqual([]);
  });

  it("is 0 for roots and counts steps otherwise (I8)", () => {
    const { liner, cockpit, seat } = plant(world, "liner\n  cockpit\n    seat");

    expect([liner, cockpit, seat].map((one) => depthOf(world, one))).toEqual([0, 1, 2]);
  });

  it("is right below a reparent and below an entity that became a root (I8)", () => {
    const { liner, cockpit, seat } = plant(world, "liner\n  cockpit\n    seat");
    add(world, liner, ChildOf(station));
    const deeper = [liner, cockpit, seat].map((one) => depthOf(world, one));

    remove(world, cockpit, ChildOf(Any));

    expect([deeper, depthOf(world, seat)]).toEqual([[1, 2, 3], 1]);
  });

  it("does not count other relations", () => {
    expect(depthOf(world, spawn(world, PartOf(ship)))).toBe(0);
  });
});

describe("a destroyed entity", () => {
  it.each<[title: string, make: (dead: Entity) => unknown]>([
    ["children", (dead) => children(world, dead)],
    ["ancestors", (dead) => ancestors(world, dead)],
    ["descendants", (dead) => descendants(world, dead)],
    ["depthOf", (dead) => depthOf(world, dead)],
  ])("is refused as dead-entity, and so are 0 and handles of other worlds: %s", (_, make) => {
    release(world, ship);
    const foreign = spawn(createWorld());

    expect([ship, 0 as Entity, foreign].map((one) => codeOf(() => make(one)))).toEqual([
      "dead-entity",
      "dead-entity",
      "dead-entity",
    ]);
  });
});

describe("a chain of 20,000", () => {
  it("is walked up and down, counted, and destroyed", () => {
    const chain = [ship];
    for (let at = 1; at < 20_000; at++) chain.push(spawn(world, ChildOf(chain[at - 1]!)));
    const last = chain.at(-1)!;

    expect(depthOf(world, last)).toBe(19_999);
    expect(ancestors(world, last).length).toBe(19_999);
    const below = descendants(world, ship);
    expect([below.length, below[0], below.at(-1)]).toEqual([19_999, chain[1], last]);

    add(world, ship, ChildOf(station));
    expect(depthOf(world, last)).toBe(20_000);

    destroy(world, ship);
    expect([roots(world), parentOf(world, station)]).toEqual([[station], undefined]);
    expect(verify(world)).toEqual([]);
  });
});
