import {
  Any,
  add,
  ChildOf,
  createWorld,
  type Entity,
  OrderedChildren,
  Parent,
  pack,
  remove,
  set,
  spawn,
  spawnMany,
  type World,
} from "@treeline/core";
import { verify } from "@treeline/core/debug";
import { beforeEach, describe, expect, it } from "vitest";
import { destroy } from "../../src/cleanup/destroy.ts";
import type { Positions } from "../../src/query/positions.ts";
import { query } from "../../src/query/query.ts";
import { currentStretches } from "../../src/query/stretches.ts";
import { cascade } from "../../src/term/term.ts";
import { eachStretch } from "../../src/visit/each-stretch.ts";
import { holdersSeen, place, wrongHolders } from "../cascades.ts";
import { Likes, Local, Mark, Placed } from "../twin.ts";

let world: World;

beforeEach(() => {
  world = createWorld();
});

/** [depth, rows] of each stretch that has parents. */
function layers(): [depth: number, rows: number][] {
  const found: [number, number][] = [];
  eachStretch(query(world, cascade(Placed)), ({ hasParents, depth, from, to }) => {
    if (hasParents) found.push([depth, to - from]);
  });
  return found;
}

describe("rows with parents are filed", () => {
  it("by depth, shallow first, whatever the order of birth (L12)", () => {
    const [buoy, station] = [place(world, undefined, Placed), place(world, undefined, Placed)];
    const ship = place(world, station, Placed);
    const cockpit = place(world, ship, Placed);
    add(world, station, ChildOf(buoy));

    expect(holdersSeen(world, Placed)).toEqual([
      [buoy, undefined],
      [station, buoy],
      [ship, station],
      [cockpit, ship],
    ]);
  });

  it("256 tables to a stretch, when many parents have one child each", () => {
    const parents = Array.from({ length: 1000 }, () => place(world, undefined, Placed));
    for (const parent of parents) place(world, parent, Placed);

    expect(layers()).toEqual([
      [1, 256],
      [1, 256],
      [1, 256],
      [1, 232],
    ]);
  });

  it("all rows of a table together, however many", () => {
    const ship = place(world, undefined, Placed);
    spawnMany(world, 4_000, ChildOf(ship));

    expect(layers()).toEqual([[1, 4_000]]);
  });

  it("apart for each shape, and for each shape of the holders", () => {
    const one = place(world, undefined, Placed);
    const other = place(world, undefined, Placed, Local);
    for (const parent of [one, other]) {
      place(world, parent);
      place(world, parent, Local);
    }

    expect(layers()).toEqual([
      [1, 1],
      [1, 1],
      [1, 1],
      [1, 1],
    ]);
    expect(wrongHolders(world, Placed)).toEqual([]);
  });
});

describe("stretches are right again", () => {
  it("after parent and child change places", () => {
    const station = place(world, undefined, Placed);
    const ship = place(world, station, Placed);
    const cockpit = place(world, ship, Placed);
    wrongHolders(world, Placed);

    add(world, cockpit, ChildOf(station));
    add(world, ship, ChildOf(cockpit));

    expect(holdersSeen(world, Placed)).toEqual([
      [station, undefined],
      [cockpit, station],
      [ship, cockpit],
    ]);
  });

  it("after deaths, of leaves and of whole branches", () => {
    const station = place(world, undefined, Placed);
    const ships = Array.from({ length: 10 }, () => place(world, station, Placed));
    const seats = ships.map((ship) => place(world, ship, Placed));
    wrongHolders(world, Placed);

    destroy(world, seats[3]!);
    destroy(world, ships[5]!);
    destroy(world, ships[9]!);

    expect(wrongHolders(world, Placed)).toEqual([]);
  });

  it("after a whole world died and another was born in it", () => {
    for (let round = 0; round < 5; round++) {
      const roots = Array.from({ length: 20 }, () => place(world, undefined, Placed));
      for (const root of roots) place(world, place(world, root, Local), Placed);
      expect(wrongHolders(world, Placed)).toEqual([]);

      for (const root of roots) destroy(world, root);
      expect(holdersSeen(world, Placed)).toEqual([]);
    }
  });

  it("after a table's number was given to a table of another shape", () => {
    const station = place(world, undefined, Placed);
    const ship = place(world, station, Placed);
    place(world, ship, Placed);
    wrongHolders(world, Placed);

    destroy(world, ship);
    const root = place(world, undefined, Local);
    place(world, place(world, root, Local, Placed), Local);
    place(world, station, Local);

    expect(wrongHolders(world, Placed)).toEqual([]);
  });

  it("after slices of holders grew and moved", () => {
    const roots = Array.from({ length: 8 }, () => place(world, undefined, Placed));
    const ships = roots.map((root) => place(world, root, Placed));
    for (const ship of ships) place(world, ship, Placed);
    wrongHolders(world, Placed);
    const { tables } = world.graph;
    const firsts = [...tables.first];

    for (const root of roots) for (let more = 0; more < 20; more++) place(world, root, Placed);

    expect(wrongHolders(world, Placed)).toEqual([]);
    expect(firsts.some((first, table) => first >= 0 && first !== tables.first[table])).toBe(true);
  });

  it("after holes were closed between two visits", () => {
    const roots = Array.from({ length: 400 }, () => place(world, undefined, Placed));
    for (const root of roots) for (let more = 0; more < 5; more++) place(world, root, Placed);
    wrongHolders(world, Placed);

    for (const root of roots.slice(0, 390)) destroy(world, root);
    for (const root of roots.slice(390)) for (let more = 0; more < 200; more++) place(world, root, Placed);

    expect(wrongHolders(world, Placed)).toEqual([]);
  });

  it("after a pack between two visits", () => {
    const roots = Array.from({ length: 30 }, () => place(world, undefined, Placed));
    for (let round = 0; round < 3; round++)
      for (const root of roots) place(world, place(world, root, Placed));
    for (const root of roots.slice(5, 20)) destroy(world, root);
    wrongHolders(world, Placed);

    pack(world);

    expect(wrongHolders(world, Placed)).toEqual([]);
  });

  it("after more changes between two visits than are listed", () => {
    const roots = Array.from({ length: 40 }, () => place(world, undefined, Placed));
    const ships = roots.map((root) => place(world, root, Placed));
    for (const ship of ships) place(world, ship);
    wrongHolders(world, Placed);
    const { journal } = world.graph;

    for (let at = 0; at < 30_000; at++)
      add(world, ships[at % 40]!, ChildOf(roots[(at * 7 + Math.floor(at / 40)) % 40]!));

    expect(journal.cursors.some(({ lost }) => lost)).toBe(true);
    expect(wrongHolders(world, Placed)).toEqual([]);
  });
});

