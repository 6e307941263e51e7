/** The ticks of change tracking. Core only writes them, and the query package reads them, so core has no public function for it. */
import type { Definition, Entity, World } from "../src/index.ts";
import { indexOf, rowAt, type Track, trackOf } from "../src/internal.ts";
import type { TrackKind } from "../src/storage/tracks.ts";
import { archetypeAt } from "../src/world/state/values.ts";

export { clockOf, keepTicks } from "../src/internal.ts";
export { ADDED, CHANGED, REMOVED, type TrackKind } from "../src/storage/tracks.ts";
export { type Track, trackOf };

/** The tick of an entity; 0 if it has none. */
export function tickOf(world: World, entity: Entity, definition: Definition, kind: TrackKind): number {
  const index = indexOf(entity);
  return trackOf(archetypeAt(world, index), definition, kind)?.rows[rowAt(world, index)] ?? 0;
}
