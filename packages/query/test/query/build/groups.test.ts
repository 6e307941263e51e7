import type { Entity, World } from "@treeline/core";
import { add, get, parentOf, remove, set, spawn, spawnMany, targetOf } from "@treeline/core";
import { describe, expect, it } from "vitest";
import { destroy, dispose, entities, query } from "../../../src/index.ts";
import { codeOf } from "../../code-of.ts";
import { Frozen, SoldIn } from "../../definitions.ts";
import { failing } from "../../failing.ts";
import { matchesByRun } from "../../matches.ts";
import { ChildOf, Parent } from "../../public/builtins.ts";
import { component, createWorld, relation } from "../../public/define.ts";
import { f64 } from "../../public/fields.ts";
import { changed } from "../../public/filters.ts";
import { bind, group, groupBy, groupsOf, orderBy, page, unbind } from "../../public/parts.ts";
import { cascade, variable } from "../../public/terms.ts";
import { indexOf } from "../../world-state.ts";

const Goods = component("Goods", { price: f64 });

/** Goods by price, at three markets or nowhere; markets are spawned in the order north, south, east. */
function plantMarkets() {
  const world = createWorld();
  const [north, south, east] = [spawn(world), spawn(world), spawn(world)];
  const goods: Entity[] = [];
  const sell = (price: number, market: Entity | undefined): Entity => {
    const one =
      market === undefined ? spawn(world, Goods({ price })) : spawn(world, Goods({ price }), SoldIn(market));
    goods.push(one);
    return one;
  };
  sell(5, south);
  sell(4, undefined);
  sell(3, north);
  sell(2, south);
  add(world, sell(1, north), Frozen);
  return { world, north, south, east, goods, sell };
}

function pricesOf(world: World, entities: readonly Entity[]): (number | undefined)[] {
  return entities.map((one) => get(world, one, Goods)?.price);
}

