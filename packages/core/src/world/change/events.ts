import { ChildOf, isInternal, Life, Parent } from "../../id/builtins.ts";
import type { Definition } from "../../id/definition.ts";
import type { Entity } from "../../id/entity.ts";
import { handleAt } from "../../records/entity-index.ts";
import { loosePairOf } from "../../records/sibling-links.ts";
import type { PairNumber, TableNumber } from "../../storage/table.ts";
import { type Events, OBSERVES, observedOf } from "../state/event-list.ts";
import type { ChangeEvents } from "../state/plans.ts";
import { tell } from "../state/tell.ts";
import { bitTagsAt, withBitTags } from "../state/values.ts";
import type { EventWork, World } from "../state/world.ts";

/** What observers need: whoever listens brings it. */
export const eventWork: EventWork = { list: listEvents, tell };

/** Something observed that an entity has: a component or tag, or one pair. */
interface Held {
  readonly definition: Definition;
  /** Else 0. */
  readonly pair: PairNumber;
}

function listEvents(
  world: World,
  events: ChangeEvents,
  index: number,
  from: TableNumber,
  to: TableNumber,
  valuePair: PairNumber,
  tags?: readonly Definition[],
): void {
  const own = bitTagsAt(world, index);
  const before = heldIn(world, from, loosePairOf(world.graph.links, index), own);
  const after = heldIn(world, to, valuePair, tags ?? own);
  const entity = handleAt(world.entities, index);
  listSide(world, events, "removed", entity, before, after);
  listSide(world, events, "added", entity, after, before);
}

/**
 * What one side of a change has, as far as it is observed: being alive, components and tags in the order of definition, then
 * pairs. A parent that is stored by value is one of ChildOf as well. Of what is told at all, most is one fact of one entity:
 * so no closures here and below, but for pairs.
 */
function heldIn(
  { graph, events }: World,
  table: TableNumber,
  valuePair: PairNumber,
  tags: readonly Definition[],
): readonly Held[] {
  const held: Held[] = [];
  if (table === 0) return held;
  const { tables, archetypes, records, pairs } = graph;
  const archetype = archetypes[tables.archetype[table]!]!;
  const definitions = withBitTags(archetype, tags);
  hold(events, held, Life, 0);
  for (let at = 0; at < definitions.length; at++) {
    const definition = definitions[at]!;
    if (definition.kind !== "relation" && !isInternal(definition)) hold(events, held, definition, 0);
  }
  const first = tables.nodes[table]!;
  for (let node = first; node < first + tables.pairs[table]!; node++) {
    const pair = records.nodePair[node]!;
    const id = pairs.relation[pair]!;
    hold(events, held, archetype.definitions.find((one) => one.id === id)!, pair);
  }
  if (valuePair !== 0) {
    hold(events, held, ChildOf, valuePair);
    hold(events, held, Parent, valuePair);
  }
  return held;
}

function hold(events: Events, held: Held[], definition: Definition, pair: PairNumber): void {
  if (observedOf(events, definition) !== 0) held.push({ definition, pair });
}

/** What one side has and the other one has not. */
function listSide(
  world: World,
  events: ChangeEvents,
  kind: keyof ChangeEvents,
  entity: Entity,
  own: readonly Held[],
  other: readonly Held[],
): void {
  for (let at = 0; at < own.length; at++) {
    const { definition, pair } = own[at]!;
    if ((observedOf(world.events, definition) & OBSERVES[kind]) === 0) continue;
    let instead: PairNumber = 0;
    let isKept = false;
    for (let place = 0; place < other.length; place++) {
      if (other[place]!.definition !== definition) continue;
      instead = other[place]!.pair;
      isKept = instead === pair;
      if (isKept) break;
    }
    if (isKept) continue;
    const target = targetOfPair(world, pair);
    const end = definition.exclusive ? target : undefined;
    const otherEnd = definition.exclusive ? targetOfPair(world, instead) : undefined;
    const isGone = kind === "removed";
    const oldTarget = isGone ? end : otherEnd;
    const newTarget = isGone ? otherEnd : end;
    events[kind].push({ kind, entity, definition, target, oldTarget, newTarget });
  }
}

function targetOfPair({ graph, entities }: World, pair: PairNumber): Entity | undefined {
  return pair === 0 ? undefined : handleAt(entities, graph.pairs.target[pair]!);
}
