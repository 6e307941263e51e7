import { handleOf } from "@treeline/core/internal";
import type { AboveTest, AsideTest, Question } from "../../term/plan.ts";
import type { Scene } from "../state/scene.ts";
import { columnsIn, type Giver } from "./givers.ts";
import { turnView } from "./row-view.ts";

/**
 * Gives the values of a pair of an ancestor. They lie in other columns in every table, and ancestors' shapes tell nothing of
 * tables.
 */
export function giveValueOfPair(
  giver: Giver,
  gift: AboveTest | AsideTest,
  scene: Scene,
  row: number,
  at: number,
): void {
  const self = gift.kind === "above" && gift.self;
  const own = self ? columnsIn(scene, gift, scene.shape, row) : undefined;
  if (own !== undefined || (self && isOwnTarget(scene, gift, row))) {
    showPair(giver, own, row);
    return;
  }
  const holder = scene.holders[giver.way];
  const above = holder === undefined ? 0 : scene.holderRowAt(giver.way, at);
  showPair(giver, holder && columnsIn(scene, gift, holder, above), above);
}

/** Everybody has a reflexive pair with itself, without values. */
function isOwnTarget({ query, shape }: Scene, { definition, target }: Question, row: number): boolean {
  return definition.reflexive && handleOf(query.world, shape.lanes.i32[row]!) === target;
}

function showPair(giver: Giver, columns: unknown, row: number): void {
  const { view } = giver;
  giver.given = undefined;
  if (columns === undefined || view === undefined) return;
  turnView(view, columns);
  giver.pointer.row = row;
  giver.given = view.given;
}
