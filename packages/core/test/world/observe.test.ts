import { beforeEach, describe, expect, it } from "vitest";
import { verify } from "../../src/debug.ts";
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
  entityOf,
  f32,
  get,
  has,
  isAlive,
  type Observation,
  observe,
  Parent,
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
  type WorldEvent,
} from "../../src/index.ts";
import { codeOf } from "../code-of.ts";
import { destroy } from "./destroy.ts";

const Position = component("Position", { x: f32 });
const Label = component<string>("Label");
const Frozen = tag("Frozen");
const Lit = tag("Lit");
const Likes = relation("Likes");
const Owns = relation("Owns", { onTargetDeath: "delete" });
const DockedTo = relation("DockedTo", { exclusive: true });
const Damage = relation("Damage", { fields: { amount: f32 } });

let world: World;
let ship: Entity;
let dock: Entity;
let names: Map<Entity, string>;
let told: string[];

beforeEach(() => {
  world = createWorld();
  [ship, dock] = [spawn(world), spawn(world)];
  names = new Map([
    [ship, "ship"],
    [dock, "dock"],
  ]);
  told = [];
});

function nameOf(one: Entity | undefined): string {
  return one === undefined ? "-" : (names.get(one) ?? "new");
}

/** "+Likes(dock) of ship", with "old>new" for what an exclusive relation points at. */
function textOf({ kind, entity, definition, target, oldTarget, newTarget }: WorldEvent): string {
  const sign = { added: "+", removed: "-", set: "=", reordered: "~" }[kind];
  const what = target === undefined ? definition.name : `${definition.name}(${nameOf(target)})`;
  const ends =
    oldTarget === undefined && newTarget === undefined ? "" : ` ${nameOf(oldTarget)}>${nameOf(newTarget)}`;
  return `${sign}${what} of ${nameOf(entity)}${ends}`;
}

function hear(facts: Observation): () => void {
  return observe(world, facts, (event) => told.push(textOf(event)));
}

