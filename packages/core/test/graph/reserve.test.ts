import { expect, it } from "vitest";
import { verify } from "../../src/debug.ts";
import { endReservation, reserveRows, type TableType } from "../../src/graph/graph.ts";
import { indexOf } from "../../src/id/entity.ts";
import { add, createWorld, spawn, spawnMany, type World } from "../../src/index.ts";
import { archetypeAt } from "../../src/world/state/values.ts";
import { Frozen, Position } from "../definitions.ts";
import { codeOf } from "../reading.ts";
import { type RefusingMemory, refusing } from "../storage/memory/refused-memory.ts";

/** The type of spawned entities with these. */
function kindOf(world: World, ...terms: Parameters<typeof spawn>[1][]): TableType {
  return { archetype: archetypeAt(world, indexOf(spawn(world, ...terms))), pairs: [] };
}

function hold(world: World, ...arrivals: [TableType, number][]): void {
  reserveRows(
    world.graph,
    arrivals.map(([type, count]) => ({ type, count })),
  );
}

it("leaves rows as they were, with room for all reserved rows", () => {
  const memory: RefusingMemory = refusing();
  const world = createWorld({ memory });
  const [one, other] = [kindOf(world, Position), kindOf(world, Frozen)];
  const crew = spawnMany(world, 40);

  hold(world, [one, 20], [other, 20]);
  memory.refuse(1, false);
  crew.forEach((entity, at) => {
    add(world, entity, at % 2 === 0 ? Position : Frozen);
  });
  endReservation(world.graph);

  expect([one.archetype.rows, other.archetype.rows]).toEqual([21, 21]);
  expect(verify(world)).toEqual([]);
});

it("frees unused rows, and drops tables that became empty meanwhile", () => {
  const world = createWorld({ memory: refusing() });
  const seat = spawn(world, Position);
  const kind = kindOf(world, Frozen);

  hold(world, [kind, 100]);
  add(world, seat, Frozen);
  endReservation(world.graph);

  expect(kind.archetype.rows).toBe(1);
  expect(verify(world)).toEqual([]);
});

it("changes nothing if the last one is refused", () => {
  const memory = refusing();
  const world = createWorld({ memory });
  const [one, other] = [kindOf(world, Position), kindOf(world, Frozen)];
  memory.refuse(2, false);

  expect(codeOf(() => hold(world, [one, 100], [other, 100]))).toBe("capacity");

  expect([one.archetype.rows, other.archetype.rows, world.graph.vacated]).toEqual([1, 1, undefined]);
  expect(verify(world)).toEqual([]);
});
