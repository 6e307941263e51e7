import { add, type Entity, get, has, isAlive, observe, remove, set, sparse, spawn } from "@treeline/core";
import { indexOf } from "@treeline/core/internal";
import { beforeEach, describe, expect, it } from "vitest";
import {
  collect,
  count,
  destroy,
  each,
  eachRun,
  entities,
  monitor,
  type Query,
  type QueryTerm,
  query,
} from "../../../src/index.ts";
import { Frozen, Mesh, Position, Tag, Warm } from "../../definitions.ts";
import { ChildOf, Disabled, Parent } from "../../public/builtins.ts";
import { component } from "../../public/define.ts";
import { f32 } from "../../public/fields.ts";
import { added, changed, removed } from "../../public/filters.ts";
import { group, groupBy, orderBy } from "../../public/parts.ts";
import { cascade, selfOrUp, up } from "../../public/terms.ts";
import { setWorld, verifyWorld, world } from "../../test-world.ts";

const Goal = component("Goal", { n: f32 }, { storage: sparse });

/** The rows of several blocks of ticks. */
const MANY = 200;

/** Entities in the rows of one archetype; the last one fills the row of the first, when that leaves. */
let crew: Entity[];
let first: Entity;
let last: Entity;

beforeEach(() => {
  setWorld();
  crew = Array.from({ length: MANY }, (_, at) => spawn(world, Warm({ of: at }), Mesh(`mesh ${at}`)));
  [first, last] = [crew[0]!, crew[MANY - 1]!];
});

const rowOf = (one: Entity): number => world.entities.row[indexOf(one)]!;

/** Ways in which the first entity leaves its archetype. */
const WAYS: readonly (readonly [string, () => void])[] = [
  ["it is destroyed", () => destroy(world, first)],
  ["it gets a tag", () => add(world, first, Frozen)],
  ["it loses a component", () => remove(world, first, Mesh)],
  ["it gets a parent by value", () => add(world, first, Parent(crew[1]!))],
  ["it gets a parent in its type", () => add(world, first, ChildOf(crew[1]!))],
];

/** A query for changes that has read all so far. */
function readUpToNow(...terms: QueryTerm[]): Query {
  const tested = query(world, ...terms) as Query;
  entities(tested);
  return tested;
}