describe("what is told", () => {
  it.each<[string, () => unknown, string[]]>([
    [
      "a birth",
      () => spawn(world, Position({ x: 1 }), Likes(dock)),
      ["+Position of new", "+Likes(dock) of new", "=Position of new"],
    ],
    ["a birth without anything", () => spawn(world), []],
    ["births", () => spawnMany(world, 2, Frozen), ["+Frozen of new", "+Frozen of new"]],
    ["a tag", () => add(world, ship, Frozen), ["+Frozen of ship"]],
    ["a component with a value", () => add(world, ship, Label("x")), ["+Label of ship", "=Label of ship"]],
    ["a component with its defaults", () => add(world, ship, Position), ["+Position of ship"]],
    ["a pair", () => add(world, ship, Likes(dock)), ["+Likes(dock) of ship"]],
    [
      "a pair with data",
      () => add(world, ship, Damage(dock, { amount: 1 })),
      ["+Damage(dock) of ship", "=Damage(dock) of ship"],
    ],
    ["an exclusive pair", () => add(world, ship, DockedTo(dock)), ["+DockedTo(dock) of ship ->dock"]],
    ["a parent", () => add(world, ship, ChildOf(dock)), ["+ChildOf(dock) of ship ->dock"]],
    ["a parent as a value", () => add(world, ship, Parent(dock)), ["+ChildOf(dock) of ship ->dock"]],
    ["an entity as a tag", () => add(world, ship, dock), ["+Is(dock) of ship"]],
    ["a value that is set", () => set(world, ship, Label, "x"), ["+Label of ship", "=Label of ship"]],
    ["a value that is disabled", () => add(world, ship, Disabled), ["+Disabled of ship"]],
  ])("of %s", (_, act, expected) => {
    hear({ added: Any, set: Any });
    hear({ added: dock });

    act();

    expect(told).toEqual(expected);
  });

  it.each<[string, () => unknown, string[]]>([
    ["a tag", () => remove(world, ship, Frozen), ["-Frozen of ship"]],
    ["a pair", () => remove(world, ship, Likes(dock)), ["-Likes(dock) of ship"]],
    ["a pair by a wildcard", () => remove(world, ship, Likes(Any)), ["-Likes(dock) of ship"]],
    ["an exclusive pair", () => remove(world, ship, DockedTo(dock)), ["-DockedTo(dock) of ship dock>-"]],
    ["the parent", () => remove(world, ship, ChildOf(Any)), ["-ChildOf(dock) of ship dock>-"]],
    ["an entity as a tag", () => remove(world, ship, dock), ["-Is(dock) of ship"]],
    [
      "all of it, by clear",
      () => clear(world, ship),
      [
        "-Frozen of ship",
        "-Label of ship",
        "-ChildOf(dock) of ship dock>-",
        "-DockedTo(dock) of ship dock>-",
        "-Is(dock) of ship",
        "-Likes(dock) of ship",
      ],
    ],
    [
      "all of it, by death",
      () => release(world, ship),
      [
        "-Frozen of ship",
        "-Label of ship",
        "-ChildOf(dock) of ship dock>-",
        "-DockedTo(dock) of ship dock>-",
        "-Is(dock) of ship",
        "-Likes(dock) of ship",
      ],
    ],
  ])("of the loss of %s", (_, act, expected) => {
    add(world, ship, Frozen, Label("x"), Likes(dock), DockedTo(dock), ChildOf(dock), dock);
    hear({ removed: Any });
    hear({ removed: dock });

    act();

    expect(told.toSorted()).toEqual(expected.toSorted());
  });

  it("of a retarget is the old target first, then the new one, both with both ends", () => {
    const pier = spawn(world);
    names.set(pier, "pier");
    add(world, ship, DockedTo(dock));
    add(world, ship, ChildOf(dock));
    hear({ added: Any, removed: Any });

    add(world, ship, DockedTo(pier));
    add(world, ship, ChildOf(pier));
    add(world, ship, Parent(dock));
    add(world, ship, Frozen, ChildOf(pier));

    expect(told).toEqual([
      "-DockedTo(dock) of ship dock>pier",
      "+DockedTo(pier) of ship dock>pier",
      "-ChildOf(dock) of ship dock>pier",
      "+ChildOf(pier) of ship dock>pier",
      "-ChildOf(pier) of ship pier>dock",
      "+ChildOf(dock) of ship pier>dock",
      "-ChildOf(dock) of ship dock>pier",
      "+Frozen of ship",
      "+ChildOf(pier) of ship dock>pier",
    ]);
  });

  it.each<[string, () => unknown]>([
    ["the same parent again", () => add(world, ship, ChildOf(dock))],
    ["the same parent in the other storage", () => add(world, ship, Parent(dock))],
    ["the same parent beside a tag that is there", () => add(world, ship, Parent(dock), Frozen)],
    ["a tag that is there", () => add(world, ship, Frozen)],
    ["a component that is there, without a value", () => add(world, ship, Position)],
    ["a pair that is there", () => add(world, ship, Likes(dock))],
    ["the removal of what is not there", () => remove(world, ship, Lit)],
    ["a pack", () => pack(world)],
    ["an addition of nothing", () => add(world, ship)],
    ["a change inside another world", () => spawn(createWorld(), Frozen)],
    ["an entity that stands for a definition", () => entityOf(world, Position)],
    ["what is refused", () => codeOf(() => add(world, dock, ChildOf(ship), Lit))],
    ["the clear of who has nothing", () => clear(world, dock)],
    ["a column that is written", () => get(world, ship, Position)],
  ])("is nothing when nothing changes: %s", (_, act) => {
    add(world, ship, ChildOf(dock), Frozen, Position, Likes(dock));
    hear({ added: Any, removed: Any, set: Any, reordered: ChildOf });

    act();

    expect(told).toEqual([]);
  });

  it("of somebody hidden below a DisabledTree is nothing: what core keeps is not told", () => {
    const deck = spawn(world, ChildOf(ship));
    hear({ added: Any, removed: Any });

    add(world, ship, DisabledTree);
    remove(world, ship, DisabledTree);

    expect([told, isAlive(world, deck)]).toEqual([["+DisabledTree of ship", "-DisabledTree of ship"], true]);
  });

  it("of a clone is as of a birth", () => {
    add(world, ship, Frozen, Position({ x: 3 }), ChildOf(dock));
    hear({ added: Any, set: Any });

    clone(world, ship);

    expect(told).toEqual([
      "+Position of new",
      "+Frozen of new",
      "+ChildOf(dock) of new ->dock",
      "=Position of new",
    ]);
  });

  it("of one entity: components and tags in the order of definition, then pairs, whatever was given first", () => {
    hear({ added: Any });

    spawn(world, Likes(dock), Lit, Label("x"), ChildOf(ship), Frozen, Position);
    const given = told.splice(0);
    add(world, dock, Lit, ChildOf(ship), Position, Frozen);

    expect(given.slice(0, 4)).toEqual(["+Position of new", "+Label of new", "+Frozen of new", "+Lit of new"]);
    expect(given.slice(4).toSorted()).toEqual(["+ChildOf(ship) of new ->ship", "+Likes(dock) of new"]);
    expect(told).toEqual([
      "+Position of dock",
      "+Frozen of dock",
      "+Lit of dock",
      "+ChildOf(ship) of dock ->ship",
    ]);
  });
});

