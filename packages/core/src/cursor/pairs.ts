import type { Graph } from "../graph/graph.ts";
import { ChildOf, Parent } from "../id/builtins.ts";
import { type Definition, PAIR_INTERNAL } from "../id/definition.ts";
import type { EntityIndex } from "../id/entity.ts";
import { findPair, firstPairOf } from "../id/pair-index.ts";
import { countInList, valueCountOf, valuePairOf } from "../records/sibling-links.ts";
import { viewColumn } from "../storage/lanes.ts";
import type { PairId, TableId } from "../storage/table.ts";
import { pairAt, settleDepths } from "../world/state/targets.ts";
import { pairColumn } from "../world/state/values.ts";
import { type World, worldState } from "../world/state/world.ts";

/** What is known of pairs by number; 0 is none, and nothing may be asked of it. Pairs of `Parent` are those of `ChildOf`. */
class Pairs {
  private readonly world: World;
  private readonly graph: Graph;

  constructor(world: World) {
    this.world = world;
    this.graph = world.graph;
  }

  /** Cost: the number of relations that point at the target. */
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

  /** An entity that is used as a tag: wildcards do not mean it. */
  isTag(pair: PairId): boolean {
    return (this.graph.pairs.traits[pair]! & PAIR_INTERNAL) !== 0;
  }

  /** The first pair that points at an entity; `after` for those that follow. */
  firstTo(target: EntityIndex): PairId {
    return firstPairOf(this.graph.pairs, target);
  }

  after(pair: PairId): PairId {
    return this.graph.pairs.nextOfTarget[pair]!;
  }

  /** Of a relation that keeps depths: the pair that the target has. */
  above(pair: PairId): PairId {
    return this.graph.records.above[pair]!;
  }

  /** The same: how deep those are who have it. */
  depth(pair: PairId): number {
    if (this.graph.records.staleList.length > 0) settleDepths(this.world);
    return this.graph.records.depth[pair]!;
  }

  /** In how many tables it is, empty ones included. */
  tables(pair: PairId): number {
    return this.graph.records.tables[pair]!;
  }

  /** How many have it as a value. Going through them takes `listed(pair)` steps. */
  values(pair: PairId): number {
    return valueCountOf(this.graph.links, pair);
  }

  listed(pair: PairId): number {
    return countInList(this.graph.links, pair);
  }

  /** The pair at a place in a table's list, from 0; or 0. The list is sorted by number. */
  inTable(table: TableId, place: number): PairId {
    const { tables, records } = this.graph;
    return place < tables.pairs[table]! ? records.nodePair[tables.nodes[table]! + place]! : 0;
  }

  /** The first pair of a relation that an entity has; of ChildOf in both storages, of Parent only as a value. */
  at(index: EntityIndex, relation: Definition): PairId {
    return pairAt(this.world, index, relation);
  }

  /** The pair of the parent, if an entity has it as a value. */
  valueAt(index: EntityIndex): PairId {
    return valuePairOf(this.graph.links, index);
  }

  /** The values of a pair in a table, as `columnsOf` gives those of components; `undefined` if there are none. */
  columns(table: TableId, pair: PairId): unknown {
    const archetype = this.graph.archetypes[this.graph.tables.archetype[table]!]!;
    const column = pairColumn(this.world, archetype, table, pair);
    return column === undefined ? undefined : viewColumn(archetype, column);
  }
}

/** The pairs of a world: one object for each world. */
export const pairsOf: (world: World) => Pairs = /* @__PURE__ */ worldState((world) => new Pairs(world));
