/** Picks the queries that both worlds evaluate. */

import { isOn } from "../base/features.ts";
import type { Step } from "../step/step.ts";
import type { SimpleTerm } from "../twin/read.ts";
import type { Twin } from "../twin/rules.ts";
import type { Chooser } from "./terms.ts";
import { aliveEntity, definitionsByEntity, storageFor } from "./terms.ts";

/** Queries that live as long as the walk, or until their target is destroyed. */
export const FIRST_QUERIES: readonly (readonly SimpleTerm[])[] = [
  [simpleTerm("with", "Position"), simpleTerm("with", "Clock")],
  [simpleTerm("with", "Position"), simpleTerm("not", "Frozen"), simpleTerm("maybe", "Health")],
  [simpleTerm("with", "Position"), simpleTerm("with", "ChildOf", "Any"), simpleTerm("maybe", "Mesh")],
  [simpleTerm("with", "Health"), simpleTerm("not", "ChildOf", "Any")],
  [simpleTerm("with", "Position"), simpleTerm("cascade", "Position")],
  [simpleTerm("with", "Frozen"), simpleTerm("maybe", "Aim"), simpleTerm("cascade", "Clock")],
  [simpleTerm("with", "Likes", "Any"), simpleTerm("with", "Mesh")],
  [simpleTerm("with", "Matrix"), simpleTerm("not", "Likes", "Any"), simpleTerm("cascade", "Matrix")],
  [simpleTerm("with", "Name"), simpleTerm("not", "Lit"), simpleTerm("cascade", "Health")],
  ...(isOn("parent storage")
    ? [
        [simpleTerm("with", "Parent", "Any"), simpleTerm("maybe", "Clock")],
        [simpleTerm("not", "Parent", "Any"), simpleTerm("with", "ChildOf", "Any")],
      ]
    : []),
  ...(isOn("wildcards") ? [[simpleTerm("with", "Any", "Any"), simpleTerm("not", "Lit")]] : []),
  ...(isOn("disabled")
    ? [
        [simpleTerm("not", "DisabledTree"), simpleTerm("cascade", "Position")],
        [simpleTerm("maybe", "Disabled")],
      ]
    : []),
];

/** Slots after those of the first queries contain queries that name a target. */
const TARGET_SLOTS = 4;

function simpleTerm(kind: SimpleTerm["kind"], what: string, target?: Twin | "Any"): SimpleTerm {
  return target === undefined ? { kind, what } : { kind, what, target };
}

export function chooseQuery(chooser: Chooser): Step {
  const { dice } = chooser;
  if (dice.chance(0.2)) {
    const slot = dice.below(FIRST_QUERIES.length); // the same query again
    return { verb: "query", slot, terms: FIRST_QUERIES[slot]! };
  }
  return {
    verb: "query",
    slot: FIRST_QUERIES.length + dice.below(TARGET_SLOTS),
    terms: targetedTerms(chooser),
  };
}

/** A query that names a target. */
export function targetedTerms(chooser: Chooser): readonly SimpleTerm[] {
  const { dice, palette } = chooser;
  const [what, target] = targeted(chooser);
  const component = dice.pick(palette.components);
  const parent = storageFor(chooser);
  return dice.pick<readonly SimpleTerm[]>([
    [simpleTerm("with", what, target)],
    [simpleTerm("with", component), simpleTerm("with", what, target)],
    [simpleTerm("with", what, target), simpleTerm("not", "Frozen"), simpleTerm("maybe", component)],
    [simpleTerm("with", component), simpleTerm("not", what, target)],
    [simpleTerm("with", "ChildOf", "Any"), simpleTerm("not", what, target)],
    [simpleTerm("not", "ChildOf", target), simpleTerm("not", ...targeted(chooser))],
    [simpleTerm("with", parent, target), simpleTerm("not", ...targeted(chooser))],
    [simpleTerm("not", parent, target), simpleTerm("with", component)],
    [simpleTerm("with", what, target), simpleTerm("with", parent, aliveEntity(chooser))],
    [simpleTerm("with", component), simpleTerm("with", what, target), simpleTerm("cascade", component)],
    [simpleTerm("with", "Frozen"), simpleTerm("not", what, target), simpleTerm("cascade", component)],
  ]);
}

/** A relation, a wildcard or an entity as a tag, with a living target. */
function targeted(chooser: Chooser): readonly [what: string, target: Twin] {
  const { dice, palette } = chooser;
  const target = aliveEntity(chooser);
  if (isOn("wildcards") && dice.chance(0.1)) return ["Any", target];
  if (isOn("entity tags") && dice.chance(0.1) && definitionsByEntity(chooser, target) === undefined)
    return ["Is", target];
  if (isOn("parent storage") && dice.chance(0.1)) return ["Parent", target];
  return [dice.pick(palette.relations), target];
}
