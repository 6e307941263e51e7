import { tell, YES } from "../../match/tests.ts";
import type { FirstGift, MarkGift } from "../../term/plan.ts";
import type { Scene } from "../state/scene.ts";
import type { Giving } from "./givers.ts";

/** Gives `true` where a test holds. */
export const markGiving: Giving<MarkGift> = {
  turnTo(giver) {
    giver.work = "ask";
  },
  turnToRow(giver, { test }, scene, row, at) {
    turnSight(scene, row, at);
    giver.given = tell(test, scene.shape, scene.seen) === YES ? true : undefined;
  },
};

/** Gives what the first of several alternatives gives that holds. */
export const firstGiving: Giving<FirstGift> = {
  turnTo(giver, _gift, scene, tick) {
    giver.work = "ask";
    for (const part of giver.parts) part?.turnTo(scene, tick);
  },
  turnToRow(giver, { tests }, scene, row, at) {
    turnSight(scene, row, at);
    let place = 0;
    while (place < tests.length && tell(tests[place]!, scene.shape, scene.seen) !== YES) place++;
    const part = giver.parts[place];
    part?.turnToRow(scene, row, at);
    giver.chosen = part;
    giver.given = part?.given;
  },
};

/** Turns what the visit knows to one row. */
function turnSight(scene: Scene, row: number, at: number): void {
  const seen = scene.seen!;
  seen.shape = scene.shape;
  seen.index = scene.shape.lanes.i32[row]!;
  seen.row = row;
  for (let place = 0; place < scene.holders.length; place++) {
    seen.holders[place] = scene.holders[place];
    if (scene.holders[place] !== undefined) seen.holderRows[place] = scene.holderRowAt(place, at);
  }
  for (let place = 0; place < scene.variables.length; place++)
    seen.variables[place] = scene.variables[place]!;
}
