import { CHILD_OF, ChildOf, Hidden, isInternal, Life, Parent } from "../../id/builtins.ts";
import type { Definition } from "../../id/definition.ts";
import type { Entity } from "../../id/entity.ts";
import { handleAt } from "../../records/entity-index.ts";
import { pairOfRelation } from "../../records/pair-records.ts";
import { loosePairOf } from "../../records/sibling-links.ts";
import type { PairNumber, TableNumber } from "../../storage/table.ts";
import { bitTagsAt, withBitTags } from "../state/bit-tags.ts";
import {
  OBSERVES_ADDED,
  OBSERVES_REMOVED,
  OBSERVES_SET,
  observedOf,
  type WorldEvent,
} from "../state/event-list.ts";
import { tableHasPair } from "../state/targets.ts";
import { tell } from "../state/tell.ts";
import type { World } from "../state/world.ts";

/** What observers will be told of a change: before it is made, and after it. */
export interface ChangeEvents {
  readonly removed: WorldEvent[];
  readonly added: WorldEvent[];
}

/**
 * Lists what becomes different for an entity that goes to another table, or gets another parent as a value, as far as it is
 * observed. Storages of the parent are not told apart. Components and tags come in order of definition, then pairs.
 *
 * @param from 0 for an entity that is about to be spawned.
 * @param to 0 for one that is about to be destroyed.
 * @param valuePair the pair of its parent after the change, if that is stored by value; else 0.
 * @param tags stored as bits, if it will have others than now.
 */
export function listEvents(
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
    const before = was === undefined ? undefined : withBitTags(was, own);
    const after = is === undefined ? undefined : withBitTags(is, tags ?? own);
    listComponents(world, events, "removed", entity, before, after);
    listComponents(world, events, "added", entity, after, before);
  }
  if (from !== to || oldValue !== valuePair) {
    listPairs(world, events, "removed", entity, { from, fromValue: oldValue, to, toValue: valuePair });
    listPairs(world, events, "added", entity, {
      from: to,
      fromValue: valuePair,
      to: from,
      toValue: oldValue,
    });
  }
}

function listOne(
  world: World,
  events: ChangeEvents,
  kind: "added" | "removed",
  entity: Entity,
  definition: Definition,
): void {
  if ((observedOf(world.events, definition) & bitOf(kind)) === 0) return;
  const rest = { target: undefined, oldTarget: undefined, newTarget: undefined };
  events[kind].push({ kind, entity, definition, ...rest });
}

function bitOf(kind: "added" | "removed"): number {
  return kind === "added" ? OBSERVES_ADDED : OBSERVES_REMOVED;
}

/** Components and tags of the first list, in the order of definition, that the other one has not. */
function listComponents(
  world: World,
  events: ChangeEvents,
  kind: "added" | "removed",
  entity: Entity,
  own: readonly Definition[] | undefined,
  other: readonly Definition[] | undefined,
): void {
  for (const definition of own ?? []) {
    if (definition.kind === "relation" || isInternal(definition)) continue;
    if (other?.includes(definition) === true) continue;
    listOne(world, events, kind, entity, definition);
  }
}

/** One side of a change, and the other one: a table, and the pair of a parent that is stored by value. */
interface Sides {
  readonly from: TableNumber;
  readonly fromValue: PairNumber;
  readonly to: TableNumber;
  readonly toValue: PairNumber;
}

/** Pairs of the first side that the other one has not. */
function listPairs(
  world: World,
  events: ChangeEvents,
  kind: "added" | "removed",
  entity: Entity,
  { from, fromValue, to, toValue }: Sides,
): void {
  const { tables, shapes, records, pairs } = world.graph;
  const otherParent = to === 0 ? 0 : tables.parentPair[to]! + toValue;
  const push = (definition: Definition, own: PairNumber, other: PairNumber): void => {
    if ((observedOf(world.events, definition) & bitOf(kind)) === 0) return;
    const target = targetOfPair(world, own);
    const before = kind === "removed" ? own : other;
    const after = kind === "removed" ? other : own;
    const { exclusive } = definition;
    events[kind].push({
      kind,
      entity,
      definition,
      target,
      oldTarget: exclusive ? targetOfPair(world, before) : undefined,
      newTarget: exclusive ? targetOfPair(world, after) : undefined,
    });
  };
  if (from !== 0) {
    const { definitions } = shapes[tables.shape[from]!]!;
    const first = tables.nodes[from]!;
    const end = first + tables.pairs[from]!;
    for (let node = first; node < end; node++) {
      const pair = records.nodePair[node]!;
      const id = pairs.relation[pair]!;
      if (id === CHILD_OF) {
        if (pair !== otherParent) push(ChildOf, pair, otherParent);
        continue;
      }
      if (to !== 0 && tableHasPair(world, to, pair)) continue;
      const definition = definitions.find((one) => one.id === id)!;
      const other =
        to !== 0 && definition.exclusive ? pairOfRelation(records, tables, pairs.relation, to, id) : 0;
      push(definition, pair, other);
    }
  }
  if (fromValue === 0) return;
  if (fromValue !== otherParent) push(ChildOf, fromValue, otherParent);
  if (fromValue !== toValue) push(Parent, fromValue, toValue);
}

function targetOfPair({ graph, entities }: World, pair: PairNumber): Entity | undefined {
  return pair === 0 ? undefined : handleAt(entities, graph.pairs.target[pair]!);
}

export function tellAll(world: World, events: readonly WorldEvent[]): void {
  for (let at = 0; at < events.length; at++) tell(world, events[at]!);
}

/** Tells that a verb has given an entity a value. */
export function tellSet(
  world: World,
  index: number,
  definition: Definition,
  target: Entity | undefined,
): void {
  if ((observedOf(world.events, definition) & OBSERVES_SET) === 0) return;
  const entity = handleAt(world.entities, index);
  tell(world, { kind: "set", entity, definition, target, oldTarget: undefined, newTarget: undefined });
}

/** Tells that an entity is hidden from now on, or no longer: only our own packages listen to that. */
export function tellHidden(world: World, index: number, kind: "added" | "removed"): void {
  if ((observedOf(world.events, Hidden) & bitOf(kind)) === 0) return;
  const entity = handleAt(world.entities, index);
  const rest = { target: undefined, oldTarget: undefined, newTarget: undefined };
  tell(world, { kind, entity, definition: Hidden, ...rest });
}
