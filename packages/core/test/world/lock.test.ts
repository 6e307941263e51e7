import { describe, expect, it } from "vitest";
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
  isAlive,
  locate,
  pack,
  parentOf,
  read,
  relation,
  release,
  remove,
  set,
  spawn,
  spawnMany,
  tag,
  targetOf,
  type World,
} from "../../src/index.ts";
import { enterVisit, leaveVisit } from "../../src/world/lock.ts";
import { codeOf } from "../code-of.ts";
import { snapshot } from "./snapshot.ts";

const Position = component("Position", { x: f32 });
const Frozen = tag("Frozen");
const DockedTo = relation("DockedTo", { exclusive: true });

function start(): { world: World; ship: Entity; one: Entity } {
  const world = createWorld();
  const ship = spawn(world);
  return { world, ship, one: spawn(world, Position({ x: 1 }), ChildOf(ship)) };
}

describe("inside a visit", () => {
  it.each<[string, (world: World, one: Entity, ship: Entity) => unknown]>([
    ["spawn", (world) => spawn(world)],
    ["spawnMany", (world) => spawnMany(world, 2, Position)],
    ["add of a tag", (world, one) => add(world, one, Frozen)],
    ["add of a parent", (world, one, ship) => add(world, one, ChildOf(ship))],
    ["add of an exclusive pair", (world, one, ship) => add(world, one, DockedTo(ship))],
    ["remove", (world, one) => remove(world, one, Position)],
    ["remove of the parent", (world, one) => remove(world, one, ChildOf(Any))],
    ["set of what is not there", (world, _, ship) => set(world, ship, Position, { x: 2 })],
    ["release", (world, one) => release(world, one)],
    ["pack", (world) => pack(world)],
  ])("%s is refused as visiting, and changes nothing", (_, act) => {
    const { world, one, ship } = start();
    enterVisit(world);
    const before = snapshot(world);

    expect(codeOf(() => act(world, one, ship))).toBe("visiting");

    expect(snapshot(world)).toEqual(before);
    leaveVisit(world);
  });

  it("values may be read and written", () => {
    const { world, one, ship } = start();
    enterVisit(world);

    set(world, one, Position, { x: 5 });

    expect([get(world, one, Position)!.x, read(world, one, Position, { x: 0 })]).toEqual([5, true]);
    expect([has(world, one, Frozen), isAlive(world, one), parentOf(world, one)]).toEqual([false, true, ship]);
    expect([targetOf(world, one, DockedTo), locate(world, one, Position)!.columns.x.length > 0]).toEqual([
      undefined,
      true,
    ]);
    leaveVisit(world);
  });

  it("within another, changes are refused until the outermost one ends", () => {
    const { world } = start();
    enterVisit(world);
    enterVisit(world);
    leaveVisit(world);
    const inside = codeOf(() => spawn(world));

    leaveVisit(world);

    expect([inside, codeOf(() => spawn(world))]).toEqual(["visiting", undefined]);
  });

  it("of one world, another world can be changed", () => {
    const { world } = start();
    const other = createWorld();
    enterVisit(world);

    expect(codeOf(() => spawn(other))).toBeUndefined();

    leaveVisit(world);
  });
});
