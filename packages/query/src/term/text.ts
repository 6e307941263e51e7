// When two lists of terms are equal (`keyOfTerms`), and terms as text for people (`textOfTerms`).
import type { Definition, Entity, EntityTag, Variable, World } from "@treeline/core";
import { isAlive } from "@treeline/core";
import { ANY, Is, indexOf, parseTerm, textOf } from "@treeline/core/internal";
import { isVariable, isWrapped, nameOfVariable, type QueryTerm } from "./operators.ts";
import type { ParsedTerm } from "./plan.ts";

// ---- keys ---------------------------------------------------------------------------------------------------------

/** Functions get numbers on first use, so that equal query descriptions with functions have equal keys. */
const numbers = /* @__PURE__ */ new WeakMap<object, number>();
let last = 0;

/** Equal query descriptions have equal keys. The order of terms counts, since `each` passes values in that order. */
export function keyOfTerms(world: World, terms: readonly QueryTerm[]): string {
  return terms.map((term) => keyOf(world, term)).join(", ");
}

function keyOf(world: World, term: QueryTerm): string {
  if (typeof term === "number") return `${term}`;
  if (typeof term === "function") return keyOfFunction(term);
  if (!isWrapped(term)) {
    let named = term as unknown as ParsedTerm;
    if (named.definition.meaning !== undefined) named = parseTerm(world, term as EntityTag); // it may mean a definition
    const { definition, target } = named;
    return definition.kind === "relation" ? `c${definition.id} ${target}` : `c${definition.id}`;
  }
  const { operator, of, by, isDescending } = term;
  const what = typeof by === "function" ? keyOfFunction(by) : JSON.stringify(by);
  return `${operator}(${keyOfTerms(world, of)} by ${what}${isDescending ? " down" : ""})`;
}

/** A definition, or a user's function. */
function keyOfFunction(one: object): string {
  const { kind, id } = one as Definition;
  if (kind !== undefined) return `c${id}`;
  if (!numbers.has(one)) numbers.set(one, ++last);
  return `f${numbers.get(one)}`;
}

// ---- for people ---------------------------------------------------------------------------------------------------

/** Terms as users write them: `Position, not(ChildOf(Ship)), up(Light, { relation: DockedTo })`. */
export function textOfTerms(world: World, terms: readonly QueryTerm[]): string {
  return terms.map((term) => textOfQueryTerm(world, term)).join(", ");
}

function textOfQueryTerm(world: World, term: QueryTerm): string {
  if (typeof term === "number") return textOfEnd(world, term);
  if (typeof term === "function") return (term as unknown as Definition).name;
  if (!isWrapped(term)) return textOfTerm(world, term as unknown as ParsedTerm);
  const { operator, of, by, isDescending } = term;
  const what = of.map((one) => textOfQueryTerm(world, one));
  if (operator === "on")
    return typeof by === "function" ? `singleton(${what})` : `on(${textOfEnd(world, by as number)}, ${what})`;
  const options: string[] = [];
  if (operator === "orderBy" || operator === "groupBy") what.push(textOfBy(by));
  else if (by !== undefined) options.push(`relation: ${(by as Definition).name}`);
  if (isDescending) options.push("desc: true");
  if (options.length > 0) what.push(`{ ${options.join(", ")} }`);
  return `${operator}(${what.join(", ")})`;
}

function textOfBy(by: unknown): string {
  if (typeof by !== "function") return JSON.stringify(by);
  return (by as unknown as Definition).kind === undefined ? "a function" : by.name;
}

/** A definition, or a pair of it: `Position`, `ChildOf(Any)`, `DockedTo(ship)`. */
export function textOfTerm(world: World, { definition, target }: ParsedTerm): string {
  if (definition === Is) return `asTag(${textOfEnd(world, target)})`;
  if (definition.kind !== "relation") return definition.name;
  return `${definition.name}(${textOfEnd(world, target)})`;
}

/** An entity, alive or not, a variable, or the wildcard. */
export function textOfEnd(world: World, end: number): string {
  if (isVariable(end)) return nameOfVariable(end as Variable);
  if (end === ANY) return "Any";
  return isAlive(world, end as Entity) ? textOf(world, end as Entity) : `dead #${indexOf(end)}`;
}
