import { add, type Entity, remove, spawn, spawnMany, type World } from "@treeline/core";
import { describe, expect, it, vi } from "vitest";
import {
  added,
  all,
  cascade,
  changed,
  count,
  each,
  entities,
  group,
  groupBy,
  not,
  on,
  or,
  type Query,
  type QueryTerm,
  query,
  removed,
  selfOrUp,
  up,
  variable,
} from "../../../src/index.ts";
import { evaluateAll } from "../../../src/match/evaluate.ts";
import { archetypeHas } from "../../../src/match/pairs.ts";
import { allocateRoom } from "../../../src/query/batches/chunks.ts";
import { fileEntity, fileRow, fileRows } from "../../../src/query/batches/filing.ts";
import { addInterval } from "../../../src/query/lists/row-intervals.ts";
import { listRuns } from "../../../src/query/rows/candidates.ts";
import { turnToEntity } from "../../../src/query/state/iteration-state.ts";
import { isMatchOf } from "../../../src/query/state/query-state.ts";
import { Frozen, Position, SoldIn } from "../../definitions.ts";
import { ChildOf, Parent } from "../../public/builtins.ts";
import { component, createWorld, tag } from "../../public/define.ts";
import { f32 } from "../../public/fields.ts";

vi.mock("../../../src/match/pairs.ts", { spy: true });
vi.mock("../../../src/match/evaluate.ts", { spy: true });
vi.mock("../../../src/query/batches/filing.ts", { spy: true });
vi.mock("../../../src/query/batches/chunks.ts", { spy: true });
vi.mock("../../../src/query/rows/candidates.ts", { spy: true });
vi.mock("../../../src/query/state/query-state.ts", { spy: true });
vi.mock("../../../src/query/state/iteration-state.ts", { spy: true });
vi.mock("../../../src/query/lists/row-intervals.ts", { spy: true });

/** Steps per archetype, row, filed entity, chunk or row interval, and per row that is passed to `pass`. */
const pass = vi.fn();
const STEPS = {
  pass,
  evaluateAll,
  archetypeHas,
  turnToEntity,
  listRuns,
  isMatchOf,
  addInterval,
  fileRows,
  fileRow,
  fileEntity,
  allocateRoom,
};

/** How often each of the steps is gone while something runs. */
function stepsOf(run: () => void): Record<keyof typeof STEPS, number> {
  vi.clearAllMocks();
  run();
  const counted = Object.entries(STEPS).map(([name, step]) => [name, vi.mocked(step).mock.calls.length]);
  return Object.fromEntries(counted);
}

const Light = component("Light", { level: f32 });
const Lost = tag("Lost");
const market = variable("market");

describe("one group of many", () => {
  /** Goods of so many markets; those of the fifth match. */
  function stepsOfGroups(
    markets: number,
    relation: typeof SoldIn | typeof ChildOf,
  ): [one: number[], all: number[]] {
    const world = createWorld();
    const places = spawnMany(world, markets);
    for (const place of places) spawnMany(world, 3, Position, relation(place));
    if (relation === ChildOf) for (const place of places) spawnMany(world, 2, Position, Parent(place));
    const goods = query(world, Position, groupBy(relation));
    const iterate = (): void => each(group(goods, places[4]), pass);
    const iterateAll = (): void => each(goods, pass);
    iterate();
    iterateAll();
    return [Object.values(stepsOf(iterate)), Object.values(stepsOf(iterateAll))];
  }

  it.each([
    ["a relation", SoldIn],
    ["parents in both storages", ChildOf],
  ])("by %s: the others are not read", (_, relation) => {
    const [one, all] = stepsOfGroups(10, relation);
    const [sameOne, moreOfAll] = stepsOfGroups(300, relation);

    expect(sameOne).toEqual(one);
    expect(Math.max(...moreOfAll)).toBeGreaterThan(10 * Math.max(...all)); // or nothing was counted
  });

  it("by a function: no key is computed again while nothing moves", () => {
    const world = createWorld();
    const goods = spawnMany(world, 500, Position);
    const keyOf = vi.fn((entity: Entity) => entity % 50);
    const byKey = query(world, Position, groupBy(keyOf));

    const held = Array.from({ length: 50 }, (_, key) => count(group(byKey, key)));

    expect([held.every((one) => one === 10), keyOf.mock.calls.length]).toEqual([true, goods.length]);
  });
});

describe("a frame in which nothing changed", () => {
  it.each<[title: string, terms: QueryTerm[]]>([
    ["changed", [changed(Position)]],
    ["added", [added(Position)]],
    ["added, a tag", [added(Frozen)]],
    ["removed", [removed(Lost)]],
    ["changed with other terms", [Position, not(Lost), changed(Position)]],
    ["changed or added", [or(changed(Position), added(Frozen))]],
    ["changed above", [Position, changed(up(Light))]],
    ["changed above or here", [Position, changed(selfOrUp(Light))]],
    ["changed above, parents first", [Position, changed(cascade(Light)), cascade(Light)]],
    ["changed here or above", [or(changed(Position), changed(up(Light)))]],
  ])("reads no row: %s", (_, terms) => {
    const framesOf = (rows: number): [steady: object, most: number] => {
      const world = createWorld();
      const lamp = spawn(world, Light);
      const crew = spawnMany(world, rows, Position, Frozen, Lost, ChildOf(lamp));
      spawnMany(world, rows, Position, Frozen, Parent(lamp));
      const changes = query(world, ...terms);
      const inspect = (): void => void entities(changes);
      const first = stepsOf(inspect); // all is new, but for what is gone
      for (const one of crew) remove(world, one, Lost);
      const second = stepsOf(inspect);
      const steady = stepsOf(() => expect(entities(changes)).toEqual([]));
      return [steady, Math.max(...Object.values(first), ...Object.values(second))];
    };

    const [steady, most] = framesOf(500);

    expect(steady).toEqual(framesOf(5)[0]);
    expect(steady).toMatchObject({
      turnToEntity: 0,
      addInterval: 0,
      fileRows: 0,
      fileRow: 0,
      fileEntity: 0,
      allocateRoom: 0,
    });
    expect(most).toBeGreaterThanOrEqual(500); // or nothing was counted
  });
});

