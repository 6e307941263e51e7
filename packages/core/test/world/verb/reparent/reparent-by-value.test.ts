import { beforeEach, describe, expect, it } from "vitest";
import { add, createWorld, type Entity, release, spawn, type World } from "../../../../src/index.ts";
import { Any, ChildOf, DisabledTree, Parent, Position } from "../../../definitions.ts";
import { depthOf, indexOf, pairOf, rowOf } from "../../../handles.ts";
import { codeOf, isDisabled, parentOf, subjectsOf, verify } from "../../../reading.ts";
import { snapshot } from "../../snapshot.ts";

let world: World;
let ship: Entity;
let dock: Entity;
/** Children of ship, and of dock, that store their parent as a value. */
let crew: [Entity, Entity, Entity];
let hands: [Entity, Entity];

beforeEach(() => {
  world = createWorld();
  [ship, dock] = [spawn(world), spawn(world)];
  const spawnOne = (parent: Entity): Entity => spawn(world, Position, Parent(parent));
  crew = [spawnOne(ship), spawnOne(ship), spawnOne(ship)];
  hands = [spawnOne(dock), spawnOne(dock)];
});

const childrenOf = (parent: Entity): Entity[] => subjectsOf(world, parent, ChildOf);

/** Puts a child below another parent, by value. */
function moveBelow(child: Entity, parent: Entity): void {
  add(world, child, Parent(parent));
}

describe("a move by value to another parent", () => {
  it.each([0, 1, 2])("puts the child behind its last child, from place %i of the old one", (place) => {
    const [child, rest] = [crew[place]!, crew.filter((_, at) => at !== place)];
    const row = rowOf(world, child);

    moveBelow(child, dock);

    expect([childrenOf(ship), childrenOf(dock)]).toEqual([rest, [...hands, child]]);
    expect([parentOf(world, child), rowOf(world, child)]).toEqual([dock, row]);
    expect(verify(world)).toEqual([]);
  });

  it("makes the child the latest of all that were attached", () => {
    moveBelow(crew[0], dock);

    expect(world.entities.order[indexOf(crew[0])]).toBe(world.entities.lastOrder);
  });

  it("frees the pair of a parent without children", () => {
    for (const child of crew) moveBelow(child, dock);

    expect([pairOf(world, ChildOf, ship), childrenOf(ship), childrenOf(dock)]).toEqual([
      0,
      [],
      [...hands, ...crew],
    ]);
    expect(verify(world)).toEqual([]);
  });

  it("goes to a parent that has no children, and no other such ones", () => {
    const [lonely, other] = [spawn(world), spawn(world)];
    const typed = [spawn(world, ChildOf(other)), spawn(world, ChildOf(other))];

    moveBelow(crew[0], lonely);
    moveBelow(crew[1], other);

    expect([childrenOf(lonely), childrenOf(other)]).toEqual([[crew[0]], [...typed, crew[1]]]);
    expect(verify(world)).toEqual([]);
  });

  it("leaves siblings that have their parent in their type", () => {
    const typed = spawn(world, ChildOf(ship));
    for (const child of crew) moveBelow(child, dock);

    expect([pairOf(world, ChildOf, ship) === 0, childrenOf(ship)]).toEqual([false, [typed]]);
    expect(verify(world)).toEqual([]);
  });

  it("moves the descendants along, at their new depth", () => {
    const below = spawn(world, Parent(crew[1]));
    const lowest = spawn(world, ChildOf(below));

    moveBelow(crew[1], hands[0]);

    expect([crew[1], below, lowest].map((one) => depthOf(world, one))).toEqual([2, 3, 4]);
    expect(verify(world)).toEqual([]);
  });

  it("changes nothing if it ends where it began", () => {
    const before = snapshot(world);

    moveBelow(crew[0], ship);

    expect(snapshot(world)).toEqual(before);
  });

  it("refuses cycles, and changes nothing then", () => {
    const lowest = spawn(world, Parent(spawn(world, Parent(crew[0]))));
    const before = snapshot(world);

    expect(codeOf(() => moveBelow(crew[0], lowest))).toBe("cycle");
    for (const one of [crew[0], crew[1]]) expect(codeOf(() => moveBelow(one, one))).toBe("cycle");

    expect(snapshot(world)).toEqual(before);
    expect(verify(world)).toEqual([]);
  });
});

describe("another parent by value is refused, and nothing has changed", () => {
  function destroyed(): Entity {
    const one = spawn(world, Parent(dock));
    release(world, one);
    return one;
  }

  const cases: [story: string, child: () => unknown, parent: () => unknown, code: string][] = [
    ["for an entity that is not alive", () => destroyed(), () => dock, "dead-entity"],
    ["for a former life of an index", () => crew[0] - 2 ** 24, () => dock, "dead-entity"],
    ["below an entity that is not alive", () => crew[0], () => destroyed(), "dead-entity"],
    ["for what is between two handles", () => crew[0] + 0.5, () => dock, "dead-entity"],
    ["for what is no number", () => String(crew[0]), () => dock, "dead-entity"],
    ["for nothing", () => undefined, () => dock, "dead-entity"],
    ["for something too large", () => 2n, () => dock, "dead-entity"],
    ["below nothing", () => crew[0], () => undefined, "dead-entity"],
    ["for an index behind all links", () => 2 ** 24 + 2 ** 23, () => dock, "dead-entity"],
  ];

  it.each(cases)("%s", (_, child, parent, code) => {
    const [one, other] = [child(), parent()];
    const before = snapshot(world);

    expect(codeOf(() => moveBelow(one as Entity, other as Entity))).toBe(code);

    expect(snapshot(world)).toEqual(before);
  });

  it("disables the child below a parent that does so, whether that has children or not", () => {
    add(world, dock, DisabledTree);
    const lonely = spawn(world, DisabledTree);

    moveBelow(crew[0], dock);
    moveBelow(crew[1], lonely);

    expect([crew[0], crew[1], crew[2]].map((one) => isDisabled(world, one))).toEqual([true, true, false]);
    expect(verify(world)).toEqual([]);
  });
});

describe("add returns for a parent by value", () => {
  const refusals: [code: string, story: string, call: () => void][] = [
    ["dead-entity", "a child that is not alive", () => add(world, gone(), Parent(dock))],
    ["dead-entity", "a parent that is not alive", () => add(world, crew[0], Parent(gone()))],
    ["dead-entity", "no parent", () => add(world, crew[0], Parent(undefined as never))],
    ["bad-term", "any parent", () => add(world, crew[0], Parent(Any) as never)],
    [
      "bad-value",
      "a value",
      () => add(world, crew[0], (Parent as never as (...of: unknown[]) => never)(dock, 1)),
    ],
    ["bad-term", "no term", () => add(world, crew[0], undefined as never)],
    ["bad-term", "null", () => add(world, crew[0], null as never)],
    ["bad-term", "Parent alone", () => add(world, crew[0], Parent as never)],
  ];

  function gone(): Entity {
    const one = spawn(world);
    release(world, one);
    return one;
  }

  it.each(refusals)("%s for %s, and changes nothing", (code, _, call) => {
    expect(codeOf(call)).toBe(code);

    expect([parentOf(world, crew[0]), childrenOf(ship), childrenOf(dock)]).toEqual([ship, crew, hands]);
    expect(verify(world)).toEqual([]);
  });
});
