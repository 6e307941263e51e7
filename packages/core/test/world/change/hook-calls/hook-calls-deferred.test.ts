import { beforeEach, describe, expect, it } from "vitest";
import {
  add,
  clear,
  clone,
  defer,
  markChanged,
  observe,
  patch,
  release,
  remove,
  set,
} from "../../../../src/index.ts";
import { component, withHooks } from "../../../defining.ts";
import { Any, ChildOf, Frozen } from "../../../definitions.ts";
import { createWorld, type Entity, spawn, spawnMany, type World } from "../../../fixture.ts";
import { indexOf } from "../../../handles.ts";
import { destroyAll, moveAll } from "../../../internal.ts";
import { codeOf, get, isAlive, parentOf } from "../../../reading.ts";

/** Unique among siblings, as long as nothing writes between `check` and `written`. */
const Seat = withHooks(component<string>("Seat"), {
  check: (world, entity, value, parent) => {
    for (const one of entities) {
      const isOther = one !== entity && get(world, one, Seat) === value && parentOf(world, one) === parent;
      if (isOther) throw new Error("taken");
    }
  },
  written: (world, entity) => {
    entities.add(entity);
    meddle.written?.(world, entity);
  },
  onSet: (world, entity) => meddle.onSet?.(world, entity),
});
/** Has hooks that change Seat. */
const Meddler = withHooks(component<string>("Meddler"), {
  written: (world, entity) => meddle.otherWritten?.(world, entity),
  onSet: (world, entity) => meddle.otherOnSet?.(world, entity),
  onRemove: (world, entity) => meddle.onRemove?.(world, entity),
});
const Note = component<string>("Note");

type Deed = (world: World, entity: Entity) => void;
let entities: Set<Entity>;
let meddle: { [hook: string]: Deed | undefined };
let world: World;
let ship: Entity;
let dock: Entity;
/** A child of dock called "dull". */
let rival: Entity;
/** What rival's seat was right after it was set. */
let seen: unknown[];

beforeEach(() => {
  entities = new Set();
  meddle = {};
  seen = [];
  world = createWorld();
  [ship, dock] = [spawn(world), spawn(world)];
  rival = spawn(world, Seat("dull"), ChildOf(dock));
});

/** Once, in the first hook or callback: rival gets the seat below dock. */
function rivalTakes(seat: string): Deed {
  return () => {
    if (seen.length > 0) return;
    seen.push("told");
    set(world, rival, Seat, seat);
    seen.push(get(world, rival, Seat));
  };
}

/** No two children of a parent have the same seat. */
function twins(): string[] {
  const places = [...entities].map((one) => `${get(world, one, Seat)} below ${parentOf(world, one)}`);
  return places.filter((place, at) => places.indexOf(place) !== at);
}

describe("a value that check accepts stays valid until written is called: other writes are deferred, and refused then", () => {
  const moves: [string, (one: Entity) => void][] = [
    ["a reparent", (one) => add(world, one, ChildOf(dock))],
    ["a reparent with others", (one) => add(world, one, ChildOf(dock), Frozen)],
  ];

  it.each(moves)("from a callback of removed, in %s", (_, act) => {
    const one = spawn(world, Seat("best"), ChildOf(ship));
    observe(world, { removed: ChildOf(Any) }, rivalTakes("best") as never);

    expect(() => act(one)).toThrow("taken");

    expect([twins(), seen, get(world, rival, Seat)]).toEqual([[], ["told", "dull"], "dull"]);
    expect([get(world, one, Seat), parentOf(world, one)]).toEqual(["best", dock]);
  });

  it.each<[string, () => void]>([
    ["remove", () => remove(world, rival, ChildOf(dock))],
    ["several at once", () => moveAll(world, [[rival, undefined]])],
  ])("from a callback of removed, when the parent is removed by %s", (_, act) => {
    const one = spawn(world, Seat("best"));
    observe(world, { removed: ChildOf(Any) }, () => {
      set(world, one, Seat, "dull");
      seen.push(get(world, one, Seat));
    });

    expect(act).toThrow("taken");

    expect([twins(), seen, get(world, one, Seat)]).toEqual([[], ["best"], "best"]);
  });

  it.each(["otherWritten", "otherOnSet"])("from the %s hook of another component", (hook) => {
    meddle[hook] = rivalTakes("best");

    expect(() => spawn(world, Meddler("m"), Seat("best"), ChildOf(dock))).toThrow("taken");

    expect([twins(), seen]).toEqual([[], ["told", "dull"]]);
  });

  it.each(["otherWritten", "otherOnSet"])("from the %s hook of another component, in an add", (hook) => {
    meddle[hook] = rivalTakes("best");
    const one = spawn(world, ChildOf(dock));

    expect(() => add(world, one, Meddler("m"), Seat("best"))).toThrow("taken");

    expect([twins(), seen]).toEqual([[], ["told", "dull"]]);
  });

  it.each<[string, Deed]>([
    ["set", (world) => set(world, rival, Seat, "best")],
    ["patch", (world) => void patch(world, rival, Seat, () => void seen.push("patched"))],
    ["markChanged", (world) => void markChanged(world, rival, Seat)],
  ])("%s is deferred in the same way", (_, deed) => {
    let onSets = 0;
    meddle.onSet = () => {
      onSets++;
    };
    const one = spawn(world, Seat("best"), ChildOf(ship));
    onSets = 0;
    observe(world, { removed: ChildOf(Any) }, () => {
      deed(world, rival);
      seen.push(onSets);
    });

    try {
      add(world, one, ChildOf(dock));
    } catch {}

    expect(seen[0]).toBe(0);
    expect(twins()).toEqual([]);
  });

  it("from a callback of added, between two spawns of one spawnMany", () => {
    let count = 0;
    const Numbered = withHooks(component<string>("Numbered"), {
      check: (_, __, value) => `${value}${count++}`,
      written: (world, one) => {
        entities.add(one);
        void world;
      },
    });
    const other = spawn(world, Numbered("old"));
    observe(world, { added: Numbered }, () => {
      set(world, other, Numbered, "late");
      seen.push(get(world, other, Numbered));
    });

    const spawned = spawnMany(world, 3, Numbered("n"));

    expect(seen).toEqual(["old0", "old0", "old0"]);
    expect(spawned.map((one) => get(world, one, Numbered))).toEqual(["n1", "n2", "n3"]);
    expect(get(world, other, Numbered)).toBe("late6");
  });

  it("from a callback of added, between two spawns of a deep clone", () => {
    const one = spawn(world, ChildOf(ship));
    spawn(world, Seat("best"), ChildOf(one));
    observe(world, { added: ChildOf(Any) }, ({ entity }) => {
      if (parentOf(world, entity) === ship) set(world, rival, Seat, "other");
      seen.push(get(world, rival, Seat));
    });

    clone(world, one, { deep: true });

    expect(seen).toEqual(["dull", "dull"]);
    expect([twins(), get(world, rival, Seat)]).toEqual([[], "other"]);
  });

  it("in a strict world as well: a write is not a structural change", () => {
    world = createWorld({ strict: true });
    entities.clear();
    [ship, dock] = [spawn(world), spawn(world)];
    rival = spawn(world, Seat("dull"), ChildOf(dock));
    const one = spawn(world, Seat("best"), ChildOf(ship));
    observe(world, { removed: ChildOf(Any) }, rivalTakes("fine") as never);

    add(world, one, ChildOf(dock));

    expect([seen, get(world, rival, Seat)]).toEqual([["told", "dull"], "fine"]);
  });
});

