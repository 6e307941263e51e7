import { ChildOf, isInternal, Life, Parent } from "../../id/builtins.ts";
import type { Definition } from "../../id/definition.ts";
import type { Entity } from "../../id/entity.ts";
import { handleAt } from "../../records/entity-index.ts";
import { valuePairOf } from "../../records/sibling-links.ts";
import type { PairNumber, TableNumber } from "../../storage/table.ts";
import { type Events, OBSERVES, observedOf, Root } from "../state/event-list.ts";
import { notify } from "../state/notify.ts";
import type { ChangeEvents } from "../state/plans.ts";
import { bitTagsAt, withBitTags } from "../state/values.ts";
import type { EventWork, World } from "../state/world.ts";

/** The functions for observers: installed by calls that add observers. */
export const eventWork: EventWork = { list: listEvents, notify };

/** An observed part of an entity: a component or tag, or one pair. */
interface ObservedPart {
  readonly definition: Definition;
  /** 0 if it is not a pair. */
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
  const before = observedIn(world, from, valuePairOf(world.graph.links, index), own);
  const after = observedIn(world, to, valuePair, tags ?? own);
  const entity = handleAt(world.entities, index);
  if (to === 0 && before[0]?.definition === Life) before.push(before.shift()!); // the last that it loses
  listSide(world, events, "removed", entity, before, after);
  listSide(world, events, "added", entity, after, before);
}

/**
 * The observed parts of an entity on one side of a change: being alive, being a root, components and tags in the order of definition, then
 * pairs. A parent that is stored by value counts as one of ChildOf as well. Most notifications are one change event of one
 * entity, so there are no closures here and below, except for pairs.
 */
function observedIn(
  { graph, events }: World,
  table: TableNumber,
  valuePair: PairNumber,
  tags: readonly Definition[],
): ObservedPart[] {
  const parts: ObservedPart[] = [];
  if (table === 0) return parts;
  const { tables, archetypes, records, pairs } = graph;
  const archetype = archetypes[tables.archetype[table]!]!;
  const definitions = withBitTags(archetype, tags);
  addObserved(events, parts, Life, 0);
  if (tables.parentPair[table]! + valuePair === 0) addObserved(events, parts, Root, 0);
  for (let at = 0; at < definitions.length; at++) {
    const definition = definitions[at]!;
    if (definition.kind !== "relation" && !isInternal(definition)) addObserved(events, parts, definition, 0);
  }
  const first = tables.nodes[table]!;
  for (let node = first; node < first + tables.pairs[table]!; node++) {
    const pair = records.nodePair[node]!;
    const id = pairs.relation[pair]!;
    addObserved(events, parts, archetype.definitions.find((one) => one.id === id)!, pair);
  }
  if (valuePair !== 0) {
    addObserved(events, parts, ChildOf, valuePair);
    addObserved(events, parts, Parent, valuePair);
  }
  return parts;
}

function addObserved(events: Events, parts: ObservedPart[], definition: Definition, pair: PairNumber): void {
  if (observedOf(events, definition) !== 0) parts.push({ definition, pair });
}

/** Lists events for the parts that one side has and the other side does not have. */
function listSide(
  world: World,
  events: ChangeEvents,
  kind: keyof ChangeEvents,
  entity: Entity,
  own: readonly ObservedPart[],
  other: readonly ObservedPart[],
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
