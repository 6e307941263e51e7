/* Columns that `locate` returned, and rows of the same type that move to other parents; on the shipped bundles as well. */
import {
  add,
  array,
  ChildOf,
  component,
  createWorld,
  type Entity,
  f32,
  locate,
  Parent,
  spawn,
  type World,
} from "@treeline/core";
import { changed, destroy, entities, query } from "@treeline/query";
import { beforeEach, describe, expect, it } from "vitest";

const Flat = component("Flat", { x: f32, y: f32 });
const Mixed = component("Mixed", { x: f32, at: array(f32, 3) });

let world: World;
beforeEach(() => {
  world = createWorld();
});

describe.each([
  ["of numbers alone", Flat as unknown as typeof Mixed, ChildOf],
  ["with arrays", Mixed, ChildOf],
  ["of numbers alone, below parents in values", Flat as unknown as typeof Mixed, Parent],
])("columns %s that locate returned", (_, what, below) => {
  function plant(): { readonly to: Entity; readonly parts: Entity[]; unread(): Entity[] } {
    const [from, to] = [spawn(world), spawn(world)];
    spawn(world, what, below(to));
    const parts = [1, 2, 3, 4].map((x) => spawn(world, what({ x }), below(from)));
    const found = query(world, changed(what));
    entities(found);
    return { to, parts, unread: () => entities(found) };
  }

  it("mark nothing where rows move only", () => {
    const { to, parts, unread } = plant();
    for (const one of parts) locate(world, one, what);

    for (const one of [parts[1]!, parts[0]!, parts[3]!]) add(world, one, below(to));

    expect(unread()).toEqual([]);
    destroy(world, parts[0]!);
    expect(unread()).toEqual([]);
  });

  it("mark the row that was written, before it moves, and the row that fills its place", () => {
    const { to, parts, unread } = plant();
    for (const [at, one] of parts.entries()) {
      const { columns, row } = locate(world, one, what)!;
      if (at % 2 === 1) columns.x[row] = 50 + at;
    }

    add(world, parts[1]!, below(to));

    expect(new Set(unread())).toEqual(new Set([parts[1], parts[3]]));
    expect(unread()).toEqual([]);
  });
});
