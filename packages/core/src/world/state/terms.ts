import { shown, TreelineError } from "../../base/error.ts";
import { isInternal } from "../../id/builtins.ts";
import {
  ANY,
  Any,
  type AnyPair,
  type Component,
  type Definition,
  Is,
  PAIR_HIDDEN,
  type Pair,
  type Tag,
  type Term,
} from "../../id/definition.ts";
import { type Entity, indexOf } from "../../id/entity.ts";
import { findPair } from "../../id/pair-book.ts";
import { isLiving } from "../../records/entity-index.ts";
import { loosePairOf } from "../../records/sibling-links.ts";
import type { PairNumber } from "../../storage/table.ts";
import { requireHandle } from "./require.ts";
import { hasPairAt, pairsAt } from "./targets.ts";
import type { World } from "./world.ts";

/** What questions and `remove` take: a component or tag, a pair, a wildcard, or an entity that is used as a tag. */
export type Asked = Component | Tag | Pair<unknown, unknown, unknown> | AnyPair | Entity;

/** The same, read: a definition, and for relations a target: handle or ANY. */
export interface Question {
  readonly definition: Definition;
  readonly target: number;
}

/**
 * The definition of what users name: a definition, or what calling it gives.
 *
 * @throws TreelineError `bad-term` for anything else.
 */
export function definitionOf(what: Definition | Term): Definition {
  const definition = (
    typeof what === "function" ? what : (what as Term | undefined | null)?.definition
  ) as Definition;
  if (definition?.kind !== undefined && !isInternal(definition)) return definition;
  const text = `${shown(what)} is no component, tag or pair; is it imported in a circle?`;
  throw new TreelineError("bad-term", text);
}

/**
 * Reads what users ask for. An entity means the definition it stands for, or itself as a tag.
 *
 * @throws TreelineError `bad-term` for what is no component, tag, pair or entity, and for a relation without target;
 *   `dead-entity` for a target that has not the form of a handle.
 */
export function questionOf(world: World, what: Asked): Question {
  if (typeof what === "number") return questionOfEntity(world, what);
  const definition = definitionOf(what);
  if (typeof what !== "function") {
    const question = what as unknown as Question;
    if (definition.kind === "relation" && question.target !== ANY) requireHandle(world, question.target);
    return question;
  }
  if (definition.kind !== "relation") return { definition, target: 0 };
  const { name } = definition;
  throw new TreelineError("bad-term", `${name} needs a target: ${name}(entity) or ${name}(Any)`);
}

function questionOfEntity(world: World, entity: Entity): Question {
  requireHandle(world, entity);
  const definition = isLiving(world.entities, entity) ? world.standsFor.get(indexOf(entity)) : undefined;
  if (definition === undefined) return { definition: Is, target: entity };
  return { definition, target: definition.kind === "relation" ? ANY : 0 };
}

/** Is the question about pairs with any target, or of any relation? */
export function isWildcard({ definition, target }: Question): boolean {
  return definition === Any || target === ANY;
}

/** The pairs of the entity at an index that a question about pairs means. A fresh list. */
export function askedPairsAt(world: World, index: number, { definition, target }: Question): PairNumber[] {
  const { pairs } = world.graph;
  if (target !== ANY && !isLiving(world.entities, target)) return [];
  const found = definition === Any ? allPairsAt(world, index) : pairsAt(world, index, definition);
  return target === ANY ? found : found.filter((pair) => pairs.target[pair] === indexOf(target));
}

/** Pairs of all relations, the parent included; entities used as tags are none. */
function allPairsAt({ graph, entities }: World, index: number): PairNumber[] {
  const { tables, records, pairs, links } = graph;
  const table = entities.table[index]!;
  const first = tables.nodes[table]!;
  const found = [...records.nodePair.subarray(first, first + tables.pairs[table]!)];
  const parent = loosePairOf(links, index);
  if (parent !== 0) found.push(parent);
  return found.filter((pair) => (pairs.traits[pair]! & PAIR_HIDDEN) === 0);
}

/** Has the entity at an index the pair with a relation and a living target? */
export function hasTarget(world: World, index: number, definition: Definition, target: number): boolean {
  const pair = findPair(world.graph.pairs, definition.id, indexOf(target));
  return pair !== 0 && hasPairAt(world, index, pair);
}
