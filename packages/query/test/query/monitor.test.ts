import {
  Any,
  add,
  ChildOf,
  clear,
  clone,
  component,
  createWorld,
  Disabled,
  DisabledTree,
  defer,
  type Entity,
  f32,
  has,
  isAlive,
  observe,
  Parent,
  relation,
  remove,
  set,
  spawn,
  spawnMany,
  tag,
  type World,
} from "@treeline/core";
import { beforeEach, describe, expect, it } from "vitest";
import { destroy } from "../../src/cleanup/destroy.ts";
import { destroyWhere } from "../../src/cleanup/destroy-where.ts";
import { removeAll } from "../../src/cleanup/remove-all.ts";
import { monitor } from "../../src/query/monitor.ts";
import { dispose, query } from "../../src/query/query.ts";
import { cascade, maybe, not, type QueryTerm } from "../../src/term/term.ts";
import { insertAt } from "../../src/tree/siblings.ts";
import { each } from "../../src/visit/each.ts";
import { codeOf } from "../code-of.ts";

const Position = component("Position", { x: f32 });
const Frozen = tag("Frozen");
const Likes = relation("Likes");
const DockedTo = relation("DockedTo", { exclusive: true });
const Includes = relation("Includes", { reflexive: true });
const Knows = relation("Knows", { symmetric: true });

let world: World;
let told: string[];
let names: Map<Entity, string>;

beforeEach(() => {
  world = createWorld();
  told = [];
  names = new Map();
});

function born(name: string, ...terms: Parameters<typeof spawn>[1][]): Entity {
  const entity = spawn(world, ...terms);
  names.set(entity, name);
  return entity;
}

function nameOf(entity: Entity): string {
  return names.get(entity) ?? "new";
}

/** Writes down "+ship" and "-ship". */
function watch(...terms: QueryTerm[]): () => void {
  return monitor(query(world, ...terms), {
    entered: (entity) => told.push(`+${nameOf(entity)}`),
    left: (entity) => told.push(`-${nameOf(entity)}`),
  });
}

/** What was told since the last look. */
function news(): string[] {
  return told.splice(0);
}

describe("a monitor", () => {
  it("tells who starts and who stops to answer several terms", () => {
    watch(Position, not(Frozen));

    const ship = born("ship", Position);
    expect(told.splice(0)).toEqual(["+new"]); // its name comes later
    add(world, ship, Frozen);
    expect(news()).toEqual(["-ship"]);
    remove(world, ship, Position);
    expect(news()).toEqual([]);
    remove(world, ship, Frozen);
    expect(news()).toEqual([]);
    set(world, ship, Position, { x: 1 });
    expect(news()).toEqual(["+ship"]);
    set(world, ship, Position, { x: 2 });
    expect(news()).toEqual([]);
  });

  it("tells nothing of those who answer when it begins, until they leave", () => {
    const ship = born("ship", Position);
    watch(Position);

    expect(news()).toEqual([]);
    remove(world, ship, Position);

    expect(news()).toEqual(["-ship"]);
  });

  it("tells of births of many, of clones and of clears", () => {
    watch(Position);

    const [one] = spawnMany(world, 2, Position);
    expect(news()).toEqual(["+new", "+new"]);
    clone(world, one!);
    expect(news()).toEqual(["+new"]);
    clear(world, one!);
    expect(news()).toEqual(["-new"]);
  });

  it("tells of the dead as left: their handles are stale by then", () => {
    const ship = born("ship", Position);
    born("seat", Position, ChildOf(ship));
    monitor(query(world, Position), {
      left: (entity) => told.push(`-${nameOf(entity)} ${isAlive(world, entity)}`),
    });

    destroy(world, ship);

    expect(news()).toEqual(["-seat false", "-ship false"]);
  });

  it("tells of whole tables that die or lose something at once", () => {
    spawnMany(world, 3, Position);
    const stop = watch(Position);

    removeAll(world, Position);
    expect(news()).toEqual(["-new", "-new", "-new"]);
    spawnMany(world, 3, Position);
    news();
    destroyWhere(world, Position);
    expect(news()).toEqual(["-new", "-new", "-new"]);
    stop();
  });

  it("needs no more than one of both listeners", () => {
    monitor(query(world, Position), { entered: (entity) => told.push(`+${nameOf(entity)}`) });
    monitor(query(world, Position), { left: (entity) => told.push(`-${nameOf(entity)}`) });

    destroy(world, spawn(world, Position));

    expect(news()).toEqual(["+new", "-new"]);
  });

  it("hears nothing of other worlds", () => {
    watch(Position);

    spawn(createWorld(), Position);

    expect(news()).toEqual([]);
  });
});

