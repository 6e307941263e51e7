import { expect } from "vitest";
import { indexOf } from "../../src/id/entity.ts";
import { createWorld, type Entity, observe, type World } from "../../src/index.ts";
import { Any } from "../definitions.ts";
import { verify } from "../reading.ts";
import { stateOf } from "../world/refused.ts";

/** What an observed call told observers: entities as their indexes, since two worlds have different handles. */
function eventsOf(world: World): unknown[] {
  const events: unknown[] = [];
  const note = (event: {
    kind: string;
    entity: Entity;
    definition?: { name: string };
    target?: Entity;
  }): void => {
    const { kind, entity, definition, target } = event;
    events.push([
      kind,
      indexOf(entity),
      definition?.name,
      target === undefined ? undefined : indexOf(target),
    ]);
  };
  observe(world, { added: Any, removed: Any }, note as never);
  observe(world, { spawned: true, destroyed: true }, note as never);
  return events;
}

/** What can be read of a world, without numbers of tables, rows and generations. */
function contentOf(world: World): object {
  const { living, alive, pairs, deferDepth, isHolding } = stateOf(world) as {
    readonly [name: string]: unknown;
  };
  const entities = (living as [string, ...unknown[]][]).map(([text, ...values]) => [
    text.replace(/generation \d+|in t\d+|row \d+/g, ""),
    ...values,
  ]);
  return { entities, alive, pairs, deferDepth, isHolding };
}

/**
 * Makes a change of a list twice, in two worlds that are prepared in the same way: by a verb for many, and one by one. Expects that all
 * that can be read is the same afterwards, and that observers were told the same, in the same order.
 *
 * @param observing with observers, without, or both in turn.
 */
export function expectAlike(
  prepare: (world: World) => Entity[],
  many: (world: World, list: Entity[]) => void,
  single: (world: World, one: Entity, place: number, list: Entity[]) => void,
  observing: readonly boolean[] = [false, true],
): void {
  for (const isObserved of observing) {
    const one = createWorld();
    const other = createWorld();
    const list = prepare(one);
    const others = prepare(other);
    const events = isObserved ? eventsOf(one) : [];
    const expected = isObserved ? eventsOf(other) : [];

    many(one, list);
    for (const [place, entity] of others.entries()) single(other, entity, place, others);

    expect(verify(one)).toEqual([]);
    expect(contentOf(one)).toEqual(contentOf(other));
    expect(events).toEqual(expected);
  }
}
