import { describe, expect, it } from "vitest";
import { describe as describeEntity, stats, verify } from "../../../src/debug.ts";
import {
  Any,
  add,
  addMany,
  bits,
  ChildOf,
  clear,
  clone,
  component,
  createWorld,
  defer,
  disposeWorld,
  type Entity,
  entity,
  entityOf,
  f32,
  get,
  has,
  isAlive,
  observe,
  pairsOf,
  patch,
  type Relation,
  relation,
  release,
  remove,
  removeMany,
  set,
  sparse,
  spawn,
  spawnMany,
  spawnRows,
  subjectsOf,
  targetOf,
  targetsOf,
  value,
  type World,
  type WorldEvent,
} from "../../../src/index.ts";
import { destroy, removeFromAll } from "../../../src/internal.ts";
import { codeOf } from "../../reading.ts";
import { refuseEachRequest } from "../refused.ts";

const Position = component("Position", { x: 0, y: 0 });
const Likes = relation("Likes", { storage: sparse });
const Fears = relation("Fears");
const Hates = relation("Hates", { storage: sparse });
const DockedTo = relation("DockedTo", { storage: sparse, exclusive: true });
const Damage = relation("Damage", {
  storage: sparse,
  fields: { amount: f32(1), by: entity, note: value("none") },
});
const Rents = relation("Rents", { storage: sparse, exclusive: true, fields: { price: f32(5) } });
const Owns = relation("Owns", { storage: sparse, onTargetDestroy: "delete" });
const Guards = relation("Guards", { storage: sparse, onTargetDestroy: "refuse" });
const Watches = relation("Watches", { storage: sparse, maxSubjects: 2 });
const Includes = relation("Includes", { storage: sparse, reflexive: true });

type Four = [Entity, Entity, Entity, Entity];

function four(world: World): Four {
  return spawnMany(world, 4, Position) as Four;
}

/** What an observer of a relation is told, as text. */
function observed(world: World, what: Relation): string[] {
  const told: string[] = [];
  const note = ({ kind, entity, definition, target, oldTarget, newTarget }: WorldEvent): void => {
    told.push(
      `${kind} ${definition.name} ${[entity, target, oldTarget, newTarget].map((one) => one ?? "-")}`,
    );
  };
  observe(world, { added: what(Any), removed: what(Any) }, note);
  return told;
}

