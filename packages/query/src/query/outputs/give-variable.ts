import { handleOf } from "@treeline/core/internal";
import type { VariableGift } from "../../term/plan.ts";
import { wayOfVariable } from "../state/scene-beside.ts";
import type { Giving } from "./givers.ts";

/** Gives what a variable stands for. */
export const variableGiving: Giving<VariableGift> = {
  turnTo(giver, { variable }, scene) {
    if (wayOfVariable(scene) >= 0) giver.work = "ask";
    else giver.given = scene.targetOf(variable);
  },
  turnToRow(giver, _gift, scene, _row, at) {
    const way = wayOfVariable(scene);
    const row = scene.holderRowAt(way, at);
    giver.given = handleOf(scene.query.world, scene.holders[way]!.lanes.i32[row]!);
  },
};
