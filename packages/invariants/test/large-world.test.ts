/** Thousands of entities: lists are long, chunks are full and go stale, and there are many blocks of ticks. */
import {
  add,
  ChildOf,
  component,
  createWorld,
  type Entity,
  f32,
  get,
  has,
  isAlive,
  Parent,
  pack,
  parentOf,
  relation,
  remove,
  set,
  spawn,
  spawnMany,
  tag,
  type World,
} from "@treeline/core";
import { verify } from "@treeline/core/debug";
import {
  all,
  bind,
  cascade,
  changed,
  collect,
  count,
  destroy,
  each,
  eachLevel,
  entities,
  first,
  not,
  on,
  or,
  orderBy,
  page,
  type Query,
  query,
  selfOrUp,
  up,
  variable,
} from "@treeline/query";
import { describe, expect, it } from "vitest";
import { createDice, type Dice } from "../src/base/dice.ts";

const Place = component("Place", { x: f32 });
const Size = component("Size", { x: f32 });
const Lit = tag("Lit");
const Likes = relation("Likes");
const parent = variable("parent");
const liked = variable("liked");

interface Large {
  readonly world: World;
  readonly dice: Dice;
  /** The living entities, in the order in which they were spawned. */
  living: Entity[];
}

function createLarge(seed: number): Large {
  const large: Large = { world: createWorld(), dice: createDice(seed), living: [] };
  const { world, dice } = large;
  for (let x = 0; x < 400; x++) large.living.push(spawn(world, Place({ x })));
  for (let more = 0; more < 1600; more++) large.living.push(spawnOne(large));
  // Thousands of siblings, and hundreds of parents with one child: long runs, and full chunks.
  large.living.push(...spawnMany(world, 4500, Size, ChildOf(dice.pick(large.living))));
  for (let more = 0; more < 700; more++) {
    const single = spawn(world, Place({ x: more }));
    large.living.push(single, spawn(world, Lit, Size({ x: more }), ChildOf(single)));
  }
  return large;
}

function spawnOne({ world, dice, living }: Large): Entity {
  const above = dice.pick(living);
  return spawn(
    world,
    ...(dice.chance(0.6) ? [Place({ x: dice.below(50) })] : []),
    ...(dice.chance(0.4) ? [Size({ x: dice.below(9) })] : []),
    ...(dice.chance(0.4) ? [Lit] : []),
    ...(dice.chance(0.3) ? [Likes(dice.pick(living))] : []),
    ...(dice.chance(0.1) ? [] : [dice.chance(0.5) ? ChildOf(above) : Parent(above)]),
  );
}

function change(large: Large): void {
  const { world, dice } = large;
  const one = dice.pick(large.living);
  const other = dice.pick(large.living);
  const what = dice.below(8);
  if (what === 0) large.living.push(spawnOne(large));
  else if (what === 1 && dice.chance(0.3)) destroy(world, one);
  else if (what === 2 && !isBelow(world, other, one)) add(world, one, ChildOf(other));
  else if (what === 3 && !isBelow(world, other, one)) add(world, one, Parent(other));
  else if (what === 4) has(world, one, Place) ? remove(world, one, Place) : add(world, one, Place);
  else if (what === 5) has(world, one, Lit) ? remove(world, one, Lit) : add(world, one, Lit);
  else if (what === 6 && has(world, one, Place)) set(world, one, Place, { x: dice.below(50) });
  else add(world, one, Likes(other));
  large.living = large.living.filter((entity) => isAlive(world, entity));
}

function isBelow(world: World, entity: Entity, above: Entity): boolean {
  return entity === above || sourceAbove(world, entity, (one) => one === above) !== undefined;
}

function sourceAbove(world: World, entity: Entity, is: (one: Entity) => boolean): Entity | undefined {
  let at = parentOf(world, entity);
  while (at !== undefined && !is(at)) at = parentOf(world, at);
  return at;
}

/** A query, and a predicate that tests one entity after the other. */
type CheckedQuery = readonly [name: string, tested: Query, matches: (entity: Entity) => boolean];

