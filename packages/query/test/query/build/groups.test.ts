import {
  add,
  ChildOf,
  component,
  createWorld,
  type Entity,
  f64,
  get,
  Parent,
  parentOf,
  relation,
  remove,
  set,
  spawn,
  spawnMany,
  targetOf,
  type World,
} from "@treeline/core";
import { indexOf } from "@treeline/core/internal";
import { describe, expect, it } from "vitest";
import {
  bind,
  cascade,
  changed,
  destroy,
  dispose,
  group,
  groupBy,
  groupsOf,
  orderBy,
  page,
  query,
  variable,
} from "../../../src/index.ts";
import { codeOf } from "../../code-of.ts";
import { Frozen, SoldIn } from "../../definitions.ts";
import { inOrder, listedFor } from "../../listed-rows.ts";

const Goods = component("Goods", { price: f64 });

/** Goods by price, at three markets or nowhere; markets are born in the order north, south, east. */
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
  it("are visited one after the other, by the index of the target, those without target last", () => {
    const { world } = plantMarkets();

    const asked = query(world, Goods, groupBy(SoldIn));

    expect(pricesOf(world, inOrder(asked))).toEqual([3, 1, 5, 2, 4]);
  });

  it("are listed in that order, as far as somebody is in them", () => {
    const { world, north, south, east, sell } = plantMarkets();
    const asked = query(world, Goods, groupBy(SoldIn));

    expect(groupsOf(asked)).toEqual([north, south, undefined]);
    sell(9, east);
    expect(groupsOf(asked)).toEqual([north, south, east, undefined]);
    expect(groupsOf(query(world, Frozen, groupBy(SoldIn)))).toEqual([north]);
    expect(groupsOf(query(world, Frozen, ChildOf(north), groupBy(SoldIn)))).toEqual([]);
  });

  it("are visited alone, those without target and those without anybody too", () => {
    const { world, north, south, east } = plantMarkets();
    const asked = query(world, Goods, groupBy(SoldIn));

    const seen = [north, south, undefined, east].map((market) =>
      pricesOf(world, inOrder(group(asked, market))).toSorted(),
    );

    expect(seen).toEqual([[1, 3], [2, 5], [4], []]);
  });

  it("follow retargets, also of groups that were asked for before", () => {
    const { world, north, south, goods } = plantMarkets();
    const asked = query(world, Goods, groupBy(SoldIn));
    const [atNorth, nowhere] = [group(asked, north), group(asked, undefined)];
    inOrder(asked);

    add(world, goods[0]!, SoldIn(north));
    remove(world, goods[3]!, SoldIn(south));

    expect(pricesOf(world, inOrder(atNorth)).toSorted()).toEqual([1, 3, 5]);
    expect(pricesOf(world, inOrder(nowhere)).toSorted()).toEqual([2, 4]);
    expect(groupsOf(asked)).toEqual([north, undefined]);
    expect(pricesOf(world, inOrder(asked)).slice(0, 3).toSorted()).toEqual([1, 3, 5]);
  });

  it("of a dead target have nobody, and are not listed", () => {
    const { world, north, south } = plantMarkets();
    const asked = query(world, Goods, groupBy(SoldIn));
    expect(groupsOf(asked)).toEqual([north, south, undefined]);

    destroy(world, south);

    expect(inOrder(group(asked, south))).toEqual([]);
    expect(groupsOf(asked)).toEqual([north, undefined]);
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
    expect(inOrder(byParent).at(-1)).toBe(bridge);
    expect(inOrder(group(byParent, ship)).toSorted()).toEqual([cabin, hold]);
    expect(groupsOf(byValue)).toEqual([ship, station, undefined]);
    expect(inOrder(byValue)).toEqual([hold, bridge, cabin]);
    expect(inOrder(group(byValue, undefined))).toEqual([cabin]);
  });

  it("never share a span", () => {
    const world = createWorld();
    const [one, other] = [spawn(world), spawn(world)];
    const goods = [one, one, other, other].map((market) => spawn(world, Goods, SoldIn(market)));

    const { pieces } = listedFor(query(world, Goods, groupBy(SoldIn)));

    expect(pieces).toEqual([goods.slice(0, 2), goods.slice(2)]);
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

    expect(inOrder(down)).toEqual([root, deck, ship, seat]);
    expect(inOrder(up)).toEqual([deck, root, seat, ship]);
    expect(inOrder(group(down, south))).toEqual([ship, seat]);
    expect(inOrder(group(up, south))).toEqual([seat, ship]);
  });

  it("come before the order by a field, and each group has it as well", () => {
    const { world, north, south, goods } = plantMarkets();
    const asked = query(world, Goods, orderBy(Goods, "price"), groupBy(SoldIn));
    expect(pricesOf(world, inOrder(asked))).toEqual([1, 3, 2, 5, 4]);
    expect(pricesOf(world, inOrder(group(asked, north)))).toEqual([1, 3]);

    set(world, goods[3]!, Goods, { price: 6 });

    expect(pricesOf(world, inOrder(group(asked, south)))).toEqual([5, 6]);
    expect(pricesOf(world, inOrder(group(asked, undefined)))).toEqual([4]);
  });

  it("of a query with variables stand for what these stood for when the group was asked for", () => {
    const { world, north, south, goods } = plantMarkets();
    const parent = variable("parent");
    const [ship, station] = [spawn(world), spawn(world)];
    goods.forEach((one, at) => {
      add(world, one, ChildOf(at < 2 ? ship : station));
    });
    const asked = query(world, Goods, ChildOf(parent), groupBy(SoldIn));

    const free = group(asked, south);
    const ofShip = group(bind(asked, parent, ship), south);
    bind(asked, parent, station);

    expect(pricesOf(world, inOrder(free)).toSorted()).toEqual([2, 5]);
    expect(pricesOf(world, inOrder(ofShip))).toEqual([5]);
    expect(pricesOf(world, inOrder(group(asked, south)))).toEqual([2]);
    expect(pricesOf(world, inOrder(group(asked, north))).toSorted()).toEqual([1, 3]);
    expect(groupsOf(asked)).toEqual([north, south]);
  });

  it("have variables of their own, which can be set without touching the whole or its other groups", () => {
    const { world, south, goods } = plantMarkets();
    const parent = variable("parent");
    const [ship, station] = [spawn(world), spawn(world)];
    add(world, goods[0]!, ChildOf(ship));
    add(world, goods[3]!, ChildOf(station));
    const asked = query(world, Goods, ChildOf(parent), groupBy(SoldIn));
    const [one, other] = [group(asked, south), group(asked, south)];

    const set = bind(one, parent, station);

    expect(set).toBe(one);
    expect(inOrder(one)).toEqual([goods[3]]);
    expect(inOrder(other).toSorted()).toEqual([goods[0], goods[3]]);
    expect(inOrder(asked).toSorted()).toEqual([goods[0], goods[3]]);
    expect(inOrder(page(one, 0, 5))).toEqual([goods[3]]);
    expect(inOrder(bind(one, parent, undefined)).toSorted()).toEqual([goods[0], goods[3]]);
  });

  it("by a reflexive relation hold those who have the pair: nobody is in the group of itself", () => {
    const world = createWorld();
    const Copies = relation("Copies", { exclusive: true, reflexive: true });
    const first = spawn(world, Goods);
    const copy = spawn(world, Goods, Copies(first));
    const asked = query(world, Goods, groupBy(Copies));

    expect(groupsOf(asked)).toEqual([first, undefined]);
    expect(inOrder(group(asked, first))).toEqual([copy]);
    expect(inOrder(group(asked, undefined))).toEqual([first]);
    expect(inOrder(group(asked, copy))).toEqual([]);
  });

  it("of a query that names an entity are found as well", () => {
    const { world, north, south, goods } = plantMarkets();
    const ship = spawn(world);
    for (const one of goods.slice(0, 3)) add(world, one, ChildOf(ship));

    const asked = query(world, ChildOf(ship), groupBy(SoldIn));

    expect(groupsOf(asked)).toEqual([north, south, undefined]);
    expect(inOrder(group(asked, south))).toEqual([goods[0]]);
    expect(inOrder(group(asked, undefined))).toEqual([goods[1]]);
  });

  it("of a query that asks for changes hold what changed", () => {
    const { world, north, south, goods } = plantMarkets();
    const asked = query(world, changed(Goods), groupBy(SoldIn));
    asked.lastRead = 0;

    expect(groupsOf(asked)).toEqual([north, south, undefined]);
    expect(pricesOf(world, inOrder(group(asked, south)))).toEqual([5, 2]);
    asked.lastRead = Number.MAX_SAFE_INTEGER;
    expect(inOrder(group(asked, south))).toEqual([]);
    expect(groupsOf(asked)).toEqual([]);
    expect(goods).toHaveLength(5);
  });

  it("are disposed with the query", () => {
    const { world, south } = plantMarkets();
    const asked = query(world, Goods, groupBy(SoldIn));
    const part = group(asked, south);
    const { inner } = asked;
    const [withTarget, withoutTarget] = [...inner];

    dispose(asked);

    expect(codeOf(() => inOrder(group(asked, south)))).toBe("disposed");
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

  it("come in the order in which their keys came up, and are visited alone by key", () => {
    const { world } = plantMarkets();
    const asked = query(world, Goods, groupBy(shelfOf(world)));

    expect(groupsOf<string | undefined>(asked).toSorted()).toEqual(["middle", "top", undefined]);
    const found = groupsOf<string | undefined>(asked).map((key) =>
      pricesOf(world, inOrder(group(asked, key))),
    );
    expect(pricesOf(world, inOrder(asked))).toEqual(found.flat());
    expect(found.map((prices) => prices.toSorted()).toSorted()).toEqual([[1], [2, 3], [4, 5]]);
    expect(inOrder(group(asked, "bottom"))).toEqual([]);
  });

  it("ask for each key once, until somebody comes, goes or moves", () => {
    const { world, goods, sell } = plantMarkets();
    let calls = 0;
    const asked = query(
      world,
      Goods,
      groupBy((entity) => {
        calls++;
        return entity === goods[0];
      }),
    );
    const counts: number[] = [];
    const look = (): void => {
      calls = 0;
      inOrder(asked);
      inOrder(group(asked, true));
      inOrder(group(asked, false));
      groupsOf(asked);
      counts.push(calls);
    };

    look();
    look();
    set(world, goods[1]!, Goods, { price: 100 });
    look();
    spawn(world, Frozen);
    look();
    sell(7, undefined);
    look();
    destroy(world, goods[2]!);
    look();

    expect(counts).toEqual([5, 0, 0, 5, 6, 5]);
  });

  it.each([
    ["ChildOf", ChildOf],
    ["Parent", Parent],
  ])("follow moves that leave everybody in the same rows: %s", (_, childOf) => {
    const world = createWorld();
    const parents = spawnMany(world, 3);
    const [one, other] = [0, 1].map((at) => spawn(world, Goods, childOf(parents[at]!))) as [Entity, Entity];
    const asked = query(
      world,
      Goods,
      groupBy((entity) => parents.indexOf(parentOf(world, entity)!)),
    );
    const seen = [groupsOf<number>(asked)];

    for (const at of [1, 2]) add(world, one, childOf(parents[at]!));
    for (const at of [2, 0]) add(world, other, childOf(parents[at]!));
    seen.push(groupsOf<number>(asked));
    const first = inOrder(group(asked, 2));
    for (const at of [1, 0]) add(world, one, childOf(parents[at]!));
    seen.push(groupsOf<number>(asked));

    expect(seen.map((keys) => keys.toSorted())).toEqual([[0, 1], [0, 2], [0]]);
    expect(first).toEqual([one]);
    expect(inOrder(group(asked, 0)).toSorted()).toEqual([one, other]);
  });

  it("follow a target that was changed twice between two visits", () => {
    const { world, north, south, east, goods } = plantMarkets();
    const asked = query(
      world,
      Goods,
      groupBy((entity) => targetOf(world, entity, SoldIn)),
    );
    expect(groupsOf(asked).toSorted()).toEqual([north, south, undefined]);

    for (const one of [goods[0]!, goods[3]!])
      for (const market of [north, east]) add(world, one, SoldIn(market));

    expect(groupsOf(asked).toSorted()).toEqual([north, east, undefined]);
    expect(pricesOf(world, inOrder(group(asked, east))).toSorted()).toEqual([2, 5]);
  });

  it("are asked for again after the function threw, though nobody moved since", () => {
    const world = createWorld();
    const [ship, station] = spawnMany(world, 2) as [Entity, Entity];
    const cabin = spawn(world, Goods, Parent(ship));
    let fails = false;
    const asked = query(
      world,
      Goods,
      groupBy((entity) => {
        if (fails) throw new RangeError("no");
        return parentOf(world, entity);
      }),
    );
    expect(groupsOf(asked)).toEqual([ship]);

    add(world, cabin, Parent(station));
    fails = true;
    expect(() => groupsOf(asked)).toThrow(RangeError);
    fails = false;

    expect(groupsOf(asked)).toEqual([station]);
  });

  it("ask again when another entity took over an index and its row", () => {
    const world = createWorld();
    const keys = new Map<Entity, string>();
    const first = spawn(world, Goods);
    keys.set(first, "old");
    const asked = query(
      world,
      Goods,
      groupBy((entity) => keys.get(entity)),
    );
    expect(groupsOf(asked)).toEqual(["old"]);

    let next = first;
    do {
      destroy(world, next);
      next = spawn(world, Goods);
    } while (indexOf(next) !== indexOf(first));
    keys.set(next, "new");

    expect(groupsOf(asked)).toEqual(["new"]);
    expect(inOrder(group(asked, "new"))).toEqual([next]);
  });

  it("order by a field within each group, whose numbers stay", () => {
    const { world, goods } = plantMarkets();
    const asked = query(
      world,
      Goods,
      orderBy(Goods, "price", { desc: true }),
      groupBy((entity) => goods.indexOf(entity) % 2),
    );
    expect(groupsOf<number>(asked).toSorted()).toEqual([0, 1]);
    expect(pricesOf(world, inOrder(group(asked, 0)))).toEqual([5, 3, 1]);

    set(world, goods[4]!, Goods, { price: 4.5 });

    expect(pricesOf(world, inOrder(group(asked, 0)))).toEqual([5, 4.5, 3]);
    expect(pricesOf(world, inOrder(group(asked, 1)))).toEqual([4, 2]);
  });

  it("ask once for an entity that answers several times", () => {
    const world = createWorld();
    const Likes = relation("Likes");
    const [one, other] = [spawn(world), spawn(world)];
    const fan = spawn(world, Likes(one), Likes(other));
    const asker = spawn(world, Likes(one));
    const calls: Entity[] = [];

    const asked = query(
      world,
      Likes(variable("liked")),
      groupBy((entity) => {
        calls.push(entity);
        return entity;
      }),
    );

    expect(inOrder(group(asked, fan))).toEqual([fan, fan]);
    expect(inOrder(group(asked, asker))).toEqual([asker]);
    expect(calls.toSorted()).toEqual([fan, asker]);
  });

  it("that throws leaves the groups as they were", () => {
    const { world, goods, sell } = plantMarkets();
    let fails = false;
    const asked = query(
      world,
      Goods,
      groupBy((entity) => {
        if (fails) throw new RangeError("no");
        return goods.indexOf(entity) < 2;
      }),
    );
    expect(groupsOf<boolean>(asked).toSorted()).toEqual([false, true]);
    const { numbers: groups } = asked.ordering!;

    sell(9, undefined);
    fails = true;
    expect(() => groupsOf(asked)).toThrow(RangeError);
    expect(asked.ordering!.numbers).toBe(groups);
    fails = false;

    expect(inOrder(group(asked, true))).toHaveLength(2);
    expect(inOrder(group(asked, false))).toHaveLength(4);
  });
});

describe("a group is refused", () => {
  it("of a query without groups, and of a group", () => {
    const { world, north } = plantMarkets();
    const plain = query(world, Goods);
    const asked = query(world, Goods, groupBy(SoldIn));
    const ordered = query(world, Goods, groupBy(SoldIn), orderBy(Goods, "price"));

    expect(codeOf(() => group(plain, north))).toBe("bad-query");
    expect(codeOf(() => groupsOf(plain))).toBe("bad-query");
    for (const one of [asked, ordered]) {
      expect(codeOf(() => group(group(one, north), north))).toBe("bad-query");
      expect(codeOf(() => groupsOf(group(one, north)))).toBe("bad-query");
      expect(codeOf(() => group(page(group(one, north), 0, 1), north))).toBe("bad-query");
    }
  });

  it("for what is no query, and for what is no handle where targets are meant", () => {
    const { world } = plantMarkets();
    const asked = query(world, Goods, groupBy(SoldIn));

    expect(codeOf(() => group({} as typeof asked, undefined))).toBe("bad-query");
    expect(codeOf(() => group(asked, "north"))).toBe("dead-entity");
    expect(codeOf(() => group(asked, 0.5))).toBe("dead-entity");
  });
});
