import type { Graph } from "../graph/graph.ts";
import type { EntityIndex } from "../id/entity.ts";
import type { EntityIndex as Entities } from "../records/entity-index.ts";
import { firstInList, looseCountOf, loosePairOf, nextInList } from "../records/sibling-links.ts";
import type { PairId } from "../storage/table.ts";
import type { World } from "../world/state/world.ts";
import type { Archetype } from "./archetype.ts";

/**
 * Looks at one child after another of those that have their parent as a value (`Parent`), in sibling order: by `next` one by
 * one, or by `nextRows` as many as lie side by side. Made once and used again. The child it shows may leave meanwhile.
 */
export class ValueCursor {
  index: EntityIndex = 0;
  /** After `nextRows`: absolute rows `first <= row < end`. */
  archetype: Archetype;
  first = 0;
  end = 0;
  private readonly graph: Graph;
  private readonly entities: Entities;
  private pair: PairId = 0;
  private following: EntityIndex = 0;

  constructor(world: World) {
    const { graph, entities } = world;
    this.graph = graph;
    this.entities = entities;
    this.archetype = graph.root;
  }

  /** The next ones are those who have this pair as a value. */
  ofPair(pair: PairId): void {
    const { links } = this.graph;
    this.pair = pair;
    this.following = looseCountOf(links, pair) === 0 ? 0 : firstInList(links, pair);
  }

  next(): boolean {
    const { links } = this.graph;
    let index = this.following;
    while (index !== 0 && loosePairOf(links, index) !== this.pair) index = nextInList(links, index);
    this.index = index;
    if (index === 0) return false;
    this.following = nextInList(links, index);
    return true;
  }

  nextRows(): boolean {
    if (!this.next()) return false;
    const { tables, shapes, links } = this.graph;
    const { index } = this;
    let { following } = this;
    const table = this.entities.table[index]!;
    const shape = shapes[tables.shape[table]!]!;
    const { i32 } = shape.lanes;
    const first = tables.first[table]! + this.entities.row[index]!;
    const endOfTable = tables.first[table]! + tables.count[table]!;
    let end = first + 1;
    // Whoever is next in the list and lies in the next row of the table has the same pair: its table has no other parent.
    for (; end < endOfTable && following === i32[end]; end++) following = nextInList(links, following);
    this.following = following;
    this.archetype = shape;
    this.first = first;
    this.end = end;
    return true;
  }
}
