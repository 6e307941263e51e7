import { describe, expect, it } from "vitest";
import { stats, verify } from "../../../src/debug.ts";
import {
  add,
  bits,
  ChildOf,
  clear,
  clone,
  component,
  createWorld,
  defer,
  has,
  observe,
  remove,
  spawn,
  spawnMany,
  tag,
  tagsOf,
} from "../../../src/index.ts";
import { destroy } from "../../../src/internal.ts";

const Position = component("Position", { x: 0, y: 0 });
const Enemy = tag("Enemy");
const Selected = tag("Selected", { storage: bits });

describe("a tag stored as bits", () => {
  it("can be added and removed without another archetype or table", () => {
    const world = createWorld();
    const ship = spawn(world, Position);
    const before = stats(world);

    add(world, ship, Selected);
    expect([has(world, ship, Selected), tagsOf(world, ship)]).toEqual([true, [Selected]]);
    expect([stats(world).archetypes, stats(world).tables]).toEqual([before.archetypes, before.tables]);
    remove(world, ship, Selected);
    expect([has(world, ship, Selected), tagsOf(world, ship)]).toEqual([false, []]);
  });

  it("comes with a spawn, alone and in a list", () => {
    const world = createWorld();
    const ship = spawn(world, Position, Selected);
    const more = spawnMany(world, 3, Selected, Position);

    expect([ship, ...more].map((entity) => has(world, entity, Selected))).toEqual([true, true, true, true]);
    expect(verify(world)).toEqual([]);
  });

  it("stays while the entity moves to other tables, and while its neighbours go", () => {
    const world = createWorld();
    const [first, second, third] = spawnMany(world, 3, Position) as [never, never, never];
    add(world, third, Selected);

    destroy(world, first);
    add(world, third, Enemy);
    add(world, third, ChildOf(second));

    expect([has(world, second, Selected), has(world, third, Selected)]).toEqual([false, true]);
    expect(verify(world)).toEqual([]);
  });

  it("is copied by a clone, cleared, and gone with the entity", () => {
    const world = createWorld();
    const ship = spawn(world, Position, Selected);
    const copy = clone(world, ship);
    clear(world, ship);
    destroy(world, copy);
    const next = spawn(world, Position);

    expect([has(world, ship, Selected), has(world, next, Selected)]).toEqual([false, false]);
  });

  it("is told of to observers once for each change", () => {
    const world = createWorld();
    const notified: string[] = [];
    observe(world, { added: Selected }, () => notified.push("added"));
    observe(world, { removed: Selected }, () => notified.push("removed"));
    const ship = spawn(world, Position);

    add(world, ship, Selected);
    add(world, ship, Selected);
    remove(world, ship, Selected);
    remove(world, ship, Selected);
    add(world, ship, Selected, Enemy);
    destroy(world, ship);

    expect(notified).toEqual(["added", "removed", "added", "removed"]);
  });

  it("can be turned again and again, beside neighbours that have it", () => {
    const world = createWorld();
    const ships = spawnMany(world, 100, Position);
    for (const ship of ships) add(world, ship, Selected);
    for (const ship of ships.slice(0, 40)) remove(world, ship, Selected);
    for (const ship of ships.slice(10, 20)) add(world, ship, Selected);
    for (const ship of ships.slice(10, 20)) add(world, ship, Selected);

    const selected = ships.map((ship, at) => (has(world, ship, Selected) ? at : -1)).filter((at) => at >= 0);
    expect(selected).toEqual(ships.map((_, at) => at).filter((at) => (at >= 10 && at < 20) || at >= 40));
    expect(verify(world)).toEqual([]);
  });

  it("is added and removed when an iteration ends, also if others have it", () => {
    const world = createWorld();
    const [first, second] = spawnMany(world, 2, Position) as [never, never];
    add(world, first, Selected);

    defer(world, () => {
      remove(world, first, Selected);
      add(world, second, Selected);
      expect([has(world, first, Selected), has(world, second, Selected)]).toEqual([true, false]);
    });

    expect([has(world, first, Selected), has(world, second, Selected)]).toEqual([false, true]);
  });

  it("is refused for an entity that is not alive, also if others have it", () => {
    const world = createWorld();
    const [first, second] = spawnMany(world, 2, Position) as [never, never];
    add(world, first, Selected);
    destroy(world, second);

    const dead = expect.objectContaining({ code: "dead-entity" });
    expect(() => add(world, second, Selected)).toThrow(dead);
    expect(() => remove(world, second, Selected)).toThrow(dead);
  });

  it("is told of to an observer that comes later", () => {
    const world = createWorld();
    const [first, second] = spawnMany(world, 2, Position) as [never, never];
    add(world, first, Selected);
    const events: string[] = [];
    observe(world, { added: Selected }, () => events.push("added"));
    observe(world, { removed: Selected }, () => events.push("removed"));

    add(world, second, Selected);
    remove(world, first, Selected);

    expect(events).toEqual(["added", "removed"]);
  });

  it("is refused for a component that has values", () => {
    for (const define of [
      () => component("Place", { x: 0 }, { storage: bits }),
      () => component<string>("Note", undefined, { storage: bits }),
    ])
      expect(define).toThrow(expect.objectContaining({ code: "bad-definition" }));
  });

  it("is refused if the storage is a text", () => {
    expect(() => tag("Hidden", { storage: "bits" as never })).toThrow(
      expect.objectContaining({ code: "bad-definition" }),
    );
  });
});
