import { ChildOf, createWorld, type Entity, spawn, type World } from "@treeline/core";
import type { RowLists } from "../../../src/query/batches/chunks.ts";
import { Files } from "../../../src/query/batches/filing.ts";
import { along } from "../../random/path-world.ts";
import { Placed } from "../../random/twin.ts";

/** The set-up of tests of filing; created by `setFilingWorld`. Nothing is filed yet. */
export let world: World;
export let files: Files;
export let rowLists: RowLists;
export let ship: Entity;
export let station: Entity;

export function setFilingWorld(): void {
  world = createWorld();
  files = new Files(world, [along(world, ChildOf, Placed)]);
  ({ rowLists } = files);
  [ship, station] = [spawn(world, Placed), spawn(world, Placed)];
}
