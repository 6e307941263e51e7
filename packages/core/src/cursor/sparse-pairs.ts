// How queries read values of sparse pairs (`PairCursor`).
import type { Definition } from "../id/definition.ts";
import { indexOf } from "../id/entity.ts";
import { findPair } from "../id/pair-index.ts";
import { isLiving } from "../records/entity-index.ts";
import { type PairStore, placeOfPair } from "../storage/pair-store.ts";
import type { World } from "../world/state/world.ts";
import { SparseCursor } from "./sparse.ts";

/** The values of pairs of a sparse relation in a world, as queries read them. The storage brings it. */
export class PairCursor extends SparseCursor {
  private readonly world: World;
  private readonly pairs: PairStore;

  constructor(world: World, definition: Definition, store: PairStore) {
    super(world.graph, definition, store);
    this.world = world;
    this.pairs = store;
  }

  override placeOf(index: number, target: number): number {
    const { graph, entities } = this.world;
    if (!isLiving(entities, target)) return -1;
    const pair = findPair(graph.pairs, this.pairs.definition.id, indexOf(target));
    return pair === 0 ? -1 : placeOfPair(this.pairs, index, pair);
  }
}
