import { INDEX_SPAN } from "../base/limits.ts";
import { CHILD_OF, ChildOf, Hidden, isInternal, Life, Parent } from "../id/builtins.ts";
import type { Definition } from "../id/definition.ts";
import type { Entity } from "../id/entity.ts";
import { handleAt } from "../records/entity-index.ts";
import { loosePairOf } from "../records/sibling-links.ts";
import type { PairNumber, TableNumber } from "../storage/table.ts";
import { bitTagsAt, withBitTags } from "./bit-tags.ts";
import { isHeard, type WorldEvent } from "./event-list.ts";
import { tell } from "./tell.ts";
import type { World } from "./world.ts";

/** What listeners will be told of one change of one entity. */
export interface Facts {
  readonly removed: readonly WorldEvent[];
  readonly added: readonly WorldEvent[];
}

const NO_FACTS: Facts = { removed: [], added: [] };

/** One id of an entity: a component or tag, or a pair with its target. */
interface Held {
  readonly definition: Definition;
  /** 0 for components and tags. */
  readonly pair: PairNumber;
}

/** Different for different ids; pairs are fewer than indexes. */
function keyOf({ definition, pair }: Held): number {
  return definition.id * INDEX_SPAN * 2 + pair;
}

/** Somebody listens to something in this world. */
export function hasListeners({ events }: World): boolean {
  return events.listeners.length > 0;
}

/**
 * What becomes different for an entity that goes to another table, or gets another parent as a value. Table 0 stands for
 * not being alive. Storages of the parent are not told apart. Components and tags come in order of definition, then
 * pairs.
 *
 * @param tags stored as bits, if it will have others than now.
 */
export function foresee(
  world: World,
  index: number,
  from: TableNumber,
  to: TableNumber,
  loose: PairNumber,
  tags?: readonly Definition[],
): Facts {
  if (!hasListeners(world)) return NO_FACTS;
  const own = bitTagsAt(world, index);
  const before = from === 0 ? [] : heldIn(world, from, loosePairOf(world.graph.links, index), own);
  const after = to === 0 ? [] : heldIn(world, to, loose, tags ?? own);
  const had = new Set(before.map(keyOf));
  const has = new Set(after.map(keyOf));
  const gone = before.filter((one) => !has.has(keyOf(one)));
  const come = after.filter((one) => !had.has(keyOf(one)));
  const entity = handleAt(world.entities, index);
  const targetIn = (list: readonly Held[], { definition }: Held): Entity | undefined =>
    definition.exclusive
      ? targetOfHeld(
          world,
          list.find((one) => one.definition === definition),
        )
      : undefined;
  const eventsOf = (kind: "added" | "removed", list: readonly Held[]): WorldEvent[] =>
    list
      .filter(({ definition }) => isHeard(world.events, kind, definition))
      .map((held) => ({
        kind,
        entity,
        definition: held.definition,
        target: targetOfHeld(world, held),
        oldTarget: targetIn(before, held),
        newTarget: targetIn(after, held),
      }));
  return { removed: eventsOf("removed", gone), added: eventsOf("added", come) };
}

function targetOfHeld({ graph, entities }: World, held: Held | undefined): Entity | undefined {
  return held === undefined || held.pair === 0
    ? undefined
    : handleAt(entities, graph.pairs.target[held.pair]!);
}

/**
 * What the entities of a table have; the parent as (ChildOf, parent), whichever way it is stored. A parent that is stored as
 * a value is there as (Parent, parent) too, and everybody has Life, for those few who ask for it.
 */
function heldIn(
  { graph }: World,
  table: TableNumber,
  loose: PairNumber,
  tags: readonly Definition[],
): Held[] {
  const { tables, shapes, records, pairs } = graph;
  const definitions = withBitTags(shapes[tables.shape[table]!]!, tags);
  const held: Held[] = [{ definition: Life, pair: 0 }];
  for (const definition of definitions) {
    if (definition.kind !== "relation" && !isInternal(definition)) held.push({ definition, pair: 0 });
  }
  const first = tables.nodes[table]!;
  for (let node = first; node < first + tables.pairs[table]!; node++) {
    const pair = records.nodePair[node]!;
    const id = pairs.relation[pair]!;
    const definition = id === CHILD_OF ? ChildOf : definitions.find((one) => one.id === id)!;
    held.push({ definition, pair });
  }
  if (loose !== 0) held.push({ definition: ChildOf, pair: loose }, { definition: Parent, pair: loose });
  return held;
}

export function tellAll(world: World, events: readonly WorldEvent[]): void {
  for (const event of events) tell(world, event);
}

/** Tells that somebody is hidden from now on, or no longer: only our own packages listen to that. */
export function tellHidden(world: World, index: number, kind: "added" | "removed"): void {
  if (!isHeard(world.events, kind, Hidden)) return;
  const entity = handleAt(world.entities, index);
  const rest = { target: undefined, oldTarget: undefined, newTarget: undefined };
  tell(world, { kind, entity, definition: Hidden, ...rest });
}

/** Tells that a verb has given an entity a value. */
export function tellSet(
  world: World,
  index: number,
  definition: Definition,
  target: Entity | undefined,
): void {
  if (!isHeard(world.events, "set", definition)) return;
  const entity = handleAt(world.entities, index);
  tell(world, { kind: "set", entity, definition, target, oldTarget: undefined, newTarget: undefined });
}
