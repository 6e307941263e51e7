import { type Entity, get, remove, spawn, type World } from "@treeline/core";
import { beforeEach, describe, expect, it } from "vitest";
import type { Batch, Level, QueryTerm } from "../../src/index.ts";
import { eachBatch, eachLevel, entities, query } from "../../src/index.ts";
import { codeOf } from "../code-of.ts";
import { Tag, Warm } from "../definitions.ts";
import { ChildOf, Parent } from "../public/builtins.ts";
import { createWorld } from "../public/define.ts";
import { changed, not } from "../public/filters.ts";
import { cascade, up } from "../public/terms.ts";
import { isIterating } from "../world-state.ts";

let world: World;
let roots: Entity[];
let ships: Entity[];
let seats: Entity[];

beforeEach(() => {
  world = createWorld();
  roots = [spawn(world, Warm({ of: 1 })), spawn(world, Warm({ of: 2 }), Tag)];
  ships = [spawn(world, Warm, ChildOf(roots[0]!)), spawn(world, Warm, Parent(roots[1]!), Tag)];
  seats = [spawn(world, Warm, Parent(ships[0]!)), spawn(world, Warm, ChildOf(ships[1]!))];
});

/** The entities of a level, in order. */
function membersOf(level: Level): Entity[] {
  const found: Entity[] = [];
  level.eachBatch((batch) => {
    for (let at = batch.from; at < batch.to; at++) found.push(batch.entityAt(batch.rows[at]!));
  });
  return found.toSorted((one, other) => one - other);
}

function levelsOf(...terms: QueryTerm[]): [depth: number, count: number, members: Entity[]][] {
  const found: [number, number, Entity[]][] = [];
  eachLevel(query(world, ...terms), (level) => found.push([level.depth, level.count, membersOf(level)]));
  return found;
}

describe("levels", () => {
  it("are passed once each, with all rows of their depth, whatever archetypes and storages they have", () => {
    expect(levelsOf(Warm, cascade(Warm))).toEqual([
      [0, 2, roots],
      [1, 2, ships],
      [2, 2, seats],
    ]);
  });

  it("come deepest first if children come first", () => {
    expect(levelsOf(Warm, cascade(Warm, { desc: true })).map(([depth]) => depth)).toEqual([2, 1, 0]);
  });

  it("are only those where an entity matches", () => {
    expect(levelsOf(Tag, cascade(Warm))).toEqual([
      [0, 1, [roots[1]]],
      [1, 1, [ships[1]]],
    ]);
    expect(levelsOf(Warm, not(up(Tag)), up(Warm)).map(([depth, count]) => [depth, count])).toEqual([
      [1, 1],
      [2, 1],
    ]);
    expect(levelsOf(Tag, up(Tag), not(Warm))).toEqual([]);
  });

  it("can be looped over several times while they are iterated", () => {
    eachLevel(query(world, Warm, cascade(Warm)), (level) => {
      expect(membersOf(level)).toEqual(membersOf(level));
    });
  });

  it("read and write columns beside those of parents", () => {
    eachLevel(query(world, Warm, cascade(Warm)), (level) => {
      level.eachBatch((batch) => {
        if (!batch.hasParents) return;
        const [own, above] = [batch.columns(Warm).of, batch.parentColumns(Warm).of];
        for (let at = batch.from; at < batch.to; at++)
          own[batch.rows[at]!] = above[batch.parentRows[at]!]! * 10;
      });
    });

    expect([...ships, ...seats].map((one) => get(world, one, Warm)!.of)).toEqual([10, 20, 100, 200]);
  });

  it("mark declared writes, batch by batch", () => {
    const watched = query(world, changed(Warm));
    entities(watched);

    eachLevel(
      query(world, Warm, cascade(Warm)),
      (level) => level.depth === 1 && level.eachBatch(() => undefined),
      {
        writes: [Warm],
      },
    );

    expect(entities(watched).toSorted((one, other) => one - other)).toEqual(ships);
  });
});

describe("a level outside its iteration", () => {
  it("is empty, and its batches are stale", () => {
    let kept: Level | undefined;
    let batch: Batch | undefined;
    eachLevel(query(world, Warm, cascade(Warm)), (level) => {
      kept = level;
      level.eachBatch((one) => {
        batch = one;
      });
    });

    expect([kept!.count, membersOf(kept!)]).toEqual([0, []]);
    expect(codeOf(() => batch!.columns(Warm))).toBe("stale-run");
  });
});

describe("eachLevel", () => {
  it("defers structural changes, and unlocks after an error", () => {
    const tested = query(world, Warm, cascade(Warm));

    expect(() =>
      eachLevel(tested, () => {
        remove(world, roots[0]!, Warm);
        expect(get(world, roots[0]!, Warm)).toBeDefined();
        throw new Error("enough");
      }),
    ).toThrow("enough");

    expect([isIterating(world), get(world, roots[0]!, Warm)]).toEqual([false, undefined]);
  });

  it("shows its batches one at a time: a loop inside a loop is refused, and the outer one continues", () => {
    const codes: unknown[] = [];
    const tested = query(world, Warm, cascade(Warm));
    const inner: number[] = [];

    eachLevel(tested, (level) => {
      const members: Entity[] = [];
      level.eachBatch((batch) => {
        codes.push(codeOf(() => level.eachBatch(() => undefined)));
        eachBatch(tested, (own) => inner.push(own.to - own.from));
        for (let at = batch.from; at < batch.to; at++) members.push(batch.entityAt(batch.rows[at]!));
      });
      expect(members.toSorted((one, other) => one - other)).toEqual(membersOf(level));
      expect(() =>
        level.eachBatch(() => {
          throw new Error("enough");
        }),
      ).toThrow("enough");
      expect(membersOf(level)).toHaveLength(2);
    });

    expect(new Set(codes)).toEqual(new Set(["bad-query"]));
    expect(inner.length).toBe(codes.length ** 2);
  });

  it("is refused without a path to ancestors, and with writes of what is not a component", () => {
    expect(codeOf(() => eachLevel(query(world, Warm), () => undefined))).toBe("bad-query");
    expect(codeOf(() => eachLevel(undefined as never, () => undefined))).toBe("bad-query");
    expect(codeOf(() => eachLevel(query(world, up(Warm)), () => undefined, { writes: [Tag as never] }))).toBe(
      "bad-query",
    );
    expect(isIterating(world)).toBe(false);
  });
});
