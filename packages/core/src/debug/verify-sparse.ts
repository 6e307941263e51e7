import { isUsed } from "../storage/bits.ts";
import { placeIn } from "../storage/sparse.ts";
import type { World } from "../world/state/world.ts";

/** I23: a sparse store has exactly the entities whose rows have the bit, each in the place that its page names. */
export function* verifySparse({ graph }: World): Iterable<string> {
  for (const store of graph.sparse) {
    if (store === undefined) continue;
    const { definition, lanes, count, pages } = store;
    let bits = 0;
    for (const archetype of graph.archetypes) {
      for (const row of archetype.bits?.rowsWith(definition) ?? []) {
        bits++;
        const index = archetype.lanes.i32[row]!;
        const place = placeIn(store, index);
        if (place < 0 || place >= count || lanes.i32[place] !== index)
          yield `I23: e${index} has ${definition.name}, but place ${place} of the store is of e${lanes.i32[place]}`;
        if (!isUsed(archetype.used, row)) yield `I23: row ${row} with ${definition.name} is free`;
      }
    }
    const listed = pages.reduce((sum, page) => sum + page.filter((place) => place > 0).length, 0);
    if (bits !== count || listed !== count)
      yield `I23: the store of ${definition.name} counts ${count} entities, its pages ${listed}, and ${bits} rows have the bit`;
    if (count > lanes.capacity) yield `I23: the store of ${definition.name} ends after its columns`;
  }
}
