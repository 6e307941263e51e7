import { GENERATIONS_PER_WORLD, WORLD_BLOCKS } from "../base/limits.ts";
import { createGraph } from "../graph/graph.ts";
import { nextNumber } from "../id/definition.ts";
import { indexOf } from "../id/entity.ts";
import { createEntityIndex } from "../records/entity-index.ts";
import { plainMemory } from "../storage/memory.ts";
import { createEvents } from "../world/state/event-list.ts";
import { createGathered } from "../world/state/gathered.ts";
import { createQueue } from "../world/state/lock.ts";
import type { Slots, World, WorldOptions, WorldState } from "../world/state/world.ts";

/** Begins an empty world. Nothing has to be registered: definitions are known to all worlds. */
export function createWorld(options: WorldOptions = {}): World {
  let firstGeneration = 1;
  CHECK: firstGeneration += (nextNumber() % WORLD_BLOCKS) * GENERATIONS_PER_WORLD;
  const slots: Slots = {
    destroy: undefined,
    changes: undefined,
    symmetric: undefined,
    events: undefined,
    announce: undefined,
    destroyInOrder: undefined,
    standing: undefined,
    leaveTree: undefined,
    hangPair: undefined,
    followTargets: undefined,
    spareTable: undefined,
    linkLast: undefined,
    termsInScope: undefined,
    setBits: undefined,
    settleDisabled: undefined,
    disableBelow: undefined,
  };
  const graph = createGraph(options.memory ?? plainMemory(), slots);
  const state: WorldState = {
    graph,
    entities: createEntityIndex(firstGeneration),
    rows: graph,
    orders: new Map(),
    visits: 0,
    checks: 0,
    changes: 0,
    scope: undefined,
    queue: createQueue(),
    hasQueued: false,
    isStrict: options.strict === true,
    dropsDeadParents: options.deadParent === "drop",
    events: createEvents(),
    limbo: 0,
    gathered: createGathered(),
    plans: [],
    lastPlan: undefined,
    standing: new Map(),
    standsFor: new Map(),
    states: [],
    location: { columns: undefined, row: 0 },
    located: { shape: -1, version: 0, lanes: undefined, what: undefined },
    laws: [],
    textOf: (_, entity) => `e${indexOf(entity)}`,
    slots,
  };
  return state as World;
}
