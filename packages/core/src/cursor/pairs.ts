// What other packages read of pairs by number: target, depth, tables, values, place in a table or among siblings (`pairCursor`).
import { type Graph, valuePairOf } from "../graph/graph.ts";
import { ChildOf, Parent } from "../id/builtins.ts";
import { type Definition, PAIR_INTERNAL } from "../id/definition.ts";
import type { EntityIndex } from "../id/entity.ts";
import { findPair, firstPairOf } from "../id/pair-index.ts";
import { valueCountOf } from "../records/families.ts";
import { viewColumn } from "../storage/lanes.ts";
import type { PairId, TableId } from "../storage/table.ts";
import { countSubjects, pairAt, parentPairAt, settleDepths, targetIndexAt } from "../world/state/targets.ts";
import { pairColumn } from "../world/state/values.ts";
import { type World, worldState } from "../world/state/world.ts";

/** Reads the state of pairs by number. 0 means none and must not be passed. Pairs of `Parent` are those of `ChildOf`. */
class Pairs {
  private readonly world: World;
  private readonly graph: Graph;

  constructor(world: World) {
    this.world = world;
    this.graph = world.graph;
  }

  /**
   * @cost the number of pairs with this target.
   */
  find(relation: Definition, target: EntityIndex): PairId {
    return findPair(this.graph.pairs, (relation === Parent ? ChildOf : relation).id, target);
  }

  target(pair: PairId): EntityIndex {
    return this.graph.pairs.target[pair]!;
  }

  /** The number of its relation's definition. */
  relation(pair: PairId): number {
    return this.graph.pairs.relation[pair]!;
  }

  /** Whether it is an entity used as a tag: wildcards do not match it. */
  isTag(pair: PairId): boolean {
    return (this.graph.pairs.traits[pair]! & PAIR_INTERNAL) !== 0;
  }

  /** The first pair with this target; `after` returns the others. */
  firstTo(target: EntityIndex): PairId {
    return firstPairOf(this.graph.pairs, target);
  }

  after(pair: PairId): PairId {
    return this.graph.pairs.nextOfTarget[pair]!;
  }

  /** For a relation that keeps depths: the pair that the target has. */
  above(pair: PairId): PairId {
    return this.graph.records.above[pair]!;
  }

  /** For a relation that keeps depths: a pair whose target has this pair, and the next one beside it; or 0. */
  firstBelow(pair: PairId): PairId {
    return this.graph.records.firstBelow[pair]!;
  }

  beside(pair: PairId): PairId {
    return this.graph.records.beside[pair]!;
  }

  /** For a relation that keeps depths: the depth of the subjects. */
  depth(pair: PairId): number {
    if (this.graph.records.staleList.length > 0) settleDepths(this.world);
    return this.graph.records.depth[pair]!;
  }

  /** The number of entities that have it. @cost the tables of the pair. */
  count(pair: PairId): number {
    return countSubjects(this.world, pair);
  }

  /** How many of these store it by value: for `Parent`. */
  values(pair: PairId): number {
    return valueCountOf(this.graph.families, pair);
  }

  /** The pair at a place in a table's list, from 0; or 0. The list is sorted by number; that of the parent is not in it. */
  inTable(table: TableId, place: number): PairId {
    const { tables, records } = this.graph;
    return place < tables.pairs[table]! ? records.nodePair[tables.nodes[table]! + place]! : 0;
  }

  /** The first pair of a relation that an entity has; for ChildOf in both storages, for Parent only as a value. */
  at(index: EntityIndex, relation: Definition): PairId {
    return pairAt(this.world, index, relation);
  }

  /** The first target of a relation that an entity has, or was given while its spawn is pending; 0 for none. */
  targetAt(index: EntityIndex, relation: Definition): EntityIndex {
    return targetIndexAt(this.world, index, relation);
  }

  /** The pair of the parent, or 0; for `Parent` only if it is stored by value. */
  parentAt(index: EntityIndex, definition?: Definition): PairId {
    return definition === Parent ? valuePairOf(this.graph, index) : parentPairAt(this.world, index);
  }

  /** Siblings are in the order of their places. */
  place(index: EntityIndex): number {
    return this.graph.entities.place[index]!;
  }

  /** The values of a pair in a table, in the form that `columnsOf` returns; `undefined` if there are none. */
  columns(table: TableId, pair: PairId): unknown {
    const archetype = this.graph.archetypes[this.graph.tables.archetype[table]!]!;
    const column = pairColumn(this.world, archetype, table, pair);
    return column === undefined ? undefined : viewColumn(archetype, column);
  }
}

/** The pairs of a world: one object for each world. */
export const pairCursor: (world: World) => Pairs = /* @__PURE__ */ worldState((world) => new Pairs(world));