describe("who hears", () => {
  it.each<[string, () => Observation["added"], string[]]>([
    ["a component", () => Position, ["+Position of ship"]],
    ["a tag", () => Frozen, ["+Frozen of ship"]],
    ["a relation alone", () => Likes, ["+Likes(dock) of ship", "+Likes(ship) of ship"]],
    ["any target of a relation", () => Likes(Any), ["+Likes(dock) of ship", "+Likes(ship) of ship"]],
    ["one pair", () => Likes(dock), ["+Likes(dock) of ship"]],
    ["parents in both storages", () => ChildOf, ["+ChildOf(dock) of ship ->dock"]],
    ["one parent", () => ChildOf(dock), ["+ChildOf(dock) of ship ->dock"]],
    ["another parent", () => ChildOf(ship), []],
    [
      "any relation with a target",
      () => Any(dock),
      ["+ChildOf(dock) of ship ->dock", "+Likes(dock) of ship"],
    ],
    [
      "any pair",
      () => Any(Any),
      ["+ChildOf(dock) of ship ->dock", "+Likes(dock) of ship", "+Likes(ship) of ship"],
    ],
    [
      "everything",
      () => Any,
      [
        "+Position of ship",
        "+Frozen of ship",
        "+ChildOf(dock) of ship ->dock",
        "+Likes(dock) of ship",
        "+Likes(ship) of ship",
      ],
    ],
    ["an entity as a tag", () => dock, ["+Is(dock) of ship"]],
    ["an entity that stands for a tag", () => entityOf(world, Frozen), ["+Frozen of ship"]],
    [
      "an entity that stands for a relation",
      () => entityOf(world, Likes),
      ["+Likes(dock) of ship", "+Likes(ship) of ship"],
    ],
    ["something else", () => Lit, []],
  ])("listens to %s", (_, what, expected) => {
    hear({ added: what() });

    add(world, ship, Likes(dock), Likes(ship), Position, Parent(dock), Frozen, dock);

    expect(told.toSorted()).toEqual(expected.toSorted());
  });

  it("is called in the order of registration, for each fact anew", () => {
    for (const name of ["first", "second", "third"]) {
      observe(world, { added: name === "second" ? Any : Frozen }, ({ definition }) =>
        told.push(`${name} ${definition.name}`),
      );
    }
    observe(world, { added: Lit }, () => told.push("fourth Lit"));

    add(world, ship, Lit, Frozen);

    expect(told).toEqual(["first Frozen", "second Frozen", "third Frozen", "second Lit", "fourth Lit"]);
  });

  it("may listen to several kinds with one call, and stop with one", () => {
    const stop = hear({ added: Frozen, removed: Lit, set: Position });
    add(world, ship, Frozen, Lit, Position({ x: 1 }));
    remove(world, ship, Lit);

    stop();
    remove(world, ship, Frozen);
    add(world, ship, Frozen, Lit);

    expect(told).toEqual(["+Frozen of ship", "=Position of ship", "-Lit of ship"]);
  });

  it("stops at once, also inside a listener, and stopping twice is no trouble", () => {
    const stops: (() => void)[] = [];
    stops.push(observe(world, { added: Frozen }, () => stops[1]!()));
    stops.push(hear({ added: Frozen }));

    add(world, ship, Frozen);
    stops[1]!();
    stops[0]!();
    stops[0]!();
    add(world, dock, Frozen);

    expect([told, world.events.listeners]).toEqual([[], []]);
  });

  it("may stop itself, and the others go on", () => {
    const stop = observe(world, { added: Frozen }, () => {
      told.push("once");
      stop();
    });
    hear({ added: Frozen });

    add(world, ship, Frozen);
    add(world, dock, Frozen);

    expect(told).toEqual(["once", "+Frozen of ship", "+Frozen of dock"]);
  });

  it("that begins inside a listener hears the next fact, not this one", () => {
    const stop = observe(world, { added: Frozen }, () => {
      stop();
      hear({ added: Frozen });
    });

    add(world, ship, Frozen);
    const first = [...told];
    add(world, dock, Frozen);

    expect([first, told]).toEqual([[], ["+Frozen of dock"]]);
  });

  it("may be the same function twice", () => {
    const listener = (): unknown => told.push("x");
    const stop = observe(world, { added: Frozen }, listener);
    observe(world, { added: Frozen }, listener);
    add(world, ship, Frozen);
    stop();
    add(world, dock, Frozen);

    expect(told).toEqual(["x", "x", "x"]);
  });

  it("listens in one world alone", () => {
    hear({ added: Frozen });

    spawn(createWorld(), Frozen);

    expect(told).toEqual([]);
  });
});

