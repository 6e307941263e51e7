import { ChildOf, createWorld, type Entity, spawn, type World } from "@treeline/core";
import type { Files } from "../../../src/query/batches/file.ts";
import { createPositions, type Positions } from "../../../src/query/batches/positions.ts";
import { createWays, type Ways } from "../../../src/query/batches/ways.ts";
import { Placed } from "../../twin.ts";
import { along } from "../../way-world.ts";

/** What tests of filing begin with; set anew by `setStage`. Nothing is filed yet. */
export let world: World;
export let ways: Ways;
export let files: Files;
export let positions: Positions;
export let ship: Entity;
export let station: Entity;

export function setStage(): void {
  world = createWorld();
  ways = createWays(world, [along(world, ChildOf, Placed)]);
  positions = createPositions(1);
  files = { positions, ways, waiting: new Int32Array(0), waitingLength: 0 };
  [ship, station] = [spawn(world, Placed), spawn(world, Placed)];
}
