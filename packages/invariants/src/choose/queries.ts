/** Picks the questions that are asked of both worlds. */

import { isOn } from "../base/features.ts";
import type { Step } from "../step/step.ts";
import type { AskTerm } from "../twin/read.ts";
import type { Twin } from "../twin/rules.ts";
import type { Chooser } from "./terms.ts";
import { aliveOne, definitionsByEntity, storageFor } from "./terms.ts";

/** The questions that live as long as the walk, or until a dying target makes them dull. */
export const FIRST_ASKS: readonly (readonly AskTerm[])[] = [
  [asking("with", "Position"), asking("with", "Clock")],
  [asking("with", "Position"), asking("not", "Frozen"), asking("maybe", "Health")],
  [asking("with", "Position"), asking("with", "ChildOf", "Any"), asking("maybe", "Mesh")],
  [asking("with", "Health"), asking("not", "ChildOf", "Any")],
  [asking("with", "Position"), asking("cascade", "Position")],
  [asking("with", "Frozen"), asking("maybe", "Aim"), asking("cascade", "Clock")],
  [asking("with", "Likes", "Any"), asking("with", "Mesh")],
  [asking("with", "Matrix"), asking("not", "Likes", "Any"), asking("cascade", "Matrix")],
  [asking("with", "Name"), asking("not", "Lit"), asking("cascade", "Health")],
  ...(isOn("parent storage")
    ? [
        [asking("with", "Parent", "Any"), asking("maybe", "Clock")],
        [asking("not", "Parent", "Any"), asking("with", "ChildOf", "Any")],
      ]
    : []),
  ...(isOn("wildcards") ? [[asking("with", "Any", "Any"), asking("not", "Lit")]] : []),
  ...(isOn("disabled")
    ? [[asking("not", "DisabledTree"), asking("cascade", "Position")], [asking("maybe", "Disabled")]]
    : []),
];

/** Slots after the first asks hold questions that name a target. */
const TARGET_SLOTS = 4;

function asking(kind: AskTerm["kind"], what: string, target?: Twin | "Any"): AskTerm {
  return target === undefined ? { kind, what } : { kind, what, target };
}

export function chooseAsk(chooser: Chooser): Step {
  const { dice } = chooser;
  if (dice.chance(0.2)) {
    const slot = dice.below(FIRST_ASKS.length); // the same question anew
    return { verb: "ask", slot, terms: FIRST_ASKS[slot]! };
  }
  return { verb: "ask", slot: FIRST_ASKS.length + dice.below(TARGET_SLOTS), terms: targetedTerms(chooser) };
}

/** A question that names a target. */
export function targetedTerms(chooser: Chooser): readonly AskTerm[] {
  const { dice, palette } = chooser;
  const [what, target] = targeted(chooser);
  const component = dice.pick(palette.components);
  const parent = storageFor(chooser);
  return dice.pick<readonly AskTerm[]>([
    [asking("with", what, target)],
    [asking("with", component), asking("with", what, target)],
    [asking("with", what, target), asking("not", "Frozen"), asking("maybe", component)],
    [asking("with", component), asking("not", what, target)],
    [asking("with", "ChildOf", "Any"), asking("not", what, target)],
    [asking("not", "ChildOf", target), asking("not", ...targeted(chooser))],
    [asking("with", parent, target), asking("not", ...targeted(chooser))],
    [asking("not", parent, target), asking("with", component)],
    [asking("with", what, target), asking("with", parent, aliveOne(chooser))],
    [asking("with", component), asking("with", what, target), asking("cascade", component)],
    [asking("with", "Frozen"), asking("not", what, target), asking("cascade", component)],
  ]);
}

/** A relation, a wildcard or nothing but an entity, with a living target. */
function targeted(chooser: Chooser): readonly [what: string, target: Twin] {
  const { dice, palette } = chooser;
  const target = aliveOne(chooser);
  if (isOn("wildcards") && dice.chance(0.1)) return ["Any", target];
  if (isOn("entity tags") && dice.chance(0.1) && definitionsByEntity(chooser, target) === undefined)
    return ["Is", target];
  if (isOn("parent storage") && dice.chance(0.1)) return ["Parent", target];
  return [dice.pick(palette.relations), target];
}
