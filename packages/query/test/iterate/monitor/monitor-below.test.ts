import { add, ChildOf, clone, createWorld, DisabledTree, remove, spawn } from "@treeline/core";
import { verify } from "@treeline/core/debug";
import { expect, it } from "vitest";
import { monitor, query } from "../../../src/index.ts";
import { Position } from "../../definitions.ts";
import { isIterating } from "../../world-state.ts";

it("a monitor is notified at once of entities disabled below an entity that does not match it", () => {
  const world = createWorld();
  const [dock, ship] = [spawn(world, DisabledTree), spawn(world)];
  const deck = spawn(world, ChildOf(ship));
  const seat = spawn(world, Position, ChildOf(deck));
  const reported: unknown[] = [];
  monitor(query(world, Position), {
    entered: (entity) => reported.push(["entered", entity === seat]),
    left: (entity) => reported.push(["left", entity === seat]),
  });
  const takeReports = (): unknown => reported.splice(0);

  add(world, ship, ChildOf(dock));
  expect(takeReports()).toEqual([["left", true]]);
  add(world, deck, ChildOf(spawn(world)));
  expect(takeReports()).toEqual([["entered", true]]);
  add(world, deck, ChildOf(ship));
  expect(takeReports()).toEqual([["left", true]]);
  remove(world, dock, DisabledTree);
  expect(takeReports()).toEqual([["entered", true]]);
  add(world, deck, DisabledTree);
  expect(takeReports()).toEqual([["left", true]]);
  clone(world, ship, { with: [DisabledTree] });
  expect([takeReports(), isIterating(world), verify(world)]).toEqual([[], false, []]);
});
