import { type Definition, definitionAt, type Entity, type Term, type World } from "@treeline/core";
import { ANY } from "@treeline/core/internal";
import { isWrapped, type QueryTerm } from "./operators.ts";

/** Functions get numbers when they are first asked for, so that equal questions with functions have equal keys. */
const numbers = /* @__PURE__ */ new WeakMap<object, number>();
let last = 0;

function numberOf(one: object): number {
  let number = numbers.get(one);
  if (number === undefined) {
    number = ++last;
    numbers.set(one, number);
  }
  return number;
}

/** Equal questions have equal keys. The order of terms counts, since `each` hands values over in it. */
export function keyOfTerms(world: World, terms: readonly QueryTerm[]): string {
  return terms.map((term) => keyOf(world, term)).join(", ");
}

function keyOf(world: World, term: QueryTerm): string {
  if (typeof term === "number") return keyOfNumber(world, term);
  if (!isWrapped(term)) {
    if (typeof term === "function") return `c${(term as unknown as Definition).id}`;
    const { definition, target } = term as unknown as Term;
    return `c${definition.id} ${target}`;
  }
  const { operator, of, by, isDescending } = term;
  return `${operator}(${keyOfTerms(world, of)}${by === undefined ? "" : ` by ${keyOfBy(by)}`}${isDescending ? " down" : ""})`;
}

/** A variable, or an entity: that which stands for a definition means the same as this. */
function keyOfNumber(world: World, number: number): string {
  const definition = definitionAt(world, number as Entity);
  if (definition === undefined) return `${number}`;
  return definition.kind === "relation" ? `c${definition.id} ${ANY}` : `c${definition.id}`;
}

function keyOfBy(by: unknown): string {
  if (typeof by !== "function") return `${typeof by} ${String(by)}`;
  const { kind, id } = by as unknown as Definition;
  return kind === undefined ? `f${numberOf(by)}` : `c${id}`;
}