describe("a listener", () => {
  it("of what is added reads it, and its value, in its place", () => {
    const seen: unknown[] = [];
    observe(world, { added: Position }, ({ entity }) => {
      seen.push([has(world, entity, Position), get(world, entity, Position), parentOf(world, entity)]);
    });

    spawn(world, ChildOf(ship), Position({ x: 4 }));

    expect(seen).toEqual([[true, { x: 4 }, ship]]);
  });

  it.each<[string, () => unknown]>([
    ["remove", () => remove(world, ship, Position)],
    ["clear", () => clear(world, ship)],
    ["release", () => release(world, ship)],
    ["destroy", () => destroy(world, ship)],
    ["destroy of the parent", () => destroy(world, dock)],
  ])("of what is removed reads what is about to go: %s", (_, act) => {
    add(world, ship, Position({ x: 4 }), ChildOf(dock), Frozen);
    const seen: unknown[] = [];
    observe(world, { removed: Position }, ({ entity }) => {
      seen.push([get(world, entity, Position), has(world, entity, Frozen), parentOf(world, entity)]);
      seen.push([isAlive(world, entity), isAlive(world, dock)]);
    });

    act();

    expect(seen).toEqual([
      [{ x: 4 }, true, dock],
      [true, true],
    ]);
  });

  it("of a retarget reads the old target before, and the new one after", () => {
    add(world, ship, ChildOf(dock));
    const pier = spawn(world);
    const seen: unknown[] = [];
    observe(world, { removed: ChildOf, added: ChildOf }, ({ kind, entity }) =>
      seen.push([kind, parentOf(world, entity) === dock, parentOf(world, entity) === pier]),
    );

    add(world, ship, ChildOf(pier));
    add(world, ship, Parent(dock));

    expect(seen).toEqual([
      ["removed", true, false],
      ["added", false, true],
      ["removed", false, true],
      ["added", true, false],
    ]);
  });

  it("that throws stops nobody: the change is made, others are told, the first error is thrown in the end", () => {
    observe(world, { added: Frozen }, () => {
      throw new Error("first");
    });
    observe(world, { added: Frozen }, () => {
      throw new Error("second");
    });
    hear({ added: Any });

    expect(() => add(world, ship, Frozen, Lit)).toThrow("first");

    expect(told).toEqual(["+Frozen of ship", "+Lit of ship"]);
    expect([has(world, ship, Frozen), world.visits, verify(world)]).toEqual([true, 0, []]);
  });

  it("of what is removed cannot keep it by throwing", () => {
    add(world, ship, Frozen, ChildOf(dock));
    observe(world, { removed: Frozen }, () => {
      throw new Error("stay");
    });

    expect(() => destroy(world, dock)).toThrow("stay");

    expect([isAlive(world, ship), isAlive(world, dock), verify(world)]).toEqual([false, false, []]);
  });

  it("may spawn, destroy and reparent: that is done when the verb ends", () => {
    add(world, ship, ChildOf(dock));
    let born: Entity | undefined;
    const seen: unknown[] = [];
    const stop = observe(world, { added: Frozen }, ({ entity }) => {
      stop();
      born = spawn(world, ChildOf(entity), Lit);
      remove(world, entity, ChildOf(Any));
      destroy(world, dock);
      seen.push(has(world, born, Lit), parentOf(world, entity) === dock, isAlive(world, dock));
    });

    add(world, ship, Frozen);

    expect(seen).toEqual([false, true, true]);
    expect([has(world, born!, Lit), parentOf(world, ship), isAlive(world, dock)]).toEqual([
      true,
      undefined,
      false,
    ]);
    expect(verify(world)).toEqual([]);
  });

  it("may set values at once", () => {
    observe(world, { added: Position }, ({ entity }) => set(world, entity, Position, { x: 9 }));

    expect(get(world, spawn(world, Position({ x: 1 })), Position)).toEqual({ x: 9 });
  });

  it("may lead to facts that it hears itself, one after another", () => {
    observe(world, { added: Position }, ({ entity }) => {
      const { x } = get(world, entity, Position)!;
      told.push(`${x}`);
      if (x < 5) spawn(world, Position({ x: x + 1 }));
    });

    spawn(world, Position({ x: 1 }));

    expect(told).toEqual(["1", "2", "3", "4", "5"]);
  });
});

