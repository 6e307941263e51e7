import { add, type Entity, entityOf, get, set, spawn, spawnMany } from "@treeline/core";
import { beforeEach, describe, expect, it } from "vitest";
import type { Query, QueryTerm } from "../../src/index.ts";
import { collect, count, destroy, dispose, each, entities, first, isEmpty, query } from "../../src/index.ts";
import { codeOf } from "../code-of.ts";
import { Damage, Frozen, Likes, Marker } from "../definitions.ts";
import { iterated } from "../matches.ts";
import { Any, ChildOf, Disabled } from "../public/builtins.ts";
import { component } from "../public/define.ts";
import { array, bool, entity, f32 } from "../public/fields.ts";
import { added, changed, maybe, not, or } from "../public/filters.ts";
import { bind, group, groupBy, orderBy, page, shard } from "../public/parts.ts";
import { cascade, on, selfOrUp, singleton, up, variable } from "../public/terms.ts";
import { setWorld, world } from "../test-world.ts";
import { isIterating } from "../world-state.ts";

const A = component("A", { v: f32 });
const Kit = component("Kit", { on: bool, at: entity, cells: array(f32, 2) });
const Mesh = component<{ name: string }>("Mesh");
const parent = variable("parent");
beforeEach(setWorld);

/** A root and two ships with two decks each, in several archetypes; the root is spawned first. */
function plant(): Entity {
  const root = spawn(world, A({ v: 9 }), Mesh({ name: "root" }));
  for (const v of [1, 2]) {
    const ship = spawn(world, ChildOf(root), A({ v }), Frozen);
    spawn(world, ChildOf(ship), A({ v: v + 2 }), Likes(root), Likes(ship));
    spawn(world, ChildOf(ship), Likes(root));
  }
  spawn(world, A({ v: 20 }), Disabled);
  return root;
}

const descriptions: [title: string, make: (root: Entity) => Query][] = [
  ["a component", () => query(world, A)],
  ["nothing at all", () => query(world)],
  ["disabled entities too", () => query(world, A, maybe(Disabled))],
  ["a component that no entity has", () => query(world, Marker)],
  ["a component left out", () => query(world, A, not(Frozen))],
  ["alternatives", () => query(world, or(Frozen, Mesh))],
  ["any target", () => query(world, Likes(Any))],
  ["a target", (root) => query(world, ChildOf(root))],
  ["a target left out", (root) => query(world, A, not(Likes(root)))],
  ["a target in alternatives", (root) => query(world, or(Likes(root), ChildOf(root)))],
  ["parents first", () => query(world, A, cascade(A))],
  ["ancestors", () => query(world, up(Frozen))],
  ["a given entity", (root) => query(world, A, on(root, Mesh))],
  ["a given entity that has it not", (root) => query(world, A, on(root, Frozen))],
  ["a variable, each target once", () => query(world, Likes(parent))],
  ["a variable that is set", (root) => bind(query(world, A, ChildOf(parent)), parent, root)],
  ["an order", () => query(world, A, orderBy(A, "v", { desc: true }))],
  ["groups", () => query(world, A, groupBy(ChildOf))],
  ["a group", (root) => group(query(world, A, groupBy(ChildOf)), root)],
  ["those in no group", () => group(query(world, A, groupBy(ChildOf)), undefined)],
  [
    "a group by a function",
    () =>
      group(
        query(
          world,
          A,
          groupBy(() => 1),
        ),
        1,
      ),
  ],
  [
    "a group that is not there",
    () =>
      group(
        query(
          world,
          A,
          groupBy(() => 1),
        ),
        2,
      ),
  ],
  ["a page", () => page(query(world, A), 1, 2)],
  ["a page behind the end", () => page(query(world, A), 100, 2)],
  ["a shard", () => shard(query(world, A, orderBy(A, "v")), 1, 2)],
];

describe.each(descriptions)("of a query for %s", (_, make) => {
  it("entities, first, count and isEmpty return what an iteration meets", () => {
    const tested = make(plant());

    const met = iterated(tested);

    expect(entities(tested)).toEqual(met);
    expect(collect(tested).map((row) => row.at(-1))).toEqual(met);
    expect([first(tested), count(tested), isEmpty(tested)]).toEqual([met[0], met.length, met.length === 0]);
    expect(isIterating(world)).toBe(false);
  });

  it("they return the same after the world has changed", () => {
    const root = plant();
    const tested = make(root);
    iterated(tested);
    for (const one of entities(query(world, Frozen)).slice(1)) destroy(world, one);
    spawn(world, A({ v: 0.5 }), ChildOf(root));

    const met = iterated(tested);

    expect(entities(tested)).toEqual(met);
    expect([first(tested), count(tested), isEmpty(tested)]).toEqual([met[0], met.length, met.length === 0]);
  });
});

