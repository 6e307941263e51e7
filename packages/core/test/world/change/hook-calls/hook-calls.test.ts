import { beforeEach, describe, expect, it } from "vitest";
import { add, clone, observe, remove, type SpawnTerm, set, spawn, spawnMany } from "../../../../src/index.ts";
import { component, f32, withHooks } from "../../../defining.ts";
import { Any, ChildOf, Frozen, Parent, storages } from "../../../definitions.ts";
import { dock, type Entity, setShipAndDock, ship, world } from "../../../fixture.ts";
import { codeOf, get, verify } from "../../../reading.ts";
import { CHANGED, clockOf, keepTicks, tickOf } from "../../../ticks.ts";
import { snapshot } from "../../snapshot.ts";

/** The calls of hooks and observers, in order. */
let calls: unknown[][] = [];
/** What `check` of Title returns, by the value that it gets. */
let results: Map<string, string>;

const Title = withHooks(component<string>("Title"), {
  check: (_, __, value) => results.get(value),
  written: (world, entity, value) => calls.push(["written", value, get(world, entity, Title)]),
  onSet: (_, __, value, before) => calls.push(["onSet", value, before]),
});
const Place = withHooks(component("Place", { x: f32, y: f32 }), {
  check: (_, __, { x }) => (x > 10 ? ({ x: 10 } as { x: number; y: number }) : undefined),
  onSet: (_, __, value, before) => calls.push(["onSet", value, before]),
});

beforeEach(setShipAndDock);
beforeEach(() => {
  results = new Map([["a", "b"]]);
  calls = [];
});

function added(...terms: SpawnTerm[]): Entity {
  add(world, ship, ...terms);
  return ship;
}

function given(value: string): Entity {
  set(world, ship, Title, value);
  return ship;
}

/** Observes everything about Title and parents from now on. */
function record(): void {
  observe(world, { added: Title, set: Title, removed: ChildOf(Any) }, ({ kind, entity }) => {
    calls.push([kind, get(world, entity, Title)]);
  });
  observe(world, { added: ChildOf(Any) }, () => calls.push(["moved"]));
}

describe("the entity gets the value that check returns", () => {
  it.each<[string, () => Entity]>([
    ["spawn", () => spawn(world, Title("a"))],
    ["spawn of a known list of terms", () => [spawn(world, Title("c")), spawn(world, Title("a"))][1]!],
    ["spawn with a parent", () => spawn(world, Title("a"), ChildOf(ship))],
    ["spawnMany of one", () => spawnMany(world, 1, Title("a"))[0]!],
    ["spawnMany", () => spawnMany(world, 3, Title("a"))[2]!],
    ["clone with a value", () => clone(world, ship, { with: [Title("a")] })],
    ["clone of a value", () => clone(world, keeping("a"))],
    ["add", () => added(Title("a"))],
    ["add with others", () => added(Title("a"), Frozen)],
    ["set of what is not there", () => given("a")],
    ["set", () => given("c") && given("a")],
  ])("%s", (_, act) => {
    const one = act();

    expect(get(world, one, Title)).toBe("b");
    expect(calls.at(-1)?.slice(0, 2)).toEqual(["onSet", "b"]);
    expect(calls.at(-2)).toEqual(["written", "b", "b"]);
    expect(verify(world)).toEqual([]);
  });

  it.each<[string, () => Entity]>([
    ["spawn", () => spawn(world, Title("a"))],
    ["spawnMany", () => spawnMany(world, 1, Title("a"))[0]!],
    ["add", () => added(Title("a"))],
    ["set", () => given("a")],
  ])("observers get that value: %s", (_, act) => {
    record();

    const one = act();

    expect(get(world, one, Title)).toBe("b");
    expect(calls).toEqual([
      ["written", "b", "b"],
      ["onSet", "b", undefined],
      ["added", "b"],
      ["set", "b"],
    ]);
  });

  it("also if the term has no value: then set is reported", () => {
    const Mood = withHooks(component<string>("Mood"), { check: () => "calm" });
    observe(world, { set: Mood }, ({ entity }) => calls.push(["set", get(world, entity, Mood)]));

    spawn(world, Mood as never);
    add(world, ship, Mood, Frozen);

    expect(calls).toEqual([
      ["set", "calm"],
      ["set", "calm"],
    ]);
  });

  it("`undefined` and the value itself change nothing", () => {
    results = new Map([["c", "c"]]);
    const one = spawn(world, Title("c"), ChildOf(ship));
    calls = [];

    add(world, one, ChildOf(dock));

    expect(calls).toEqual([["written", "c", "c"]]);
  });

  it("returned fields replace the given ones: the others stay as they were", () => {
    const one = spawn(world, Place({ x: 20, y: 3 }));
    set(world, one, Place, { x: 30 });

    expect(get(world, one, Place)).toEqual({ x: 10, y: 3 });
    expect(calls).toEqual([
      ["onSet", { x: 10, y: 3 }, undefined],
      ["onSet", { x: 10, y: 3 }, { x: 10, y: 3 }],
    ]);
  });

  it("one that does not fit is refused as bad-value, and nothing has changed", () => {
    const Wrong = withHooks(component("Wrong", { x: f32 }), { check: () => ({ x: "1" }) as never });
    const before = snapshot(world);

    expect(codeOf(() => spawn(world, Wrong({ x: 1 }), ChildOf(ship)))).toBe("bad-value");
    expect(codeOf(() => set(world, ship, Wrong, { x: 1 }))).toBe("bad-value");

    expect(snapshot(world)).toEqual(before);
  });
});

