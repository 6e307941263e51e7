import { beforeEach, expect, it } from "vitest";
import { verify } from "../../../src/debug.ts";
import {
  ChildOf,
  clone,
  type Entity,
  observe,
  type SpawnTerm,
  spawn,
  spawnMany,
  type World,
} from "../../../src/index.ts";
import { codeOf } from "../../code-of.ts";
import { Knows, Position } from "../../definitions.ts";
import { setWorld, world } from "../../stage.ts";
import { destroy } from "../destroy.ts";

/** A value is read once: here by a getter. */
function readBy(getter: () => number): SpawnTerm {
  let times = 0;
  return Position({
    get x(): number {
      if (times++ > 0) throw new Error("read twice");
      return getter();
    },
  });
}

function fail(): never {
  throw new Error("no value");
}

const births: [string, (world: World, other: Entity, term: SpawnTerm) => unknown][] = [
  ["spawnMany with bonds", (world, other, term) => spawnMany(world, 3, term, Knows(other))],
  ["spawn with a bond", (world, other, term) => spawn(world, term, Knows(other))],
  [
    "spawnMany that is heard of",
    (world, other, term) => {
      observe(world, { added: Position }, () => {});
      return spawnMany(world, 3, term, ChildOf(other));
    },
  ],
  ["clone", (world, other, term) => clone(world, other, { with: [term, Knows(other)] })],
];

beforeEach(setWorld);

it.each(births)("nobody is born by %s when a getter throws", (_, bear) => {
  const other = spawn(world);
  expect(() => bear(world, other, readBy(fail))).toThrow("no value");
  expect(world.entities.alive).toBe(1);
  expect(world.graph.vacated).toBeUndefined();
  expect(verify(world)).toEqual([]);
});

it.each([
  [
    "spawnMany with bonds",
    (world: World, other: Entity, term: SpawnTerm) => spawnMany(world, 3, term, Knows(other)),
  ],
  [
    "clone",
    (world: World, other: Entity, term: SpawnTerm) =>
      clone(world, spawn(world), { with: [term, ChildOf(other)] }),
  ],
])("nobody is born by %s when a getter destroys the target", (_, bear) => {
  const other = spawn(world);
  const term = readBy(() => {
    destroy(world, other);
    return 1;
  });
  expect(codeOf(() => bear(world, other, term))).toBe("dead-entity");
  expect(verify(world)).toEqual([]);
});

it("rooms of newborns stay theirs when a getter gives birth as well", () => {
  const other = spawn(world);
  const term = readBy(() => {
    spawnMany(world, 50, Position, Knows(other));
    return 1;
  });
  expect(spawnMany(world, 3, term, Knows(other))).toHaveLength(3);
  expect(verify(world)).toEqual([]);
});

it("what a getter answers is checked", () => {
  const term = readBy(() => "much" as unknown as number);
  expect(codeOf(() => clone(world, spawn(world), { with: [term] }))).toBe("bad-value");
  expect(world.entities.alive).toBe(1);
});
