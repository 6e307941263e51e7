import {
  add,
  ChildOf,
  clone,
  type DataRelation,
  type Entity,
  entity,
  f32,
  get,
  Parent,
  relation,
  set,
  sparse,
  spawn,
  targetsOf,
} from "@treeline/core";
import { fromDocument, toDocument, writeJson } from "@treeline/document/json";
import { Name } from "@treeline/names";
import { children, destroy } from "@treeline/query";
import { describe, expect, test } from "vitest";
import { loadPrefabs, PrefabKey, prefabAt, prefabs } from "../../src/document.ts";
import { IsA, instantiate, overridesOf, partOf, prefab, refreshInstances } from "../../src/index.ts";
import { newWorld, world } from "../cases/fixture.ts";

const FIELDS = { via: entity, length: f32 };
const Wire = relation("Wire", { fields: FIELDS });
const Lead = relation("Lead", { fields: FIELDS, storage: sparse });
const Main = relation("Main", { fields: FIELDS, exclusive: true });

interface Board {
  readonly base: Entity;
  readonly a: Entity;
  readonly b: Entity;
  readonly outside: Entity;
}

/** A prefab whose part `a` has pairs with its root, its part `b` and something outside; the values point to each of these. */
function boardIn(Wired: DataRelation<typeof FIELDS>, storage: typeof ChildOf): Board {
  newWorld();
  const outside = spawn(world, Name("Outside"));
  const base = prefab(world, PrefabKey("base"), Name("Base"));
  const a = spawn(world, storage(base), Name("A"));
  const b = spawn(world, storage(base), Name("B"));
  add(world, a, Wired(b, { via: b, length: 1 }));
  if (Wired !== Main)
    add(world, a, Wired(base, { via: outside, length: 2 }), Wired(outside, { via: base, length: 3 }));
  return { base, a, b, outside };
}