describe("what counts", () => {
  let ship: Entity;
  let dock: Entity;
  let one: Entity;

  beforeEach(() => {
    ship = born("ship");
    dock = born("dock");
    one = born("one");
  });

  it.each<[string, () => QueryTerm, () => unknown, () => unknown]>([
    ["a pair", () => Likes(ship), () => add(world, one, Likes(ship)), () => remove(world, one, Likes(ship))],
    [
      "a wildcard, while one of its pairs is left",
      () => Likes(Any),
      () => add(world, one, Likes(ship), Likes(dock)),
      () => remove(world, one, Likes(Any)),
    ],
    [
      "any pair that points at somebody",
      () => Any(ship),
      () => add(world, one, ChildOf(ship)),
      () => remove(world, one, ChildOf(Any)),
    ],
    ["any pair", () => Any(Any), () => add(world, one, Parent(ship)), () => clear(world, one)],
    ["an entity as a tag", () => ship, () => add(world, one, ship), () => remove(world, one, ship)],
    [
      "a parent in either storage",
      () => ChildOf(ship),
      () => add(world, one, Parent(ship)),
      () => insertAt(world, dock, one, 0),
    ],
    [
      "the one storage alone",
      () => Parent(ship),
      () => add(world, one, Parent(ship)),
      () => add(world, one, ChildOf(ship)),
    ],
    [
      "the one storage with any parent",
      () => Parent(Any),
      () => {
        add(world, one, ChildOf(ship));
        expect(told).toEqual([]);
        add(world, one, Parent(ship));
      },
      () => add(world, one, ChildOf(ship)),
    ],
    [
      "the target of an exclusive relation",
      () => DockedTo(dock),
      () => add(world, one, DockedTo(dock)),
      () => add(world, one, DockedTo(ship)),
    ],
    [
      "the death of a target",
      () => Likes(ship),
      () => add(world, one, Likes(ship)),
      () => destroy(world, ship),
    ],
    [
      "the other side of a symmetric pair",
      () => Knows(one),
      () => {
        add(world, one, Knows(ship));
        names.set(ship, "one"); // who enters is the other side
      },
      () => remove(world, one, Knows(Any)),
    ],
    ["what is not there", () => not(Frozen), () => add(world, one, Position), () => add(world, one, Frozen)],
    [
      "a pair that is not there",
      () => not(ChildOf(ship)),
      () => undefined,
      () => add(world, one, ChildOf(ship)),
    ],
  ])("is %s", (_, term, enter, leave) => {
    const isThere = _.endsWith("not there");
    if (isThere) news();
    watch(term());

    enter();
    expect(news()).toEqual(isThere ? [] : [expect.stringMatching(/^\+(one|ship)$/)]);
    leave();

    expect(news()).toEqual([expect.stringMatching(/^-(one|ship)$/)]);
  });

  it("is a reflexive pair with oneself, until death", () => {
    watch(Includes(ship));

    destroy(world, ship);

    expect(news()).toEqual(["-ship"]);
  });

  it("is every birth and death, if the query only says what entities have not", () => {
    watch(not(Frozen));

    const bare = born("bare");
    expect(news()).toEqual(["+new"]);
    destroy(world, bare);
    expect(news()).toEqual(["-bare"]);
    defer(world, () => destroy(world, spawn(world)));
    expect(news()).toEqual([]);
  });

  it("is not what `maybe` and `cascade` name", () => {
    watch(Frozen, maybe(Position), cascade(Position));

    add(world, one, Position);
    remove(world, one, Position);
    add(world, one, Frozen);

    expect(news()).toEqual(["+one"]);
  });

  it("is nothing with a dead target: nobody has a pair with it", () => {
    destroy(world, ship);

    watch(Likes(ship));
    watch(not(Likes(ship)), Position);
    add(world, one, Position);

    expect(news()).toEqual(["+one"]);
  });

  it("is nothing else: verbs about other definitions are not looked at", () => {
    const { events } = world;
    const stop = watch(Position, not(Likes(ship)), maybe(Frozen));

    const heard = new Set(events.listeners.map(({ definition }) => definition.name));

    expect(heard).toEqual(new Set(["Position", "Likes", "Disabled", "DisabledTree", "Hidden"]));
    stop();
    expect(events.listeners).toEqual([]);
  });
});

