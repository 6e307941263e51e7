// Iterates the entities that have a pair, one by one or by adjacent rows (`SubjectCursor`).
import { type Graph, valuePairOf } from "../graph/graph.ts";
import { CHILD_OF, Parent } from "../id/builtins.ts";
import type { Definition } from "../id/definition.ts";
import type { EntityIndex } from "../id/entity.ts";
import { alikeIn, countIn, endOf, isStillAlike, noteAlike, startOf } from "../records/families.ts";
import type { Archetype } from "../storage/archetype.ts";
import type { PairId } from "../storage/table.ts";
import type { World } from "../world/state/world.ts";

/**
 * Iterates the entities that have a pair: children in sibling order, of another relation table by table, of a sparse relation the last one
 * that got it first. `next` goes one by one, `nextRows` as many as are in adjacent rows. Create it once and reuse it. Entities may not get
 * or lose the pair during an iteration.
 *
 *   const subjects = new SubjectCursor(world);
 *   for (subjects.ofPair(pair); subjects.nextRows(); ) for (let row = subjects.first; row < subjects.end; row++) ...
 */
export class SubjectCursor {
  index: EntityIndex = 0;
  /** After `nextRows`: rows `first <= row < end`. */
  archetype: Archetype;
  first = 0;
  end = 0;
  /** After `findAlike`: how many children there are. */
  count = 0;
  private readonly graph: Graph;
  private pair: PairId = 0;
  private byValue = false;
  /** Places of a pool, and the next table of the pair. */
  private pool: Int32Array;
  private at = 0;
  private last = 0;
  private node = 0;
  /** The entities of a pair of a sparse relation, the next one last. */
  private sparse: EntityIndex[] | undefined = undefined;

  constructor(world: World) {
    const { graph } = world;
    this.graph = graph;
    this.pool = graph.families.pool;
    this.archetype = graph.root;
  }

  /**
   * Starts an iteration of the entities that have a pair.
   * @param definition `Parent` for those that store it by value only. @param isAny without those of a sparse store that are also listed for another pair with its target.
   */
  ofPair(pair: PairId, definition?: Definition, isAny?: boolean): void {
    const { graph } = this;
    const { families, records, tables, pairs } = graph;
    this.pair = pair;
    this.node = 0;
    this.byValue = definition === Parent;
    this.sparse = undefined;
    if (pairs.relation[pair] === CHILD_OF) {
      this.pool = families.pool;
      this.at = startOf(families, pair);
      this.last = endOf(families, pair);
      return;
    }
    this.pool = tables.lists.pool;
    this.node = records.firstNode[pair]!;
    this.at = 0;
    this.last = 0;
    this.sparse = graph.slots.sparsePairs?.subjects(graph, pair, [], isAny);
    if (this.sparse?.length === 0) this.sparse = undefined;
  }

  next(): boolean {
    const { graph, pool } = this;
    const one = this.sparse?.pop();
    if (one !== undefined) {
      this.index = one;
      return true;
    }
    for (;;) {
      while (this.at < this.last) {
        const index = pool[this.at++]!;
        if (index === 0 || (this.byValue && valuePairOf(graph, index) === 0)) continue;
        this.index = index;
        return true;
      }
      if (this.node === 0) break;
      const table = graph.records.nodeTable[this.node]!;
      this.node = graph.records.nodeNext[this.node]!;
      this.at = graph.tables.first[table]!;
      this.last = this.at + graph.tables.count[table]!;
    }
    this.index = 0;
    return false;
  }

  nextRows(): boolean {
    if (!this.next()) return false;
    const { pool, graph } = this;
    const { tables, archetypes, entities } = graph;
    const archetype = archetypes[tables.archetype[entities.table[this.index]!]!]!;
    this.archetype = archetype;
    const { i32 } = archetype.lanes;
    this.first = entities.row[this.index]!;
    let end = this.first + 1;
    // Is the next one of the list in the next row? Rows behind the last one hold former entities.
    for (; end < archetype.rows && this.at < this.last && pool[this.at] === i32[end]; end++) this.at++;
    this.end = end;
    return true;
  }

  /**
   * Of children, instead of `next`: are all of one `archetype`? Then their rows are `first .. end`, in order, or, if `end` is 0,
   * what `listRows` lists. That is remembered until one joins or leaves, or rows of the archetype move.
   *
   * @param readsAll false for an answer without looking at any child: only what is remembered.
   * @cost a step each child, if it is not remembered.
   */
  findAlike(readsAll: boolean): boolean {
    const { graph, pair } = this;
    const { families, archetypes, entities } = graph;
    const alike = alikeIn(families, pair);
    let archetype: Archetype | undefined = archetypes[Math.abs(alike) - 1];
    let isAdjacent = alike > 0;
    if (archetype === undefined || !isStillAlike(families, pair, archetype)) {
      archetype = readsAll ? this.archetypeOfAll() : undefined;
      if (archetype === undefined) return false;
      isAdjacent = this.areAdjacent(archetype);
      noteAlike(families, pair, archetype, isAdjacent);
    }
    this.archetype = archetype;
    this.count = countIn(families, pair);
    this.first = isAdjacent ? entities.row[this.pool[this.at]!]! : 0;
    this.end = isAdjacent ? this.first + this.count : 0;
    return true;
  }

  /** The archetype of all places that are left, if it is the same. */
  private archetypeOfAll(): Archetype | undefined {
    const { graph, pool, last } = this;
    const { table } = graph.entities;
    const { archetype } = graph.tables;
    let number = -1;
    for (let { at } = this; at < last; at++) {
      const index = pool[at]!;
      if (index === 0) continue;
      const own = archetype[table[index]!]!;
      if (own !== number && number >= 0) return undefined;
      number = own;
    }
    return graph.archetypes[number];
  }

  /** Are they in adjacent rows, in order? The list begins with an entity. */
  private areAdjacent({ lanes, rows }: Archetype): boolean {
    const { pool, last } = this;
    const { i32 } = lanes;
    let row = this.graph.entities.row[pool[this.at]!]!;
    for (let { at } = this; at < last; at++) {
      if (pool[at] === 0) continue;
      // Rows behind the last one hold former entities.
      if (row === rows || i32[row] !== pool[at]) return false;
      row++;
    }
    return true;
  }

  /** After `findAlike`: writes the rows of all children into a list. @returns how many. */
  listRows(rows: Int32Array): number {
    const { pool, last, graph } = this;
    const { row } = graph.entities;
    let count = 0;
    for (let { at } = this; at < last; at++) {
      const index = pool[at]!;
      if (index !== 0) rows[count++] = row[index]!;
    }
    return count;
  }
}