describe.each([
  ["pairs in tables", Wire, ChildOf],
  ["sparse pairs", Lead, ChildOf],
  ["pairs of an exclusive relation", Main, ChildOf],
  ["pairs of children by value", Wire, Parent],
] as const)("entities in the values of %s", (_, Wired, storage) => {
  /** The pairs of an entity, by what targets and values are called. */
  function pairsAt(entity: Entity, called: ReadonlyMap<Entity | undefined, string>): string[] {
    return targetsOf(world, entity, Wired)
      .map((target) => {
        const { via, length } = get(world, entity, Wired(target))!;
        return `${called.get(target)} via ${called.get(via)} ${length}`;
      })
      .sort();
  }

  function calledIn({ base, a, b, outside }: Board, instance: Entity): Map<Entity | undefined, string> {
    return new Map([
      [instance, "root"],
      [partOf(world, instance, a), "a"],
      [partOf(world, instance, b), "b"],
      [base, "prefab"],
      [a, "part a"],
      [b, "part b"],
      [outside, "outside"],
      [undefined, "nothing"],
    ]);
  }

  const expected =
    (Wired as unknown) === Main ? ["b via b 1"] : ["b via b 1", "outside via root 3", "root via outside 2"];

  test("point inside each new instance, which has changed nothing", () => {
    const board = boardIn(Wired, storage);
    const became = spawn(world);
    add(world, became, IsA(board.base));
    const variant = prefab(world, IsA(board.base));
    const all = [
      instantiate(world, board.base),
      ...instantiate(world, board.base, { count: 2 }),
      became,
      variant,
    ];
    for (const instance of all) {
      expect(pairsAt(partOf(world, instance, board.a)!, calledIn(board, instance))).toEqual(expected);
      expect(overridesOf(world, instance)).toEqual([]);
    }
    const ofVariant = instantiate(world, variant);
    expect(pairsAt(partOf(world, ofVariant, board.a)!, calledIn(board, ofVariant))).toEqual(expected);
  });

  test("point inside a clone of an instance", () => {
    const board = boardIn(Wired, storage);
    const copy = clone(world, instantiate(world, board.base), { deep: true });
    expect(pairsAt(partOf(world, copy, board.a)!, calledIn(board, copy))).toEqual(expected);
    expect(overridesOf(world, copy)).toEqual([]);
  });

  test("follow where the prefab lets them point elsewhere, to new parts among others", () => {
    const board = boardIn(Wired, storage);
    const { base, a, b, outside } = board;
    const instance = instantiate(world, base);
    const own = partOf(world, instance, a)!;
    const called = calledIn(board, instance);

    set(world, a, Wired(b), { via: outside });
    refreshInstances(world, base);
    expect(pairsAt(own, called)[0]).toBe("b via outside 1");

    const c = spawn(world, storage(base));
    set(world, a, Wired(b), { via: c });
    add(world, c, Wired(outside, { via: a, length: 8 }));
    refreshInstances(world, base);
    const ownC = partOf(world, instance, c)!;
    called.set(ownC, "c");
    expect(pairsAt(own, called)[0]).toBe("b via c 1");
    expect(pairsAt(ownC, called)).toEqual(["outside via a 8"]);
    expect(overridesOf(world, instance)).toEqual([]);

    destroy(world, c);
    refreshInstances(world, base);
    expect(pairsAt(own, called)[0]).toBe("b via nothing 1");
  });

  test("of parts that come together point to one another, whichever comes first", () => {
    const board = boardIn(Wired, storage);
    const { base } = board;
    const instance = instantiate(world, base);
    const c = spawn(world, storage(base));
    const d = spawn(world, storage(base));
    add(world, c, Wired(d, { via: d, length: 4 }));
    refreshInstances(world, base);
    const called = calledIn(board, instance);
    called.set(partOf(world, instance, d), "d");
    expect(pairsAt(partOf(world, instance, c)!, called)).toEqual(["d via d 4"]);
  });

  test("follow a newer file of the prefab", () => {
    const board = boardIn(Wired, storage);
    const { base, a, b } = board;
    const save = (): Map<string, string> =>
      new Map([["base", writeJson(toDocument(world, { root: base, prefabs }))]]);
    const before = save();
    const c = spawn(world, storage(base), Name("C"));
    set(world, a, Wired(b), { via: c, length: 5 });
    const after = save();
    newWorld();
    const other = { ...board, outside: spawn(world, Name("Outside")) };
    loadPrefabs(world, before, { definitions: [Wired] });
    const base2 = prefabAt(world, "base")!;
    const [a2, b2] = children(world, base2);
    const kept = [instantiate(world, base2), instantiate(world, base2)] as const;
    const changed = partOf(world, kept[1], a2!)!;
    set(world, changed, Wired(partOf(world, kept[1], b2!)!), { length: 9 });

    loadPrefabs(world, after, { definitions: [Wired] });

    const c2 = children(world, base2)[2]!;
    for (const [instance, length] of [
      [kept[0], 5],
      [kept[1], 9],
    ] as const) {
      const called = calledIn({ ...other, base: base2, a: a2!, b: b2! }, instance);
      called.set(partOf(world, instance, c2), "c");
      expect(pairsAt(partOf(world, instance, a2!)!, called)).toEqual([
        `b via c ${length}`,
        ...expected.slice(1),
      ]);
    }
    expect(overridesOf(world, kept[0])).toEqual([]);
    expect(overridesOf(world, kept[1]).map(({ kind, fields }) => [kind, ...fields])).toEqual([
      ["value", "length"],
    ]);
  });

  test("are the same in a world that was loaded from files", () => {
    const board = boardIn(Wired, storage);
    const level = spawn(world, Name("Level"));
    instantiate(world, board.base, { parent: level, with: [Name("Plain")] });
    const changed = instantiate(world, board.base, { parent: level, with: [Name("Changed")] });
    set(world, partOf(world, changed, board.a)!, Wired(partOf(world, changed, board.b)!), {
      via: partOf(world, changed, board.a)!,
    });
    const save = (root: Entity): string => writeJson(toDocument(world, { root, prefabs }));
    const texts = [save(board.base), save(level)];
    newWorld();
    const outside = spawn(world, Name("Outside"));
    loadPrefabs(world, new Map([["base", texts[0]!]]), { definitions: [Wired] });
    const [again] = fromDocument(world, texts[1]!, { definitions: [Wired], prefabs });
    const base = prefabAt(world, "base")!;
    const [a, b] = children(world, base);
    const [plain, other] = children(world, again!);
    const at = (instance: Entity): string[] =>
      pairsAt(partOf(world, instance, a!)!, calledIn({ base, a: a!, b: b!, outside }, instance));
    expect(at(plain!)).toEqual(expected);
    expect(at(other!)).toEqual(["b via a 1", ...expected.slice(1)]);
  });
});