describe("after one of many has moved", () => {
  type UpPath = [title: string, terms: () => QueryTerm[]];
  const PATHS: UpPath[] = [
    ["cascade", () => [Frozen, cascade(Position)]],
    ["up", () => [Frozen, up(Position)]],
    ["selfOrUp", () => [Frozen, selfOrUp(Position)]],
    ["a free variable", () => [Frozen, ChildOf(market)]],
  ];

  function world(parents: number): [world: World, places: Entity[], near: Entity[], byValue: Entity[]] {
    const made = createWorld();
    const places = spawnMany(made, parents, Position);
    const near = places.map((place) => spawn(made, Frozen, ChildOf(place)));
    const byValue = places.map((place) => spawn(made, Frozen, Parent(place)));
    return [made, places, near, byValue];
  }

  /** What is filed by an iteration. */
  function filedBy(below: Query): Record<"fileRows" | "fileRow" | "fileEntity" | "allocateRoom", number> {
    const { fileRows, fileRow, fileEntity, allocateRoom } = stepsOf(() => each(below, () => {}));
    return { fileRows, fileRow, fileEntity, allocateRoom };
  }

  it.each(
    PATHS.flatMap(([title, terms]) =>
      [ChildOf, Parent].map((storage) => [`${title}, by ${storage.name}`, terms, storage] as const),
    ),
  )("it is filed alone, however many there are: %s", (_, terms, storage) => {
    const stepsFor = [600, 2400].map((parents) => {
      const [own, places, near, byValue] = world(parents);
      const below = query(own, ...terms()) as Query;
      const first = filedBy(below).fileRows;
      add(own, (storage === ChildOf ? near : byValue)[300]!, storage(places[5]!));
      return [first, filedBy(below)];
    });

    const alone = { fileRows: 0, fileRow: 0, fileEntity: 1, allocateRoom: 0 };
    expect(stepsFor).toEqual([
      [1, alone],
      [1, alone],
    ]);
  });

  it.each(PATHS)(
    "it and the one that fills its row are filed alone, if its archetype is another: %s",
    (_, terms) => {
      const [own, , near] = world(600);
      const below = query(own, ...terms()) as Query;
      each(below, () => {});
      add(own, near[300]!, Lost);

      const { fileRows, fileRow, fileEntity } = filedBy(below);

      expect([fileRows, fileRow, fileEntity]).toEqual([0, 1, 1]);
    },
  );

  it.each(PATHS)("it is filed once, and the iterations that follow file nothing: %s", (_, terms) => {
    const [own, places, near] = world(600);
    const below = query(own, ...terms()) as Query;
    each(below, () => {});
    add(own, near[300]!, ChildOf(places[5]!));
    const once = filedBy(below);

    expect([once.fileEntity, filedBy(below)]).toEqual([
      1,
      { fileRows: 0, fileRow: 0, fileEntity: 0, allocateRoom: 0 },
    ]);
  });
});

describe("terms in any order", () => {
  /** All orders of a list. */
  function ordersOf(terms: readonly QueryTerm[]): QueryTerm[][] {
    if (terms.length <= 1) return [[...terms]];
    return terms.flatMap((term, at) => ordersOf(terms.toSpliced(at, 1)).map((rest) => [term, ...rest]));
  }

  it.each<[title: string, terms: (lamp: Entity) => QueryTerm[]]>([
    ["components and tags", () => [Position, Light, Frozen]],
    ["what must not be", () => [Position, not(Lost), Light]],
    ["a target", (lamp) => [Position, ChildOf(lamp), not(Lost)]],
    ["alternatives", () => [Position, or(Lost, Frozen), Light]],
    ["several parts", (lamp) => [Position, not(all(Lost, Frozen)), ChildOf(lamp)]],
    ["ancestors", () => [Position, up(Light), Light]],
    ["a given entity", (lamp) => [Position, on(lamp, Light), Light]],
  ])("read the same few archetypes: %s", (_, terms) => {
    const world = createWorld();
    for (let kind = 0; kind < 30; kind++) spawn(world, Position, tag(`Kind${kind}`));
    const lamp = spawn(world, Light);
    spawn(world, Position, Light, ChildOf(lamp));
    spawn(world, Position, Light, Frozen, ChildOf(lamp));
    count(query(world, Position, up(Light))); // all that is made once

    const received = ordersOf(terms(lamp)).map((order) => {
      const steps = stepsOf(() => count(query(world, ...order)));
      const archetypes = vi.mocked(archetypeHas).mock.calls.map(([archetype]) => archetype.number);
      return {
        archetypes: [...new Set(archetypes)].sort(),
        turnToEntity: steps.turnToEntity,
        addInterval: steps.addInterval,
      };
    });

    for (const one of received) expect(one).toEqual(received[0]);
    expect(received[0]!.archetypes.length).toBeLessThan(10);
  });
});