describe("entities", () => {
  it("is a new list, which may be looped over while the world changes", () => {
    const spawned = spawnMany(world, 3, A);
    const tested = query(world, A);

    const found = entities(tested);
    for (const one of found) destroy(world, one);

    expect([found, entities(tested)]).toEqual([spawned, []]);
  });

  it("contains an entity as often as it matches", () => {
    const [one, other] = [spawn(world), spawn(world)];
    const fan = spawn(world, Likes(one), Likes(other));

    expect(entities(query(world, Likes(parent)))).toEqual([fan, fan]);
  });
});

describe("collect", () => {
  it("returns copies as get does, which do not change", () => {
    const friend = spawn(world);
    const one = spawn(world, A({ v: 1 }), Kit({ on: true, at: friend, cells: [2, 3] }));
    const tested = query(world, A, Kit);

    const [row] = collect(tested);
    const before = [get(world, one, A), get(world, one, Kit), one];
    set(world, one, A, { v: 5 });
    set(world, one, Kit, { on: false, at: undefined, cells: [6, 7] });

    expect(row).toEqual(before);
    expect(Object.keys(row![1])).toEqual(["on", "at", "cells"]);
    expect(Object.getPrototypeOf(row![0])).toBe(Object.prototype);
  });

  it("returns separate copies: writing them changes no entity", () => {
    const one = spawn(world, Kit({ cells: [1, 2] }));

    const [row] = collect(query(world, Kit));
    row![0].on = true;
    row![0].cells[0] = 9;

    expect(get(world, one, Kit)).toMatchObject({ on: false, cells: new Float32Array([1, 2]) });
  });

  it("gives each row a list and copies of its own", () => {
    const [one, other] = spawnMany(world, 2, A);
    set(world, one!, A, { v: 1 });
    set(world, other!, A, { v: 2 });

    expect(collect(query(world, A))).toEqual([
      [{ v: 1 }, one],
      [{ v: 2 }, other],
    ]);
  });

  it("contains undefined in place of an entity that was destroyed", () => {
    const friend = spawn(world);
    spawn(world, Kit({ at: friend }));
    destroy(world, friend);

    expect(collect(query(world, Kit))[0]![0].at).toBe(undefined);
  });

  it("passes JavaScript values as they are", () => {
    const mesh = { name: "hull" };
    const one = spawn(world, Mesh(mesh));

    const [row] = collect(query(world, Mesh));

    expect(row).toEqual([mesh, one]);
    expect(row![0]).toBe(mesh);
  });

  it("contains an empty object for a component without fields", () => {
    const one = spawn(world, Marker);

    expect(collect(query(world, Marker))).toEqual([[{}, one]]);
  });

  it("contains undefined and true where each passes them", () => {
    const one = spawn(world, A({ v: 1 }));
    const other = spawn(world, A({ v: 2 }), Frozen, Mesh({ name: "hull" }));

    expect(collect(query(world, A, maybe(Frozen), maybe(Mesh)))).toEqual([
      [{ v: 1 }, undefined, undefined, one],
      [{ v: 2 }, true, { name: "hull" }, other],
    ]);
  });

  it("copies the alternative that holds, row by row", () => {
    const root = spawn(world);
    const spawned = [
      spawn(world, A({ v: 1 }), Kit({ cells: [1, 1] })),
      spawn(world, Kit({ cells: [2, 2] })),
      spawn(world, Mesh({ name: "hull" })),
      spawn(world, Frozen),
      spawn(world, Damage(root, { amount: 4 })),
    ];

    const given = collect(query(world, or(A, Kit, Mesh, Frozen, Damage(root))));

    const kit = { on: false, at: undefined, cells: new Float32Array([2, 2]) };
    expect(given).toEqual([
      [{ v: 1 }, spawned[0]],
      [kit, spawned[1]],
      [{ name: "hull" }, spawned[2]],
      [undefined, spawned[3]],
      [{ amount: 4 }, spawned[4]],
    ]);
  });

  it("copies values of pairs, ancestors, given entities and of the world", () => {
    const root = spawn(world, A({ v: 1 }), Kit({ cells: [1, 2] }));
    const ship = spawn(world, ChildOf(root), A({ v: 2 }), Damage(root, { amount: 3 }));
    add(world, entityOf(world, Marker), Marker);
    set(world, entityOf(world, A), A, { v: 7 });
    const tested = query(
      world,
      Damage(root),
      cascade(A),
      up(Kit),
      selfOrUp(A),
      on(root, A),
      singleton(A),
      ChildOf(parent),
      parent,
    );

    const given = collect(tested);
    set(world, root, A, { v: 8 });

    const kit = { on: false, at: undefined, cells: new Float32Array([1, 2]) };
    expect(given).toEqual([[{ amount: 3 }, { v: 1 }, kit, { v: 2 }, { v: 1 }, { v: 7 }, root, ship]]);
  });
});