describe("groups by the target of a relation", () => {
  it("are iterated one after the other, by the index of the target, those without target last", () => {
    const { world } = plantMarkets();

    const tested = query(world, Goods, groupBy(SoldIn));

    expect(pricesOf(world, entities(tested))).toEqual([3, 1, 5, 2, 4]);
  });

  it("are listed in that order, if they are not empty", () => {
    const { world, north, south, east, sell } = plantMarkets();
    const tested = query(world, Goods, groupBy(SoldIn));

    expect(groupsOf(tested)).toEqual([north, south, undefined]);
    sell(9, east);
    expect(groupsOf(tested)).toEqual([north, south, east, undefined]);
    expect(groupsOf(query(world, Frozen, groupBy(SoldIn)))).toEqual([north]);
    expect(groupsOf(query(world, Frozen, ChildOf(north), groupBy(SoldIn)))).toEqual([]);
  });

  it("are iterated separately, also the group without target and empty groups", () => {
    const { world, north, south, east } = plantMarkets();
    const tested = query(world, Goods, groupBy(SoldIn));

    const received = [north, south, undefined, east].map((market) =>
      pricesOf(world, entities(group(tested, market))).toSorted(),
    );

    expect(received).toEqual([[1, 3], [2, 5], [4], []]);
  });

  it("follow retargets, also of groups that were made before", () => {
    const { world, north, south, goods } = plantMarkets();
    const tested = query(world, Goods, groupBy(SoldIn));
    const [atNorth, nowhere] = [group(tested, north), group(tested, undefined)];
    entities(tested);

    add(world, goods[0]!, SoldIn(north));
    remove(world, goods[3]!, SoldIn(south));

    expect(pricesOf(world, entities(atNorth)).toSorted()).toEqual([1, 3, 5]);
    expect(pricesOf(world, entities(nowhere)).toSorted()).toEqual([2, 4]);
    expect(groupsOf(tested)).toEqual([north, undefined]);
    expect(pricesOf(world, entities(tested)).slice(0, 3).toSorted()).toEqual([1, 3, 5]);
  });

  it("of a destroyed target are empty, and are not listed", () => {
    const { world, north, south } = plantMarkets();
    const tested = query(world, Goods, groupBy(SoldIn));
    expect(groupsOf(tested)).toEqual([north, south, undefined]);

    destroy(world, south);

    expect(entities(group(tested, south))).toEqual([]);
    expect(groupsOf(tested)).toEqual([north, undefined]);
  });

  it("cover both storages of parents by ChildOf, and its own only by Parent", () => {
    const world = createWorld();
    const [ship, station] = [spawn(world), spawn(world)];
    const bridge = spawn(world, Goods, Parent(station));
    const cabin = spawn(world, Goods, ChildOf(ship));
    const hold = spawn(world, Goods, Parent(ship));

    const byParent = query(world, Goods, groupBy(ChildOf));
    const byValue = query(world, Goods, groupBy(Parent));

    expect(groupsOf(byParent)).toEqual([ship, station]);
    expect(entities(byParent).at(-1)).toBe(bridge);
    expect(entities(group(byParent, ship)).toSorted()).toEqual([cabin, hold]);
    expect(groupsOf(byValue)).toEqual([ship, station, undefined]);
    expect(entities(byValue)).toEqual([hold, bridge, cabin]);
    expect(entities(group(byValue, undefined))).toEqual([cabin]);
  });

  it("never share a run", () => {
    const world = createWorld();
    const [one, other] = [spawn(world), spawn(world)];
    const goods = [one, one, other, other].map((market) => spawn(world, Goods, SoldIn(market)));

    const runs = matchesByRun(query(world, Goods, groupBy(SoldIn)));

    expect(runs).toEqual([goods.slice(0, 2), goods.slice(2)]);
  });

  it("keep depths in order within each", () => {
    const world = createWorld();
    const [north, south] = [spawn(world), spawn(world)];
    const ship = spawn(world, Goods({ price: 1 }), SoldIn(south));
    const deck = spawn(world, Goods({ price: 2 }), SoldIn(north), ChildOf(ship));
    const seat = spawn(world, Goods({ price: 3 }), SoldIn(south), ChildOf(deck));
    const root = spawn(world, Goods({ price: 4 }), SoldIn(north));

    const down = query(world, Goods, cascade(Goods), groupBy(SoldIn));
    const up = query(world, Goods, cascade(Goods, { desc: true }), groupBy(SoldIn));

    expect(entities(down)).toEqual([root, deck, ship, seat]);
    expect(entities(up)).toEqual([deck, root, seat, ship]);
    expect(entities(group(down, south))).toEqual([ship, seat]);
    expect(entities(group(up, south))).toEqual([seat, ship]);
  });

  it("come before the order by a field, and each group has it as well", () => {
    const { world, north, south, goods } = plantMarkets();
    const tested = query(world, Goods, orderBy(Goods, "price"), groupBy(SoldIn));
    expect(pricesOf(world, entities(tested))).toEqual([1, 3, 2, 5, 4]);
    expect(pricesOf(world, entities(group(tested, north)))).toEqual([1, 3]);

    set(world, goods[3]!, Goods, { price: 6 });

    expect(pricesOf(world, entities(group(tested, south)))).toEqual([5, 6]);
    expect(pricesOf(world, entities(group(tested, undefined)))).toEqual([4]);
  });

  it("of a query with variables use what these were bound to when the group was made", () => {
    const { world, north, south, goods } = plantMarkets();
    const parent = variable("parent");
    const [ship, station] = [spawn(world), spawn(world)];
    goods.forEach((one, at) => {
      add(world, one, ChildOf(at < 2 ? ship : station));
    });
    const tested = query(world, Goods, ChildOf(parent), groupBy(SoldIn));

    const free = group(tested, south);
    const ofShip = group(bind(tested, parent, ship), south);
    bind(tested, parent, station);

    expect(pricesOf(world, entities(free)).toSorted()).toEqual([2, 5]);
    expect(pricesOf(world, entities(ofShip))).toEqual([5]);
    expect(pricesOf(world, entities(group(tested, south)))).toEqual([2]);
    expect(pricesOf(world, entities(group(tested, north))).toSorted()).toEqual([1, 3]);
    expect(groupsOf(tested)).toEqual([north, south]);
  });

  it("have variables of their own, which can be set without changing the whole or its other groups", () => {
    const { world, south, goods } = plantMarkets();
    const parent = variable("parent");
    const [ship, station] = [spawn(world), spawn(world)];
    add(world, goods[0]!, ChildOf(ship));
    add(world, goods[3]!, ChildOf(station));
    const tested = query(world, Goods, ChildOf(parent), groupBy(SoldIn));
    const [one, other] = [group(tested, south), group(tested, south)];

    const set = bind(one, parent, station);

    expect(set).toBe(one);
    expect(entities(one)).toEqual([goods[3]]);
    expect(entities(other).toSorted()).toEqual([goods[0], goods[3]]);
    expect(entities(tested).toSorted()).toEqual([goods[0], goods[3]]);
    expect(entities(page(one, 0, 5))).toEqual([goods[3]]);
    expect(entities(unbind(one, parent)).toSorted()).toEqual([goods[0], goods[3]]);
  });

  it("by a reflexive relation contain the subjects of the pair: no entity is in the group of itself", () => {
    const world = createWorld();
    const Copies = relation("Copies", { exclusive: true, reflexive: true });
    const first = spawn(world, Goods);
    const copy = spawn(world, Goods, Copies(first));
    const tested = query(world, Goods, groupBy(Copies));

    expect(groupsOf(tested)).toEqual([first, undefined]);
    expect(entities(group(tested, first))).toEqual([copy]);
    expect(entities(group(tested, undefined))).toEqual([first]);
    expect(entities(group(tested, copy))).toEqual([]);
  });

  it("of a query that names an entity are found as well", () => {
    const { world, north, south, goods } = plantMarkets();
    const ship = spawn(world);
    for (const one of goods.slice(0, 3)) add(world, one, ChildOf(ship));

    const tested = query(world, ChildOf(ship), groupBy(SoldIn));

    expect(groupsOf(tested)).toEqual([north, south, undefined]);
    expect(entities(group(tested, south))).toEqual([goods[0]]);
    expect(entities(group(tested, undefined))).toEqual([goods[1]]);
  });

  it("of a query about changes contain what changed", () => {
    const { world, north, south, goods } = plantMarkets();
    const tested = query(world, changed(Goods), groupBy(SoldIn));

    expect(groupsOf(tested)).toEqual([north, south, undefined]);
    expect(pricesOf(world, entities(group(tested, south)))).toEqual([5, 2]);
    expect(entities(tested)).toHaveLength(goods.length);
    expect(entities(group(tested, south))).toEqual([]);
    expect(groupsOf(tested)).toEqual([]);
  });

  it("are disposed with the query", () => {
    const { world, south } = plantMarkets();
    const tested = query(world, Goods, groupBy(SoldIn));
    const part = group(tested, south);
    const { inner } = tested;
    const [withTarget, withoutTarget] = [...inner];

    dispose(tested);

    expect(codeOf(() => entities(group(tested, south)))).toBe("disposed");
    expect(withTarget!.users).toBe(0);
    expect(withoutTarget!.users).toBe(0);
    expect(codeOf(() => page(part, 0, 1))).toBe("disposed");
  });
});