describe("a death", () => {
  it.each([
    ["ChildOf", ChildOf, ChildOf],
    ["Parent", Parent, Parent],
    ["both storages", ChildOf, Parent],
    ["both storages, the other way round", Parent, ChildOf],
  ])("is told children before parents, siblings in order: %s", (_, One, Other) => {
    const a = spawn(world, One(ship), Frozen);
    const b = spawn(world, Other(ship), Frozen, Lit);
    const c = spawn(world, One(ship), Frozen);
    const a0 = spawn(world, Other(a), Frozen);
    const a1 = spawn(world, One(a), Frozen, Lit);
    const c0 = spawn(world, One(c), Frozen);
    for (const [at, one] of [a, b, c, a0, a1, c0].entries())
      names.set(one, ["a", "b", "c", "a0", "a1", "c0"][at]!);
    add(world, ship, Frozen);
    const lonely: string[] = [];
    observe(world, { removed: Frozen }, ({ entity }) => {
      for (let at: Entity | undefined = entity; at !== undefined; at = parentOf(world, at)) {
        if (!isAlive(world, at)) lonely.push(nameOf(at));
      }
      told.push(nameOf(entity));
    });

    destroy(world, ship);

    expect([told, lonely]).toEqual([["a0", "a1", "a", "b", "c0", "c", "ship"], []]);
  });

  it("of several is told one after the other, by birth", () => {
    const [a, b] = [spawn(world, ChildOf(dock)), spawn(world, Parent(ship))];
    names.set(a, "a").set(b, "b");
    hear({ removed: ChildOf });

    destroy(world, dock, ship);

    expect(told).toEqual(["-ChildOf(ship) of b ship>-", "-ChildOf(dock) of a dock>-"]);
  });

  it("is told of pairs that survivors lose with it", () => {
    const one = spawn(world, Likes(dock), Damage(dock, { amount: 1 }), DockedTo(dock), dock);
    names.set(one, "one");
    hear({ removed: Any });
    hear({ removed: dock });

    destroy(world, dock);

    expect(told.toSorted()).toEqual(
      [
        "-Damage(dock) of one",
        "-DockedTo(dock) of one dock>-",
        "-Is(dock) of one",
        "-Likes(dock) of one",
      ].toSorted(),
    );
  });

  it("is told of pairs between the dying too, whoever dies first", () => {
    const owner = spawn(world, Owns(ship), Likes(ship), DockedTo(ship));
    const child = spawn(world, ChildOf(ship), Likes(owner), DockedTo(owner));
    names.set(owner, "owner").set(child, "child");
    add(world, ship, Likes(child));
    hear({ removed: Likes, added: Likes });
    hear({ removed: DockedTo });

    destroy(world, ship);

    expect(told.toSorted()).toEqual(
      [
        "-Likes(owner) of child",
        "-Likes(ship) of owner",
        "-Likes(child) of ship",
        "-DockedTo(owner) of child owner>-",
        "-DockedTo(ship) of owner ship>-",
      ].toSorted(),
    );
  });

  it("finds living ancestors, whatever other relations led to the deaths above", () => {
    const [upper, middle, low] = spawnMany(world, 3) as [Entity, Entity, Entity];
    add(world, upper, Owns(ship));
    add(world, middle, Parent(upper), Owns(low));
    add(world, low, ChildOf(middle), Frozen);
    add(world, ship, ChildOf(low), Frozen);
    const seen: boolean[] = [];
    observe(world, { removed: Frozen }, ({ entity }) => {
      for (let at = parentOf(world, entity); at !== undefined; at = parentOf(world, at))
        seen.push(isAlive(world, at));
    });

    destroy(world, low);

    expect(seen).toEqual([true, true, true, true, true]);
    expect(verify(world)).toEqual([]);
  });

  it("goes on when listeners destroy who dies anyway, or give it children: they die too", () => {
    const a = spawn(world, ChildOf(ship), Frozen);
    let born: Entity | undefined;
    observe(world, { removed: Frozen }, ({ entity }) => {
      destroy(world, entity);
      destroy(world, ship);
      born = spawn(world, ChildOf(ship), Lit);
      add(world, entity, Lit);
      add(world, entity, ChildOf(dock));
    });

    destroy(world, ship);

    expect([ship, a, born!, dock].map((one) => isAlive(world, one))).toEqual([false, false, false, true]);
    expect(verify(world)).toEqual([]);
  });
});

