import { CHILD_OF, ChildOf, isInternal, Life, Parent } from "../../id/builtins.ts";
import type { Definition } from "../../id/definition.ts";
import type { Entity } from "../../id/entity.ts";
import { handleAt } from "../../records/entity-index.ts";
import { pairOfRelation } from "../../records/pair-records.ts";
import { loosePairOf } from "../../records/sibling-links.ts";
import type { PairNumber, TableNumber } from "../../storage/table.ts";
import { OBSERVES, observedOf } from "../state/event-list.ts";
import { type ChangeEvents, NO_TAGS } from "../state/plans.ts";
import { tableHasPair } from "../state/targets.ts";
import { tell } from "../state/tell.ts";
import { bitTagsAt, withBitTags } from "../state/values.ts";
import type { EventWork, World } from "../state/world.ts";

/** What observers need: whoever listens brings it. */
export const eventWork: EventWork = { list: listEvents, tell };

type Kind = keyof ChangeEvents;

function listEvents(
  world: World,
  events: ChangeEvents,
  index: number,
  from: TableNumber,
  to: TableNumber,
  valuePair: PairNumber,
  tags?: readonly Definition[],
): void {
  const { graph } = world;
  const { tables, shapes, links } = graph;
  const entity = handleAt(world.entities, index);
  const was = from === 0 ? undefined : shapes[tables.shape[from]!]!;
  const is = to === 0 ? undefined : shapes[tables.shape[to]!]!;
  const oldValue = from === 0 ? 0 : loosePairOf(links, index);
  if (was === undefined) listOne(world, events, "added", entity, Life);
  if (is === undefined) listOne(world, events, "removed", entity, Life);
  if (was !== is || tags !== undefined) {
    const own = bitTagsAt(world, index);
    const before = was === undefined ? NO_TAGS : withBitTags(was, own);
    const after = is === undefined ? NO_TAGS : withBitTags(is, tags ?? own);
    listComponents(world, events, "removed", entity, before, after);
    listComponents(world, events, "added", entity, after, before);
  }
  if (from !== to || oldValue !== valuePair) {
    const old = { table: from, value: oldValue };
    const now = { table: to, value: valuePair };
    listPairs(world, events, "removed", entity, old, now);
    listPairs(world, events, "added", entity, now, old);
  }
}

function listOne(
  world: World,
  events: ChangeEvents,
  kind: Kind,
  entity: Entity,
  definition: Definition,
  target?: Entity,
  oldTarget?: Entity,
  newTarget?: Entity,
): void {
  if ((observedOf(world.events, definition) & OBSERVES[kind]) === 0) return;
  events[kind].push({ kind, entity, definition, target, oldTarget, newTarget });
}

/** Components and tags of the first list, in the order of definition, that the other one has not. */
function listComponents(
  world: World,
  events: ChangeEvents,
  kind: Kind,
  entity: Entity,
  own: readonly Definition[],
  other: readonly Definition[],
): void {
  for (const definition of own) {
    const isListed = definition.kind !== "relation" && !isInternal(definition) && !other.includes(definition);
    if (isListed) listOne(world, events, kind, entity, definition);
  }
}

/** One side of a change: a table, and the pair of a parent that is stored by value. */
interface Side {
  readonly table: TableNumber;
  readonly value: PairNumber;
}

/** Pairs of one side that the other one has not. */
function listPairs(
  world: World,
  events: ChangeEvents,
  kind: Kind,
  entity: Entity,
  own: Side,
  other: Side,
): void {
  const { tables, shapes, records, pairs } = world.graph;
  const otherParent = other.table === 0 ? 0 : tables.parentPair[other.table]! + other.value;
  const list = (definition: Definition, pair: PairNumber, instead: PairNumber): void => {
    const target = targetOfPair(world, pair);
    const end = definition.exclusive ? target : undefined;
    const otherEnd = definition.exclusive ? targetOfPair(world, instead) : undefined;
    if (kind === "removed") listOne(world, events, kind, entity, definition, target, end, otherEnd);
    else listOne(world, events, kind, entity, definition, target, otherEnd, end);
  };
  if (own.table !== 0) {
    const { definitions } = shapes[tables.shape[own.table]!]!;
    const first = tables.nodes[own.table]!;
    const end = first + tables.pairs[own.table]!;
    for (let node = first; node < end; node++) {
      const pair = records.nodePair[node]!;
      const id = pairs.relation[pair]!;
      if (id === CHILD_OF) {
        if (pair !== otherParent) list(ChildOf, pair, otherParent);
        continue;
      }
      if (other.table !== 0 && tableHasPair(world, other.table, pair)) continue;
      const definition = definitions.find((one) => one.id === id)!;
      const isReplaced = other.table !== 0 && definition.exclusive;
      list(
        definition,
        pair,
        isReplaced ? pairOfRelation(records, tables, pairs.relation, other.table, id) : 0,
      );
    }
  }
  if (own.value === 0) return;
  if (own.value !== otherParent) list(ChildOf, own.value, otherParent);
  if (own.value !== other.value) list(Parent, own.value, other.value);
}

function targetOfPair({ graph, entities }: World, pair: PairNumber): Entity | undefined {
  return pair === 0 ? undefined : handleAt(entities, graph.pairs.target[pair]!);
}