describe("who is disabled", () => {
  let ship: Entity;
  let deck: Entity;
  let seat: Entity;

  // ship > deck (in its type) > seat (as a value)
  beforeEach(() => {
    ship = born("ship", Position);
    deck = born("deck", Position, ChildOf(ship));
    seat = born("seat", Position, Parent(deck));
  });

  it("leaves, and enters when it is enabled", () => {
    watch(Position);

    add(world, deck, Disabled);
    expect(news()).toEqual(["-deck"]);
    remove(world, deck, Disabled);

    expect(news()).toEqual(["+deck"]);
  });

  it("leaves with everything below it by DisabledTree, in both storages", () => {
    watch(Position);

    add(world, ship, DisabledTree);
    expect(news().toSorted()).toEqual(["-deck", "-seat", "-ship"]);
    add(world, deck, Disabled);
    expect(news()).toEqual([]);
    remove(world, ship, DisabledTree);

    expect(news().toSorted()).toEqual(["+seat", "+ship"]);
  });

  it("is so by its place: with a reparent all below go along", () => {
    const dark = born("dark", DisabledTree);
    watch(Position);

    add(world, deck, Parent(dark));
    expect(news()).toEqual(["-deck", "-seat"].toSorted());
    remove(world, deck, ChildOf(Any));
    expect(news().toSorted()).toEqual(["+deck", "+seat"]);
    spawn(world, Position, ChildOf(dark));
    expect(news()).toEqual([]);
    clear(world, dark);

    expect(news()).toEqual(["+new"]);
  });

  it("counts like all others if the query names it", () => {
    watch(Position, maybe(Disabled));
    watch(DisabledTree);

    add(world, deck, Disabled);
    add(world, ship, DisabledTree);

    expect(news()).toEqual(["+ship"]);
  });
});

describe("the end of the outermost verb or visit", () => {
  it("is when it tells: once for each entity, and only the net change", () => {
    const ship = born("ship", Position);
    const one = born("one");
    const other = born("other");
    watch(Position);

    defer(world, () => {
      add(world, other, Position);
      add(world, one, Position);
      remove(world, other, Position);
      remove(world, ship, Position);
      destroy(world, spawn(world, Position));
      add(world, other, Position);
      add(world, ship, Position);
      expect(told).toEqual([]);
    });

    expect(news()).toEqual(["+other", "+one"]);
  });

  it("comes after all that listeners change", () => {
    observe(world, { added: Position }, ({ entity }) => remove(world, entity, Position));
    watch(Position);
    observe(world, { removed: Position }, ({ entity }) => add(world, entity, Frozen));
    watch(Frozen);

    born("ship", Position);

    expect(news()).toEqual(["+new"]);
    expect(world.visits).toBe(0);
  });

  it("comes after a visit of a query", () => {
    born("one", Position);
    born("other", Position);
    watch(Frozen);

    each(query(world, Position), (_, entity) => {
      add(world, entity, Frozen);
      expect(told).toEqual([]);
    });

    expect(news()).toEqual(["+one", "+other"]);
  });

  it("comes as well if the visit is left by an error", () => {
    const one = born("one");
    watch(Position);

    expect(() =>
      defer(world, () => {
        add(world, one, Position);
        throw new Error("stop");
      }),
    ).toThrow("stop");

    expect(news()).toEqual(["+one"]);
  });

  it("lets sets in a visit be seen at once: a monitor that waits is no change that waits", () => {
    const one = born("one", Position);
    watch(Frozen);
    observe(world, { added: Frozen }, ({ entity }) => {
      set(world, entity, Position, { x: 5 });
      each(query(world, Position), ({ x }) => told.push(`x is ${x}`));
    });

    add(world, one, Frozen);

    expect(news()).toEqual(["x is 5", "+one"]);
  });

  it("sees a recycled index as another entity", () => {
    const one = born("one", Position);
    watch(Position);
    let other: Entity | undefined;

    defer(world, () => {
      destroy(world, one);
      other = spawn(world, Position);
    });

    expect(news()).toEqual(["-one", "+new"]);
    expect(other).not.toBe(one);
  });
});

