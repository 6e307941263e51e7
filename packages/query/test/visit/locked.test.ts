import {
  Any,
  add,
  ChildOf,
  component,
  createWorld,
  type Entity,
  f32,
  get,
  has,
  pack,
  parentOf,
  relation,
  release,
  remove,
  set,
  spawn,
  spawnMany,
  tag,
  type World,
} from "@treeline/core";
import { dump, verify } from "@treeline/core/debug";
import { beforeEach, describe, expect, it } from "vitest";
import { destroy } from "../../src/cleanup/destroy.ts";
import { query } from "../../src/query/query.ts";
import { cascade } from "../../src/term/term.ts";
import { ancestors, children, depthOf, descendants } from "../../src/tree/walk.ts";
import { each } from "../../src/visit/each.ts";
import { eachRun } from "../../src/visit/each-run.ts";
import { eachStretch } from "../../src/visit/each-stretch.ts";
import { codeOf } from "../code-of.ts";

const Position = component("Position", { x: f32 });
const Velocity = component("Velocity", { x: f32 });
const Mesh = component<string>("Mesh");
const Frozen = tag("Frozen");
const Damage = relation("Damage", { fields: { amount: f32 } });

let world: World;
let ship: Entity;
let cockpit: Entity;

beforeEach(() => {
  world = createWorld();
  ship = spawn(world, Position, Mesh("a"));
  cockpit = spawn(world, ChildOf(ship), Position, Damage(ship, { amount: 1 }));
});

const visits: [story: string, visit: (look: () => void) => void][] = [
  ["each", (look) => each(query(world, Position), look)],
  ["eachRun", (look) => eachRun(query(world, Position), look)],
  ["each under cascade", (look) => each(query(world, Position, cascade(Position)), look)],
  ["eachRun under cascade", (look) => eachRun(query(world, Position, cascade(Position)), look)],
  ["eachStretch", (look) => eachStretch(query(world, Position, cascade(Position)), look)],
  ["each of a targeted query", (look) => each(query(world, ChildOf(ship)), look)],
  ["eachRun of a targeted query", (look) => eachRun(query(world, ChildOf(ship)), look)],
  [
    "eachStretch of a targeted query",
    (look) => eachStretch(query(world, ChildOf(ship), cascade(Position)), look),
  ],
];

const changes: [story: string, change: () => unknown][] = [
  ["spawn", () => spawn(world, Position)],
  ["spawnMany", () => spawnMany(world, 3)],
  ["add of a tag", () => add(world, ship, Frozen)],
  ["add of a parent", () => add(world, cockpit, ChildOf(spawnedBefore()))],
  ["remove of a component", () => remove(world, ship, Position)],
  ["remove of a parent", () => remove(world, cockpit, ChildOf(Any))],
  ["set of what is not there", () => set(world, ship, Velocity, { x: 1 })],
  ["set of a pair that is not there", () => set(world, ship, Damage(cockpit), { amount: 1 })],
  ["release", () => release(world, cockpit)],
  ["destroy", () => destroy(world, ship)],
  ["pack", () => pack(world)],
];

function spawnedBefore(): Entity {
  return children(world)[0]!;
}

describe.each(visits)("inside a visit by %s", (_, visit) => {
  it.each(changes)("%s is refused as visiting, and changes nothing", (__, change) => {
    const before = dump(world);
    const codes = new Set<string | undefined>();

    visit(() => codes.add(codeOf(change)));

    expect([[...codes], dump(world)]).toEqual([["visiting"], before]);
    expect(verify(world)).toEqual([]);
  });

  it("values that are there can be set, and everything be asked", () => {
    const codes = new Set<string | undefined>();
    const asks: (() => unknown)[] = [
      () => set(world, ship, Position, { x: 4 }),
      () => set(world, ship, Mesh, "b"),
      () => set(world, cockpit, Damage(ship), { amount: 5 }),
      () => [get(world, ship, Position), has(world, ship, Frozen), parentOf(world, cockpit)],
      () => [children(world), ancestors(world, cockpit), descendants(world, ship), depthOf(world, cockpit)],
      () => query(world, Velocity),
    ];

    visit(() => {
      for (const ask of asks) codes.add(codeOf(ask));
    });

    expect([...codes]).toEqual([undefined]);
    expect([get(world, ship, Position), get(world, ship, Mesh), get(world, cockpit, Damage(ship))]).toEqual([
      { x: 4 },
      "b",
      { amount: 5 },
    ]);
  });

  it("the world stays locked when an inner visit ends, with an error or without", () => {
    const codes: (string | undefined)[] = [];

    visit(() => {
      visit(() => {});
      codes.push(codeOf(() => spawn(world)));
      codeOf(() =>
        visit(() => {
          throw new Error("enough");
        }),
      );
      codes.push(codeOf(() => spawn(world)));
    });

    expect(new Set(codes)).toEqual(new Set(["visiting"]));
  });

  it("an error comes out as it is, and leaves the world unlocked", () => {
    const error = new Error("enough");
    let caught: unknown;

    try {
      visit(() => {
        throw error;
      });
    } catch (thrown) {
      caught = thrown;
    }

    expect(caught).toBe(error);
    expect(codeOf(() => spawn(world))).toBe(undefined);
  });

  it("another world can be changed", () => {
    const other = createWorld();

    visit(() => {
      spawn(other, Position);
    });

    expect(other.entities.alive).toBeGreaterThan(0);
  });

  it("the world is unlocked afterwards", () => {
    visit(() => {});

    expect([world.visits, codeOf(() => destroy(world, ship))]).toEqual([0, undefined]);
  });
});