describe("rows whose parents are stored as values", () => {
  /** One station, ships in it, seats in each; all Placed, in the storage given. */
  function fleet(below: typeof ChildOf | typeof Parent, ships: number, seats: number): Entity[][] {
    const station = place(world, undefined, Placed);
    const docked = spawnMany(world, ships, Mark, Placed, below(station));
    const crew = docked.flatMap((ship) => spawnMany(world, seats, Mark, Placed, below(ship)));
    for (const one of [...docked, ...crew]) set(world, one, Placed, { of: one });
    return [[station], docked, crew];
  }

  it("are one stretch for each depth, however many parents there are", () => {
    fleet(Parent, 1000, 3);

    expect(layers()).toEqual([
      [1, 1000],
      [2, 3000],
    ]);
    expect(wrongHolders(world, Placed)).toEqual([]);
  });

  it("come at the same depths, beside the same holders, as if parents were in types", () => {
    const byParent = new Map<string, number>();
    const count = (): void => {
      eachStretch(query(world, Placed, cascade(Placed)), ({ depth, hasParents, from, to }) => {
        const key = `${depth} ${hasParents}`;
        byParent.set(key, (byParent.get(key) ?? 0) + to - from);
      });
    };
    fleet(Parent, 20, 5);
    count();
    world = createWorld();
    fleet(ChildOf, 20, 5);
    const once = new Map(byParent);
    count();

    expect(byParent).toEqual(new Map([...once].map(([key, rows]) => [key, 2 * rows])));
  });

  it("are never among the roots", () => {
    const [[station], docked] = fleet(Parent, 2, 1) as [Entity[], Entity[], Entity[]];
    const roots: Entity[] = [];

    eachStretch(query(world, Placed, cascade(Placed)), (stretch) => {
      for (let at = stretch.from; at < stretch.to; at++) {
        if (stretch.depth === 0) roots.push(stretch.entityAt(stretch.rows[at]!));
      }
    });
    remove(world, docked![0]!, ChildOf(Any));
    const after = holdersSeen(world, Placed).filter(([, holder]) => holder === undefined);

    expect([roots, after]).toEqual([
      [station],
      [
        [station, undefined],
        [docked![0], undefined],
      ],
    ]);
  });

  it.each<[story: string, change: (fleet: Entity[][]) => void]>([
    [
      "one was reparented among others of its table",
      ([, ships]) => add(world, ships![3]!, Parent(ships![4]!)),
    ],
    ["one with children went deeper", ([, ships, crew]) => add(world, ships![0]!, Parent(crew!.at(-1)!))],
    ["one with children became a root", ([, ships]) => remove(world, ships![2]!, Parent(Any))],
    [
      "some changed storage",
      ([station, ships]) => ships!.slice(2, 7).forEach((one) => add(world, one, ChildOf(station![0]!))),
    ],
    [
      "all changed storage and back",
      ([station, ships]) => {
        for (const one of ships!) add(world, one, ChildOf(station![0]!));
        wrongHolders(world, Placed);
        for (const one of ships!) add(world, one, Parent(station![0]!));
      },
    ],
    [
      "a tag came and went",
      ([, ships]) => {
        for (const one of ships!) add(world, one, Local);
        wrongHolders(world, Placed);
        for (const one of ships!) remove(world, one, Local);
      },
    ],
    ["their parent moved to another table", ([station]) => add(world, station![0]!, Local)],
    ["parents lost the component", ([, ships]) => ships!.forEach((one) => remove(world, one, Placed))],
    [
      "leaves died",
      ([, , crew]) => crew!.filter((_, at) => at % 3 === 0).forEach((one) => destroy(world, one)),
    ],
    ["branches died", ([, ships]) => ships!.slice(4).forEach((one) => destroy(world, one))],
    ["everything died", ([station]) => destroy(world, station![0]!)],
    [
      "everything died, and others got their places",
      ([station]) => {
        destroy(world, station![0]!);
        for (let at = 0; at < 6000; at++) destroy(world, spawn(world));
        fleet(Parent, 12, 3);
        fleet(ChildOf, 3, 12);
      },
    ],
    ["more were born than there was room", ([, ships]) => ships!.forEach((one) => place(world, one, Placed))],
    [
      "their columns grew, also with other pairs in their tables",
      ([station, ships]) => {
        ships!.forEach((one, at) => add(world, one, Likes(at % 2 === 0 ? station![0]! : ships![0]!)));
        for (let at = 0; at < 400; at++) {
          const one = spawn(world, Mark, Placed, Likes(ships![at % 3]!), Parent(ships![at % 12]!));
          set(world, one, Placed, { of: one });
        }
      },
    ],
    ["all was packed", () => pack(world)],
    [
      "parents began and ceased to keep lists",
      ([station, ships]) => {
        for (const one of [station![0]!, ...ships!]) add(world, one, OrderedChildren);
        wrongHolders(world, Placed);
        for (const one of [station![0]!, ...ships!]) remove(world, one, OrderedChildren);
      },
    ],
    [
      "more changed than is listed",
      ([station, ships, crew]) => {
        for (let at = 0; at < 70_000; at++)
          add(world, crew![at % 60]!, Parent(at % 61 === 0 ? station![0]! : ships![at % 12]!));
      },
    ],
  ])("are right again after %s", (_, change) => {
    const all = fleet(Parent, 12, 5);
    const before = wrongHolders(world, Placed);

    change(all);

    expect([before, wrongHolders(world, Placed)]).toEqual([[], []]);
    expect(verify(world)).toEqual([]);
  });

  it("cost what changed, not what there is: 10 reparents among 20,000 write no others", () => {
    const [, docked, crew] = fleet(Parent, 100, 200) as [Entity[], Entity[], Entity[]];
    layers();
    const { positions } = currentStretches(world, Placed);
    const { rows } = positions;
    const before = rows.slice(0, positions.end);

    for (let at = 0; at < 10; at++) add(world, crew[at * 7]!, Parent(docked[99]!));
    for (let at = 0; at < 10; at++) add(world, crew[at * 7]!, Parent(docked[98]!));
    layers();

    expect(positions.rows).toBe(rows);
    expect(rows.slice(0, positions.end).filter((row, at) => row !== before[at]).length).toBeLessThan(20);
    expect(wrongHolders(world, Placed)).toEqual([]);
  });

  it("of a chain of 200,000 come one by one, each behind its parent, whatever the storage", () => {
    let last = spawn(world, Placed({ of: 0 }));
    for (let at = 1; at < 200_000; at++)
      last = spawn(world, Placed, at % 1000 === 0 ? ChildOf(last) : Parent(last));
    const run = (): number => {
      let wrong = 0;
      let depth = 0;
      eachStretch(query(world, Placed, cascade(Placed)), (stretch) => {
        const { of } = stretch.columns(Placed);
        const above = stretch.hasParents
          ? stretch.parentColumns(Placed).of[stretch.parentRows[stretch.from]!]!
          : -1;
        of[stretch.rows[stretch.from]!] = above + 1;
        if (stretch.depth !== depth || above + 1 !== depth || stretch.to - stretch.from !== 1) wrong++;
        depth++;
      });
      return depth === 200_000 ? wrong : -1;
    };
    const before = run();

    add(world, last, Local);

    expect([before, run()]).toEqual([0, 0]);
  });
});

