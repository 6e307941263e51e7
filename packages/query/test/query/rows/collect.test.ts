import {
  add,
  ChildOf,
  type Entity,
  has,
  Parent,
  pack,
  parentOf,
  remove,
  spawn,
  spawnMany,
  tag,
} from "@treeline/core";
import { indexOf } from "@treeline/core/internal";
import { beforeEach, describe, expect, it } from "vitest";
import { destroy, or, type Query, type QueryTerm, query } from "../../../src/index.ts";
import { onlyTableOf } from "../../../src/query/rows/subjects.ts";
import { matchedArchetypes } from "../../../src/query/state/query-state.ts";
import { Frozen, Owes, Tag, Warm } from "../../definitions.ts";
import { listedFor } from "../../listed-rows.ts";
import { setShip, ship, world } from "../../stage.ts";

beforeEach(setShip);

/** Who would be visited, span by span. */
const pieces = (...terms: QueryTerm[]): Entity[][] => listedFor(query(world, ...terms) as Query).pieces;

describe("rows are listed", () => {
  it("as whole runs of each archetype, in order of founding", () => {
    const warm = spawnMany(world, 3, Tag, Warm);
    const cold = spawnMany(world, 4, Tag);
    destroy(world, cold[1]!);

    expect(pieces(Tag)).toEqual([warm, [cold[0], cold[3], cold[2]]]);
  });

  it("of one target: its tables side by side as one, and its loose children with them", () => {
    const children = spawnMany(world, 4, Tag, ChildOf(ship));
    const loose = spawnMany(world, 4, Tag, Parent(ship));
    spawnMany(world, 4, Tag, ChildOf(spawn(world)));

    expect(pieces(Tag, ChildOf(ship))).toEqual([children, loose]);
  });

  it("in order of rows, also if loose children were attached in another one", () => {
    const rows = [1, 2, 3].map(() => spawn(world, Parent(spawn(world)), Tag));
    for (const one of rows.toReversed()) add(world, one, Parent(ship));

    expect(pieces(Tag, ChildOf(ship))).toEqual([rows]);
  });

  it("of one storage of parents: loose children alone", () => {
    spawnMany(world, 4, Tag, ChildOf(ship));
    const loose = spawnMany(world, 4, Tag, Parent(ship));
    const fan = spawn(world, Tag, Frozen, Parent(ship));
    const alone = spawn(world);
    spawn(world, Tag, ChildOf(alone));

    expect(pieces(Tag, Parent(ship))).toEqual([loose, [fan]]);
    expect(pieces(Frozen, Parent(ship))).toEqual([[fan]]);
    expect([pieces(Parent(alone)), pieces(Parent(spawn(world)))]).toEqual([[], []]);
  });

  it("of a target with many tables, each row once and in order", () => {
    const born: Entity[] = [];
    for (let at = 0; at < 40; at++) born.push(spawn(world, Tag, ChildOf(ship), tag(`T${at}`)));

    expect(pieces(Tag, ChildOf(ship)).flat()).toEqual(born);
    expect(pieces(Frozen, ChildOf(ship))).toEqual([]);
  });

  it("of alternative targets without looking at everybody else", () => {
    const other = spawn(world);
    const [mine, theirs] = [spawnMany(world, 2, Tag, ChildOf(ship)), spawnMany(world, 2, Tag, Parent(other))];
    spawnMany(world, 50, Tag);

    expect(pieces(or(ChildOf(ship), ChildOf(other)))).toEqual([mine, theirs]);
    expect(pieces(Tag, or(ChildOf(ship)))).toEqual([mine]);
  });

  it("table by table, where values of a pair are handed over", () => {
    const bank = spawn(world);
    const [one, other] = [
      spawnMany(world, 4, Owes(bank), ChildOf(ship)),
      spawnMany(world, 4, Owes(bank), ChildOf(bank)),
    ];
    pack(world);

    expect(pieces(Owes(bank))).toEqual([one, other]);
    expect(pieces(or(Owes(bank)))).toEqual([one, other]);
    expect(pieces(or(Owes(bank), Owes(ship)))).toEqual([one, other]);
  });
});

describe("the archetypes that may answer", () => {
  it("are listed alike for a query that is kept and one that names an entity, and followed", () => {
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

describe("the sources of one target", () => {
  const asked = (of: Entity): Query => query(world, ChildOf(of)) as Query;

  it("lie in one table, if they are alike", () => {
    const [child] = spawnMany(world, 3, Tag, ChildOf(ship));

    expect(onlyTableOf(asked(ship))).toBe(world.entities.table[indexOf(child!)]);
  });

  it("are nobody if it has none, or is dead", () => {
    const dead = spawn(world);
    destroy(world, dead);

    expect([ship, dead].map((one) => onlyTableOf(asked(one)))).toEqual([0, 0]);
  });

  it("may lie in several tables, or store their parent as a value", () => {
    const station = spawn(world);
    for (const of of [Tag, Frozen]) spawn(world, of, ChildOf(ship));
    spawn(world, Tag, Parent(station));

    expect([ship, station].map((one) => onlyTableOf(asked(one)))).toEqual([-1, -1]);
    expect(onlyTableOf(query(world, Parent(ship)) as Query)).toBe(-1);
  });

  it("come in order of archetypes and rows also if many lie here and there", () => {
    const [dock, crew] = [spawn(world), [] as Entity[]];
    for (let at = 0; at < 300; at++) crew.push(spawn(world, at % 3 === 0 ? Frozen : Tag, Parent(dock)));
    for (let at = 0; at < 300; at++) if (at % 7 !== 0) add(world, crew[(at * 101) % 300]!, Parent(ship));
    const theirs = crew.filter((one) => parentOf(world, one) === ship);
    const frozen = theirs.filter((one) => has(world, one, Frozen));

    for (const storage of [ChildOf, Parent]) {
      const found = pieces(storage(ship));
      expect(found.flat()).toEqual([...frozen, ...theirs.filter((one) => !frozen.includes(one))]);
      expect(found.length).toBeGreaterThan(32);
    }
  });

  it("come in order of rows, whatever the order of siblings, and side by side as one", () => {
    const children = Array.from({ length: 6 }, () => spawn(world, Tag, Parent(ship)));
    for (const at of [4, 1, 3]) {
      remove(world, children[at]!, Parent(ship));
      add(world, children[at]!, Parent(ship));
    }
    const rowOf = (one: Entity): number => world.entities.row[indexOf(one)]!;
    const order = [...children].sort((one, other) => rowOf(one) - rowOf(other));

    expect(pieces(ChildOf(ship))).toEqual([order]);
  });
});
