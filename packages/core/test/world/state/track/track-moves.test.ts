import { beforeEach, describe, expect, it } from "vitest";
import {
  add,
  type Entity,
  locate,
  pack,
  release,
  remove,
  set,
  sparse,
  spawn,
  spawnMany,
} from "../../../../src/index.ts";
import { component, f32, relation } from "../../../defining.ts";
import { ChildOf, Damage, DisabledTree, Frozen, Likes, Parent } from "../../../definitions.ts";
import { dock, setShipAndDock, ship, world } from "../../../fixture.ts";
import { verify } from "../../../reading.ts";
import { CHANGED, clockOf, keepTicks, tickOf } from "../../../ticks.ts";
import { destroy } from "../../destroy.ts";

const Position = component("Position", { x: f32, y: f32 });
const Near = relation("Near", { symmetric: true });

beforeEach(setShipAndDock);

describe("ticks follow their entity", () => {
  let crowd: Entity[];

  /** When each of them was set. */
  function marks(): number[] {
    return crowd.map((entity) => tickOf(world, entity, Position, CHANGED));
  }

  beforeEach(() => {
    crowd = spawnMany(world, 200, ChildOf(dock), Position);
    keepTicks(world, Position, CHANGED, true);
    for (const [at, entity] of crowd.entries()) {
      clockOf(world).now = 10 + at;
      set(world, entity, Position, { x: at });
    }
  });

  it.each<[string, () => unknown]>([
    [
      "when rows are swapped",
      () => {
        for (const entity of crowd.splice(0, 50)) release(world, entity);
      },
    ],
    [
      "to another parent",
      () => {
        for (const entity of crowd.slice(30, 90)) add(world, entity, ChildOf(ship));
      },
    ],
    [
      "into another archetype and back",
      () => {
        for (const entity of crowd.slice(30, 90)) add(world, entity, Frozen, Damage(ship));
        for (const entity of crowd.slice(40, 80)) remove(world, entity, Frozen);
        for (const entity of crowd.slice(50, 70)) remove(world, entity, Damage(ship));
      },
    ],
    ["when columns grow", () => spawnMany(world, 5000, ChildOf(ship), Position)],
    [
      "when many others come and go",
      () => {
        const others = spawnMany(world, 300).map((parent) => spawnMany(world, 20, ChildOf(parent), Position));
        others.forEach((children, at) => {
          if (at % 3 !== 0) destroy(world, ...children);
        });
        spawnMany(world, 2000, ChildOf(ship), Position);
      },
    ],
    [
      "when rows are packed",
      () => {
        for (const entity of crowd.splice(10, 60)) release(world, entity);
        pack(world);
      },
    ],
    ["when they are disabled", () => add(world, dock, DisabledTree)],
    [
      "when they are disabled and enabled",
      () => {
        add(world, dock, DisabledTree);
        remove(world, dock, DisabledTree);
      },
    ],
    [
      "to another storage of parents",
      () => {
        for (const entity of crowd) add(world, entity, Parent(dock));
      },
    ],
    [
      "in symmetric pairs",
      () => {
        for (const entity of crowd.slice(0, 60)) add(world, entity, Near(crowd[100]!));
      },
    ],
  ])("%s", (_, act) => {
    const first = 10;
    const before = new Map(crowd.map((entity, at) => [entity, first + at]));

    act();

    expect(marks()).toEqual(crowd.map((entity) => before.get(entity)));
    expect(verify(world)).toEqual([]);
  });

  it("and go with all of them", () => {
    for (const entity of spawnMany(world, 3000, Position)) release(world, entity);
    for (const entity of crowd.splice(0)) release(world, entity);
    clockOf(world).now = 999;
    crowd = [spawn(world, ChildOf(dock), Position)];

    expect(marks()).toEqual([999]);
    expect(verify(world)).toEqual([]);
  });
});

describe("what is written to located columns of a sparse component", () => {
  const Heat = component("Heat", { degrees: f32 }, { storage: sparse });

  it.each<[string, (at: number) => Parameters<typeof spawn>[1][]]>([
    ["alone", () => []],
    ["beside a parent", (at) => [ChildOf(at % 2 === 0 ? ship : dock)]],
    ["beside another pair", (at) => [Likes(at % 2 === 0 ? ship : dock)]],
  ])("is a change of the entity at which it was located, and of no other: %s", (_, termsFor) => {
    const crowd = Array.from({ length: 8 }, (__, at) => spawn(world, ...termsFor(at), Heat({ degrees: at })));
    keepTicks(world, Heat, CHANGED, true);
    clockOf(world).now = 5;
    const { columns, row } = locate(world, crowd[5]!, Heat)!;
    columns.degrees[row] = 70;

    clockOf(world); // who reads changes asks for it first
    const ticks = crowd.map((one) => tickOf(world, one, Heat, CHANGED));

    expect(ticks).toEqual(crowd.map((__, at) => (at === 5 ? 5 : 1)));
  });
});
