import { beforeEach, describe, expect, it } from "vitest";
import { verify } from "../../../src/debug.ts";
import {
  add,
  bits,
  ChildOf,
  clear,
  clone,
  component,
  createWorld,
  disposeWorld,
  type Entity,
  get,
  Parent,
  remove,
  set,
  sparse,
  spawn,
  spawnMany,
  tag,
  withHooks,
} from "../../../src/index.ts";
import { destroy } from "../../../src/internal.ts";

let calls: [name: string, entity: number, ...more: unknown[]][] = [];
beforeEach(() => {
  calls = [];
});

const Position = component("Position", { x: 0 });
const Selected = tag("Selected", { storage: bits });
const Health = withHooks(component("Health", { points: 10 }, { storage: sparse }), {
  check: (_, __, { points }) => (points < 0 ? { points: 0 } : undefined),
  onSet: (_, entity, { points }) => calls.push(["set", entity, points]),
  onRemove: (_, entity, { points }) => calls.push(["removed", entity, points]),
});

describe("a sparse component with hooks", () => {
  it("has its values checked and told of", () => {
    const world = createWorld();
    const ship = spawn(world, Position);
    add(world, ship, Health({ points: -5 }));
    set(world, ship, Health, { points: 7 });
    const other = spawn(world, Health({ points: -1 }), Position);

    expect([get(world, ship, Health), get(world, other, Health)]).toEqual([{ points: 7 }, { points: 0 }]);
    expect(calls).toEqual([
      ["set", ship, 0],
      ["set", ship, 7],
      ["set", other, 0],
    ]);
    expect(verify(world)).toEqual([]);
  });

  // A change of a parent that is stored as a value reads links alone, unless these say that it concerns more.
  it.each([ChildOf, Parent])(
    "is checked at a change of parent, where rows had no hooks before: $name",
    (In) => {
      let checks = 0;
      const Badge = withHooks(component("Badge", { n: 0 }, { storage: sparse }), {
        identifies: "siblings",
        check: () => {
          checks++;
        },
      });
      const world = createWorld();
      const [one, other] = spawnMany(world, 2) as [Entity, Entity];
      const neighbour = spawn(world, In(one), Position);
      const pilot = spawn(world, In(one));
      add(world, pilot, Badge);
      expect([checks, verify(world)]).toEqual([1, []]);
      add(world, pilot, In(other));
      expect([checks, verify(world)]).toEqual([2, []]);
      add(world, pilot, Position); // into the rows of the neighbour
      add(world, pilot, In(one));
      expect([checks, verify(world)]).toEqual([3, []]);
      add(world, neighbour, In(other));
      expect([checks, verify(world)]).toEqual([3, []]);
    },
  );

  it("is told of when it goes: removed, cleared, destroyed, with its parent, with its world", () => {
    const world = createWorld();
    const ships = spawnMany(world, 5, Position, Health) as Entity[];
    const [first, second, third, fourth, fifth] = ships as [Entity, Entity, Entity, Entity, Entity];
    const bare = spawn(world, Position, Selected);
    add(world, fourth, ChildOf(third));
    calls = [];
    remove(world, first, Health);
    remove(world, first, Health);
    clear(world, second);
    destroy(world, third);
    destroy(world, bare);
    disposeWorld(world);

    expect(calls).toEqual([
      ["removed", first, 10],
      ["removed", second, 10],
      ["removed", fourth, 10],
      ["removed", third, 10],
      ["removed", fifth, 10],
    ]);
  });

  it("is not told of for neighbours that lack it", () => {
    const world = createWorld();
    const [first, second] = spawnMany(world, 2, Position) as [Entity, Entity];
    add(world, first, Health);
    calls = [];
    add(world, second, ChildOf(first));
    destroy(world, second);

    expect(calls).toEqual([]);
  });

  it("is copied with a clone", () => {
    const world = createWorld();
    const ship = spawn(world, Position, Health({ points: 4 }));
    const copy = clone(world, ship);

    expect(get(world, copy, Health)).toEqual({ points: 4 });
    expect(verify(world)).toEqual([]);
  });
});