function queries({ world, dice, living }: Large): CheckedQuery[] {
  const one = dice.pick(living);
  const other = dice.pick(living);
  const isUnder = (entity: Entity, what: typeof Place | typeof Lit): boolean =>
    sourceAbove(world, entity, (above) => has(world, above, what)) !== undefined;
  const hasAll = (entity: Entity, ...what: Parameters<typeof has>[2][]): boolean =>
    what.every((part) => has(world, entity, part));
  return [
    ["children", query(world, ChildOf(one)), (e) => parentOf(world, e) === one],
    [
      "either parent",
      query(world, or(ChildOf(one), ChildOf(other))),
      (e) => hasAll(e, ChildOf(one)) || hasAll(e, ChildOf(other)),
    ],
    [
      "neither",
      query(world, Size, not(ChildOf(one)), not(Likes(other))),
      (e) => hasAll(e, Size) && !hasAll(e, ChildOf(one)) && !hasAll(e, Likes(other)),
    ],
    ["below", query(world, Lit, up(Place)), (e) => hasAll(e, Lit) && isUnder(e, Place)],
    ["not below", query(world, Lit, not(up(Place))), (e) => hasAll(e, Lit) && !isUnder(e, Place)],
    [
      "self or below",
      query(world, selfOrUp(Lit), Size),
      (e) => hasAll(e, Size) && (hasAll(e, Lit) || isUnder(e, Lit)),
    ],
    [
      "groups",
      query(world, Size, not(all(Lit, or(Place, up(Lit))))),
      (e) => hasAll(e, Size) && !(hasAll(e, Lit) && (hasAll(e, Place) || isUnder(e, Lit))),
    ],
    [
      "few below",
      query(world, ChildOf(one), up(Place)),
      (e) => parentOf(world, e) === one && isUnder(e, Place),
    ],
    [
      "set",
      bind(query(world, Size, ChildOf(parent)), parent, one),
      (e) => hasAll(e, Size) && parentOf(world, e) === one,
    ],
    [
      "free",
      query(world, Lit, ChildOf(liked), on(liked, Place)),
      (e) => hasAll(e, Lit) && hasAll(parentOf(world, e) ?? e, Place) && parentOf(world, e) !== undefined,
    ],
  ];
}

function wrongIn(large: Large): string[] {
  const { world, living } = large;
  const wrong: string[] = [];
  const sorted = (list: readonly Entity[]): string => [...list].sort((a, b) => a - b).join();
  for (const [name, tested, matches] of queries(large)) {
    const expected = living.filter((entity) => matches(entity));
    if (sorted(entities(tested)) !== sorted(expected)) wrong.push(name);
    if (count(tested) !== expected.length) wrong.push(`count of ${name}`);
  }
  return [...wrong, ...wrongLevels(large), ...wrongOrder(world)];
}

/** Depths increase, every entity with a Size occurs once, and the nearest Place above is the right one. */
function wrongLevels({ world, living }: Large): string[] {
  const wrong: string[] = [];
  const matched = new Set<Entity>();
  let last = -1;
  eachLevel(query(world, Size, cascade(Place)), (level) => {
    if (level.depth <= last) wrong.push("levels out of order");
    last = level.depth;
    level.eachBatch((batch) => {
      for (let at = batch.from; at < batch.to; at++) {
        const entity = batch.entityAt(batch.rows[at]!);
        matched.add(entity);
        const source = sourceAbove(world, entity, (above) => has(world, above, Place));
        const seen = batch.hasParents ? batch.sourceAt(cascade(Place), at) : undefined;
        if (seen !== source) wrong.push(`source of ${entity}`);
      }
    });
  });
  if (matched.size !== living.filter((entity) => has(world, entity, Size)).length)
    wrong.push("levels leave out");
  return wrong;
}

function wrongOrder(world: World): string[] {
  const values = collect(query(world, Place, orderBy(Place, "x"))).map(([{ x }]) => x);
  return values.some((x, at) => at > 0 && values[at - 1]! > x) ? ["order"] : [];
}

describe("in a large world", () => {
  it.each([1, 2])(
    "queries find the entities that a test of each entity finds, while the world changes, seed %i",
    (seed) => {
      const large = createLarge(seed);
      const wrong: string[] = [];

      for (let round = 0; round < 5 && wrong.length === 0; round++) {
        wrong.push(...wrongIn(large).map((text) => `round ${round}: ${text}`));
        for (let turn = 0; turn < 40; turn++) change(large);
        if (round === 2) pack(large.world);
      }

      expect(wrong).toEqual([]);
      expect(verify(large.world)).toEqual([]);
    },
  );

  it("an iteration continues as it began, whatever is queried in it after most entities were destroyed", () => {
    const large = createLarge(3);
    const { world } = large;
    const tested = query(world, Lit, cascade(Place));
    first(tested);
    large.living.forEach((entity, at) => {
      if (isAlive(world, entity) && has(world, entity, Lit) && at % 16 > 0) destroy(world, entity);
    });
    const wrong: Entity[] = [];

    each(tested, (above, entity) => {
      const source = sourceAbove(world, entity, (one) => has(world, one, Place));
      if (above?.x !== (source && get(world, source, Place)?.x)) wrong.push(entity);
      first(tested);
      count(page(query(world, Lit, cascade(Place), not(Size)), 0, 1));
    });

    expect(wrong).toEqual([]);
    expect(count(tested)).toBeGreaterThan(10);
  });

  it("a query for changes matches exactly the changed entities, among thousands", () => {
    const large = createLarge(4);
    const { world, dice, living } = large;
    const tested = query(world, changed(Size));
    expect(count(tested)).toBeGreaterThan(5000);
    entities(tested);

    const written = new Set(
      Array.from({ length: 60 }, () => dice.pick(living)).filter((e) => has(world, e, Size)),
    );
    for (const entity of written) set(world, entity, Size, { x: 1 });

    expect(new Set(entities(tested))).toEqual(written);
    expect(entities(tested)).toEqual([]);
  });
});
