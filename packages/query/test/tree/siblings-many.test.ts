import { add, type Entity, pack, remove, spawn, spawnMany, type World } from "@treeline/core";
import { verify } from "@treeline/core/debug";
import { describe, expect, it } from "vitest";
import { children } from "../../src/index.ts";
import { ChildOf } from "../public/builtins.ts";
import { createWorld, relation } from "../public/define.ts";
import { insertAt, moveAfter, moveBefore } from "../public/places.ts";
import { STORAGES } from "./planted-siblings.ts";

/** Counts how often numbers of the lists of children are read or written. */
function countListSteps(world: World): () => number {
  const { families } = world.graph;
  let steps = 0;
  families.pool = new Proxy(families.pool, {
    get: (list, key) => {
      steps++;
      const value: unknown = Reflect.get(list, key);
      return typeof value === "function" ? value.bind(list) : value;
    },
    set: (list, key, value) => {
      steps++;
      return Reflect.set(list, key, value);
    },
  });
  return () => steps;
}

describe.each(STORAGES)("12,000 children by %s", (_, one, other) => {
  const COUNT = 12_000;
  const Likes = relation("Likes");
  const plantMany = (): { world: World; ship: Entity; crew: Entity[] } => {
    const world = createWorld();
    const ship = spawn(world);
    const crew = [...spawnMany(world, COUNT / 2, one(ship)), ...spawnMany(world, COUNT / 2, other(ship))];
    return { world, ship, crew };
  };

  it.each([
    ["first to last", (crew: Entity[]) => crew],
    ["last to first", (crew: Entity[]) => crew.toReversed()],
  ])("leave one by one, %s, in a few steps each", (_title, turn) => {
    const { world, ship, crew } = plantMany();
    const steps = countListSteps(world);

    for (const child of turn(crew)) remove(world, child, ChildOf(ship));

    expect(steps()).toBeLessThan(COUNT * 20);
    expect(children(world, ship)).toEqual([]);
  });

  it("move beside one another, and near the ends, in far fewer steps than there are children", () => {
    const { world, ship, crew } = plantMany();
    const steps = countListSteps(world);

    for (let at = 0; at < 500; at++) {
      moveBefore(world, crew[at * 7]!, crew[COUNT - 1 - at * 11]!);
      moveAfter(world, crew[COUNT - 1 - at * 13]!, crew[at * 17]!);
      insertAt(world, ship, crew[at * 19]!, 2);
      insertAt(world, ship, crew[at * 23]!, COUNT - 3);
    }

    expect(steps()).toBeLessThan(4000 * 3 * Math.sqrt(COUNT));
  });

  it("are packed in a few steps each, in their new order, whatever tables they are in", () => {
    const { world, ship, crew } = plantMany();
    for (let at = 0; at < 500; at++) add(world, crew[at]!, Likes(crew[at]!));
    moveAfter(world, crew[0]!, crew[COUNT - 1]!);
    const steps = countListSteps(world);

    pack(world);

    expect(steps()).toBeLessThan(COUNT * 6);
    expect(children(world, ship)).toEqual([...crew.slice(1), crew[0]]);
    expect(verify(world)).toEqual([]);
  });
});
