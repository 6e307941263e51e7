import { beforeEach, describe, expect, it } from "vitest";
import { defer, type Move, observe, spawn, spawnMany } from "../../../../src/index.ts";
import { component, f32, withHooks } from "../../../defining.ts";
import { ChildOf, Parent } from "../../../definitions.ts";
import { createWorld, type Entity, type World } from "../../../fixture.ts";
import { moveAll, parseTerm, removeFromAll } from "../../../internal.ts";
import { get, verify } from "../../../reading.ts";
import { livingTables } from "../../snapshot.ts";

let calls: unknown[];
let refuses: boolean;

beforeEach(() => {
  calls = [];
  refuses = false;
  world = createWorld();
  ship = spawn(world);
});

/** Numbers the entities of one change from 1 on. The first one keeps its value. */
const Crew = withHooks(component<string>("Crew"), {
  check: (_, entity, value, parent) => {
    calls.push(["check", entity, value, parent]);
  },
  checkMoves: (_, moves: readonly Move<string>[]) => {
    calls.push(moves);
    if (refuses) throw new Error("refused");
    return moves.map(({ value }, at) => (at === 0 ? undefined : `${value}${at}`));
  },
  written: (_, __, value) => calls.push(["written", value]),
  onSet: (_, __, value, before) => calls.push(["onSet", value, before]),
});
const Single = withHooks(component<string>("Single"), {
  check: (_, entity, value) => {
    calls.push(["single", entity, value]);
    return `${value}!`;
  },
});

let world: World;
let ship: Entity;

function crewOf(entities: readonly Entity[]): (string | undefined)[] {
  return entities.map((one) => get(world, one, Crew));
}

describe("spawned entities of one spawnMany", () => {
  it("are checked together, without entities, and get the returned values", () => {
    const spawned = spawnMany(world, 3, Crew("c"), ChildOf(ship));

    const spawnedWith = { entity: undefined, value: "c", parent: ship };
    expect(calls).toEqual([
      [spawnedWith, spawnedWith, spawnedWith],
      ...["c", "c1", "c2"].flatMap((value) => [
        ["written", value],
        ["onSet", value, undefined],
      ]),
    ]);
    expect(crewOf(spawned)).toEqual(["c", "c1", "c2"]);
    expect(verify(world)).toEqual([]);
  });

  it("are checked one by one by a component without checkMoves", () => {
    const spawned = spawnMany(world, 2, Single("s"), Crew("c"));

    const spawnedWith = { entity: undefined, value: "c", parent: undefined };
    expect(calls.slice(0, 3)).toEqual([
      ["single", undefined, "s"],
      ["single", undefined, "s"],
      [spawnedWith, spawnedWith],
    ]);
    expect(spawned.map((one) => get(world, one, Single))).toEqual(["s!", "s!"]);
  });

  it("are refused with what to do, if the values of a component identify and it has no checkMoves", () => {
    const Badge = withHooks(component<string>("Badge"), { identifies: "siblings", check: () => undefined });

    expect(() => spawnMany(world, 2, Badge("b"))).toThrow(
      "Badge identifies entities, so they cannot share a value; spawn them one by one, or give it a `checkMoves` hook",
    );
  });

  it("a single one is checked as by spawn", () => {
    spawnMany(world, 1, Crew("c"), ChildOf(ship));

    expect(calls[0]).toEqual(["check", undefined, "c", ship]);
  });

  it("also when they were deferred", () => {
    const spawned = defer(world, () => {
      const pending = spawnMany(world, 2, Crew("c"), Parent(ship));
      expect(calls).toEqual([]);
      return pending;
    });

    const spawnedWith = { entity: undefined, value: "c", parent: ship };
    expect(calls[0]).toEqual([spawnedWith, spawnedWith]);
    expect(crewOf(spawned)).toEqual(["c", "c1"]);
  });

  it("are not spawned if one of them is refused", () => {
    refuses = true;
    const before = livingTables(world);

    expect(() => spawnMany(world, 2, Crew("c"), ChildOf(ship))).toThrow("refused");
    expect(() => defer(world, () => spawnMany(world, 2, Crew("c")))).toThrow("refused");

    expect([livingTables(world), world.entities.alive, world.changes]).toEqual([before, 1, 0]);
  });

  it("observers get the values that the check returned", () => {
    const observed: unknown[] = [];
    observe(world, { set: Crew }, ({ entity }) => observed.push(get(world, entity, Crew)));

    spawnMany(world, 2, Crew("c"));

    expect(observed).toEqual(["c", "c1"]);
  });

  it("may share one object in the result: each gets its value", () => {
    const shared = { x: 7 };
    const Place = withHooks(component("Place", { x: f32 }), {
      checkMoves: (_, moves) => moves.map(() => shared),
    });

    const spawned = spawnMany(world, 2, Place({ x: 1 }));

    expect(spawned.map((one) => get(world, one, Place))).toEqual([{ x: 7 }, { x: 7 }]);
  });
});

describe("entities that become roots together", () => {
  const cases: [string, (children: readonly Entity[]) => void][] = [
    [
      "as a list",
      (children) =>
        moveAll(
          world,
          children.map((one) => [one, undefined]),
        ),
    ],
    ["since all lose the pair", () => removeFromAll(world, parseTerm(world, ChildOf(ship)))],
  ];

  it.each(cases)("get the returned values, %s", (_, act) => {
    const children = [ChildOf, Parent, ChildOf].map((storage) => spawn(world, Crew("c"), storage(ship)));
    calls = [];

    act(children);

    expect(calls).toEqual([
      children.map((entity) => ({ entity, value: "c", parent: undefined })),
      ["written", "c"],
      ["written", "c1"],
      ["onSet", "c1", "c"],
      ["written", "c2"],
      ["onSet", "c2", "c"],
    ]);
    expect(crewOf(children)).toEqual(["c", "c1", "c2"]);
    expect(verify(world)).toEqual([]);
  });

  it.each(cases)("observers are notified of changed values after the parent is removed, %s", (_, act) => {
    const children = [ChildOf, Parent].map((storage) => spawn(world, Crew("c"), storage(ship)));
    const observed: unknown[] = [];
    observe(world, { removed: ChildOf(ship), set: Crew }, ({ kind, entity }) => {
      observed.push([kind, children.indexOf(entity)]);
    });

    act(children);

    expect(observed).toEqual([
      ["removed", 0],
      ["removed", 1],
      ["set", 1],
    ]);
  });
});
