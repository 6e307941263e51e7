import { beforeEach, describe, expect, it } from "vitest";
import {
  Any,
  add,
  array,
  component,
  defer,
  type Entity,
  entity,
  f32,
  get,
  has,
  isAlive,
  isDisabled,
  type ListTerm,
  observe,
  parentOf,
  relation,
  release,
  type SpawnTerm,
  sparse,
  spawn,
  spawnRows,
  subjectsOf,
  TreelineError,
  tag,
  u8,
  value,
  type World,
  withHooks,
} from "../../src/index.ts";
import {
  ChildOf,
  Damage,
  Disabled,
  DisabledTree,
  DockedTo,
  Frozen,
  Knows,
  Label,
  Likes,
  OrderedChildren,
  Parent,
  Position,
} from "../definitions.ts";
import { createWorld, setWorld, world } from "../fixture.ts";
import { codeOf, verify } from "../reading.ts";
import { destroy } from "../world/destroy.ts";
import { refuseEachRequest, stateOf } from "../world/refused.ts";
import { expectAlike } from "./alike.ts";

const Local = component("Local", { x: f32(1), color: array(u8, 3), target: entity, note: value("none") });
const Target = component("Target", { x: f32, note: value("none") }, { storage: sparse });
const Marked = tag("Marked", { storage: sparse });
const Limited = relation("Limited", { maxSubjects: 3 });

beforeEach(setWorld);

/** Four parents: two plain ones, one whose children are in a list, one that disables what is below it. */
function parentsIn(inWorld: World): Entity[] {
  const parents = [
    spawn(inWorld),
    spawn(inWorld, Position),
    spawn(inWorld, OrderedChildren),
    spawn(inWorld, DisabledTree),
  ];
  spawn(inWorld, ChildOf(parents[0]!), Position);
  return parents;
}

type Case = [name: string, terms: (parents: Entity[]) => SpawnTerm[], each: typeof ChildOf | undefined];

const CASES: Case[] = [
  ["without a parent", () => [Frozen], undefined],
  ["below one parent", ([one]) => [ChildOf(one!)], undefined],
  ["below one parent by value", ([one]) => [Parent(one!)], undefined],
  ["below parents of their own", () => [], ChildOf],
  ["below parents of their own by value", () => [Frozen], Parent],
  ["with pairs", ([one, two]) => [Likes(one!), Likes(two!), DockedTo(two!)], ChildOf],
  ["with pairs by value", ([one]) => [DockedTo(one!)], Parent],
  ["with a symmetric pair", ([one]) => [Knows(one!)], ChildOf],
  ["with a pair with values", ([one]) => [Damage(one!, { amount: 3 })], ChildOf],
  ["with sparse components", () => [Target({ x: 5 }), Marked], ChildOf],
  ["with a tag stored as bits", () => [Disabled], ChildOf],
];

describe("rows that are spawned are like one spawn after another", () => {
  describe.each(CASES)("%s", (name, terms, each) => {
    it.each([
      ["plain parents, in turn", 2, 1],
      ["plain parents, one after the other", 2, 4],
      ["parents with lists, or that disable", 4, 1],
    ])("%s", (__, kinds, length) => {
      const parentAt = (parents: Entity[], place: number): Entity =>
        parents[Math.floor(place / length) % kinds]!;
      const count = 8;

      expectAlike(
        (inWorld) => {
          const parents = parentsIn(inWorld);
          return [...parents, ...parents]; // `single` is called eight times
        },
        (inWorld, parents) => {
          const places = Array.from({ length: count }, (___, place) => place);
          const list = each === undefined ? [] : [each.each(places.map((place) => parentAt(parents, place)))];
          spawnRows(inWorld, count, [Position, Local, ...terms(parents), ...list], (columns, first, end) => {
            const { x } = columns(Position);
            const { color, note } = columns(Local);
            for (let row = first; row < end; row++) {
              x[row] = row - first;
              color.set([1, 2, row - first], row * 3);
              note[row] = `n${row - first}`;
            }
          });
        },
        (inWorld, ___, place, parents) => {
          const own = each === undefined ? [] : [each(parentAt(parents, place))];
          const local = Local({ x: 1, color: [1, 2, place], note: `n${place}` });
          spawn(inWorld, Position({ x: place }), local, ...terms(parents), ...own);
        },
        // Symmetric pairs are reported together, see below.
        name.includes("symmetric") ? [false] : undefined,
      );
    });
  });
});

