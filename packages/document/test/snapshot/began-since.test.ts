import {
  add,
  bits,
  ChildOf,
  component,
  createWorld,
  Disabled,
  DisabledTree,
  f32,
  observeChildren,
  observeEntity,
  remove,
  set,
  sparse,
  spawn,
  spawnMany,
  tag,
  type World,
} from "@treeline/core";
import { verify } from "@treeline/core/debug";
import { added, changed, destroy, entities, not, query } from "@treeline/query";
import { beforeEach, expect, it } from "vitest";
import { restore, snapshot } from "../../src/snapshot.ts";

const Position = component("Position", { x: f32 });

let world: World;

beforeEach(() => {
  world = createWorld();
  spawnMany(world, 3, Position);
});

it("a world that has begun to track changes since then is sound, and what was there has not changed", () => {
  const taken = snapshot(world);
  const moved = query(world, Position, changed(Position));
  const all = entities(moved);
  set(world, all[0]!, Position, { x: 7 });

  restore(world, taken);

  expect(verify(world)).toEqual([]);
  expect(entities(moved)).toEqual([]);
  set(world, all[1]!, Position, { x: 8 });
  expect(entities(moved)).toEqual([all[1]]);
  expect(entities(query(world, Position, changed(Position)))).toEqual(all);
});

it.each([
  ["itself", Disabled],
  ["with its tree", DisabledTree],
])("what was disabled %s at the restore is unread by a query made since, once it is enabled", (_, what) => {
  const one = spawn(world, Position, what);
  const taken = snapshot(world);
  const moved = query(world, Position, changed(Position));
  entities(moved);

  restore(world, taken);

  expect(entities(moved)).toEqual([]);
  remove(world, one, what);
  expect(entities(moved)).toEqual([one]);
  expect(entities(moved)).toEqual([]);
});

it.each([
  ["a sparse component", component("Heat", { x: 0 }, { storage: sparse })],
  ["a tag in bits", tag("Lit", { storage: bits })],
])("all that have %s are new to a query that is made after the restore", (_, what) => {
  const lit = spawn(world, what);
  const taken = snapshot(world);
  const before = query(world, added(what));

  restore(world, taken);

  expect(verify(world)).toEqual([]);
  expect(entities(before)).toEqual([]);
  expect(entities(query(world, added(what)))).toEqual([lit]);
});

it.each([0, 1])("observers of an entity that was destroyed have ended, with %i children", (count) => {
  const calls: unknown[] = [];
  const pier = spawn(world, Position);
  spawnMany(world, count, ChildOf(pier));
  const taken = snapshot(world);
  observeEntity(world, pier, { set: Position }, (event) => calls.push(event));
  observeChildren(world, pier, (event) => calls.push(event));
  destroy(world, pier);
  calls.length = 0;

  restore(world, taken);
  set(world, pier, Position, { x: 1 });
  spawn(world, ChildOf(pier));

  expect(calls).toEqual([]);
});

it("leaves no row out of a query because of a tag in bits that came since", () => {
  const [Lit, Hidden] = [tag("LitBefore", { storage: bits }), tag("HiddenSince", { storage: bits })];
  const [lamp] = [spawn(world, Lit), spawn(world)];
  const shown = query(world, Lit, not(Hidden));
  const taken = snapshot(world);
  add(world, lamp, Hidden);
  expect(entities(shown)).toEqual([]);

  restore(world, taken);

  expect(entities(shown)).toEqual([lamp]);
  expect(verify(world)).toEqual([]);
});
