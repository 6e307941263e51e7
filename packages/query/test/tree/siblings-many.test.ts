import { add, type Entity, pack, remove, spawn, spawnMany, type World } from "@treeline/core";
import { verify } from "@treeline/core/debug";
import { describe, expect, it } from "vitest";
import { children } from "../../src/index.ts";
import { ChildOf, OrderedChildren } from "../public/builtins.ts";
import { createWorld, relation } from "../public/define.ts";
import { insertAt, moveAfter, moveBefore } from "../public/places.ts";
import { STORAGES } from "./planted-siblings.ts";

/** Numbers of an entity in `links.siblings`, and the places of its neighbours among them. */
const PER_SIBLING = 4;
const NEXT = 1;
const PREVIOUS = 2;

/** Counts how often neighbours are read or written in the links of a world. */
function countLinkSteps(world: World): () => number {
  const { links } = world.graph;
  let steps = 0;
  const count = (key: string | symbol): void => {
    const place = Number(String(key)) % PER_SIBLING;
    if (place === NEXT || place === PREVIOUS) steps++;
  };
  links.siblings = new Proxy(links.siblings, {
    get: (list, key) => {
      count(key);
      return Reflect.get(list, key) as unknown;
    },
    set: (list, key, value) => {
      count(key);
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
    const ship = spawn(world, OrderedChildren);
    const crew = [...spawnMany(world, COUNT / 2, one(ship)), ...spawnMany(world, COUNT / 2, other(ship))];
    return { world, ship, crew };
  };

  it.each([
    ["first to last", (crew: Entity[]) => crew],
    ["last to first", (crew: Entity[]) => crew.toReversed()],
  ])("leave one by one, %s, in a few steps each", (_title, turn) => {
    const { world, ship, crew } = plantMany();
    const steps = countLinkSteps(world);

    for (const child of turn(crew)) remove(world, child, ChildOf(ship));

    expect(steps()).toBeLessThan(COUNT * 20);
    expect(children(world, ship)).toEqual([]);
  });

  it("move beside one another, and near the ends, in a few steps each", () => {
    const { world, ship, crew } = plantMany();
    const steps = countLinkSteps(world);

    for (let at = 0; at < 500; at++) {
      moveBefore(world, crew[at * 7]!, crew[COUNT - 1 - at * 11]!);
      moveAfter(world, crew[COUNT - 1 - at * 13]!, crew[at * 17]!);
      insertAt(world, ship, crew[at * 19]!, 2);
      insertAt(world, ship, crew[at * 23]!, COUNT - 3);
    }

    expect(steps()).toBeLessThan(4000 * 25);
  });

  it("are packed in a few steps each, in their new order, whatever tables they are in", () => {
    const { world, ship, crew } = plantMany();
    for (let at = 0; at < 500; at++) add(world, crew[at]!, Likes(crew[at]!));
    moveAfter(world, crew[0]!, crew[COUNT - 1]!);
    const steps = countLinkSteps(world);

    pack(world);

    expect(steps()).toBeLessThan(COUNT * 6);
    expect(children(world, ship)).toEqual([...crew.slice(1), crew[0]]);
    expect(verify(world)).toEqual([]);
  });
});
