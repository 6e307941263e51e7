import { add, ChildOf, clone, createWorld, DisabledTree, remove, spawn } from "@treeline/core";
import { verify } from "@treeline/core/debug";
import { expect, it } from "vitest";
import { monitor, query } from "../../../src/index.ts";
import { Position } from "../../definitions.ts";

it("a monitor is told at once who is disabled below an entity that it does not ask for", () => {
  const world = createWorld();
  const [dock, ship] = [spawn(world, DisabledTree), spawn(world)];
  const deck = spawn(world, ChildOf(ship));
  const seat = spawn(world, Position, ChildOf(deck));
  const told: unknown[] = [];
  monitor(query(world, Position), {
    entered: (entity) => told.push(["entered", entity === seat]),
    left: (entity) => told.push(["left", entity === seat]),
  });
  const news = (): unknown => told.splice(0);

  add(world, ship, ChildOf(dock));
  expect(news()).toEqual([["left", true]]);
  add(world, deck, ChildOf(spawn(world)));
  expect(news()).toEqual([["entered", true]]);
  add(world, deck, ChildOf(ship));
  expect(news()).toEqual([["left", true]]);
  remove(world, dock, DisabledTree);
  expect(news()).toEqual([["entered", true]]);
  add(world, deck, DisabledTree);
  expect(news()).toEqual([["left", true]]);
  clone(world, ship, { with: [DisabledTree] });
  expect([news(), world.hasCommands, verify(world)]).toEqual([[], false, []]);
});
