import { add, Disabled, type Entity, has, type SpawnTerm, spawn, spawnMany } from "@treeline/core";
import { beforeEach, describe, expect, it } from "vitest";
import { destroy, moveBefore, type Query, type QueryTerm, query } from "../../../src/index.ts";
import { OWN_LIST, ROWS } from "../../../src/query/lists/row-intervals.ts";
import { matchedArchetypes } from "../../../src/query/state/query-state.ts";
import { Frozen, Likes, Owes, Tag, Warm } from "../../definitions.ts";
import { listedFor } from "../../listed-rows.ts";
import { matchesByRun } from "../../matches.ts";
import { ChildOf, Parent } from "../../public/builtins.ts";
import { tag } from "../../public/define.ts";
import { not, or } from "../../public/filters.ts";
import { setShip, ship, world } from "../../test-world.ts";

beforeEach(setShip);

/** The entities that an iteration would match, interval by interval. */
const rowsByInterval = (...terms: QueryTerm[]): Entity[][] => matchesByRun(query(world, ...terms) as Query);

describe("rows are listed", () => {
  it("as whole runs of each archetype, in order of creation", () => {
    const warm = spawnMany(world, 3, Tag, Warm);
    const cold = spawnMany(world, 4, Tag);
    destroy(world, cold[1]!);

    expect(rowsByInterval(Tag)).toEqual([warm, [cold[0], cold[3], cold[2]]]);
  });

  it("of one target: its adjacent tables as one, and its children by value with them", () => {
    const children = spawnMany(world, 4, Tag, ChildOf(ship));
    const byValue = spawnMany(world, 4, Tag, Parent(ship));
    spawnMany(world, 4, Tag, ChildOf(spawn(world)));

    expect(rowsByInterval(Tag, ChildOf(ship))).toEqual([children, byValue]);
  });

  it("of one target: its children in the order of siblings, whatever their rows are", () => {
    const rows = [1, 2, 3].map(() => spawn(world, Parent(spawn(world)), Tag));
    for (const one of rows.toReversed()) add(world, one, Parent(ship));

    expect(rowsByInterval(Tag, ChildOf(ship))).toEqual(rows.toReversed().map((one) => [one]));
  });

  it("of one storage of parents: children by value alone", () => {
    spawnMany(world, 4, Tag, ChildOf(ship));
    const byValue = spawnMany(world, 4, Tag, Parent(ship));
    const fan = spawn(world, Tag, Frozen, Parent(ship));
    const alone = spawn(world);
    spawn(world, Tag, ChildOf(alone));

    expect(rowsByInterval(Tag, Parent(ship))).toEqual([byValue, [fan]]);
    expect(rowsByInterval(Frozen, Parent(ship))).toEqual([[fan]]);
    expect([rowsByInterval(Parent(alone)), rowsByInterval(Parent(spawn(world)))]).toEqual([[], []]);
  });

  it("of a target with many tables, each row once and in order", () => {
    const spawned: Entity[] = [];
    for (let at = 0; at < 40; at++) spawned.push(spawn(world, Tag, ChildOf(ship), tag(`T${at}`)));

    expect(rowsByInterval(Tag, ChildOf(ship)).flat()).toEqual(spawned);
    expect(rowsByInterval(Frozen, ChildOf(ship))).toEqual([]);
  });

  it("of alternative targets without reading all entities", () => {
    const other = spawn(world);
    const [mine, theirs] = [spawnMany(world, 2, Tag, ChildOf(ship)), spawnMany(world, 2, Tag, Parent(other))];
    spawnMany(world, 50, Tag);

    expect(rowsByInterval(or(ChildOf(ship), ChildOf(other)))).toEqual([mine, theirs]);
    expect(rowsByInterval(Tag, or(ChildOf(ship)))).toEqual([mine]);
  });

  it("table by table, where values of a pair are passed", () => {
    const bank = spawn(world);
    const [one, other] = [
      spawnMany(world, 4, Owes(bank), Likes(ship)),
      spawnMany(world, 4, Owes(bank), Likes(bank)),
    ];

    expect(rowsByInterval(Owes(bank))).toEqual([one, other]);
    expect(rowsByInterval(or(Owes(bank)))).toEqual([one, other]);
    expect(rowsByInterval(or(Owes(bank), Owes(ship)))).toEqual([one, other]);
  });

  it("as one, where those with values of a pair differ in their parents only", () => {
    const bank = spawn(world);
    const debtors = [ship, bank].flatMap((parent) => spawnMany(world, 4, Owes(bank), ChildOf(parent)));

    expect(rowsByInterval(Owes(bank))).toEqual([debtors]);
  });
});

describe("the archetypes that may match", () => {
  it("are listed in the same way for a query that is cached and one that names an entity, and followed", () => {
    spawn(world, Tag, ChildOf(ship));
    const kept = query(world, Tag) as Query;
    const named = query(world, Tag, ChildOf(ship)) as Query;

    expect(matchedArchetypes(kept).length).toBe(1);
    expect(matchedArchetypes(named)).toEqual(matchedArchetypes(kept));
    spawn(world, Tag, Warm, ChildOf(ship));
    expect(matchedArchetypes(kept).length).toBe(2);
    expect(matchedArchetypes(named)).toEqual(matchedArchetypes(kept));
  });
});

