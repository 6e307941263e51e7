import { archetypeAt, rowAt } from "@treeline/core/internal";
import type { AsideTest } from "../../term/plan.ts";
import { isVariable } from "../../term/variable.ts";
import type { Scene } from "../state/scene.ts";
import { wayOfVariable } from "../state/scene-beside.ts";
import { giveValueOfPair } from "./give-pairs.ts";
import { columnsIn, type Giver, type Giving } from "./givers.ts";

/** Gives the value of a given entity, the same for all rows of a span; or of what a variable stands for. */
export const givenGiving: Giving<AsideTest> = {
  turnTo(giver, gift, scene) {
    const seen = scene.seen!;
    if (isVariable(scene.query.plan.asides[gift.aside]!.source)) {
      if (wayOfVariable(scene) >= 0) {
        turnToTargets(giver, gift, scene);
        return;
      }
      for (let place = 0; place < scene.variables.length; place++)
        seen.variables[place] = scene.variables[place]!;
      seen.askAgain(gift.aside);
    }
    const index = seen.found[gift.aside]!;
    if (index === 0) return;
    const { world } = scene.query;
    const shape = archetypeAt(world, index);
    giver.reads = "one";
    giver.row = rowAt(world, index);
    giver.turnToColumns(gift, shape, columnsIn(scene, gift, shape, giver.row), true);
  },
  turnToRow: giveValueOfPair,
};

/** What a free variable stands for lies beside the rows. */
function turnToTargets(giver: Giver, gift: AsideTest, scene: Scene): void {
  giver.reads = "above";
  giver.way = wayOfVariable(scene);
  if (gift.definition.kind === "relation") {
    giver.work = "ask";
    return;
  }
  const target = scene.holders[giver.way]!;
  const row = scene.holderRowAt(giver.way, scene.from);
  giver.turnToColumns(gift, target, columnsIn(scene, gift, target, row), true);
}