describe("yieldExisting", () => {
  it("tells at once of everybody who has it", () => {
    const one = spawn(world, Position({ x: 1 }), Frozen);
    const other = spawn(world, Position({ x: 2 }));
    const heard: unknown[] = [];

    observe(world, { added: Position }, ({ kind, entity }) => heard.push([kind, entity]), {
      yieldExisting: true,
    });
    spawn(world, Position);

    expect(heard.slice(0, 2).toSorted()).toEqual(
      [
        ["added", one],
        ["added", other],
      ].toSorted(),
    );
    expect(heard.length).toBe(3);
  });

  it("tells set of what has values, and not of what has none", () => {
    add(world, ship, Position, Frozen, Damage(dock));

    observe(world, { set: Any }, (event) => told.push(textOf(event)), { yieldExisting: true });

    expect(told.toSorted()).toEqual(["=Damage(dock) of ship", "=Position of ship"]);
  });

  it.each<[string, () => Observation["added"], string[]]>([
    ["a relation", () => Likes, ["+Likes(dock) of ship", "+Likes(ship) of ship"]],
    ["one pair", () => Likes(ship), ["+Likes(ship) of ship"]],
    ["parents", () => ChildOf, ["+ChildOf(ship) of dock ->ship"]],
    [
      "any relation with a target",
      () => Any(ship),
      ["+ChildOf(ship) of dock ->ship", "+Likes(ship) of ship"],
    ],
    ["an entity as a tag", () => dock, ["+Is(dock) of ship"]],
    [
      "everything",
      () => Any,
      ["+ChildOf(ship) of dock ->ship", "+Frozen of dock", "+Likes(dock) of ship", "+Likes(ship) of ship"],
    ],
  ])("tells of %s", (_, what, expected) => {
    add(world, ship, Likes(dock), Likes(ship), dock);
    add(world, dock, Parent(ship), Frozen);

    observe(world, { added: what() }, (event) => told.push(textOf(event)), { yieldExisting: true });

    expect(told.toSorted()).toEqual(expected);
  });

  it("tells, when it stops, that everybody loses it, once", () => {
    add(world, ship, DockedTo(dock));
    const stop = observe(world, { added: DockedTo, removed: DockedTo }, (event) => told.push(textOf(event)), {
      yieldExisting: true,
    });

    stop();
    stop();
    add(world, ship, DockedTo(ship));

    expect(told).toEqual(["+DockedTo(dock) of ship ->dock", "-DockedTo(dock) of ship dock>-"]);
  });

  it("tells nothing twice in the end, whatever the listener does then", () => {
    add(world, ship, Frozen);
    add(world, dock, Frozen);
    const stop = observe(
      world,
      { removed: Frozen },
      (event) => {
        told.push(textOf(event));
        stop();
        remove(world, ship, Frozen);
      },
      { yieldExisting: true },
    );

    stop();

    expect(told.toSorted()).toEqual(["-Frozen of dock", "-Frozen of ship"]);
    expect(has(world, ship, Frozen)).toBe(false);
  });

  it("is told nothing of, without it", () => {
    add(world, ship, Frozen);

    hear({ added: Frozen, removed: Frozen })();

    expect(told).toEqual([]);
  });

  it("lets the listener change things: that waits until all are told", () => {
    spawnMany(world, 3, Frozen);

    observe(
      world,
      { added: Frozen },
      ({ entity }) => {
        told.push("frozen");
        if (told.length <= 3) remove(world, entity, Frozen);
        if (told.length === 1) spawn(world, Frozen);
      },
      { yieldExisting: true },
    );

    expect(told.length).toBe(4);
  });

  it("tells nobody who waits for a row", () => {
    defer(world, () => {
      spawn(world, Frozen);
      observe(world, { added: Frozen }, (event) => told.push(textOf(event)), { yieldExisting: true });
      expect(told).toEqual([]);
    });

    expect(told).toEqual(["+Frozen of new"]);
  });
});

