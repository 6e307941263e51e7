// I23 and I24: the stores of sparse definitions and relations, compared with the bits of rows (`verifySparse`).
import { eachPlaceOf, eachPlaceWith, PairStore, pairAtPlace, placeOfPair } from "../storage/pair-store.ts";
import { placeIn } from "../storage/sparse.ts";
import type { World } from "../world/state/world.ts";

/** I23: a sparse store has exactly the entities whose rows have the bit, each in the place that its page names. */
export function* verifySparse(world: World): Iterable<string> {
  const { graph } = world;
  for (const store of graph.sparse) {
    if (store === undefined) continue;
    if (store instanceof PairStore) {
      yield* verifyPairStore(world, store);
      continue;
    }
    const { definition, lanes, count, pages } = store;
    let bits = 0;
    for (const archetype of graph.archetypes) {
      for (const row of archetype.bits?.rowsWith(definition) ?? []) {
        bits++;
        const index = archetype.lanes.i32[row]!;
        const place = placeIn(store, index);
        if (place < 0 || place >= count || lanes.i32[place] !== index)
          yield `I23: e${index} has ${definition.name}, but place ${place} of the store is of e${lanes.i32[place]}`;
      }
    }
    const listed = pages.reduce((sum, page) => sum + page.filter((place) => place > 0).length, 0);
    if (bits !== count || listed !== count)
      yield `I23: the store of ${definition.name} counts ${count} entities, its pages ${listed}, and ${bits} rows have the bit`;
    if (count > lanes.capacity) yield `I23: the store of ${definition.name} ends after its columns`;
  }
}

/**
 * I24: each place of a pair store is found by its entity and pair, and once in the rings of both; an entity has one of them exactly if
 * its row has the bit; the record of a pair counts its places.
 */
function* verifyPairStore({ graph, entities }: World, store: PairStore): Iterable<string> {
  const { pairs, records } = graph;
  const { definition, count, lanes } = store;
  const { id, name, exclusive } = definition;
  const ofSubjects = new Set<number>();
  for (const archetype of graph.archetypes) {
    for (const row of archetype.bits?.rowsWith(definition) ?? []) {
      const index = archetype.lanes.i32[row]!;
      const own: number[] = [];
      if (placeIn(store, index) < 0) yield `I24: e${index} has the bit of ${name}, but no pair of it`;
      eachPlaceOf(store, index, (place) => own.push(place));
      for (const place of own) ofSubjects.add(place);
      if (own.some((place) => lanes.i32[place] !== index))
        yield `I24: the pairs of e${index} by ${name} are of another entity`;
      if (exclusive && own.length > 1) yield `I24: e${index} has ${own.length} pairs of ${name}`;
    }
  }
  const ofPairs = new Set<number>();
  for (let pair = 1; pair < pairs.length; pair++) {
    if (pairs.relation[pair] !== id) continue;
    const own: number[] = [];
    eachPlaceWith(store, records, pair, (place) => own.push(place));
    for (const place of own) ofPairs.add(place);
    if (own.length !== records.tables[pair] || own.some((place) => pairAtPlace(store, place) !== pair))
      yield `I24: the record of pair ${-pair} counts ${records.tables[pair]} entities, its ring has ${own.length}`;
  }
  if (ofSubjects.size !== count || ofPairs.size !== count)
    yield `I24: ${name} has ${count} pairs, ${ofSubjects.size} of entities and ${ofPairs.size} of pairs`;
  for (let place = 0; place < count; place++) {
    const index = lanes.i32[place]!;
    if (placeOfPair(store, index, pairAtPlace(store, place)) !== place)
      yield `I24: place ${place} of ${name} is not found by its entity and pair`;
    if (entities.table[index] === 0)
      yield `I24: place ${place} of ${name} is of e${index}, which is not alive`;
  }
  if (count > lanes.capacity) yield `I24: the store of ${name} ends after its columns`;
}