describe("spawnRows", () => {
  it("returns the handles in the order of spawning, with the values of terms where none is filled", () => {
    const [one, two] = parentsIn(world) as [Entity, Entity];

    const spawned = spawnRows(world, 3, [
      Position({ x: 7 }),
      Label.each(["a", "b", "c"]),
      ChildOf.each([two, one, two]),
    ]);

    expect(
      spawned.map((each) => [get(world, each, Position)!.x, get(world, each, Label), parentOf(world, each)]),
    ).toEqual([
      [7, "a", two],
      [7, "b", one],
      [7, "c", two],
    ]);
    expect(subjectsOf(world, two, ChildOf)).toEqual([spawned[0], spawned[2]]);
    expect(verify(world)).toEqual([]);
  });

  it("takes a list of targets of any relation", () => {
    const [one, two] = parentsIn(world) as [Entity, Entity];

    const spawned = spawnRows(world, 2, [Likes.each([two, one])]);

    expect(spawned.map((each) => has(world, each, Likes(one)))).toEqual([false, true]);
  });

  it("reports the other sides of symmetric pairs together, before what is spawned", () => {
    const [one] = parentsIn(world) as [Entity];
    const seen: Entity[] = [];
    observe(world, { added: Knows }, (event) => seen.push(event.entity));

    const spawned = spawnRows(world, 2, [Knows(one)]);

    expect(seen).toEqual([one, one, ...spawned]);
  });

  it("fills sparse components like others", () => {
    const spawned = spawnRows(world, 3, [Target], (columns, first) =>
      columns(Target).x.set([1, 2, 3], first),
    );

    expect(spawned.map((one) => get(world, one, Target)!.x)).toEqual([1, 2, 3]);
    expect(verify(world)).toEqual([]);
  });

  it("disables what is spawned below a parent that disables", () => {
    const [one, , , disabling] = parentsIn(world) as [Entity, Entity, Entity, Entity];

    const spawned = spawnRows(world, 2, [ChildOf.each([one, disabling])]);

    expect(spawned.map((each) => isDisabled(world, each))).toEqual([false, true]);
  });

  it("spawns nothing for a count of 0, and does not call fill", () => {
    let calls = 0;

    expect(spawnRows(world, 0, [Position, ChildOf.each([])], () => calls++)).toEqual([]);
    expect([calls, verify(world)]).toEqual([0, []]);
  });

  it("tells observers of each entity when it has its values", () => {
    const seen: unknown[] = [];
    observe(world, { added: Position, set: Position }, ({ kind, entity: one }) =>
      seen.push([kind, get(world, one, Position)]),
    );

    spawnRows(world, 2, [Position], (columns, first) => columns(Position).x.set([4, 5], first));

    expect(seen).toEqual([
      ["added", { x: 4 }],
      ["set", { x: 4 }],
      ["added", { x: 5 }],
      ["set", { x: 5 }],
    ]);
  });

  it("gives hooks the filled values, and takes theirs", () => {
    const Even = withHooks(component("Even", { n: f32 }), {
      check: (_, __, { n }) => (n % 2 === 0 ? undefined : { n: n + 1 }),
    });

    const spawned = spawnRows(world, 3, [Even], (columns, first) => columns(Even).n.set([1, 2, 3], first));

    expect(spawned.map((one) => get(world, one, Even))).toEqual([{ n: 2 }, { n: 2 }, { n: 4 }]);
  });

  it("makes changes of fill afterwards", () => {
    const ship = spawn(world);
    let isLater = false;

    const [one] = spawnRows(world, 1, [Position], () => {
      add(world, ship, Frozen);
      isLater = !has(world, ship, Frozen);
    });

    expect([isLater, has(world, ship, Frozen), isAlive(world, one!)]).toEqual([true, true, true]);
  });

  it("waits for the end of an iteration", () => {
    const [one, two] = parentsIn(world) as [Entity, Entity];
    let spawned: Entity[] = [];

    defer(world, () => {
      spawned = spawnRows(world, 3, [Position, ChildOf.each([one, two, one])], (columns, first) => {
        columns(Position).x.set([1, 2, 3], first);
      });
      expect(spawned.map((each) => [get(world, each, Position), parentOf(world, each)])).toEqual([
        [{ x: 1 }, one],
        [{ x: 2 }, two],
        [{ x: 3 }, one],
      ]);
      destroy(world, two);
    });

    expect(spawned.map((each) => isAlive(world, each) && get(world, each, Position))).toEqual([
      { x: 1 },
      false,
      { x: 3 },
    ]);
    expect(verify(world)).toEqual([]);
  });

  const gone = (inWorld: World): Entity => {
    const one = spawn(inWorld);
    release(inWorld, one);
    return one;
  };

  it.each<[string, string, (parents: Entity[], dead: Entity) => unknown]>([
    ["a count that is none", "bad-value", () => spawnRows(world, 1.5, [])],
    ["terms that are no list", "bad-value", () => spawnRows(world, 1, Position as never)],
    ["a list that is too short", "bad-value", ([one]) => spawnRows(world, 2, [ChildOf.each([one!])])],
    ["a list that is none", "bad-value", ([one]) => spawnRows(world, 2, [ChildOf.each(one as never)])],
    [
      "a parent that is not alive",
      "dead-entity",
      ([one], dead) => spawnRows(world, 2, [ChildOf.each([one!, dead])]),
    ],
    ["a target that is not alive", "dead-entity", (_, dead) => spawnRows(world, 2, [Likes(dead)])],
    ["two parents", "bad-term", ([one]) => spawnRows(world, 1, [ChildOf(one!), Parent.each([one!])])],
    [
      "a list for what is given already",
      "bad-term",
      () => spawnRows(world, 1, [Label("a"), Label.each(["b"])]),
    ],
    [
      "a value that is missing in a list",
      "bad-value",
      () => spawnRows(world, 2, [Label.each(["b", undefined as never])]),
    ],
    ["more than a relation allows", "full", ([one]) => spawnRows(world, 4, [Limited(one!)])],
    [
      "columns of another component",
      "bad-term",
      () => spawnRows(world, 1, [Frozen], (columns) => columns(Position)),
    ],
    ["a list in spawn", "bad-term", () => spawn(world, Label.each(["a"]) as never)],
    [
      "fill that throws",
      "refused",
      () =>
        spawnRows(world, 1, [Position], () => {
          throw new TreelineError("refused", "no");
        }),
    ],
  ])("changes nothing if it is refused: %s", (_, code, call) => {
    const parents = parentsIn(world);
    const dead = gone(world);
    const before = stateOf(world);

    expect(codeOf(() => call(parents, dead))).toBe(code);
    expect([stateOf(world), verify(world)]).toEqual([before, []]);
  });

  it("changes nothing if a hook refuses one", () => {
    const Small = withHooks(component("Small", { n: f32 }), {
      check: (_, __, { n }) => {
        if (n > 1) throw new TreelineError("refused", "too large");
      },
    });
    const before = stateOf(world);

    const code = codeOf(() =>
      spawnRows(world, 3, [Small], (columns, first) => columns(Small).n.set([0, 1, 2], first)),
    );

    expect([code, stateOf(world)]).toEqual(["refused", before]);
  });

  it("is refused inside an iteration of a strict world", () => {
    const strict = createWorld({ strict: true });

    expect(codeOf(() => defer(strict, () => spawnRows(strict, 1, [Position])))).toBe("iterating");
  });

  it.each<[string, (parents: Entity[]) => (SpawnTerm | ListTerm)[]]>([
    ["in bulk", (parents) => [Position, ChildOf.each([...parents, ...parents])]],
    ["by value", (parents) => [Position, Parent.each([...parents, ...parents])]],
    [
      "with a symmetric pair",
      (parents) => [Position, Knows(parents[0]!), ChildOf.each([...parents, ...parents])],
    ],
  ])("changes nothing if memory is refused: %s", (_, terms) => {
    const refused = refuseEachRequest((inWorld) => {
      const parents = Array.from({ length: 10 }, () => spawn(inWorld));
      return { call: () => spawnRows(inWorld, 20, terms(parents)), calls: [] };
    });

    expect(refused).toBeGreaterThan(0);
  });

  it("knows the types of what is filled and listed", () => {
    const [one] = parentsIn(world) as [Entity];

    spawnRows(world, 1, [Position, Label.each(["a"]), ChildOf.each([one])], (columns, first) => {
      columns(Position).x[first] = 1;
      columns(Label)[first] = "b";
      // @ts-expect-error: Position has no field y
      columns(Position).y;
      // @ts-expect-error: labels are texts
      columns(Label)[first] = 1;
      columns(Label)[first] = "c";
    });
    // @ts-expect-error: labels are texts
    expect(() => spawnRows(world, 1, [Label.each([1]), Label("a")])).toThrow();
    // @ts-expect-error: a list is for spawnRows only
    expect(() => spawn(world, ChildOf.each([one]))).toThrow();
    expect(has(world, subjectsOf(world, one, ChildOf)[1]!, Any(Any))).toBe(true);
  });
});
