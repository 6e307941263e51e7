// Which change events a change causes, and their order (`listEvents`).
import { ChildOf, isInternal, Life, Parent } from "../../id/builtins.ts";
import type { Definition, PlainTerm } from "../../id/definition.ts";
import type { Entity } from "../../id/entity.ts";
import { handleAt } from "../../records/entity-index.ts";
import type { PairNumber, TableNumber } from "../../storage/table.ts";
import { OBSERVES, observedOf, Root } from "../state/event-list.ts";
import { notify, notifyChange } from "../state/notify.ts";
import type { Change, ChangeEvents } from "../state/plans.ts";
import { sortedPairs } from "../state/targets.ts";
import { bitTagsAt, withBitTags } from "../state/values.ts";
import type { EventWork, ListedChange, ObservedPart, World } from "../state/world.ts";
import { requiredFirst } from "./hook-calls.ts";
import { definitionOfTerm, targetOfTerm, valueOfTerm } from "./terms.ts";

/** The functions for observers: installed by calls that add observers. */
export const eventWork: EventWork = { list: listEvents, set: notifySet, notify };

/** What `observedOf` reads. */
type Observed = Parameters<typeof observedOf>[0];

function listEvents(
  world: World,
  events: ChangeEvents,
  index: number,
  from: TableNumber,
  to: TableNumber,
  parentPair: PairNumber,
  { turned = [], added }: ListedChange = {},
): void {
  const own = bitTagsAt(world, index);
  const tags = new Set(own);
  for (const { definition, on } of turned) tags[on ? "add" : "delete"](definition);
  const order = world.orders.get(index);
  const { events: observed } = world;
  const before = observedIn(world, observed, from, world.entities.family[index]!, own, order);
  const after = observedIn(world, observed, to, parentPair, [...tags], added ?? order);
  const entity = handleAt(world.entities, index);
  if (to === 0 && before[0]?.definition === Life) before.push(before.shift()!); // the last that it loses
  listSide(world, events, "removed", entity, before, after);
  listSide(world, events, "added", entity, after, before);
  world.slots.sparsePairs?.list(world, events, index, from === 0, to === 0, turned);
}

function notifySet(
  world: World,
  index: number,
  changes: readonly Change[],
  terms: readonly PlainTerm[] = [],
): void {
  for (const term of requiredFirst(terms)) {
    const definition = definitionOfTerm(term);
    const isReplacedByHook = changes.some(
      (one) => one.definition === definition && one.isGiven && one.isReplaced,
    );
    if (valueOfTerm(term) === undefined && !isReplacedByHook) continue;
    const target = definition.kind === "relation" ? (targetOfTerm(term) as Entity) : undefined;
    notifyChange(world, "set", index, definition, target);
  }
  for (const { definition, isGiven, isReplaced } of changes) {
    if (isReplaced && !isGiven) notifyChange(world, "set", index, definition);
  }
}

/**
 * The observed parts of an entity on one side of a change: being alive, being a root, components and tags in the order of definition, then
 * pairs: relations in the order of definition, targets of one in the order of adding. A parent that is stored by value counts as
 * one of ChildOf as well. Most notifications are one change event of one
 * entity, so there are no closures here and below, except for pairs.
 */
function observedIn(
  world: World,
  events: Observed,
  table: TableNumber,
  parentPair: PairNumber,
  tags: readonly Definition[],
  order: readonly PairNumber[] | undefined,
): ObservedPart[] {
  const { graph } = world;
  const parts: ObservedPart[] = [];
  if (table === 0) return parts;
  const { tables, archetypes, records, pairs } = graph;
  const archetype = archetypes[tables.archetype[table]!]!;
  const definitions = requiredFirst(
    withBitTags(archetype, tags) as readonly PlainTerm[],
  ) as readonly Definition[];
  addObserved(events, parts, Life, 0);
  if (parentPair === 0) addObserved(events, parts, Root, 0);
  for (let at = 0; at < definitions.length; at++) {
    const definition = definitions[at]!;
    const isListed = !isInternal(definition) || definition.standsFor !== undefined;
    if (definition.kind !== "relation" && isListed) addObserved(events, parts, definition, 0);
  }
  if (parentPair !== 0) {
    addObserved(events, parts, ChildOf, parentPair);
    if (archetype.hasValueParent) addObserved(events, parts, Parent, parentPair);
  }
  const sorted = tables.pairs[table]! > 1 && sortedPairs(world, table, order);
  for (let place = 0; place < tables.pairs[table]!; place++) {
    const pair = sorted ? sorted[place]! : records.nodePair[tables.nodes[table]!]!;
    const id = pairs.relation[pair]!;
    addObserved(events, parts, archetype.definitions.find((one) => one.id === id)!, pair);
  }
  return parts;
}

/** All parts of the entity at an index, observed or not. */
export function partsAt(world: World, index: number): ObservedPart[] {
  const { graph, entities, orders, slots } = world;
  const parts = observedIn(
    world,
    { observed: [], observesAny: 1 },
    entities.table[index]!,
    entities.family[index]!,
    bitTagsAt(world, index),
    orders.get(index),
  );
  return slots.sparsePairs?.addParts(graph, index, parts) ?? parts;
}

function addObserved(
  events: Observed,
  parts: ObservedPart[],
  definition: Definition,
  pair: PairNumber,
): void {
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

export function targetOfPair({ graph, entities }: World, pair: PairNumber): Entity | undefined {
  return pair === 0 ? undefined : handleAt(entities, graph.pairs.target[pair]!);
}