describe("listeners of a monitor", () => {
  it("find a world at rest, in which whoever entered answers", () => {
    monitor(query(world, Position, not(Frozen)), {
      entered: (entity) => told.push(`${has(world, entity, Position)} ${has(world, entity, Frozen)}`),
    });

    defer(world, () => {
      const one = spawn(world, Position, Frozen);
      remove(world, one, Frozen);
    });

    expect(news()).toEqual(["true false"]);
  });

  it("may change the world: that is made and told when all have been told", () => {
    const [one, other] = [born("one"), born("other")];
    monitor(query(world, Position), {
      entered: (entity) => {
        told.push(`+${nameOf(entity)}`);
        remove(world, other, Position);
        add(world, entity, Frozen);
      },
      left: (entity) => told.push(`-${nameOf(entity)}`),
    });
    watch(Frozen);

    defer(world, () => {
      add(world, one, Position);
      add(world, other, Position);
    });

    expect(news()).toEqual(["+one", "+other", "-other", "+one", "+other"]);
  });

  it("may destroy whom they are told of", () => {
    monitor(query(world, Position), {
      entered: (entity) => destroy(world, entity),
      left: () => told.push("left"),
    });

    const one = spawn(world, Position);

    expect(isAlive(world, one)).toBe(false);
    expect(news()).toEqual(["left"]);
  });

  it("may stop it: nobody else is told", () => {
    const stop = monitor(query(world, Position), {
      entered: () => {
        told.push("entered");
        stop();
      },
    });

    spawnMany(world, 3, Position);

    expect(news()).toEqual(["entered"]);
    expect(world.events.listeners).toEqual([]);
  });

  it("are not told any more of changes before a stop in the same visit", () => {
    const stop = watch(Position);

    defer(world, () => {
      spawn(world, Position);
      stop();
    });

    expect(news()).toEqual([]);
  });

  it("that throw stop nobody: the first error is thrown in the end", () => {
    monitor(query(world, Position), {
      entered: () => {
        told.push("thrower");
        throw new Error("no");
      },
    });
    watch(Position);

    expect(() => spawnMany(world, 2, Position)).toThrow("no");

    expect(news()).toEqual(["thrower", "thrower", "+new", "+new"]);
  });

  it("throw when they change a strict world", () => {
    world = createWorld({ strict: true });
    monitor(query(world, Position), { entered: (entity) => add(world, entity, Frozen) });

    expect(codeOf(() => spawn(world, Position))).toBe("visiting");
  });
});

describe("a monitor that begins inside a visit", () => {
  it("knows who answers then, and hears of what waits", () => {
    born("one", Position);

    defer(world, () => {
      spawn(world, Position);
      watch(Position);
      spawn(world, Position);
    });

    expect(news()).toEqual(["+new", "+new"]);
  });

  it("misses nothing of the change in the midst of which it begins", () => {
    const one = born("one", Position);
    const stop = observe(world, { removed: Position }, () => {
      stop();
      watch(Position);
    });

    remove(world, one, Position);
    expect(news()).toEqual(["-one"]);
    add(world, one, Position);

    expect(news()).toEqual(["+one"]);
  });
});

describe("yieldExisting", () => {
  function yielding(): () => void {
    return monitor(
      query(world, Position),
      {
        entered: (entity) => told.push(`+${nameOf(entity)}`),
        left: (entity) => told.push(`-${nameOf(entity)}`),
      },
      { yieldExisting: true },
    );
  }

  it("tells of who answers now, and when it stops, of who answers then; once", () => {
    const one = born("one", Position);
    born("other", Position);

    const stop = yielding();
    expect(news()).toEqual(["+one", "+other"]);
    remove(world, one, Position);
    spawn(world, Position);
    expect(news()).toEqual(["-one", "+new"]);
    stop();
    stop();
    spawn(world, Position);

    expect(news()).toEqual(["-other", "-new"]);
  });

  it("lets listeners change things: that waits until all are told", () => {
    const one = born("one", Position);
    const other = born("other", Position);
    const stop = monitor(
      query(world, Position),
      {
        entered: (entity) => {
          told.push(`+${nameOf(entity)}`);
          remove(world, entity === one ? other : one, Position);
        },
        left: (entity) => told.push(`-${nameOf(entity)}`),
      },
      { yieldExisting: true },
    );

    expect(news()).toEqual(["+one", "+other", "-other", "-one"]);
    stop();
    expect(news()).toEqual([]);
  });

  it("lets the listener of the last news stop it again", () => {
    born("one", Position);
    const stop = monitor(query(world, Position), { left: () => stop() }, { yieldExisting: true });

    expect(() => stop()).not.toThrow();
    expect(world.events.listeners).toEqual([]);
  });
});

describe("the query of a monitor", () => {
  it("may be disposed: the question stays", () => {
    const asked = query(world, Position);
    monitor(asked, { entered: () => told.push("entered") });

    dispose(asked);
    spawn(world, Position);

    expect(news()).toEqual(["entered"]);
  });

  it("must be in use when it begins: disposed", () => {
    const asked = query(world, Position);
    dispose(asked);

    expect(codeOf(() => monitor(asked, { entered: () => undefined }))).toBe("disposed");
    expect(world.events.listeners).toEqual([]);
  });

  it.each([undefined, null, {}, { entered: 5 }, { left: "left" }, { entered: () => undefined, left: 5 }])(
    "takes functions, not %o: bad-query",
    (listeners) => {
      expect(codeOf(() => monitor(query(world, Position), listeners as never))).toBe("bad-query");
      expect(world.events.listeners).toEqual([]);
    },
  );
});
