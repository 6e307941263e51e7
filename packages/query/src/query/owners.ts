import { Any, ChildOf, Parent, type World } from "@treeline/core";
import {
  ANY,
  CHILD_OF,
  findPair,
  indexOf,
  isLiving,
  loosePairOf,
  PAIR_HIDDEN,
  type PairNumber,
  type Question,
  type TableNumber,
  tableHasPair,
} from "@treeline/core/internal";
import { shapeHas } from "../match/shape-has.ts";

/** Who has what one traversal looks for. Shapes tell it, but for pairs with a target. */
export interface Owners {
  readonly what: Question;
  readonly namesTarget: boolean;
  /** Index of the target, and its pair; 0 if it is dead, or nobody has the pair. Right after `turnToTarget`. */
  target: number;
  pair: PairNumber;
  /** By shape number: 1 if it has the definition, -1 if not, 0 while nobody asked. */
  byShape: Int8Array<ArrayBuffer>;
}

export function createOwners(what: Question): Owners {
  const namesTarget = what.definition.kind === "relation" && what.target !== ANY;
  return { what, namesTarget, target: 0, pair: 0, byShape: new Int8Array(16) };
}

/** To be called when the world has changed: the target may have died, and its pair may have another number. */
export function turnToTarget({ graph, entities }: World, owners: Owners): void {
  if (!owners.namesTarget) return;
  const { definition, target } = owners.what;
  owners.target = isLiving(entities, target) ? indexOf(target) : 0;
  const relation = definition === Parent ? CHILD_OF : definition.id;
  owners.pair = owners.target === 0 ? 0 : findPair(graph.pairs, relation, owners.target);
}

/** Do all entities of a shape have the definition, or some pair of the relation? Loose ones have ChildOf as well. */
export function shapeOwns({ graph }: World, owners: Owners, shape: number): boolean {
  const known = owners.byShape[shape];
  if (known === 1) return true;
  if (known === -1) return false;
  const has = shapeHas(graph.shapes[shape]!, owners.what.definition);
  if (shape >= owners.byShape.length) {
    const longer = new Int8Array(shape * 2);
    longer.set(owners.byShape);
    owners.byShape = longer;
  }
  owners.byShape[shape] = has ? 1 : -1;
  return has;
}

/** Has the entity at an index what is looked for? */
export function owns(world: World, owners: Owners, index: number): boolean {
  const table = world.entities.table[index]!;
  if (owners.namesTarget) return ownsPair(world, owners, index, table);
  return shapeOwns(world, owners, world.graph.tables.shape[table]!);
}

/** The target of a reflexive relation has the pair as well; nobody has one with the dead. */
function ownsPair(world: World, owners: Owners, index: number, table: TableNumber): boolean {
  const { tables, links } = world.graph;
  const { target, pair } = owners;
  const { definition } = owners.what;
  if (target === 0) return false;
  if (definition.reflexive && index === target) return true;
  if (!shapeOwns(world, owners, tables.shape[table]!)) return false;
  if (definition === Any) return pointsAt(world, index, table, target);
  if (pair === 0) return false;
  if (definition === Parent) return loosePairOf(links, index) === pair;
  if (definition === ChildOf) return tables.parentPair[table] === pair || loosePairOf(links, index) === pair;
  return tableHasPair(world, table, pair);
}

/** Has the entity a pair of any relation with the target? Entities used as tags are none. */
function pointsAt({ graph }: World, index: number, table: TableNumber, target: number): boolean {
  const { tables, records, pairs, links } = graph;
  const loose = loosePairOf(links, index);
  if (loose !== 0 && pairs.target[loose] === target) return true;
  const first = tables.nodes[table]!;
  for (let node = first; node < first + tables.pairs[table]!; node++) {
    const pair = records.nodePair[node]!;
    if (pairs.target[pair] === target && (pairs.traits[pair]! & PAIR_HIDDEN) === 0) return true;
  }
  return false;
}
