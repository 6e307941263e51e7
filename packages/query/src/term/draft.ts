import { Any, type Asked, type Definition, type Term, TreelineError, type World } from "@treeline/core";
import { ANY, isInternal, type Question, questionOf, shown } from "@treeline/core/internal";
import { isWrapped, type QueryTerm } from "./operators.ts";
import type { Aside, Bond, Clause, Gift, Order, Test, Watched } from "./plan.ts";
import type { Traversal } from "./traversal.ts";
import { isVariable } from "./variable.ts";

/** A plan while it is read. */
export interface Draft {
  readonly world: World;
  readonly clauses: Clause[];
  readonly tests: Test[];
  readonly traversals: Traversal[];
  readonly ownPairs: Set<number>;
  readonly asides: Aside[];
  readonly bonds: Bond[];
  readonly variables: number[];
  readonly gifts: Gift[];
  /** Leaves inside `not`, `or` and `all`: they may name who is disabled, or an entity. */
  readonly inner: Pick<Clause, "definition" | "target">[];
  cascade: -1 | 0 | 1;
  order: Order | undefined;
  groups: unknown;
  isWatching: boolean;
  readonly watched: Watched[];
}

export function refuse(why: string): never {
  throw new TreelineError("bad-query", why);
}

export const TEST: Test = {
  kind: "all",
  definition: Any,
  target: 0,
  place: -1,
  self: false,
  track: 0,
  note: -1,
  of: [],
};
export const GIFT: Gift = {
  from: "own",
  definition: Any,
  target: 0,
  place: 0,
  self: false,
  test: undefined,
  of: [],
};

export function isPlainOf(what: QueryTerm | undefined | null): what is Asked {
  return !isWrapped(what) && !isVariable(what);
}

export function holdsValues({ definition, target }: Question): boolean {
  if (definition.kind === "tag" || definition === Any || target === ANY) return false;
  if (definition.kind === "relation") return definition.holds !== "nothing";
  return true;
}

/** Reads a component, tag, pair or entity; a pair may have a variable. */
export function questionIn({ world }: Draft, what: Asked | undefined | null): Question {
  if (typeof what === "number") return questionOf(world, what);
  if (isWrapped(what)) {
    refuse(
      `${what.operator}(...) cannot stand inside this operator; put a component, tag, pair or entity there`,
    );
  }
  const definition = (typeof what === "function" ? what : (what as Term | undefined | null)?.definition) as
    | Definition
    | undefined;
  if (definition?.kind === undefined || isInternal(definition)) {
    return refuse(`${shown(what)} is no component, tag, pair or entity; is it imported in a circle?`);
  }
  if (definition.kind === "relation" && typeof what === "function") {
    refuse(`${definition.name} needs a target: ${definition.name}(entity) or ${definition.name}(Any)`);
  }
  const { target, value } =
    typeof what === "function" ? { target: 0, value: undefined } : (what as unknown as Term);
  if (value !== undefined) {
    refuse(`a question compares no values: ask for ${definition.name}, and look at its value in the visit`);
  }
  if (isVariable(target)) {
    if (definition === Any) refuse("Any(variable) would be any relation; name the relation");
    return { definition, target };
  }
  return questionOf(world, what as Asked);
}

export function note(draft: Draft, variable: number): void {
  if (!draft.variables.includes(variable)) draft.variables.push(variable);
}