/** Has "a", which `check` replaces with "b". */
function keeping(value: string, ...terms: SpawnTerm[]): Entity {
  const kept = results;
  results = new Map();
  const one = spawn(world, Title(value), ...terms);
  results = kept;
  calls = [];
  return one;
}

describe("a kept value is written again if check returns another one when the parent changes", () => {
  const moves: [string, (one: Entity) => void][] = [
    ["add", (one) => add(world, one, ChildOf(dock))],
    ["add of a parent by value", (one) => add(world, one, Parent(dock))],
    ["add with others", (one) => add(world, one, ChildOf(dock), Frozen)],
    ["add that names it again", (one) => add(world, one, ChildOf(dock), Title)],
    ["remove", (one) => remove(world, one, ChildOf(ship))],
    ["remove of all pairs", (one) => remove(world, one, Any(Any))],
  ];

  describe.each(storages)("from %s", (_, storage) => {
    it.each(moves)("%s", (_, act) => {
      const one = keeping("a", storage(ship));

      act(one);

      expect(get(world, one, Title)).toBe("b");
      expect(calls).toEqual([
        ["written", "b", "b"],
        ["onSet", "b", "a"],
      ]);
      expect(verify(world)).toEqual([]);
    });

    it.each(moves)("%s: observers are notified of it as a write, after the move", (name, act) => {
      const one = keeping("a", storage(ship));
      record();

      act(one);

      const moved = name.startsWith("add") ? [["moved"]] : [];
      expect(calls).toEqual([
        ["removed", "a"],
        ["written", "b", "b"],
        ["onSet", "b", "a"],
        ...moved,
        ["set", "b"],
      ]);
    });
  });

  it("counts as changed, an unchanged value does not", () => {
    keepTicks(world, Title, CHANGED, true);
    const [one, other] = [keeping("a", ChildOf(ship)), keeping("c", ChildOf(ship))];
    clockOf(world).now = 5;

    for (const entity of [one, other]) add(world, entity, ChildOf(dock));

    expect([one, other].map((each) => tickOf(world, each, Title, CHANGED))).toEqual([5, 1]);
  });
});

describe("hooks that are called", () => {
  it("find all returned values written before the first call", () => {
    const seen: unknown[] = [];
    const Late = withHooks(component<string>("Late"), { check: () => "late" });
    const Early = withHooks(component<string>("Early"), {
      written: (world, entity) => seen.push(get(world, entity, Late)),
    });

    spawn(world, Early("e"), Late("l"));
    const one = spawn(world, Late("l"));
    add(world, one, Early("e"), Late("l"));

    expect(seen).toEqual(["late", "late"]);
  });

  it("are called though others throw; the first error is thrown in the end", () => {
    const Observed = withHooks(component<string>("Observed"), {
      written: () => {
        throw new Error("first");
      },
      onSet: () => {
        throw new Error("second");
      },
    });

    expect(() => spawn(world, Observed("l"), Title("c"))).toThrow("first");

    expect(calls.map(([hook]) => hook)).toEqual(["written", "onSet"]);
    expect([world.deferDepth, world.checks, world.changes]).toEqual([0, 0, 0]);
  });

  it("may destroy their entity: spawn returns a handle that is stale", () => {
    const Brief = withHooks(component<string>("Brief"), {
      written: (world, entity) => remove(world, entity, Brief),
    });

    const one = spawn(world, Brief("b"));
    const other = spawn(world, Brief("b"));

    expect([get(world, one, Brief), get(world, other, Brief)]).toEqual([undefined, undefined]);
    expect(verify(world)).toEqual([]);
  });
});