describe("groups by a function", () => {
  const shelfOf = (world: World) => (entity: Entity) => {
    const price = get(world, entity, Goods)!.price;
    return price > 3 ? "top" : price > 1 ? "middle" : undefined;
  };

  it("come in the order in which their keys first appeared, and are iterated separately by key", () => {
    const { world } = plantMarkets();
    const tested = query(world, Goods, groupBy(shelfOf(world)));

    expect(groupsOf<string | undefined>(tested).toSorted()).toEqual(["middle", "top", undefined]);
    const found = groupsOf<string | undefined>(tested).map((key) =>
      pricesOf(world, entities(group(tested, key))),
    );
    expect(pricesOf(world, entities(tested))).toEqual(found.flat());
    expect(found.map((prices) => prices.toSorted()).toSorted()).toEqual([[1], [2, 3], [4, 5]]);
    expect(entities(group(tested, "bottom"))).toEqual([]);
  });

  it("compute each key once, until an entity enters, leaves or moves", () => {
    const { world, goods, sell } = plantMarkets();
    let calls = 0;
    const tested = query(
      world,
      Goods,
      groupBy((entity) => {
        calls++;
        return entity === goods[0];
      }),
    );
    const counts: number[] = [];
    const inspect = (): void => {
      calls = 0;
      entities(tested);
      entities(group(tested, true));
      entities(group(tested, false));
      groupsOf(tested);
      counts.push(calls);
    };

    inspect();
    inspect();
    set(world, goods[1]!, Goods, { price: 100 });
    inspect();
    spawn(world, Frozen);
    inspect();
    sell(7, undefined);
    inspect();
    destroy(world, goods[2]!);
    inspect();

    expect(counts).toEqual([5, 0, 0, 5, 6, 5]);
  });

  it.each([
    ["ChildOf", ChildOf],
    ["Parent", Parent],
  ])("follow moves that leave all entities in the same rows: %s", (_, childOf) => {
    const world = createWorld();
    const parents = spawnMany(world, 3);
    const [one, other] = [0, 1].map((at) => spawn(world, Goods, childOf(parents[at]!))) as [Entity, Entity];
    const tested = query(
      world,
      Goods,
      groupBy((entity) => parents.indexOf(parentOf(world, entity)!)),
    );
    const received = [groupsOf<number>(tested)];

    for (const at of [1, 2]) add(world, one, childOf(parents[at]!));
    for (const at of [2, 0]) add(world, other, childOf(parents[at]!));
    received.push(groupsOf<number>(tested));
    const first = entities(group(tested, 2));
    for (const at of [1, 0]) add(world, one, childOf(parents[at]!));
    received.push(groupsOf<number>(tested));

    expect(received.map((keys) => keys.toSorted())).toEqual([[0, 1], [0, 2], [0]]);
    expect(first).toEqual([one]);
    expect(entities(group(tested, 0)).toSorted()).toEqual([one, other]);
  });

  it("follow a target that was changed twice between two iterations", () => {
    const { world, north, south, east, goods } = plantMarkets();
    const tested = query(
      world,
      Goods,
      groupBy((entity) => targetOf(world, entity, SoldIn)),
    );
    expect(groupsOf(tested).toSorted()).toEqual([north, south, undefined]);

    for (const one of [goods[0]!, goods[3]!])
      for (const market of [north, east]) add(world, one, SoldIn(market));

    expect(groupsOf(tested).toSorted()).toEqual([north, east, undefined]);
    expect(pricesOf(world, entities(group(tested, east))).toSorted()).toEqual([2, 5]);
  });

  it("are computed again after the function threw, even if no entity moved since", () => {
    const world = createWorld();
    const [ship, station] = spawnMany(world, 2) as [Entity, Entity];
    const cabin = spawn(world, Goods, Parent(ship));
    const key = failing((entity: Entity) => parentOf(world, entity));
    const tested = query(world, Goods, groupBy(key));
    expect(groupsOf(tested)).toEqual([ship]);

    add(world, cabin, Parent(station));
    key.fails = true;
    expect(() => groupsOf(tested)).toThrow(RangeError);
    key.fails = false;

    expect(groupsOf(tested)).toEqual([station]);
  });

  it("are computed again when another entity gets an index and its row", () => {
    const world = createWorld();
    const keys = new Map<Entity, string>();
    const first = spawn(world, Goods);
    keys.set(first, "old");
    const tested = query(
      world,
      Goods,
      groupBy((entity) => keys.get(entity)),
    );
    expect(groupsOf(tested)).toEqual(["old"]);

    let next = first;
    do {
      destroy(world, next);
      next = spawn(world, Goods);
    } while (indexOf(next) !== indexOf(first));
    keys.set(next, "new");

    expect(groupsOf(tested)).toEqual(["new"]);
    expect(entities(group(tested, "new"))).toEqual([next]);
  });

  it("order by a field within each group, whose numbers stay", () => {
    const { world, goods } = plantMarkets();
    const tested = query(
      world,
      Goods,
      orderBy(Goods, "price", { desc: true }),
      groupBy((entity) => goods.indexOf(entity) % 2),
    );
    expect(groupsOf<number>(tested).toSorted()).toEqual([0, 1]);
    expect(pricesOf(world, entities(group(tested, 0)))).toEqual([5, 3, 1]);

    set(world, goods[4]!, Goods, { price: 4.5 });

    expect(pricesOf(world, entities(group(tested, 0)))).toEqual([5, 4.5, 3]);
    expect(pricesOf(world, entities(group(tested, 1)))).toEqual([4, 2]);
  });

  it("compute the key once for an entity that matches several times", () => {
    const world = createWorld();
    const Likes = relation("Likes");
    const [one, other] = [spawn(world), spawn(world)];
    const fan = spawn(world, Likes(one), Likes(other));
    const single = spawn(world, Likes(one));
    const calls: Entity[] = [];

    const tested = query(
      world,
      Likes(variable("liked")),
      groupBy((entity) => {
        calls.push(entity);
        return entity;
      }),
    );

    expect(entities(group(tested, fan))).toEqual([fan, fan]);
    expect(entities(group(tested, single))).toEqual([single]);
    expect(calls.toSorted()).toEqual([fan, single]);
  });

  it("keep their members when the function throws", () => {
    const { world, goods, sell } = plantMarkets();
    const key = failing((entity: Entity) => goods.indexOf(entity) < 2);
    const tested = query(world, Goods, groupBy(key));
    expect(groupsOf<boolean>(tested).toSorted()).toEqual([false, true]);
    const { numbers: groups } = tested.ordering!;

    sell(9, undefined);
    key.fails = true;
    expect(() => groupsOf(tested)).toThrow(RangeError);
    expect(tested.ordering!.numbers).toBe(groups);
    key.fails = false;

    expect(entities(group(tested, true))).toHaveLength(2);
    expect(entities(group(tested, false))).toHaveLength(4);
  });
});

describe("a group is refused", () => {
  it("of a query without groups, and of a group", () => {
    const { world, north } = plantMarkets();
    const plain = query(world, Goods);
    const tested = query(world, Goods, groupBy(SoldIn));
    const ordered = query(world, Goods, groupBy(SoldIn), orderBy(Goods, "price"));

    expect(codeOf(() => group(plain, north))).toBe("bad-query");
    expect(codeOf(() => groupsOf(plain))).toBe("bad-query");
    for (const one of [tested, ordered]) {
      expect(codeOf(() => group(group(one, north), north))).toBe("bad-query");
      expect(codeOf(() => groupsOf(group(one, north)))).toBe("bad-query");
      expect(codeOf(() => group(page(group(one, north), 0, 1), north))).toBe("bad-query");
    }
  });

  it("for what is not a query, and for what is not a handle where targets are meant", () => {
    const { world } = plantMarkets();
    const tested = query(world, Goods, groupBy(SoldIn));

    expect(codeOf(() => group({} as typeof tested, undefined))).toBe("bad-query");
    expect(codeOf(() => group(tested, "north"))).toBe("dead-entity");
    expect(codeOf(() => group(tested, 0.5))).toBe("dead-entity");
  });
});
