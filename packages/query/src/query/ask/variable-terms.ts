import type { Definition, Variable } from "@treeline/core";
import { ANY, Life, Parent } from "@treeline/core/internal";
import { isVariable, numberVariable } from "../../term/operators.ts";
import {
  type Draft,
  type FreeWay,
  type Gift,
  keyOfTraversals,
  type Leaf,
  leavesOf,
} from "../../term/plan.ts";
import { addClause, readers, refuse, type VariableReader } from "../../term/read.ts";
import { bondsHold, gatherJoined } from "../joins/solve.ts";
import { givings, variableGiving } from "../outputs/givers.ts";
import { engine } from "../state/scene.ts";
import { bringStretches } from "./ancestor-terms.ts";

/**
 * A target that a question leaves open: `ChildOf(parent)`. Set it with `bind`, or leave it free: then it stands for each
 * target in turn. Make it once, at module level, as definitions: each one makes questions of its own, and stays known for
 * good. The same variable in several terms is the same entity.
 *
 * @example
 * const parent = variable("parent");
 * const childrenOf = query(world, Position, ChildOf(parent));
 * for (const ship of ships) eachRun(bind(childrenOf, parent, ship), draw);
 */
export function variable(name = "variable"): Variable {
  bringStretches();
  engine.gatherJoined = gatherJoined;
  engine.bondsHold = bondsHold;
  givings.variable = variableGiving;
  readers.variable = variableReader;
  return numberVariable(name);
}

const variableReader: VariableReader = {
  demandPair(draft, { definition, target }) {
    // A reflexive pair is nobody's archetype: everybody has it with themselves.
    const clause = definition.reflexive ? -1 : addClause(draft, "with", { definition, target: ANY });
    draft.bonds.push({ source: 0, definition, target, clause });
  },
  finish(draft) {
    const { variables, bonds } = draft;
    if (
      !variables.every((variable) =>
        bonds.some(({ source, target }) => source === variable || target === variable),
      )
    )
      refuse("a variable needs a term that finds it: a pair such as ChildOf(variable), or on(variable, ...)");
    draft.freeWay = freeWayOf(draft);
  },
};

/** Undefined if variables have to be searched for while they are free. */
function freeWayOf(draft: Draft): FreeWay | undefined {
  const { variables, bonds, traversals } = draft;
  const variable = variables[0]!;
  if (variables.length > 1 || draft.isWatching || draft.readsPairs) return undefined;
  if (draft.order !== undefined || draft.groups !== undefined) return undefined;
  const gates: Definition[] = [];
  let relation: Definition | undefined;
  for (const { source, definition, target, clause } of bonds) {
    if (definition.storage === "bits") return undefined;
    if (source === variable && target === 0 && definition.kind !== "relation") gates.push(definition);
    else if (source === 0 && target === variable && relation === undefined && clause >= 0)
      relation = definition;
    else return undefined;
  }
  if (relation === undefined || !relation.keepsDepth || relation === Parent) return undefined;
  if (
    draft.leaves.some((leaf) => namesVariable(draft, leaf)) ||
    draft.gifts.some((gift) => asksMore(draft, gift))
  )
    return undefined;
  const all = [...traversals, { relation, what: { definition: Life, target: 0 }, self: false }];
  return { variable, traversals: all, waysKey: keyOfTraversals(all), gates };
}

function namesVariable({ asides }: Draft, leaf: Leaf): boolean {
  if (leaf.kind === "changed") return false;
  return isVariable(leaf.target) || (leaf.kind === "on" && isVariable(asides[leaf.aside]!.source));
}

/** Hangs what is handed over, and not asked for as well, on the variable otherwise than by one of its components? */
function asksMore(draft: Draft, gift: Gift): boolean {
  if (gift.kind === "mark") return leavesOf(gift.test).some((leaf) => namesVariable(draft, leaf));
  if (gift.kind !== "on" || isVariable(gift.target)) return gift.kind === "on";
  const { relation, source } = draft.asides[gift.aside]!;
  return relation !== undefined && isVariable(source);
}
