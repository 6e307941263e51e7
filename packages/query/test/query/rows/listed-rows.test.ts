import { add, type Entity, has, pack, parentOf, remove, spawn, spawnMany } from "@treeline/core";
import { indexOf } from "@treeline/core/internal";
import { beforeEach, describe, expect, it } from "vitest";
import { destroy, type Query, type QueryTerm, query } from "../../../src/index.ts";
import { onlyTableOf } from "../../../src/query/rows/subjects.ts";
import { matchedArchetypes } from "../../../src/query/state/query-state.ts";
import { Frozen, Owes, Tag, Warm } from "../../definitions.ts";
import { matchesByRun } from "../../matches.ts";
import { ChildOf, Parent } from "../../public/builtins.ts";
import { tag } from "../../public/define.ts";
import { or } from "../../public/filters.ts";
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

  it("in order of rows, also if children by value were attached in another one", () => {
    const rows = [1, 2, 3].map(() => spawn(world, Parent(spawn(world)), Tag));
    for (const one of rows.toReversed()) add(world, one, Parent(ship));

    expect(rowsByInterval(Tag, ChildOf(ship))).toEqual([rows]);
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
      spawnMany(world, 4, Owes(bank), ChildOf(ship)),
      spawnMany(world, 4, Owes(bank), ChildOf(bank)),
    ];
    pack(world);

    expect(rowsByInterval(Owes(bank))).toEqual([one, other]);
    expect(rowsByInterval(or(Owes(bank)))).toEqual([one, other]);
    expect(rowsByInterval(or(Owes(bank), Owes(ship)))).toEqual([one, other]);
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
  const childrenOf = (of: Entity): Query => query(world, ChildOf(of)) as Query;

  it("are in one table, if they have the same type", () => {
    const [child] = spawnMany(world, 3, Tag, ChildOf(ship));

    expect(onlyTableOf(childrenOf(ship))).toBe(world.entities.table[indexOf(child!)]);
  });

  it("are none if it has none, or is destroyed", () => {
    const dead = spawn(world);
    destroy(world, dead);

    expect([ship, dead].map((one) => onlyTableOf(childrenOf(one)))).toEqual([0, 0]);
  });

  it("may be in several tables, or store their parent by value", () => {
    const station = spawn(world);
    for (const of of [Tag, Frozen]) spawn(world, of, ChildOf(ship));
    spawn(world, Tag, Parent(station));

    expect([ship, station].map((one) => onlyTableOf(childrenOf(one)))).toEqual([-1, -1]);
    expect(onlyTableOf(query(world, Parent(ship)) as Query)).toBe(-1);
  });

  it("come in order of archetypes and rows also if there are many in several places", () => {
    const [dock, crew] = [spawn(world), [] as Entity[]];
    for (let at = 0; at < 300; at++) crew.push(spawn(world, at % 3 === 0 ? Frozen : Tag, Parent(dock)));
    for (let at = 0; at < 300; at++) if (at % 7 !== 0) add(world, crew[(at * 101) % 300]!, Parent(ship));
    const theirs = crew.filter((one) => parentOf(world, one) === ship);
    const frozen = theirs.filter((one) => has(world, one, Frozen));

    for (const storage of [ChildOf, Parent]) {
      const found = rowsByInterval(storage(ship));
      expect(found.flat()).toEqual([...frozen, ...theirs.filter((one) => !frozen.includes(one))]);
      expect(found.length).toBeGreaterThan(32);
    }
  });

  it("come in order of rows, whatever the order of siblings, and as one in adjacent rows", () => {
    const children = Array.from({ length: 6 }, () => spawn(world, Tag, Parent(ship)));
    for (const at of [4, 1, 3]) {
      remove(world, children[at]!, Parent(ship));
      add(world, children[at]!, Parent(ship));
    }
    const rowOf = (one: Entity): number => world.entities.row[indexOf(one)]!;
    const order = [...children].sort((one, other) => rowOf(one) - rowOf(other));

    expect(rowsByInterval(ChildOf(ship))).toEqual([order]);
  });
});
