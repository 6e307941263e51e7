import { ChildOf, createWorld, type Entity, get, Parent, remove, spawn, type World } from "@treeline/core";
import { beforeEach, describe, expect, it } from "vitest";
import {
  cascade,
  changed,
  eachLevel,
  eachStretch,
  entities,
  type Level,
  not,
  type QueryTerm,
  query,
  type Stretch,
  up,
} from "../../src/index.ts";
import { codeOf } from "../code-of.ts";
import { Tag, Warm } from "../definitions.ts";

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

/** Who is in a level, in order. */
function membersOf(level: Level): Entity[] {
  const found: Entity[] = [];
  level.eachStretch((stretch) => {
    for (let at = stretch.from; at < stretch.to; at++) found.push(stretch.entityAt(stretch.rows[at]!));
  });
  return found.toSorted((one, other) => one - other);
}

function levelsOf(...terms: QueryTerm[]): [depth: number, count: number, members: Entity[]][] {
  const found: [number, number, Entity[]][] = [];
  eachLevel(query(world, ...terms), (level) => found.push([level.depth, level.count, membersOf(level)]));
  return found;
}

describe("levels", () => {
  it("are called once each, with all rows of their depth, whatever shapes and storages they are in", () => {
    expect(levelsOf(Warm, cascade(Warm))).toEqual([
      [0, 2, roots],
      [1, 2, ships],
      [2, 2, seats],
    ]);
  });

  it("come deepest first if children come first", () => {
    expect(levelsOf(Warm, cascade(Warm, { desc: true })).map(([depth]) => depth)).toEqual([2, 1, 0]);
  });

  it("are only those where somebody answers", () => {
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

  it("can be gone through several times while they are visited", () => {
    eachLevel(query(world, Warm, cascade(Warm)), (level) => {
      expect(membersOf(level)).toEqual(membersOf(level));
    });
  });

  it("read and write columns beside those of parents", () => {
    eachLevel(query(world, Warm, cascade(Warm)), (level) => {
      level.eachStretch((stretch) => {
        if (!stretch.hasParents) return;
        const [own, above] = [stretch.columns(Warm).of, stretch.parentColumns(Warm).of];
        for (let at = stretch.from; at < stretch.to; at++)
          own[stretch.rows[at]!] = above[stretch.parentRows[at]!]! * 10;
      });
    });

    expect([...ships, ...seats].map((one) => get(world, one, Warm)!.of)).toEqual([10, 20, 100, 200]);
  });

  it("mark what is declared to be written, stretch by stretch", () => {
    const watched = query(world, changed(Warm));
    entities(watched);

    eachLevel(
      query(world, Warm, cascade(Warm)),
      (level) => level.depth === 1 && level.eachStretch(() => undefined),
      {
        writes: [Warm],
      },
    );

    expect(entities(watched).toSorted((one, other) => one - other)).toEqual(ships);
  });
});

describe("a level outside its visit", () => {
  it("is empty, and its stretches are stale", () => {
    let kept: Level | undefined;
    let stretch: Stretch | undefined;
    eachLevel(query(world, Warm, cascade(Warm)), (level) => {
      kept = level;
      level.eachStretch((one) => {
        stretch = one;
      });
    });

    expect([kept!.count, membersOf(kept!)]).toEqual([0, []]);
    expect(codeOf(() => stretch!.columns(Warm))).toBe("stale-run");
  });
});

describe("eachLevel", () => {
  it("makes structural changes wait, and unlocks after an error", () => {
    const asked = query(world, Warm, cascade(Warm));

    expect(() =>
      eachLevel(asked, () => {
        remove(world, roots[0]!, Warm);
        expect(get(world, roots[0]!, Warm)).toBeDefined();
        throw new Error("enough");
      }),
    ).toThrow("enough");

    expect([world.visits, get(world, roots[0]!, Warm)]).toEqual([0, undefined]);
  });

  it("shows its stretches one at a time: a loop inside a loop is refused, and the outer one goes on", () => {
    const codes: unknown[] = [];
    const asked = query(world, Warm, cascade(Warm));
    const inner: number[] = [];

    eachLevel(asked, (level) => {
      const members: Entity[] = [];
      level.eachStretch((stretch) => {
        codes.push(codeOf(() => level.eachStretch(() => undefined)));
        eachStretch(asked, (own) => inner.push(own.to - own.from));
        for (let at = stretch.from; at < stretch.to; at++) members.push(stretch.entityAt(stretch.rows[at]!));
      });
      expect(members.toSorted((one, other) => one - other)).toEqual(membersOf(level));
      expect(() =>
        level.eachStretch(() => {
          throw new Error("enough");
        }),
      ).toThrow("enough");
      expect(membersOf(level)).toHaveLength(2);
    });

    expect(new Set(codes)).toEqual(new Set(["bad-query"]));
    expect(inner.length).toBe(codes.length ** 2);
  });

  it("is refused without a way to ancestors, and with writes of what is no component", () => {
    expect(codeOf(() => eachLevel(query(world, Warm), () => undefined))).toBe("bad-query");
    expect(codeOf(() => eachLevel(undefined as never, () => undefined))).toBe("bad-query");
    expect(codeOf(() => eachLevel(query(world, up(Warm)), () => undefined, { writes: [Tag as never] }))).toBe(
      "bad-query",
    );
    expect(world.visits).toBe(0);
  });
});
