import { describe, expect, it } from "vitest";
import { stats, verify } from "../../../src/debug.ts";
import {
  add,
  array,
  ChildOf,
  clear,
  clone,
  component,
  componentsOf,
  createWorld,
  defer,
  type Entity,
  entity,
  f32,
  field,
  get,
  has,
  locate,
  observe,
  patch,
  read,
  remove,
  set,
  sparse,
  spawn,
  spawnMany,
  subjectsOf,
  tag,
  value,
  type World,
} from "../../../src/index.ts";
import { destroy } from "../../../src/internal.ts";

const Position = component("Position", { x: 0, y: 0 });
const Enemy = tag("Enemy");
const Aim = component(
  "Aim",
  { x: f32(1), y: f32, at: entity, by: array(f32, 2, [3, 4]) },
  { storage: sparse },
);
const Note = component("Note", value("none"), { storage: sparse });
const Marked = tag("Marked", { storage: sparse });

const aim = (x: number, y: number): object => ({ x, y, at: undefined, by: Float32Array.of(3, 4) });

function three(world: World): [Entity, Entity, Entity] {
  return spawnMany(world, 3, Position) as [Entity, Entity, Entity];
}

describe("a sparse component", () => {
  it("is added, read, written and removed without another table", () => {
    const world = createWorld();
    const ship = spawn(world, Position);
    const before = stats(world);

    add(world, ship, Aim({ y: 2 }));
    expect(get(world, ship, Aim)).toEqual(aim(1, 2));
    set(world, ship, Aim, { x: 5 });
    expect(get(world, ship, Aim)).toEqual(aim(5, 2));
    patch(world, ship, Aim, (one) => {
      one.y = 7;
    });
    expect(get(world, ship, Aim)).toEqual(aim(5, 7));
    expect([stats(world).tables, stats(world).archetypes]).toEqual([before.tables, before.archetypes]);
    expect(verify(world)).toEqual([]);

    remove(world, ship, Aim);
    expect([get(world, ship, Aim), has(world, ship, Aim)]).toEqual([undefined, false]);
    expect(verify(world)).toEqual([]);
  });

  it("is added by a write", () => {
    const world = createWorld();
    const ship = spawn(world);
    set(world, ship, Aim, { x: 4 });
    set(world, ship, Note, "new");

    expect([get(world, ship, Aim), get(world, ship, Note)]).toEqual([aim(4, 0), "new"]);
  });

  it("reads a value once, also if reading it changes the world", () => {
    const world = createWorld();
    const [first, second, third] = three(world);
    for (const one of [first, second]) add(world, one, Aim({ x: 2 }));
    remove(world, second, Aim);
    let reads = 0;
    const value = {
      get x() {
        reads++;
        destroy(world, first);
        add(world, third, Enemy);
        return 8;
      },
    };
    add(world, third, Aim(value));

    expect([reads, get(world, third, Aim)]).toEqual([1, aim(8, 0)]);
    const own = {
      get x() {
        reads++;
        add(world, second, Aim({ y: 5 }));
        return 9;
      },
    };
    add(world, second, Aim(own));
    expect([reads, get(world, second, Aim)]).toEqual([2, aim(9, 5)]);
    expect(verify(world)).toEqual([]);
  });

  it("is refused without its value, for a wrong value and for the dead, with nothing changed", () => {
    const world = createWorld();
    const [first, second, third] = three(world);
    const Whole = component<string>("Whole", undefined, { storage: sparse });
    add(world, first, Whole("text"), Aim);
    destroy(world, third);
    const refused = (code: string): unknown => expect.objectContaining({ code });

    expect(() => add(world, second, Whole as never)).toThrow(refused("bad-value"));
    expect(() => add(world, second, Aim({ x: "1" as never }))).toThrow(refused("bad-value"));
    expect(() => add(world, third, Aim({ x: 1 }))).toThrow(refused("dead-entity"));
    expect([componentsOf(world, second), stats(world).entities]).toEqual([[Position], 2]);
    expect(verify(world)).toEqual([]);
  });

  it("has its defaults, also after another entity had its place", () => {
    const world = createWorld();
    const [first, second] = three(world);
    add(world, first, Aim({ x: 9, y: 9, by: [9, 9] }), Note("old"));
    remove(world, first, Aim);
    remove(world, first, Note);
    add(world, second, Aim, Note);

    expect([get(world, second, Aim), get(world, second, Note)]).toEqual([aim(1, 0), "none"]);
  });

  it("stays with its entity when others lose theirs, or are destroyed", () => {
    const world = createWorld();
    const entities = spawnMany(world, 100, Position);
    for (const [at, one] of entities.entries()) add(world, one, Aim({ x: at }), Note(`${at}`));
    for (const [at, one] of entities.entries()) {
      if (at % 3 === 0) remove(world, one, Aim);
      if (at % 5 === 0) destroy(world, one);
    }

    for (const [at, one] of entities.entries()) {
      if (at % 5 === 0) continue;
      expect(get(world, one, Aim)?.x).toBe(at % 3 === 0 ? undefined : at);
      expect(get(world, one, Note)).toBe(`${at}`);
    }
    expect(verify(world)).toEqual([]);
  });

  it("stays when its entity moves to another table or archetype", () => {
    const world = createWorld();
    const [first, second, third] = three(world);
    add(world, second, Aim({ x: 8 }));
    add(world, second, ChildOf(first));
    add(world, second, Enemy);
    destroy(world, third);

    expect(get(world, second, Aim)).toEqual(aim(8, 0));
    expect(verify(world)).toEqual([]);
  });

  it("is spawned with values, alone and in lists", () => {
    const world = createWorld();
    const ship = spawn(world, Position({ x: 1 }), Aim({ x: 2 }), Note("a"));
    const more = spawnMany(world, 3, Aim({ x: 3 }), Position({ x: 4 }), Marked, Note("b"));

    expect([get(world, ship, Position), get(world, ship, Aim), get(world, ship, Note)]).toEqual([
      { x: 1, y: 0 },
      aim(2, 0),
      "a",
    ]);
    for (const one of more)
      expect([get(world, one, Position), get(world, one, Aim), get(world, one, Note)]).toEqual([
        { x: 4, y: 0 },
        aim(3, 0),
        "b",
      ]);
    expect(more.map((one) => has(world, one, Marked))).toEqual([true, true, true]);
    expect(verify(world)).toEqual([]);
  });

  it("is cloned, with entities of the clone inside it", () => {
    const world = createWorld();
    const ship = spawn(world, Position);
    const part = spawn(world, ChildOf(ship));
    add(world, part, Aim({ x: 6, at: ship }), Note("kept"));
    const copy = clone(world, ship, { deep: true });
    const [found] = subjectsOf(world, copy, ChildOf) as [Entity];

    expect(get(world, found, Aim)).toEqual({ ...aim(6, 0), at: copy });
    expect(get(world, found, Note)).toBe("kept");
    expect(verify(world)).toEqual([]);
  });

  it("is listed, cleared, and gone with all below a parent", () => {
    const world = createWorld();
    const ship = spawn(world, Aim, Position);
    expect(componentsOf(world, ship)).toEqual([Position, Aim]);
    clear(world, ship);
    expect(componentsOf(world, ship)).toEqual([]);

    for (let at = 0; at < 100; at++) spawn(world, ChildOf(ship), Aim({ x: at }), Note("x"));
    destroy(world, ship);
    const next = spawnMany(world, 101, Position);
    expect(next.some((one) => has(world, one, Aim) || get(world, one, Note) !== undefined)).toBe(false);
    expect(verify(world)).toEqual([]);
  });

  it("is deferred inside an iteration, as others are", () => {
    const world = createWorld();
    const ship = spawn(world);
    defer(world, () => {
      add(world, ship, Aim({ x: 3 }));
      expect(has(world, ship, Aim)).toBe(false);
      const late = spawn(world, Aim({ x: 4 }));
      expect([has(world, late, Aim), get(world, late, Aim)]).toEqual([true, aim(4, 0)]);
    });

    expect(get(world, ship, Aim)).toEqual(aim(3, 0));
  });

  it("is told of to observers, its value still there when it goes", () => {
    const world = createWorld();
    const told: unknown[] = [];
    observe(world, { added: Aim }, ({ entity: one }) => told.push(["added", get(world, one, Aim)?.x]));
    observe(world, { set: Aim }, ({ entity: one }) => told.push(["set", get(world, one, Aim)?.x]));
    observe(world, { removed: Aim }, ({ entity: one }) => told.push(["removed", get(world, one, Aim)?.x]));
    const ship = spawn(world, Aim({ x: 2 }));
    set(world, ship, Aim, { x: 3 });
    remove(world, ship, Aim);
    add(world, ship, Aim({ x: 4 }));
    destroy(world, ship);

    expect(told).toEqual([
      ["added", 2],
      ["set", 2],
      ["set", 3],
      ["removed", 3],
      ["added", 4],
      ["set", 4],
      ["removed", 4],
    ]);
  });

  it("has fields that can be read and written alone", () => {
    const world = createWorld();
    const [ship, other] = three(world);
    const [x, second, at] = [field(Aim, "x"), field(Aim, "by", 1), field(Aim, "at")];
    expect([x.get(world, ship), second.get(world, ship), at.get(world, ship)]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    x.set(world, ship, 5);
    second.set(world, ship, 7);
    at.set(world, ship, other);

    expect([x.get(world, ship), second.get(world, ship), at.get(world, ship)]).toEqual([5, 7, other]);
    expect(get(world, ship, Aim)).toEqual({ x: 5, y: 0, at: other, by: Float32Array.of(3, 7) });
    destroy(world, ship);
    expect(() => x.get(world, ship)).toThrow(expect.objectContaining({ code: "dead-entity" }));
  });

  it("can be located and read into an object", () => {
    const world = createWorld();
    const ship = spawn(world, Aim({ x: 2, y: 3 }));
    const into = { x: 0, y: 0, at: undefined, by: new Float32Array(2) };
    const found = locate(world, ship, Aim)!;
    found.columns.x[found.row] = 11;

    expect([read(world, ship, Aim, into as never), into.x, into.y]).toEqual([true, 11, 3]);
  });

  it("gives memory back", () => {
    const world = createWorld();
    const before = stats(world).bytes;
    const entities = spawnMany(world, 20_000, Aim, Note("text"));
    for (const one of entities) destroy(world, one);

    expect(stats(world).bytes).toBeLessThan(before + 1_500_000);
    expect(verify(world)).toEqual([]);
  });

  it("keeps its room when all entities lose it one by one, until entities are destroyed", () => {
    const world = createWorld();
    const entities = spawnMany(world, 20_000, Aim);
    const full = stats(world).bytes;
    for (const one of entities) remove(world, one, Aim);
    const kept = stats(world).bytes;
    destroy(world, entities[0]!);

    expect(kept).toBe(full);
    expect(stats(world).bytes).toBeLessThan(kept - 500_000);
    expect(verify(world)).toEqual([]);
  });

  it("gives its room back if few entities are left when they lose it", () => {
    const world = createWorld();
    const entities = spawnMany(world, 20_000, Aim);
    const full = stats(world).bytes;
    for (const one of entities.slice(1000)) destroy(world, one);
    for (const one of entities.slice(0, 1000)) remove(world, one, Aim);

    expect(stats(world).bytes).toBeLessThan(full - 500_000);
    expect(verify(world)).toEqual([]);
  });
});