describe("observe refuses", () => {
  it.each<[string, string, () => unknown, unknown?]>([
    ["bad-term", "no fact at all", () => ({})],
    ["bad-term", "null", () => null],
    ["bad-term", "undefined", () => undefined],
    ["bad-term", "a text", () => "added"],
    ["bad-term", "Parent, which ChildOf covers", () => ({ added: Parent })],
    ["bad-term", "a pair of Parent", () => ({ added: Parent(ship) })],
    ["bad-term", "what is no term", () => ({ added: {} })],
    ["bad-term", "reordered of something else", () => ({ reordered: Likes })],
    ["bad-term", "reordered of a component", () => ({ reordered: Position })],
    ["bad-term", "a listener that is none", () => ({ added: Frozen }), 5],
    ["bad-term", "no listener", () => ({ added: Frozen }), undefined],
    ["dead-entity", "a dead target", () => ({ added: Likes(destroyed()) })],
    ["dead-entity", "a dead entity as a tag", () => ({ added: destroyed() })],
    ["dead-entity", "a dead target of any relation", () => ({ removed: Any(destroyed()) })],
    ["dead-entity", "the number of the wildcard", () => ({ added: -1 })],
    ["dead-entity", "the number of the wildcard as target", () => ({ added: ChildOf(-1 as Entity) })],
  ])("with %s: %s, and nobody listens then", (code, _, facts, ...listener) => {
    const call = listener.length === 0 ? () => undefined : listener[0];

    expect(codeOf(() => observe(world, facts() as never, call as never))).toBe(code);

    expect(world.events.listeners).toEqual([]);
  });

  function destroyed(): Entity {
    const one = spawn(world);
    release(world, one);
    return one;
  }
});