describe("chunks of few tables", () => {
  it("are filed anew with the next visit, so that stretches do not become small with time", () => {
    const parents = Array.from({ length: 24 * 256 }, () => place(world, undefined, Placed));
    const ships = parents.map((parent) => place(world, parent, Placed));
    const before = layers().length;

    ships.forEach((ship, at) => {
      if (at % 256 !== 0) remove(world, ship, ChildOf(Any));
    });
    layers();

    expect([before, layers()]).toEqual([24, [[1, 24]]]);
  });
});

describe("room of a chunk", () => {
  it("grows with its tables, without losing a row", () => {
    const roots = Array.from({ length: 10 }, () => place(world, undefined, Placed));
    const counts: number[] = [];

    for (let round = 0; round < 12; round++) {
      for (const root of roots) spawnMany(world, 2 ** round, ChildOf(root));
      counts.push(layers().reduce((sum, [, rows]) => sum + rows, 0));
    }

    expect(counts).toEqual(counts.map((_, round) => 10 * (2 ** (round + 1) - 1)));
  });

  it("does not grow without end while tables come and go", () => {
    const roots = Array.from({ length: 600 }, () => place(world, undefined, Placed));
    const ships = roots.map((root) => place(world, root, Placed));
    layers();
    let most = 0;

    for (let round = 0; round < 300; round++) {
      const far = spawnMany(world, 50, Mark, ChildOf(roots[round]!));
      layers();
      for (const one of far) destroy(world, one);
      add(world, ships[round]!, ChildOf(roots[599 - round]!));
      most = Math.max(most, currentStretches(world, Placed).positions.rows.length);
    }

    expect(most).toBeLessThan(8 * 650);
    expect(wrongHolders(world, Placed)).toEqual([]);
  });
});