describe("the subjects of one target", () => {
  /** [base, matches] of each interval. */
  function intervalsOf(...terms: QueryTerm[]): [base: number, entities: Entity[]][] {
    const { intervals, rowsByInterval } = listedFor(query(world, ...terms) as Query);
    return rowsByInterval.map((entities, at) => [intervals.numbers[at * intervals.stride + 3]!, entities]);
  }

  /** Children of the ship, between which as many of another parent are; `kind` says what else they have. */
  function spawnScattered(
    count: number,
    storage = ChildOf,
    kind: (at: number) => SpawnTerm = () => Tag,
  ): Entity[] {
    const dock = spawn(world);
    return Array.from({ length: count }, (_, at) => {
      const child = spawn(world, kind(at), storage(ship));
      spawn(world, kind(at), storage(dock));
      return child;
    });
  }

  it.each([
    ["ChildOf", ChildOf],
    ["Parent", Parent],
  ])("are one interval of rows if they are in adjacent rows, by %s", (_, storage) => {
    const children = spawnMany(world, 5, Tag, storage(ship));
    spawnMany(world, 5, Tag, storage(spawn(world)));

    expect(intervalsOf(ChildOf(ship))).toEqual([[ROWS, children]]);
    expect(intervalsOf(Tag, storage(ship))).toEqual([[ROWS, children]]);
  });

  it.each([
    ["ChildOf", ChildOf],
    ["Parent", Parent],
  ])("are one interval of a list if they are in scattered rows, by %s", (_, storage) => {
    const children = spawnScattered(5, storage);

    expect(intervalsOf(ChildOf(ship))).toEqual([[OWN_LIST, children]]);
    expect(intervalsOf(storage(ship), Tag)).toEqual([[OWN_LIST, children]]);
  });

  it("are in a list also in adjacent rows that descend", () => {
    const children = spawnMany(world, 3, Tag, ChildOf(ship));
    moveBefore(world, children[2]!, children[0]!);

    expect(intervalsOf(ChildOf(ship))).toEqual([[OWN_LIST, [children[2], children[0], children[1]]]]);
  });

  it("are one interval for each archetype that matches, in order of founding", () => {
    const kinds = [Tag, Frozen, Warm];
    for (const kind of [Warm, Tag, Frozen]) spawn(world, kind, ChildOf(spawn(world)));
    const children = spawnScattered(9, ChildOf, (at) => kinds[at % 3]!);
    const ofKind = (kind: number): Entity[] => children.filter((_, at) => at % 3 === kind);

    expect(intervalsOf(ChildOf(ship))).toEqual([2, 0, 1].map((kind) => [OWN_LIST, ofKind(kind)]));
    expect(intervalsOf(Frozen, ChildOf(ship))).toEqual([[OWN_LIST, ofKind(1)]]);
    expect(intervalsOf(not(Tag), ChildOf(ship))).toEqual([2, 1].map((kind) => [OWN_LIST, ofKind(kind)]));
  });

  it("are of one storage only, if the query says Parent", () => {
    const [first] = spawnMany(world, 2, Tag, ChildOf(ship));
    const byValue = spawnMany(world, 3, Tag, Parent(ship));
    const more = spawnScattered(2, Parent, () => Frozen);
    moveBefore(world, byValue[2]!, first!);

    expect(intervalsOf(Parent(ship))).toEqual([
      [OWN_LIST, [byValue[2], byValue[0], byValue[1]]],
      [OWN_LIST, more],
    ]);
    expect(intervalsOf(Parent(ship), Frozen)).toEqual([[OWN_LIST, more]]);
  });

  it("are those that bits do not leave out, in one archetype and in several", () => {
    const children = spawnMany(world, 5, Tag, ChildOf(ship));
    add(world, children[1]!, Disabled);
    const single = intervalsOf(ChildOf(ship));
    const more = spawnMany(world, 3, Frozen, ChildOf(ship));
    const several = intervalsOf(ChildOf(ship));
    for (const one of more) add(world, one, Disabled);

    const left = children.filter((_, at) => at !== 1);
    expect(single).toEqual([[OWN_LIST, left]]);
    expect(several).toEqual([
      [OWN_LIST, left],
      [ROWS, more],
    ]);
    expect(intervalsOf(ChildOf(ship))).toEqual([[OWN_LIST, left]]);
    expect(intervalsOf(ChildOf(ship), Disabled)).toEqual([
      [OWN_LIST, [children[1]]],
      [ROWS, more],
    ]);
  });

  it("are none if it has none, if it is destroyed, and if none of them matches", () => {
    const dead = spawn(world);
    destroy(world, dead);
    const station = spawn(world);
    spawnMany(world, 2, Tag, ChildOf(station));
    spawn(world, Warm, ChildOf(station));

    expect([ship, dead].map((one) => intervalsOf(ChildOf(one)))).toEqual([[], []]);
    expect([intervalsOf(Frozen, ChildOf(station)), intervalsOf(Parent(station))]).toEqual([[], []]);
  });

  it("come in order of archetypes and siblings also if there are many in several places", () => {
    const [dock, crew] = [spawn(world), [] as Entity[]];
    for (let at = 0; at < 300; at++) crew.push(spawn(world, at % 3 === 0 ? Frozen : Tag, Parent(dock)));
    const theirs: Entity[] = [];
    for (let at = 0; at < 300; at++) if (at % 7 !== 0) theirs.push(crew[(at * 101) % 300]!);
    for (const one of theirs) add(world, one, Parent(ship));
    const frozen = theirs.filter((one) => has(world, one, Frozen));

    for (const storage of [ChildOf, Parent]) {
      const found = rowsByInterval(storage(ship));
      expect(found.flat()).toEqual([...frozen, ...theirs.filter((one) => !frozen.includes(one))]);
      expect(found.length).toBeGreaterThan(32);
    }
  });

  it("form runs where adjacent siblings are in ascending rows", () => {
    const [one, ...rest] = Array.from({ length: 6 }, () => spawn(world, Tag, Parent(ship)));
    moveBefore(world, rest[3]!, rest[0]!);

    expect(rowsByInterval(ChildOf(ship))).toEqual([[one], [rest[3]], rest.slice(0, 3), [rest[4]]]);
  });
});
