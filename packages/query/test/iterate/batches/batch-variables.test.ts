import { add, type Entity, get, pack, remove, spawn, spawnMany, type World } from "@treeline/core";
import { verify } from "@treeline/core/debug";
import { describe, expect, it, vi } from "vitest";
import { each, eachBatch, type Query, query } from "../../../src/index.ts";
import { codeOf } from "../../code-of.ts";
import { DockedTo } from "../../definitions.ts";
import { ChildOf, Parent } from "../../public/builtins.ts";
import { component, createWorld } from "../../public/define.ts";
import { f32 } from "../../public/fields.ts";
import { bind, unbind } from "../../public/parts.ts";
import { cascade, on, up, variable } from "../../public/terms.ts";

const Place = component("Place", { x: f32 });
const Sign = component("Sign", { x: f32 });
const parent = variable("parent");

/** Each child and its parent's place, from batches. */
function placesIn(tested: Query, world: World): [Entity, Entity | undefined, number][] {
  const found: [Entity, Entity | undefined, number][] = [];
  eachBatch(tested, (batch) => {
    const { rows, from, to } = batch;
    const above = batch.rowsOf(parent);
    const { x } = batch.columnsOf(parent, Place);
    for (let at = from; at < to; at++) {
      found.push([batch.entityAt(rows[at]!), batch.sourceAt(parent, at), x[above[at]!]!]);
    }
  });
  expect(verify(world)).toEqual([]);
  return found.sort(([one], [other]) => one - other);
}

/** The same, by checking every entity. */
function expected(world: World, all: readonly Entity[], parents: readonly Entity[]): unknown[] {
  const found: [Entity, Entity, number][] = [];
  for (const child of all) {
    for (const one of parents) {
      const place = get(world, one, Place);
      if (place === undefined) continue;
      eachBatch(query(world, Sign, ChildOf(one), cascade(Place)), (batch) => {
        for (let at = batch.from; at < batch.to; at++) {
          if (batch.entityAt(batch.rows[at]!) === child) found.push([child, one, place.x]);
        }
      });
    }
  }
  return found.sort(([one], [other]) => one - other);
}

describe.each([
  ["in the type", [ChildOf, ChildOf, ChildOf]],
  ["as a value", [Parent, Parent, Parent]],
  ["in both storages", [ChildOf, Parent, ChildOf]],
] as const)("batches of a free variable that is the parent, stored %s,", (_, storages) => {
  const world = createWorld();
  const parents = [0, 1, 2, 3].map((x) => (x === 3 ? spawn(world) : spawn(world, Place({ x }))));
  const children = Array.from({ length: 24 }, (_, number) =>
    spawn(world, Sign, storages[number % 3]!(parents[number % 4]!), ...(number % 5 === 0 ? [Place] : [])),
  );
  const tested = query(world, Sign, ChildOf(parent), on(parent, Place));

  it("match each child once, beside its parent", () => {
    expect(placesIn(tested, world)).toEqual(expected(world, children, parents));
    expect(placesIn(tested, world)).toHaveLength(18);
  });

  it("follow what moves", () => {
    add(world, children[0]!, ChildOf(parents[2]!));
    add(world, children[1]!, ChildOf(children[5]!));
    remove(world, children[2]!, ChildOf(parents[2]!));
    add(world, parents[3]!, Place({ x: 9 }));
    remove(world, parents[1]!, Place);

    expect(placesIn(tested, world)).toEqual(expected(world, children, [...parents, ...children]));
    pack(world);
    expect(placesIn(tested, world)).toEqual(expected(world, children, [...parents, ...children]));
  });

  it("match the children of one parent while it is set", () => {
    bind(tested, parent, parents[3]!);
    expect(placesIn(tested, world)).toEqual(expected(world, children, [parents[3]!]));
    expect(placesIn(tested, world).length).toBeGreaterThan(4);

    unbind(tested, parent);
    expect(placesIn(tested, world)).toEqual(expected(world, children, [...parents, ...children]));
  });

  it("are the rows that each matches", () => {
    const given: unknown[] = [];
    each(query(world, Sign, ChildOf(parent), on(parent, Place), parent), (_sign, { x }, above, child) =>
      given.push([child, above, x]),
    );

    expect(given.sort((one, other) => (one as [Entity])[0] - (other as [Entity])[0])).toEqual(
      placesIn(tested, world),
    );
  });
});

describe("batches of a variable", () => {
  it("that needs a search have the bound entity beside them as well", () => {
    const world = createWorld();
    const dock = spawn(world, Place({ x: 7 }));
    const ships = [1, 2].map(() => spawn(world, Sign, DockedTo(dock)));
    spawn(world, Sign, DockedTo(spawn(world)));

    expect(placesIn(query(world, Sign, DockedTo(parent), on(parent, Place)), world)).toEqual(
      ships.map((ship) => [ship, dock, 7]),
    );
  });

  it("report the bound entity at each position without a list, if all have the same", () => {
    const world = createWorld();
    const dock = spawn(world, Place);
    const ships = spawnMany(world, 50, Sign, DockedTo(dock));
    const tested = bind(query(world, Sign, DockedTo(parent), up(Place), parent), parent, dock);
    for (const ship of ships.slice(1)) add(world, ship, ChildOf(ships[0]!));
    add(world, ships[0]!, ChildOf(spawn(world, Place)));
    const found: unknown[] = [];
    const fills = vi.spyOn(Int32Array.prototype, "fill");

    eachBatch(tested, (batch) => {
      fills.mockClear();
      for (let at = batch.from; at < batch.to; at++) found.push(batch.sourceAt(parent, at));
      expect(fills).not.toHaveBeenCalled();
    });

    fills.mockRestore();
    expect(found).toEqual(ships.map(() => dock));
  });

  it("accept no other variable as a path, and no component of rows", () => {
    const world = createWorld();
    spawn(world, Sign, ChildOf(spawn(world)));

    eachBatch(query(world, Sign, ChildOf(parent)), (batch) => {
      expect(batch.has(parent)).toBe(true);
      expect(codeOf(() => batch.rowsOf(variable("other")))).toBe("bad-query");
      expect(codeOf(() => batch.rowsOf(Sign))).toBe("bad-query");
    });
  });
});