describe("stretches of two components side by side", () => {
  it("each follow the changes since they were visited last", () => {
    const root = place(world, undefined, Placed, Local);
    const ship = place(world, root, Placed);
    const cockpit = place(world, ship, Local);
    const seat = place(world, cockpit);
    const seen = (what: typeof Local | typeof Placed): number | undefined =>
      holdersSeen(world, what).find(([one]) => one === seat)![1];
    const before = [seen(Placed), seen(Local)];

    remove(world, ship, Placed);
    const between = seen(Placed);
    remove(world, cockpit, Local);
    set(world, ship, Local, { of: ship });

    expect([before, between]).toEqual([[ship, cockpit], root]);
    expect([seen(Local), seen(Placed)]).toEqual([ship, root]);
  });

  it("both start anew when one has read all and the other has not", () => {
    const roots = Array.from({ length: 40 }, () => place(world, undefined, Placed, Local));
    const ships = roots.map((parent) => place(world, parent));
    wrongHolders(world, Placed);
    wrongHolders(world, Local);

    for (let at = 0; at < 30_000; at++) {
      add(world, ships[at % 40]!, ChildOf(roots[(at * 7 + Math.floor(at / 40)) % 40]!));
      if (at % 1000 === 0) holdersSeen(world, Placed);
    }

    expect([...wrongHolders(world, Placed), ...wrongHolders(world, Local)]).toEqual([]);
  });
});

describe("verify", () => {
  it.each<[story: string, spoil: (positions: Positions) => void]>([
    ["the holder's row of an entity is wrong", ({ holderRows }) => holderRows[0]!++],
    [
      "a row stands twice and another not at all",
      ({ rows, chunks: { start, rows: many } }) => {
        const chunk = many.indexOf(2);
        rows[start[chunk]!] = rows[start[chunk]! + 1]!;
      },
    ],
    ["a chunk has a row too few", ({ chunks }) => chunks.rows[1]!--],
    ["a chunk has a wrong depth", ({ chunks }) => chunks.depth[1]!++],
    ["a chunk has a wrong shape of holders", ({ chunks }) => chunks.holder[1]!--],
  ])("tells when %s (L12)", (_, spoil) => {
    const root = place(world, undefined, Placed);
    place(world, place(world, root, Placed), Placed);
    spawn(world, ChildOf(root), Mark, Placed);
    const { positions } = currentStretches(world, Placed);
    const before = verify(world);

    spoil(positions);

    expect([before, verify(world).some((text) => text.startsWith("L12"))]).toEqual([[], true]);
  });

  it.each<[story: string, spoil: (positions: Positions) => void]>([
    ["the holder's row is wrong", ({ holderRows }) => holderRows[0]!++],
    ["one is missing", ({ chunks }) => chunks.rows[1]!--],
    ["one stands twice and another not at all", ({ rows }) => rows.copyWithin(0, 1, 2)],
  ])("tells of rows whose parents are stored as values when %s (L12)", (_, spoil) => {
    const root = place(world, undefined, Placed);
    spawnMany(world, 3, Parent(root), Mark, Placed);
    const { positions } = currentStretches(world, Placed);
    const before = verify(world);

    spoil(positions);

    expect([before, verify(world).some((text) => text.startsWith("L12"))]).toEqual([[], true]);
  });
});