describe("a sparse relation", () => {
  it("is added and removed without another table", () => {
    const world = createWorld();
    const [a, b, c] = four(world);
    const { tables, archetypes } = stats(world);

    add(world, a, Likes(b), Likes(c));
    expect([targetsOf(world, a, Likes), subjectsOf(world, c, Likes)]).toEqual([[b, c], [a]]);
    expect([has(world, a, Likes(b)), has(world, a, Likes(a)), has(world, a, Likes(Any))]).toEqual([
      true,
      false,
      true,
    ]);
    expect([stats(world).tables, stats(world).archetypes]).toEqual([tables, archetypes]);
    expect(verify(world)).toEqual([]);

    remove(world, a, Likes(b));
    remove(world, a, Likes(c));
    expect([targetsOf(world, a, Likes), has(world, a, Likes(Any)), stats(world).pairs]).toEqual([
      [],
      false,
      0,
    ]);
    expect(verify(world)).toEqual([]);
  });

  it("has its targets in the order of adding", () => {
    const world = createWorld();
    const [a, b, c, d] = four(world);
    add(world, a, Likes(d), Likes(b));
    add(world, a, Likes(c));
    add(world, a, Likes(d));
    remove(world, a, Likes(b));
    add(world, a, Likes(b));

    expect(targetsOf(world, a, Likes)).toEqual([d, c, b]);
    expect([targetOf(world, a, Likes), targetOf(world, a, Likes, 2)]).toEqual([d, b]);
    expect(targetsOf(world, clone(world, a), Likes)).toEqual([d, c, b]);
  });

  it("keeps a value for each pair", () => {
    const world = createWorld();
    const [a, b, c] = four(world);
    add(world, a, Damage(b, { amount: 4 }), Damage(c));
    set(world, a, Damage(c), { by: b, note: "hit" });
    patch(world, a, Damage(b), (one) => {
      one.amount += 1;
    });

    expect(get(world, a, Damage(b))).toEqual({ amount: 5, by: undefined, note: "none" });
    expect(get(world, a, Damage(c))).toEqual({ amount: 1, by: b, note: "hit" });
    expect(pairsOf(world, a).map(({ target }) => target)).toEqual([b, c]);
    remove(world, a, Damage(b));
    expect([get(world, a, Damage(b)), get(world, a, Damage(c))]).toEqual([
      undefined,
      { amount: 1, by: b, note: "hit" },
    ]);
    expect(verify(world)).toEqual([]);
  });

  it("has one target if it is exclusive, and the default for a new one", () => {
    const world = createWorld();
    const [a, b, c] = four(world);
    const told = observed(world, Rents as unknown as Relation);
    add(world, a, Rents(b, { price: 3 }));
    add(world, a, Rents(c));

    expect([targetOf(world, a, Rents), get(world, a, Rents(c)), get(world, a, Rents(b))]).toEqual([
      c,
      { price: 5 },
      undefined,
    ]);
    expect(told).toEqual([
      `added Rents ${a},${b},-,${b}`,
      `removed Rents ${a},${b},${b},${c}`,
      `added Rents ${a},${c},${b},${c}`,
    ]);
    expect(verify(world)).toEqual([]);
  });

  it("reports its pairs among those in tables, in the order of definition", () => {
    const world = createWorld();
    const [a, b, c] = four(world);
    const told: string[] = [];
    observe(world, { added: Any, removed: Any }, ({ kind, definition, target }) => {
      told.push(`${kind} ${definition.name} ${target ?? ""}`);
    });
    add(world, a, Hates(b), Fears(c), Likes(c), Likes(b));
    expect(told.splice(0)).toEqual([
      `added Likes ${c}`,
      `added Likes ${b}`,
      `added Fears ${c}`,
      `added Hates ${b}`,
    ]);
    clear(world, a);
    expect(told.splice(0)).toEqual([
      "removed Position ",
      `removed Likes ${c}`,
      `removed Likes ${b}`,
      `removed Fears ${c}`,
      `removed Hates ${b}`,
    ]);
    add(world, a, Likes(b));
    told.length = 0;
    destroy(world, a);
    expect(told).toEqual([`removed Likes ${b}`]);
  });

  it("is left by entities whose targets are destroyed, which it may destroy or protect", () => {
    const world = createWorld();
    const [a, b, c, d] = four(world);
    add(world, a, Likes(b), Likes(c));
    add(world, d, Owns(c));
    add(world, d, Guards(a));
    destroy(world, b);
    expect(targetsOf(world, a, Likes)).toEqual([c]);
    expect(() => destroy(world, a)).toThrow("has Guards with");
    expect(codeOf(() => release(world, c))).toBe("still-a-target");
    destroy(world, c);
    expect([isAlive(world, a), isAlive(world, d), targetsOf(world, a, Likes)]).toEqual([true, false, []]);
    expect([stats(world).pairs, verify(world)]).toEqual([0, []]);
  });

  it("is limited in its subjects, and reflexive", () => {
    const world = createWorld();
    const [a, b, c, d] = four(world);
    add(world, a, Watches(d));
    spawn(world, Watches(d));
    expect([codeOf(() => add(world, c, Watches(d))), codeOf(() => spawn(world, Watches(d)))]).toEqual([
      "full",
      "full",
    ]);
    add(world, a, Watches(d));
    expect([has(world, b, Includes(b)), has(world, b, Includes(a))]).toEqual([true, false]);
    expect(verify(world)).toEqual([]);
  });

  it("is given to new entities, one by one and in lists", () => {
    const world = createWorld();
    const [a, b, c] = four(world);
    const many = spawnMany(world, 3, Damage(a, { amount: 2 }), Likes(b), Position);
    const rows = spawnRows(world, 2, [Position, Likes.each([a, b]), Hates(c)]);
    addMany(world, [...many, ...rows], Likes(c));

    expect(many.map((one) => get(world, one, Damage(a))!.amount)).toEqual([2, 2, 2]);
    expect(rows.map((one) => targetsOf(world, one, Likes))).toEqual([
      [a, c],
      [b, c],
    ]);
    expect(subjectsOf(world, c, Likes)).toEqual([...many, ...rows]);
    removeMany(world, many, Likes(Any));
    expect(subjectsOf(world, c, Likes)).toEqual(rows);
    expect(verify(world)).toEqual([]);
  });

  it("is deferred like others", () => {
    const world = createWorld();
    const [a, b, c] = four(world);
    defer(world, () => {
      const fresh = spawn(world, Likes(a));
      add(world, b, Likes(fresh), Likes(c));
      destroy(world, c);
      expect(targetsOf(world, b, Likes)).toEqual([]);
    });
    expect([targetsOf(world, b, Likes).length, subjectsOf(world, a, Likes).length]).toEqual([1, 1]);
    expect(verify(world)).toEqual([]);
  });

  it("is removed from all, by wildcards and with its component entity", () => {
    const world = createWorld();
    const [a, b, c] = four(world);
    const fill = (): void => {
      for (const one of [a, b]) add(world, one, Likes(c), Likes(a), Hates(c), ChildOf(c));
    };
    fill();
    remove(world, a, Any(c));
    expect(pairsOf(world, a).map(({ target }) => target)).toEqual([a]);
    removeFromAll(world, { definition: Likes, target: -1 });
    expect([targetsOf(world, a, Likes), targetsOf(world, b, Likes), targetsOf(world, b, Hates)]).toEqual([
      [],
      [],
      [c],
    ]);
    fill();
    destroy(world, entityOf(world, Likes));
    expect([targetsOf(world, a, Likes), targetsOf(world, a, Hates)]).toEqual([[], [c]]);
    expect(verify(world)).toEqual([]);
    disposeWorld(world);
  });

  it("is shown by describe and stats", () => {
    const world = createWorld();
    const [a, b, c] = four(world);
    add(world, a, Likes(b), Likes(c));
    add(world, b, Likes(c));

    expect(describeEntity(world, a)).toContain("(Likes, #2), (Likes, #3)");
    expect(stats(world).relations).toEqual([
      { relation: "Likes", tables: 0, targets: 2, subjects: 3, byValue: 0, histogram: [1, 1] },
    ]);
  });

  it("changes nothing if memory is refused", () => {
    const refused = refuseEachRequest((world) => {
      const [a, b, c] = four(world);
      add(world, a, Likes(b));
      return { call: () => add(world, a, Damage(c, { amount: 2 }), Rents(b), Fears(c)), calls: [] };
    });
    expect(refused).toBeGreaterThan(2);
  });

  it.each([
    ["acyclic", { acyclic: true }],
    ["traversable", { traversable: true }],
    ["symmetric", { symmetric: true }],
  ])("cannot be %s", (_, options) => {
    expect(codeOf(() => relation("Follows", { ...options, storage: sparse }))).toBe("bad-definition");
  });

  it("is not stored as bits", () => {
    expect(codeOf(() => relation("Follows", { storage: bits }))).toBe("bad-definition");
    expect(codeOf(() => relation("Follows", { storage: "sparse" as never }))).toBe("bad-definition");
  });

  it("refuses a pair that is given twice, in lists of any length", () => {
    const world = createWorld();
    const [a, b] = four(world);
    expect(codeOf(() => add(world, a, Likes(b), Position, Likes(b)))).toBe("bad-term");
    expect(codeOf(() => spawn(world, DockedTo(a), DockedTo(b)))).toBe("bad-term");
    expect(verify(world)).toEqual([]);
  });
});

