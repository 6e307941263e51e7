import { type Graph, valuePairOf } from "../graph/graph.ts";
import type { EntityIndex } from "../id/entity.ts";
import type { EntityIndex as Entities } from "../records/entity-index.ts";
import { endOf, startOf, valueCountOf } from "../records/families.ts";
import type { Archetype } from "../storage/archetype.ts";
import type { PairId, TableId } from "../storage/table.ts";
import type { World } from "../world/state/world.ts";
import type { ArchetypeView } from "./archetype.ts";

/**
 * Iterates the tables of a pair, or the tables of an archetype that have rows. Create it once and reuse it; its fields do not
 * change while tables change. The current table may be dropped during an iteration, others may not.
 *
 *   const tables = new TableCursor(world);
 *   for (tables.ofPair(pair); tables.next(); ) for (let row = tables.first; row < tables.end; row++) ...
 */
export class TableCursor {
  /** The current table; 0 for none. */
  table: TableId = 0;
  archetype: ArchetypeView;
  /** Its rows, absolute: `first <= row < end`. Tables of a pair may have none. */
  first = 0;
  end = 0;
  private readonly graph: Graph;
  /** The next node of a pair, or table of an archetype. */
  private node = 0;
  private following: TableId = 0;

  constructor(world: World) {
    this.graph = world.graph;
    this.archetype = this.graph.root;
  }

  /** Makes a table the current one. @returns false, without a change, if the table no longer exists. */
  turnTo(table: TableId): boolean {
    const { tables, archetypes } = this.graph;
    const archetype = tables.archetype[table]!;
    if (archetype < 0) return false;
    this.table = table;
    this.archetype = archetypes[archetype]!;
    this.first = tables.first[table]!;
    this.end = this.first + tables.count[table]!;
    return true;
  }

  /** (ChildOf, parent) if that is in its type, or 0. */
  get parentPair(): PairId {
    return this.graph.tables.parentPair[this.table]!;
  }

  /** Starts an iteration of the tables of a pair, including those without rows. */
  ofPair(pair: PairId): void {
    this.node = this.graph.records.firstNode[pair]!;
    this.following = 0;
  }

  /** Starts an iteration of the tables of an archetype with rows, in the order in which they got their first rows. */
  ofArchetype(archetype: ArchetypeView): void {
    this.node = 0;
    this.following = (archetype as Archetype).filled.first;
  }

  next(): boolean {
    const { tables, records } = this.graph;
    const { node, following } = this;
    if (node !== 0) {
      this.node = records.nodeNext[node]!;
      return this.turnTo(records.nodeTable[node]!);
    }
    if (following === 0) return false;
    this.following = tables.next[following]!;
    return this.turnTo(following);
  }
}

/**
 * Iterates the children that have their parent as a value (`Parent`), in sibling order, or the entities with a pair of a sparse
 * relation, the last one that got it first: `next` one by one, `nextRows` as many children as are in adjacent rows. Create it once and reuse it.
 * Children may not leave during an iteration.
 */
export class ValueCursor {
  index: EntityIndex = 0;
  /** After `nextRows`: absolute rows `first <= row < end`. */
  archetype: ArchetypeView;
  first = 0;
  end = 0;
  private readonly graph: Graph;
  private readonly entities: Entities;
  private pair: PairId = 0;
  /** Places of the pool. */
  private at = 0;
  private last = 0;
  /** The entities of a pair of a sparse relation, the next one last. */
  private sparse: EntityIndex[] | undefined = undefined;

  constructor(world: World) {
    const { graph, entities } = world;
    this.graph = graph;
    this.entities = entities;
    this.archetype = graph.root;
  }

  /**
   * Starts an iteration of the entities that have this pair as a value, or in a sparse store.
   * @param isAny without those of a sparse store that are also listed for another pair with its target that is no pair of their tables.
   */
  ofPair(pair: PairId, isAny?: boolean): void {
    const { graph } = this;
    const { families } = graph;
    this.pair = pair;
    this.at = startOf(families, pair);
    this.last = valueCountOf(families, pair) === 0 ? this.at : endOf(families, pair);
    this.sparse = graph.slots.sparsePairs?.subjects(graph, pair, [], isAny);
  }

  next(): boolean {
    const one = this.sparse?.pop();
    if (one !== undefined) {
      this.index = one;
      return true;
    }
    const { pool } = this.graph.families;
    while (this.at < this.last) {
      const index = pool[this.at++]!;
      if (index === 0 || valuePairOf(this.graph, index) !== this.pair) continue;
      this.index = index;
      return true;
    }
    this.index = 0;
    return false;
  }

  nextRows(): boolean {
    if (!this.next()) return false;
    const { tables, archetypes, families } = this.graph;
    const table = this.entities.table[this.index]!;
    this.archetype = archetypes[tables.archetype[table]!]!;
    const { i32 } = this.archetype.lanes;
    this.first = tables.first[table]! + this.entities.row[this.index]!;
    const endOfTable = tables.first[table]! + tables.count[table]!;
    let end = this.first + 1;
    // The next entity of the list, if it is in the next row of the table, has the same pair: its table has no other parent.
    for (; end < endOfTable && this.at < this.last && families.pool[this.at] === i32[end]; end++) this.at++;
    this.end = end;
    return true;
  }
}