describe("a query about changes", () => {
  const fixedSources: [title: string, inspect: (tested: Query) => void][] = [
    ["entities", (tested) => entities(tested)],
    ["collect", (tested) => collect(tested)],
    ["each", (tested) => each(tested, () => {})],
  ];
  it.each(fixedSources)("has read its changes after %s", (_, inspect) => {
    const [one] = spawnMany(world, 2, A);
    const tested = query(world, A, changed(A)) as unknown as Query;
    entities(tested);
    set(world, one!, A, { v: 1 });

    inspect(tested);

    expect(entities(tested)).toEqual([]);
  });

  const reads: [title: string, read: (tested: Query) => unknown, expected: (one: Entity) => unknown][] = [
    ["first", first, (one) => one],
    ["count", count, () => 1],
    ["isEmpty", isEmpty, () => false],
  ];
  it.each(reads)("keeps its changes unread after %s, until its next iteration", (_, read, expected) => {
    const [one] = spawnMany(world, 2, A);
    const tested = query(world, A, changed(A)) as unknown as Query;
    entities(tested);
    set(world, one!, A, { v: 1 });

    expect([read(tested), read(tested)]).toEqual([expected(one!), expected(one!)]);
    expect(entities(tested)).toEqual([one]);
  });

  it.each(reads)("about ancestors keeps its changes unread after %s too", (_, read, expected) => {
    const [root, other] = spawnMany(world, 2, A);
    const leaf = spawn(world, ChildOf(root!));
    const tested = query(world, changed(up(A))) as unknown as Query;
    entities(tested);
    add(world, leaf, ChildOf(other!));

    expect([read(tested), read(tested)]).toEqual([expected(leaf), expected(leaf)]);
    expect([entities(tested), entities(tested)]).toEqual([[leaf], []]);
  });

  it("about additions is empty once they were read", () => {
    const tested = query(world, added(Frozen)) as unknown as Query;
    entities(tested);
    const one = spawn(world, Frozen);

    expect([isEmpty(tested), first(tested), collect(tested), isEmpty(tested)]).toEqual([
      false,
      one,
      [[one]],
      true,
    ]);
  });
});

const verbs: [title: string, call: (tested: Query) => unknown][] = [
  ["entities", entities],
  ["collect", collect],
  ["first", first],
  ["count", count],
  ["isEmpty", isEmpty],
];

describe.each(verbs)("%s", (_, call) => {
  it("refuses a disposed query, and leaves nothing locked", () => {
    const tested = query(world, A) as unknown as Query;
    dispose(tested);

    expect([codeOf(() => call(tested)), isIterating(world)]).toEqual(["disposed", false]);
  });

  it("refuses what is not a query", () => {
    expect([codeOf(() => call(undefined as never)), codeOf(() => call(A as never))]).toEqual([
      "bad-query",
      "bad-query",
    ]);
  });

  it.each<[title: string, term: () => QueryTerm]>([
    ["a comparison", () => orderBy(A, () => fail())],
    ["a function for groups", () => groupBy(() => fail())],
  ])("rethrows what %s throws, if it must call it, and leaves nothing locked", (__, term) => {
    spawnMany(world, 2, A);
    const tested = query(world, A, term()) as unknown as Query;
    const needsNoOrder = call === count || call === isEmpty;

    expect(codeOf(() => call(tested))).toBe(needsNoOrder ? undefined : "not refused but broken: Error: no");
    expect(isIterating(world)).toBe(false);
  });

  it("can be called inside iterations, and sees the world as it is there", () => {
    const spawned = spawnMany(world, 2, A);
    const tested = query(world, A) as unknown as Query;
    const received: unknown[] = [];

    each(tested, () => {
      spawn(world, A);
      received.push(call(tested));
    });

    const right = { entities: spawned, first: spawned[0], count: 2, isEmpty: false };
    expect(received[0]).toEqual(
      call === collect ? spawned.map((one) => [{ v: 0 }, one]) : right[call.name as keyof typeof right],
    );
    expect(received[1]).toEqual(received[0]);
  });
});

function fail(): never {
  throw new Error("no");
}
