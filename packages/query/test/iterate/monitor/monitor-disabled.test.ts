import { add, get, parentOf, remove, spawn, spawnMany } from "@treeline/core";
import { verify } from "@treeline/core/debug";
import { beforeEach, expect, it } from "vitest";
import { destroy, monitor, query } from "../../../src/index.ts";
import { Position } from "../../definitions.ts";
import { ChildOf, DisabledTree, Parent } from "../../public/builtins.ts";
import { component } from "../../public/define.ts";
import { f64 } from "../../public/fields.ts";
import { setWorld, world } from "../../test-world.ts";

const Extra = component("Extra", { v: f64 });

beforeEach(setWorld);

it.each([ChildOf, Parent])(
  "a monitor may destroy an entity that gets a parent (%o) that disables: values of others stay",
  (Below) => {
    const asleep = spawn(world, DisabledTree);
    const awake = spawn(world);
    const others = [5, 6, 7, 8].map((v) => spawn(world, Position, Extra({ v }), ChildOf(awake)));
    const moved = spawn(world, Position);
    monitor(query(world, Position), { left: (entity) => destroy(world, entity) });

    add(world, moved, Below(asleep), Extra({ v: 1 }));

    expect(others.map((entity) => get(world, entity, Extra))).toEqual([5, 6, 7, 8].map((v) => ({ v })));
    expect(verify(world)).toEqual([]);
  },
);

it.each([ChildOf, Parent])("a monitor may spawn when an entity gets a parent (%o) that disables", (Below) => {
  const asleep = spawn(world, DisabledTree);
  const moved = spawn(world, Position);
  monitor(query(world, Position), { left: () => spawn(world, Extra({ v: 99 })) });

  add(world, moved, Below(asleep), Extra({ v: 1 }));

  expect(get(world, moved, Extra)).toEqual({ v: 1 });
});

it("a monitor may move a subtree back while it is notified of its entities", () => {
  const asleep = spawn(world, DisabledTree);
  const top = spawn(world, Position);
  const [first] = spawnMany(world, 5, Position, ChildOf(top));
  monitor(query(world, Position), {
    left: (entity) => {
      if (entity === first) remove(world, top, ChildOf(asleep));
    },
  });

  add(world, top, ChildOf(asleep));

  expect(parentOf(world, top)).toBeUndefined();
  expect(verify(world)).toEqual([]);
});

it("a monitor that destroys siblings is notified of all in order", () => {
  const root = spawn(world);
  const children = spawnMany(world, 6, Position, ChildOf(root));
  const reported: number[] = [];
  monitor(query(world, Position), {
    left: (entity) => {
      reported.push(children.indexOf(entity));
      if (entity === children[1]) destroy(world, children[4]!);
    },
  });

  add(world, root, DisabledTree);

  expect(reported).toEqual([0, 1, 2, 3, 4, 5]);
  expect(verify(world)).toEqual([]);
});

it.each([ChildOf, Parent])(
  "is notified of no entity spawned below (%o) one that disables, if no term names that",
  (Below) => {
    const asleep = spawn(world, DisabledTree);
    const reported: unknown[] = [];
    const record = (entity: unknown): void => void reported.push(entity);
    monitor(query(world, Position), { entered: record, left: record });

    spawn(world, Below(asleep));
    spawn(world, Below(asleep), Position);
    spawnMany(world, 3, Below(asleep), Extra({ v: 1 }));

    expect(reported).toEqual([]);
    expect(verify(world)).toEqual([]);
  },
);