/** Sizes that a sparse relation is compared in. */
const FEW = 2_000;
const MANY = 20_000;

/** Pairs of one subject, of one target, or of as many of both. */
const FORMS: readonly (readonly [string, (world: World, count: number) => (readonly [Entity, Entity])[]])[] =
  [
    ["targets of one entity", (world, count) => spawnMany(world, count).map((one) => [spawned(world), one])],
    ["subjects of one target", (world, count) => spawnMany(world, count).map((one) => [one, spawned(world)])],
    [
      "subjects with targets of their own",
      (world, count) => {
        const targets = spawnMany(world, count);
        return spawnMany(world, count).map((one, at) => [one, targets[at]!]);
      },
    ],
  ];

const firstOf = new WeakMap<World, Entity>();

/** The same entity for each world. */
function spawned(world: World): Entity {
  const known = firstOf.get(world) ?? spawn(world);
  firstOf.set(world, known);
  return known;
}

describe("many pairs of a sparse relation", () => {
  it.each(FORMS)("take memory in proportion, and give it back: %s", (_, pairsIn) => {
    const bytes = [FEW, MANY].map((count) => {
      const world = createWorld();
      const pairs = pairsIn(world, count);
      const { tables, bytes: before } = stats(world);
      for (const [subject, target] of pairs) add(world, subject, Likes(target));
      const { bytes: full, tables: after } = stats(world);
      expect(after).toBe(tables);
      for (const [subject, target] of pairs) remove(world, subject, Likes(target));
      expect([stats(world).pairs, verify(world)]).toEqual([0, []]);
      return full - before;
    });
    expect(bytes[1]! / bytes[0]!).toBeLessThan(20);
  });

  // A search through the others for each would take minutes.
  it.each(FORMS)("are found without a search: %s", (_, pairsIn) => {
    const world = createWorld();
    const pairs = pairsIn(world, 100_000);
    for (const [subject, target] of pairs) add(world, subject, Likes(target));
    expect(stats(world).pairs).toBe(new Set(pairs.map(([, target]) => target)).size);
    for (const [subject, target] of pairs) remove(world, subject, Likes(target));
    expect(stats(world).pairs).toBe(0);
    for (const [subject, target] of pairs.slice(0, FEW)) add(world, subject, Likes(target));
    const [subject, target] = pairs[0]!;
    destroy(world, subject);
    if (isAlive(world, target)) destroy(world, target);
    expect(verify(world)).toEqual([]);
  });

  it("are added in one call", () => {
    const world = createWorld();
    const targets = spawnMany(world, MANY);
    const ship = spawn(world, ...targets.map((one) => Likes(one)));
    const other = spawn(world);
    add(world, other, ...targets.map((one) => Hates(one)));

    expect([targetsOf(world, ship, Likes), targetsOf(world, other, Hates)]).toEqual([targets, targets]);
    expect(
      codeOf(() => add(world, other, ...targets.map((one) => Likes(one)), Likes(ship), Likes(ship))),
    ).toBe("bad-term");
    clear(world, ship);
    destroy(world, other);
    expect([stats(world).pairs, verify(world)]).toEqual([0, []]);
  });
});
