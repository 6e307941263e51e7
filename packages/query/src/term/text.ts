import { type Definition, type Entity, isAlive, type Term, type Variable, type World } from "@treeline/core";
import { ANY, Is, indexOf, textOf } from "@treeline/core/internal";
import { isWrapped, type QueryTerm, type Wrapped } from "./operators.ts";
import type { Question } from "./plan.ts";
import { isVariable, nameOfVariable } from "./variable.ts";

/** Terms as users write them: `Position, not(ChildOf(Ship)), up(Light, { relation: DockedTo })`. */
export function textOfTerms(world: World, terms: readonly QueryTerm[]): string {
  return terms.map((term) => textOfTerm(world, term)).join(", ");
}

function textOfTerm(world: World, term: QueryTerm): string {
  if (isWrapped(term)) return textOfWrapped(world, term);
  if (typeof term === "number") return textOfEnd(world, term);
  if (typeof term === "function") return (term as unknown as Definition).name;
  const { definition, target } = term as unknown as Term;
  return textOfQuestion(world, { definition, target });
}

function textOfWrapped(world: World, { operator, of, by, isDescending }: Wrapped): string {
  const what = of.map((one) => textOfTerm(world, one));
  if (operator === "on") {
    return typeof by === "function" ? `singleton(${what})` : `on(${textOfEnd(world, by as number)}, ${what})`;
  }
  if (operator === "orderBy" || operator === "groupBy") {
    const order = isDescending ? ", { desc: true }" : "";
    return `${operator}(${[...what, textOfBy(by)].join(", ")}${order})`;
  }
  const options: string[] = [];
  if (by !== undefined) options.push(`relation: ${(by as Definition).name}`);
  if (isDescending) options.push("desc: true");
  if (options.length > 0) what.push(`{ ${options.join(", ")} }`);
  return `${operator}(${what.join(", ")})`;
}

function textOfBy(by: unknown): string {
  if (typeof by !== "function") return JSON.stringify(by);
  return (by as unknown as Definition).kind === undefined ? "a function" : (by as unknown as Definition).name;
}

/** A definition, or a pair of it: `Position`, `ChildOf(Any)`, `DockedTo(ship)`. */
export function textOfQuestion(world: World, { definition, target }: Question): string {
  if (definition === Is) return textOfEnd(world, target);
  if (definition.kind !== "relation") return definition.name;
  return `${definition.name}(${textOfEnd(world, target)})`;
}

/** An entity, alive or dead, a variable, or the wildcard. */
export function textOfEnd(world: World, end: number): string {
  if (isVariable(end)) return nameOfVariable(end as Variable);
  if (end === ANY) return "Any";
  return isAlive(world, end as Entity) ? textOf(world, end as Entity) : `dead e${indexOf(end)}`;
}
