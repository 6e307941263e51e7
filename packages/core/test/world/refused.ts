import { isDeepStrictEqual } from "node:util";
import { expect } from "vitest";
import { describe as describeEntity, dump, verify } from "../../src/debug.ts";
import { ChildOf, createWorld, type Entity, isDisabled, type World } from "../../src/index.ts";
import { handleAt } from "../../src/records/entity-index.ts";
import { isPending } from "../../src/world/state/lock.ts";
import { orderedSubjects } from "../../src/world/state/targets.ts";
import { archetypeAt, readValue } from "../../src/world/state/values.ts";
import { codeOf } from "../reading.ts";
import { type RefusingMemory, refusing } from "../storage/memory/refused-memory.ts";
import { ordersOf } from "./snapshot.ts";

/** The observable state of a world. Capacities may be larger, and tables without rows may be in another order. */
export function stateOf(world: World): object {
  const { entities, graph } = world;
  const living: unknown[] = [];
  for (let index = 1; index < entities.length; index++) {
    if (entities.table[index] === 0 || isPending(world, index)) continue;
    const values = archetypeAt(world, index).definitions.map(
      (one) => one.holds !== "nothing" && readValue(world, index, one),
    );
    const children = orderedSubjects(world, index, ChildOf);
    const entity = handleAt(entities, index);
    living.push([describeEntity(world, entity), values, children, isDisabled(world, entity)]);
  }
  return {
    living,
    drawing: dump(world).split("\n").sort(),
    alive: entities.alive,
    pairs: graph.pairs.alive,
    tables: graph.tables.alive - (world.pendingTable === 0 ? 0 : 1),
    isHolding: graph.vacated !== undefined,
    deferDepth: world.deferDepth,
    ...ordersOf(world),
  };
}

/** A world that is ready for a call, the call, and the calls of hooks and observers so far. */
export interface Ready {
  readonly call: () => unknown;
  readonly calls: readonly unknown[];
}

/**
 * Refuses each request for memory of one call in turn, and checks that nothing has changed each time, and that the
 * same call works afterwards.
 *
 * @returns how many calls were refused.
 */
export function refuseEachRequest(prepare: (world: World) => Ready): number {
  return refuseInTurn(prepare, true) + refuseInTurn(prepare, false);
}

function refuseInTurn(prepare: (world: World) => Ready, isAlone: boolean): number {
  for (let request = 1, refused = 0; ; request++) {
    const memory: RefusingMemory = refusing();
    const world = createWorld({ memory });
    const { call, calls } = prepare(world);
    if (request === 1) expect(verify(world)).toEqual([]); // the same world each time
    const before = stateOf(world);
    const callsBefore = calls.length;

    memory.refuse(request, isAlone);
    const code = codeOf(call);

    if (memory.requests < request) {
      expect(code).toBeUndefined();
      expect(verify(world)).toEqual([]);
      return refused;
    }
    if (code === undefined) continue; // the request was repeated, and granted
    expect([code, calls.slice(callsBefore)]).toEqual(["capacity", []]);
    expect(verify(world)).toEqual([]);
    const after = stateOf(world);
    if (!isDeepStrictEqual(after, before)) expect(after).toEqual(before); // which tells the difference, and takes longer
    refused++;

    memory.grant();
    expect(codeOf(call)).toBeUndefined();
    expect(verify(world)).toEqual([]);
  }
}

/** All entities that are alive, by index. */
export function livingIn({ entities }: World): Entity[] {
  return Array.from(entities.handles.subarray(1, entities.length)).filter((handle) => handle > 0) as Entity[];
}
