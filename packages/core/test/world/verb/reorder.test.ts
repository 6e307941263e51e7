import { describe, expect, it } from "vitest";
import { observe, remove, spawn, type WorldEvent } from "../../../src/index.ts";
import {
  moveSibling,
  notifyReordered,
  orderSiblings,
  relistSiblings,
  setParent,
} from "../../../src/world/verb/reparent.ts";
import { Any, ChildOf, Parent } from "../../definitions.ts";
import { createWorld, type Entity, type World } from "../../fixture.ts";
import { indexOf, pairOf } from "../../handles.ts";
import { subjectsOf, verify } from "../../reading.ts";

interface Planted {
  readonly world: World;
  readonly ship: Entity;
  readonly dock: Entity;
  /** By ChildOf, by Parent, by ChildOf. */
  readonly crew: readonly [Entity, Entity, Entity];
  readonly pair: number;
  readonly observed: WorldEvent[];
}

function plantParent(): Planted {
  const world = createWorld();
  const [ship, dock] = [spawn(world), spawn(world)];
  const crew = [ChildOf, Parent, ChildOf].map((storage) => spawn(world, storage(ship)));
  const observed: WorldEvent[] = [];
  observe(world, { reordered: ChildOf(ship) }, (event) => observed.push(event));
  const pair = pairOf(world, ChildOf, ship);
  return { world, ship, dock, crew: crew as unknown as Planted["crew"], pair, observed };
}

describe("the children of a parent", () => {
  it("are moved among each other, and one change event of the parent reports it", () => {
    const { world, ship, crew, pair, observed } = plantParent();
    const [a, b, c] = crew;

    moveSibling(world, pair, indexOf(c), indexOf(a));
    moveSibling(world, pair, indexOf(c), indexOf(a));

    expect(subjectsOf(world, ship, ChildOf)).toEqual([c, a, b]);
    const ends = { oldTarget: undefined, newTarget: undefined };
    expect(observed).toEqual([
      { kind: "reordered", entity: ship, definition: ChildOf, target: ship, ...ends },
    ]);
    expect(verify(world)).toEqual([]);
  });

  it("get a whole order, which is reported only if it is another one", () => {
    const { world, ship, crew, pair, observed } = plantParent();
    const [a, b, c] = crew.map(indexOf) as [number, number, number];

    orderSiblings(world, pair, [a, b, c]);
    expect(observed).toEqual([]);
    orderSiblings(world, pair, [b, c, a]);

    expect(subjectsOf(world, ship, ChildOf)).toEqual([crew[1], crew[2], crew[0]]);
    expect(observed.length).toBe(1);
    expect(verify(world)).toEqual([]);
  });

  it("are reported to observers later when they were put in order unobserved", () => {
    const { world, crew, pair, observed } = plantParent();

    const isChanged = relistSiblings(world, pair, crew.toReversed().map(indexOf));
    expect([isChanged, observed.length]).toEqual([true, 0]);
    notifyReordered(world, pair);

    expect(observed.length).toBe(1);
  });

  it("are reported to observers of any parent, and not to those of another one", () => {
    const { world, crew, dock, pair } = plantParent();
    const observed: string[] = [];
    observe(world, { reordered: ChildOf }, () => observed.push("relation"));
    observe(world, { reordered: ChildOf(Any) }, () => observed.push("any"));
    observe(world, { reordered: ChildOf(dock) }, () => observed.push("dock"));

    moveSibling(world, pair, indexOf(crew[0]), 0);

    expect(observed).toEqual(["relation", "any"]);
  });

  it("defer what observers change to the end", () => {
    const { world, ship, crew, pair } = plantParent();
    const [a, b, c] = crew;
    observe(world, { reordered: ChildOf }, () => remove(world, b, ChildOf(ship)));

    moveSibling(world, pair, indexOf(a), 0);

    expect(subjectsOf(world, ship, ChildOf)).toEqual([c, a]);
    expect(verify(world)).toEqual([]);
  });

  it("get a new sibling right before one of them", () => {
    const { world, ship, crew, dock, observed } = plantParent();
    const [a, b, c] = crew;

    setParent(world, indexOf(dock), indexOf(ship), undefined, indexOf(b));

    expect(subjectsOf(world, ship, ChildOf)).toEqual([a, dock, b, c]);
    expect(observed).toEqual([]);
    expect(verify(world)).toEqual([]);
  });
});