describe.each(WAYS)("the entity that fills the row of another, when %s,", (_, leave) => {
  function leaveRow(): void {
    const row = rowOf(first);
    leave();
    expect(rowOf(last)).toBe(row);
  }

  it("keeps its values, its objects, its sparse values and its bits", () => {
    set(world, last, Goal, { n: 7 });
    add(world, last, Disabled);

    leaveRow();

    expect([get(world, last, Warm), get(world, last, Mesh), get(world, last, Goal)]).toEqual([
      { of: MANY - 1 },
      `mesh ${MANY - 1}`,
      { n: 7 },
    ]);
    expect(crew.slice(1).filter((one) => has(world, one, Disabled))).toEqual([last]);
    expect(entities(query(world, Warm, Goal, Disabled))).toEqual([last]);
    verifyWorld();
  });

  it("has no unread change for queries that have read everything", () => {
    const tested = [
      readUpToNow(changed(Warm)),
      readUpToNow(changed(Mesh)),
      readUpToNow(added(Warm)),
      readUpToNow(removed(Warm)),
      readUpToNow(changed(selfOrUp(Warm))),
    ];

    leaveRow();

    expect(tested.map((one) => entities(one).includes(last))).toEqual(tested.map(() => false));
  });

  it("is found by queries that have not read its last change, once", () => {
    const tested = [readUpToNow(changed(Warm)), readUpToNow(changed(Mesh))];
    set(world, last, Warm, { of: 1 });
    set(world, last, Mesh, "another");

    leaveRow();

    expect(tested.map((one) => entities(one).filter((found) => found === last))).toEqual([[last], [last]]);
    expect(tested.map((one) => entities(one))).toEqual([[], []]);
  });

  it("is found by queries that have not read that it got or lost something", () => {
    const [wasAdded, wasRemoved] = [readUpToNow(added(Goal)), readUpToNow(removed(Goal))];
    const [ofTag, ofDisabled] = [readUpToNow(removed(Tag)), readUpToNow(added(Disabled))];
    for (const one of [crew[MANY - 2]!, last]) set(world, one, Goal, { n: 1 });
    remove(world, crew[MANY - 2]!, Goal);
    add(world, last, Tag);
    remove(world, last, Tag);
    add(world, last, Disabled);
    remove(world, last, Disabled);

    leaveRow();

    const found = [wasAdded, wasRemoved, ofTag, ofDisabled].map((one) => entities(one));
    expect(found.map((ones) => ones.includes(last))).toEqual([true, false, true, false]);
    expect(found[1]).toEqual([crew[MANY - 2]]);
  });

  it("keeps its place in an order and in a group", () => {
    const ordered = query(world, Warm, Mesh, orderBy(Warm, "of", { desc: true }));
    const grouped = query(
      world,
      Mesh,
      groupBy((entity) => (entity === last ? "last" : "others")),
    );
    const before = [entities(ordered), entities(group(grouped, "last"))];

    leaveRow();

    const left = crew.filter((one) => isAlive(world, one) && has(world, one, Mesh));
    expect(before).toEqual([crew.toReversed(), [last]]);
    expect(entities(ordered)).toEqual(left.toReversed());
    expect(entities(group(grouped, "last"))).toEqual([last]);
    expect(count(group(grouped, "others"))).toBe(left.length - 1);
  });

  it("enters and leaves no query that is monitored, and no observer is told", () => {
    const reported: Entity[] = [];
    const report = (entity: Entity): number => reported.push(entity);
    for (const terms of [[Warm], [Mesh], [Warm, Mesh]] as QueryTerm[][])
      monitor(query(world, ...terms), { entered: report, left: report });
    observe(world, { added: Warm, removed: Warm, set: Warm }, ({ entity }) => report(entity));

    leaveRow();

    expect(reported).not.toContain(last);
  });

  it("is still the source of those below it, and is no change for them", () => {
    const child = spawn(world, Position({ x: 0 }), ChildOf(last));
    const seat = spawn(world, Position({ x: 0 }), Parent(child));
    const tested = query(world, Position, cascade(Warm));
    const unread = readUpToNow(Position, changed(up(Warm)));
    const received = (): [Entity, number | undefined][] =>
      collect(tested).map(([, warm, entity]) => [entity, warm?.of]);
    const before = received();

    leaveRow();
    const after = received();
    const found = entities(unread);
    set(world, last, Warm, { of: 5 });

    expect([before, after]).toEqual([
      [
        [child, MANY - 1],
        [seat, MANY - 1],
      ],
      before,
    ]);
    expect([found, entities(unread), received()]).toEqual([
      [],
      [child, seat],
      [
        [child, 5],
        [seat, 5],
      ],
    ]);
    verifyWorld();
  });
});

describe("rows that are filled while an iteration goes through them", () => {
  it("are filled when it has ended: each entity is passed once, with its own values", () => {
    const passed: number[] = [];

    each(query(world, Warm), (warm, entity) => {
      passed.push(warm.of);
      if (warm.of % 2 === 0) destroy(world, entity);
      else warm.of = -warm.of;
    });

    const odd = crew.filter((_, at) => at % 2 === 1);
    expect(passed).toEqual(crew.map((_, at) => at));
    expect(new Set(entities(query(world, Warm)))).toEqual(new Set(odd));
    expect(odd.map((one) => get(world, one, Warm)!.of)).toEqual(odd.map((_, at) => -2 * at - 1));
    verifyWorld();
  });

  it("hold no object of an entity that has gone", () => {
    for (const one of crew.slice(0, MANY - 3)) destroy(world, one);
    const meshes: unknown[] = [];

    eachRun(query(world, Mesh), (run) => {
      const column = run.columns(Mesh) as unknown as unknown[];
      meshes.push(...column.slice(0, MANY));
    });

    expect(meshes.filter((mesh) => mesh !== undefined).sort()).toEqual(
      [197, 198, 199].map((at) => `mesh ${at}`),
    );
  });
});
