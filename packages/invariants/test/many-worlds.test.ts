import type { Entity, World } from "@treeline/core";
import {
  Any,
  add,
  ChildOf,
  component,
  createWorld,
  f32,
  get,
  has,
  isAlive,
  parentOf,
  plainMemory,
  relation,
  release,
  set,
  spawn,
  spawnMany,
  tag,
  webAssemblyMemory,
} from "@treeline/core";
import { stats, verify } from "@treeline/core/debug";
import { lookup, Name } from "@treeline/names";
import { depthOf, destroy, each, query, roots } from "@treeline/query";
import { describe, expect, it } from "vitest";
import { at, drawing, drawn, plantInto } from "./plant.ts";

const Position = component("Position", { x: f32, y: f32 });
const Model = component<object>("Model");
const Lit = tag("Lit");
const Likes = relation("Likes");

const tree = `
  Ship
    Cockpit
      Seat
    Hold
`;

function namesIn(world: World): string[] {
  const found: string[] = [];
  each(query(world, Name), (name) => {
    found.push(name);
  });
  return found.toSorted();
}

describe("worlds side by side", () => {
  it("share definitions and nothing else", () => {
    const one = createWorld({ memory: plainMemory() });
    const other = createWorld({ memory: webAssemblyMemory() });
    const empty = createWorld();
    plantInto(one, tree);
    plantInto(other, tree);
    const untouched = stats(empty);

    destroy(one, at(one, "Ship::Cockpit"));
    set(other, at(other, "Ship::Hold"), Position, { x: 1 });
    set(other, at(other, "Ship::Hold"), Model, { mesh: "crate" });
    add(other, at(other, "Ship::Cockpit"), Likes(at(other, "Ship::Hold")), Lit);

    expect(drawing(one)).toBe(
      drawn(`
        Ship
          Hold
      `),
    );
    expect(drawing(other)).toBe(drawn(tree));
    expect(namesIn(one)).toEqual(["Hold", "Ship"]);
    expect(namesIn(other)).toEqual(["Cockpit", "Hold", "Seat", "Ship"]);
    expect(has(one, at(one, "Ship::Hold"), Position)).toBe(false);
    expect(get(other, at(other, "Ship::Hold"), Model)).toEqual({ mesh: "crate" });
    expect(roots(empty)).toEqual([]);
    expect(stats(empty)).toEqual(untouched);
    for (const world of [one, other, empty]) expect(verify(world)).toEqual([]);
  });

  it("give the same handles, orders and paths for the same calls", () => {
    const worlds = [createWorld(), createWorld(), createWorld({ memory: webAssemblyMemory() })];
    const results = worlds.map((world) => {
      plantInto(world, tree);
      const entities = spawnMany(world, 50, ChildOf(at(world, "Ship::Hold")), Position({ x: 2 }));
      destroy(world, entities[7]!);
      add(world, entities[9]!, ChildOf(entities[3]!));
      const iterated: number[] = [];
      each(query(world, Position, ChildOf(Any)), (_, entity) => {
        iterated.push(entity % 2 ** 24);
      });
      return JSON.stringify([drawing(world), iterated, depthOf(world, entities[9]!)]);
    });

    expect(new Set(results).size).toBe(1);
  });

  it("keep many small worlds apart", () => {
    const worlds = Array.from({ length: 100 }, () => createWorld());
    worlds.forEach((world, at) => {
      const root = spawn(world, Name(`root ${at}`), Position({ x: at }));
      for (let child = 0; child < at % 5; child++) spawn(world, ChildOf(root), Position({ y: at }));
    });

    worlds.forEach((world, at) => {
      let rows = 0;
      each(query(world, Position), (position) => {
        rows += position.x === at || position.y === at ? 1 : 100;
      });
      expect(rows).toBe(1 + (at % 5));
      expect(lookup(world, `root ${at}`)).toBeDefined();
      if (at > 0) expect(lookup(world, `root ${at - 1}`)).toBeUndefined();
    });
  });
});

/** Shipped bundles start generations in the same way in all worlds, so they cannot detect foreign handles. */
describe.skipIf(process.env.TREELINE_BUILD === "shipped")("a handle of another world", () => {
  const verbs: readonly (readonly [
    name: string,
    use: (world: World, own: Entity, foreign: Entity) => unknown,
  ])[] = [
    ["spawn below it", (world, _, foreign) => spawn(world, ChildOf(foreign))],
    ["add to it", (world, _, foreign) => add(world, foreign, Lit)],
    ["reparent below it", (world, own, foreign) => add(world, own, ChildOf(foreign))],
    ["point at it", (world, own, foreign) => add(world, own, Likes(foreign))],
    ["set on it", (world, _, foreign) => set(world, foreign, Position, { x: 1 })],
    ["get from it", (world, _, foreign) => get(world, foreign, Position)],
    ["destroy it", (world, _, foreign) => destroy(world, foreign)],
    ["get its parent", (world, _, foreign) => parentOf(world, foreign)],
  ];

  it("is no entity of this world: releasing it does nothing here", () => {
    const world = createWorld();
    const elsewhere = createWorld();
    spawn(world, Name("own"));
    const foreign = spawn(elsewhere, Name("foreign"));

    release(world, foreign);

    expect(isAlive(elsewhere, foreign)).toBe(true);
    expect(drawing(world)).toBe("own");
  });

  it.each(verbs)("is refused: %s", (_, use) => {
    const world = createWorld();
    const elsewhere = createWorld();
    const own = spawn(world, Name("own"));
    const foreign = spawn(elsewhere, Name("foreign"));
    const before = stats(world);

    expect(isAlive(world, foreign)).toBe(false);
    expect(() => use(world, own, foreign)).toThrow(expect.objectContaining({ code: "dead-entity" }));

    expect(stats(world)).toEqual(before);
    expect(drawing(world)).toBe("own");
    expect(isAlive(elsewhere, foreign)).toBe(true);
    expect(verify(world)).toEqual([]);
  });
});