describe("a write that need not be deferred is made at once", () => {
  it("in a callback of added or set, after written was called", () => {
    observe(world, { added: Seat, set: Seat }, ({ entity }) => {
      if (entity !== rival) rivalTakes("fine")(world, entity);
    });

    spawn(world, Seat("best"), ChildOf(dock));

    expect(seen).toEqual(["told", "fine"]);
  });

  it("of a component without hooks", () => {
    add(world, rival, Note("old"));
    const one = spawn(world, Seat("best"), ChildOf(ship));
    observe(world, { removed: ChildOf(Any) }, () => {
      set(world, rival, Note, "new");
      seen.push(get(world, rival, Note));
    });

    add(world, one, ChildOf(dock));

    expect(seen).toEqual(["new"]);
  });

  it("inside an iteration in which nothing is deferred", () => {
    defer(world, () => rivalTakes("fine")(world, rival));

    expect(seen).toEqual(["told", "fine"]);
  });

  it("after a change that was refused", () => {
    spawn(world, Seat("best"), ChildOf(dock));
    expect(() => spawn(world, Seat("best"), ChildOf(dock))).toThrow("taken");

    rivalTakes("fine")(world, rival);

    expect([world.changes, seen]).toEqual([0, ["told", "fine"]]);
  });
});

describe("a hook or callback of a removed value", () => {
  const ends: [string, (one: Entity) => void][] = [
    ["remove", (one) => remove(world, one, Meddler)],
    ["clear", (one) => clear(world, one)],
    ["release", (one) => release(world, one)],
    ["the destruction of everything in a table", (one) => destroyAll(world, [indexOf(one), indexOf(rival)])],
  ];

  it.each(ends)("writes a component with hooks when it is over: %s", (_, end) => {
    meddle.onRemove = (requests, one) => {
      set(requests, one, Seat, "ghost");
      seen.push(get(requests, one, Seat));
    };
    const one = spawn(world, Seat("plain"), Meddler("m"));

    end(one);

    expect(seen).toEqual(["plain"]);
    expect(isAlive(world, one) ? get(world, one, Seat) : undefined).toBe(
      isAlive(world, one) ? "ghost" : undefined,
    );
    expect(world.changes).toBe(0);
  });
});

describe("inside check", () => {
  it("a write of a component with hooks is refused as iterating, others are made", () => {
    const codes: unknown[] = [];
    add(world, rival, Note("old"));
    const Checker = withHooks(component<string>("Asker"), {
      check: (world) => {
        codes.push(codeOf(() => set(world, rival, Seat, "best")));
        codes.push(codeOf(() => set(world, rival, Note, "new")));
      },
    });

    spawn(world, Checker("a"));
    set(world, spawn(world), Checker, "a");

    expect(codes).toEqual(["iterating", undefined, "iterating", undefined]);
    expect([get(world, rival, Seat), get(world, rival, Note)]).toEqual(["dull", "new"]);
  });
});
