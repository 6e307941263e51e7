import { beforeEach, describe, expect, it } from "vitest";
import { add, observe, remove, spawn, spawnMany } from "../../../src/index.ts";
import { destroyRoots } from "../../../src/world/change/free-entity.ts";
import { Any, ChildOf, Frozen, OrderedChildren, Parent } from "../../definitions.ts";
import { Owns } from "../../destroy/target-policies.ts";
import { createWorld, type Entity, type World } from "../../fixture.ts";
import { indexOf } from "../../handles.ts";
import { moveTo } from "../../internal.ts";
import { destroy } from "../destroy.ts";

let world: World;
let top: Entity;
let ship: Entity;
let children: Entity[];

beforeEach(() => {
  world = createWorld();
  [top, ship] = [spawn(world), spawn(world)];
  children = [ChildOf, Parent, ChildOf, Parent].map((storage) => spawn(world, storage(ship), Frozen));
});

function rootsOf(...entities: Entity[]): number[] {
  return destroyRoots(world, entities.map(indexOf));
}

function indexes(...entities: Entity[]): number[] {
  return entities.map(indexOf);
}

describe("the destruction of several entities begins", () => {
  it("with the first one that was spawned or attached, whatever the order of the arguments", () => {
    const [a, b, c] = spawnMany(world, 3) as [Entity, Entity, Entity];
    add(world, a, ChildOf(top));

    expect(rootsOf(c, a, b)).toEqual(indexes(b, c, a));
  });

  it("with the topmost ones: an entity below another one is destroyed on the way", () => {
    const deep = spawn(world, Parent(children[1]!));
    add(world, ship, ChildOf(top));

    expect(rootsOf(children[2]!, ship)).toEqual(indexes(ship));
    expect(rootsOf(deep, children[2]!, top)).toEqual(indexes(top));
    expect(rootsOf(deep, children[0]!)).toEqual(indexes(children[0]!, deep));
    expect(rootsOf(children[1]!, deep, children[0]!)).toEqual(indexes(children[0]!, children[1]!));
  });

  it("with siblings in their order, also once that was changed", () => {
    const late = spawn(world);
    add(world, late, Parent(ship));
    moveTo(world, late, ship, 0, children[1]!);
    const other = spawn(world, ChildOf(top));

    expect(rootsOf(children[2]!, other, late, children[0]!)).toEqual(
      indexes(children[0]!, late, children[2]!, other),
    );
  });

  it("with none, or with the only one", () => {
    expect([rootsOf(), rootsOf(ship)]).toEqual([[], indexes(ship)]);
  });

  it("quickly, also if all are in one chain of 50,000", () => {
    const chain = [top];
    while (chain.length < 50_000) chain.push(spawn(world, Parent(chain.at(-1)!)));

    expect(rootsOf(...chain.filter((_, at) => at % 2 === 1))).toEqual(indexes(chain[1]!));
  });
});

describe("observers are notified of siblings in order", () => {
  function calls(act: () => unknown): Entity[] {
    const observed: Entity[] = [];
    observe(world, { removed: Frozen }, ({ entity }) => observed.push(entity));
    act();
    return observed;
  }

  it("when a sibling and their parent, attached later, are both named", () => {
    add(world, ship, ChildOf(top));

    expect(calls(() => destroy(world, children[2]!, ship))).toEqual(children);
  });

  it("when some of them are named, after they were reordered", () => {
    add(world, ship, OrderedChildren);
    remove(world, children[0]!, ChildOf(Any));
    moveTo(world, children[0]!, ship, 0, children[3]!);

    expect(calls(() => destroy(world, children[0]!, children[3]!, children[1]!))).toEqual([
      children[1],
      children[0],
      children[3],
    ]);
  });

  it("when their parent is destroyed through another relation", () => {
    const owner = spawn(world);
    add(world, ship, Owns(owner));

    expect(calls(() => destroy(world, owner))).toEqual(children);
  });
});
