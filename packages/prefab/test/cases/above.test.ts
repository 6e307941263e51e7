import { add, ChildOf, type Entity, has, isAlive, parentOf, remove, set, spawn } from "@treeline/core";
import { below, changed, destroy, entities, observeAbove, query } from "@treeline/query";
import { attach } from "@treeline/query/hierarchy";
import { describe, expect, test } from "vitest";
import { IsA, instantiate, prefab } from "../../src/index.ts";
import { Mesh, newWorld, Position, world } from "./fixture.ts";

/** A prefab with a mesh, an instance of it, and an entity below that. */
function crewed(): { base: Entity; ship: Entity; pilot: Entity } {
  newWorld();
  const base = prefab(world, Mesh({ id: 1 }));
  const ship = instantiate(world, base);
  return { base, ship, pilot: spawn(world, ChildOf(ship), Position) };
}

describe("what is below an instance", () => {
  test("changes with a value that the instance inherits, overrides, and shares again", () => {
    const { base, ship, pilot } = crewed();
    const repaint = query(world, Position, below(changed(Mesh)));
    entities(repaint);
    set(world, base, Mesh, { id: 2 });
    expect(entities(repaint)).toEqual([pilot]);
    set(world, ship, Mesh, { id: 3 });
    expect(entities(repaint)).toEqual([pilot]);
    set(world, base, Mesh, { id: 4 });
    expect(entities(repaint)).toEqual([]);
    remove(world, ship, Mesh);
    expect(entities(repaint)).toEqual([pilot]);
    expect(entities(repaint)).toEqual([]);
  });

  test("is told by observeAbove when the value of the prefab is set", () => {
    const { base, ship, pilot } = crewed();
    const told: unknown[] = [];
    observeAbove(world, Mesh, (event) => told.push(event));
    set(world, base, Mesh, { id: 2 });
    expect(told).toEqual([{ kind: "set", entity: pilot, source: ship }]);
  });

  test("has the source that observeAbove has told, whatever happens to the prefab and the instance", () => {
    const { base, ship, pilot } = crewed();
    const top = spawn(world, Mesh);
    const sources = new Map<Entity, Entity>();
    observeAbove(
      world,
      Mesh,
      ({ kind, entity, source }) => {
        if (kind === "added") expect(sources.get(entity)).toBe(undefined);
        else expect(sources.get(entity)).toBe(source);
        if (kind === "added") sources.set(entity, source);
        else if (kind === "removed") sources.delete(entity);
      },
      { yieldExisting: true },
    );
    const steps = [
      () => attach(world, ship, top),
      () => remove(world, base, Mesh),
      () => set(world, ship, Mesh, { id: 5 }),
      () => add(world, base, Mesh({ id: 6 })),
      () => remove(world, ship, Mesh),
      () => set(world, base, Mesh, { id: 7 }),
      () => set(world, ship, Mesh, { id: 8 }),
      () => remove(world, ship, IsA(base)),
      () => remove(world, ship, Mesh),
      () => add(world, ship, IsA(base)),
      () => attach(world, pilot, top),
      () => attach(world, pilot, ship),
      () => destroy(world, base),
    ];
    for (const [at, step] of steps.entries()) {
      step();
      for (const one of [ship, pilot].filter((one) => isAlive(world, one))) {
        let above = parentOf(world, one);
        while (above !== undefined && !has(world, above, Mesh)) above = parentOf(world, above);
        expect([at, sources.get(one)]).toEqual([at, above]);
      }
    }
  });
});
