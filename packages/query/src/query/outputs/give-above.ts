import { hasDefinition } from "@treeline/core/internal";
import type { AboveTest } from "../../term/plan.ts";
import { giveValueOfPair } from "./give-pairs.ts";
import { columnsIn, type Giving } from "./givers.ts";

/** Gives the values of the nearest ancestors. */
export const aboveGiving: Giving<AboveTest> = {
  turnTo(giver, gift, scene) {
    const { way, self, definition } = gift;
    giver.way = way;
    if (definition.kind === "relation") {
      giver.work = "ask";
      return;
    }
    if (self) {
      const columns = columnsIn(scene, gift, scene.shape, scene.rowAt(scene.from));
      if (columns !== undefined || hasDefinition(scene.shape, definition)) {
        giver.reads = "own";
        giver.turnToColumns(gift, scene.shape, columns, true);
        return;
      }
    }
    const holder = scene.holders[way];
    if (holder === undefined) return;
    giver.reads = "above";
    giver.turnToColumns(
      gift,
      holder,
      columnsIn(scene, gift, holder, scene.holderRowAt(way, scene.from)),
      true,
    );
  },
  turnToRow: giveValueOfPair,
};
