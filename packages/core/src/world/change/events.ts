import { ChildOf, isInternal, Life, Parent } from "../../id/builtins.ts";
import type { Definition } from "../../id/definition.ts";
import type { Entity } from "../../id/entity.ts";
import { handleAt } from "../../records/entity-index.ts";
import { loosePairOf } from "../../records/sibling-links.ts";
import type { PairNumber, TableNumber } from "../../storage/table.ts";
import { OBSERVES, observedOf } from "../state/event-list.ts";
import type { ChangeEvents } from "../state/plans.ts";
import { pairsOfTable } from "../state/targets.ts";
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
  tags: readonly Definition[] = bitTagsAt(world, index),
): void {
  const entity = handleAt(world.entities, index);
  const before = heldIn(world, from, loosePairOf(world.graph.links, index), bitTagsAt(world, index));
  const after = heldIn(world, to, valuePair, tags);
  listSide(world, events, "removed", entity, before, after);
  listSide(world, events, "added", entity, after, before);
}

/**
 * What one side of a change has, as far as it is observed: being alive, components and tags in the order of definition, then
 * pairs. A parent that is stored by value is one of ChildOf as well.
 */
function heldIn(
  { graph, events }: World,
  table: TableNumber,
  valuePair: PairNumber,
  tags: readonly Definition[],
): readonly Held[] {
  const held: Held[] = [];
  if (table === 0) return held;
  const hold = (definition: Definition, pair: PairNumber): void => {
    if (observedOf(events, definition) !== 0) held.push({ definition, pair });
  };
  const shape = graph.shapes[graph.tables.shape[table]!]!;
  hold(Life, 0);
  for (const definition of withBitTags(shape, tags)) {
    if (definition.kind !== "relation" && !isInternal(definition)) hold(definition, 0);
  }
  for (const pair of pairsOfTable(graph, table)) {
    const id = graph.pairs.relation[pair]!;
    hold(shape.definitions.find((one) => one.id === id)!, pair);
  }
  if (valuePair !== 0) {
    hold(ChildOf, valuePair);
    hold(Parent, valuePair);
  }
  return held;
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
  for (const { definition, pair } of own) {
    if ((observedOf(world.events, definition) & OBSERVES[kind]) === 0) continue;
    if (other.some((one) => one.definition === definition && one.pair === pair)) continue;
    const target = targetOfPair(world, pair);
    let oldTarget: Entity | undefined;
    let newTarget: Entity | undefined;
    if (definition.exclusive) {
      const instead = other.find((one) => one.definition === definition);
      const otherTarget = targetOfPair(world, instead?.pair ?? 0);
      [oldTarget, newTarget] = kind === "removed" ? [target, otherTarget] : [otherTarget, target];
    }
    events[kind].push({ kind, entity, definition, target, oldTarget, newTarget });
  }
}

function targetOfPair({ graph, entities }: World, pair: PairNumber): Entity | undefined {
  return pair === 0 ? undefined : handleAt(entities, graph.pairs.target[pair]!);
}
