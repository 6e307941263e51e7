import { describe, expect, it } from "vitest";
import { add, entityOf, observe, release, spawn, TreelineError } from "../../../../src/index.ts";
import { array, component, f32, f64 } from "../../../defining.ts";
import { Any, ChildOf, DisabledTree, Label, Likes, OrderedChildren, Parent } from "../../../definitions.ts";
import { createWorld, type Entity, type World } from "../../../fixture.ts";
import { indexOf } from "../../../handles.ts";
import { get, isAlive, isDisabled, parentOf, verify } from "../../../reading.ts";

const Position = component("Position", { x: f32, y: f32 });
const Exact = component("Exact", { x: f64 });
const Matrix = component("Matrix", { cells: array(f32, 3) });

/** Two parents with two children each. */
interface Parents {
  readonly world: World;
  readonly ship: Entity;
  readonly port: Entity;
  readonly bow: Entity;
  readonly stern: Entity;
  readonly quay: Entity;
  readonly crane: Entity;
}

function twoParents(world: World = createWorld()): Parents {
  const [ship, port] = [spawn(world), spawn(world)];
  const [bow, stern] = [1, 2].map((x) => spawn(world, Position({ x, y: -x }), ChildOf(ship))) as [
    Entity,
    Entity,
  ];
  const [quay, crane] = [3, 4].map((x) => spawn(world, Position({ x, y: -x }), ChildOf(port))) as [
    Entity,
    Entity,
  ];
  return { world, ship, port, bow, stern, quay, crane };
}

describe("a reparent inside one archetype", () => {
  it("moves a leaf to a parent that has such children, behind them, with its values (I1)", () => {
    const { world, ship, port, bow, stern, crane } = twoParents();

    add(world, bow, ChildOf(port));

    expect([parentOf(world, bow), get(world, bow, Position)]).toEqual([port, { x: 1, y: -1 }]);
    expect([parentOf(world, stern), get(world, stern, Position)]).toEqual([ship, { x: 2, y: -2 }]);
    const { order } = world.entities;
    expect(order[indexOf(bow)]).toBeGreaterThan(order[indexOf(crane)]!);
    expect(verify(world)).toEqual([]);
  });

  it("moves columns of all kinds along, and drops values that are no longer used", () => {
    const world = createWorld();
    const [ship, port] = [spawn(world), spawn(world)];
    const spawnOne = (x: number, parent: Entity): Entity =>
      spawn(
        world,
        Position({ x }),
        Exact({ x: x / 3 }),
        Label(`e${x}`),
        Matrix({ cells: [x, x, x] }),
        ChildOf(parent),
      );
    const [bow, stern] = [spawnOne(1, ship), spawnOne(2, ship)];
    spawnOne(3, port);

    add(world, bow, ChildOf(port));

    for (const [one, x] of [
      [bow, 1],
      [stern, 2],
    ] as const) {
      expect([get(world, one, Exact), get(world, one, Label)]).toEqual([{ x: x / 3 }, `e${x}`]);
      expect([...get(world, one, Matrix)!.cells]).toEqual([x, x, x]);
    }
    expect(verify(world)).toEqual([]);
  });

  it("is there already: nothing changes, not even its place among its siblings", () => {
    const { world, ship, bow } = twoParents();
    const order = world.entities.order[indexOf(bow)];

    add(world, bow, ChildOf(ship));

    expect(world.entities.order[indexOf(bow)]).toBe(order);
  });

  it("leaves a parent without children, which can be released then", () => {
    const { world, ship, port, bow, stern } = twoParents();

    for (const child of [bow, stern]) add(world, child, ChildOf(port));

    expect(verify(world)).toEqual([]);
    release(world, ship);
    expect(isAlive(world, bow)).toBe(true);
  });

  const OTHERS: readonly (readonly [why: string, prepare: (parents: Parents) => unknown])[] = [
    ["the entity has children", ({ world, bow }) => spawn(world, ChildOf(bow))],
    ["something points at it", ({ world, bow, quay }) => add(world, quay, Likes(bow))],
    ["it has another pair", ({ world, bow, quay }) => add(world, bow, Likes(quay))],
    ["the parent has OrderedChildren", ({ world, ship }) => add(world, ship, OrderedChildren)],
    ["a parent is stored as a value", ({ world, ship }) => spawn(world, Parent(ship))],
    ["the new parent disables what is below it", ({ world, port }) => add(world, port, DisabledTree)],
    ["the old one does", ({ world, ship }) => add(world, ship, DisabledTree)],
    ["an entity is a component entity", ({ world }) => entityOf(world, Likes)],
  ];

  it.each(OTHERS)("has the same result when %s", (_, prepare) => {
    const parents = twoParents();
    prepare(parents);
    const { world, port, bow } = parents;

    add(world, bow, ChildOf(port));

    expect([parentOf(world, bow), get(world, bow, Position)]).toEqual([port, { x: 1, y: -1 }]);
    expect(verify(world)).toEqual([]);
  });

  it("keeps disabled entities right, from one parent that disables its children to the next", () => {
    const { world, ship, port, bow, stern } = twoParents();
    spawn(world, ChildOf(spawn(world, DisabledTree)));

    add(world, bow, ChildOf(port));
    add(world, ship, DisabledTree);
    add(world, port, DisabledTree);
    add(world, stern, ChildOf(port));

    expect([isDisabled(world, bow), isDisabled(world, stern)]).toEqual([true, true]);
    expect(verify(world)).toEqual([]);
  });

  it("works for a parent without such children, and from no parent, and never to oneself", () => {
    const { world, ship, port, bow } = twoParents();
    const lonely = spawn(world);
    const root = spawn(world, Position);

    expect(() => add(world, bow, ChildOf(bow))).toThrow(TreelineError);
    expect(parentOf(world, bow)).toBe(ship);
    add(world, bow, ChildOf(lonely));
    add(world, root, ChildOf(port));

    expect([parentOf(world, bow), parentOf(world, root)]).toEqual([lonely, port]);
    expect(verify(world)).toEqual([]);
  });

  it("is reported to observers", () => {
    const { world, port, bow } = twoParents();
    const calls: Entity[] = [];
    observe(world, { added: ChildOf(Any) }, ({ entity }) => calls.push(entity));

    add(world, bow, ChildOf(port));

    expect(calls).toEqual([bow]);
    expect(parentOf(world, bow)).toBe(port);
  });
});
