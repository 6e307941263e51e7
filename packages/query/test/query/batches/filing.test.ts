import {
  Any,
  add,
  ChildOf,
  type Entity,
  Parent,
  type Relation,
  remove,
  spawn,
  spawnMany,
} from "@treeline/core";
import { archetypeViewAt, indexOf, pairCursor, SubjectCursor } from "@treeline/core/internal";
import { beforeEach, describe, expect, it } from "vitest";
import { destroy } from "../../../src/index.ts";
import { chunkOf } from "../../../src/query/batches/chunks.ts";
import {
  eachBelow,
  Files,
  fileEntity,
  fileRow,
  fileRows,
  fileSubjects,
  isFiled,
} from "../../../src/query/batches/filing.ts";
import { along, Docked, Needs, Size, Tired } from "../../random/path-world.ts";
import { Frozen, Local, Placed } from "../../random/twin.ts";
import {
  beginRound,
  below,
  fileAll,
  filed,
  filedAt,
  files,
  setFilingWorld,
  ship,
  station,
  world,
} from "./filing-world.ts";

beforeEach(setFilingWorld);

const file = (...entities: Entity[]): void => fileAll(world, files, entities);
const now = (): string[] => filed(world, files);
const archetypeOf = (entity: Entity) => archetypeViewAt(world, indexOf(entity));

function filesAlong(...relations: readonly Relation[]): Files {
  return new Files(
    world,
    relations.map((relation) => along(world, relation, Size)),
  );
}

describe.each([
  ["ChildOf", ChildOf],
  ["Parent", Parent],
])("an entity with a parent by %s is filed", (_, storage) => {
  it("beside the row of its source, with others of its kind, whatever their parents are", () => {
    const crew = spawnMany(world, 3, storage(ship), Local);
    const guests = spawnMany(world, 2, storage(station), Local);

    file(...crew, ...guests);

    expect([now(), files.rowLists.chunks.alive]).toEqual([
      [...below(crew, ship), ...below(guests, station)],
      1,
    ]);
  });

  it("once, however often it is read", () => {
    const seat = spawn(world, storage(ship), Local);

    file(seat, seat);
    file(seat, seat);

    expect(now()).toEqual(below([seat], ship));
  });

  it("without source, if no ancestor has the component", () => {
    const light = spawn(world, storage(spawn(world)));

    file(light);

    expect([now(), filedAt(world, files, light)]).toEqual([[`${indexOf(light)} < undefined`], [1, 0]]);
  });

  it("at another depth after a reparent, of it or above it", () => {
    const [cockpit, deck] = spawnMany(world, 2, storage(ship), Placed) as [Entity, Entity];
    const crew = spawnMany(world, 10, storage(cockpit), Placed);
    file(cockpit, deck, ...crew);
    add(world, crew[4]!, storage(ship));
    add(world, deck, storage(crew[0]!));

    file(crew[4]!, deck);

    expect(now()).toEqual([
      ...below([cockpit, crew[4]!], ship),
      ...below([...crew.slice(0, 4), crew[9]!, ...crew.slice(5, 9)], cockpit),
      ...below([deck], crew[0]!),
    ]);
  });

  it("in its place, if only its row or that of its source is another", () => {
    const crew = spawnMany(world, 3, storage(ship), Local);
    file(...crew);
    destroy(world, station);
    add(world, ship, Frozen);
    remove(world, ship, Frozen);
    destroy(world, crew[0]!);

    file(...crew);

    // The last one has filled the place of the destroyed one, among rows and among positions.
    expect(now()).toEqual(below([crew[2]!, crew[1]!], ship));
  });

  it("with more rows than its chunk had room for", () => {
    const crew = spawnMany(world, 100, storage(ship), Local);
    file(...crew);
    const more = spawnMany(world, 1000, storage(station), Local);

    file(...more);

    expect(now()).toEqual([...below(crew, ship), ...below(more, station)]);
  });

  it("elsewhere when its archetype, or that of its source, is another", () => {
    const crew = spawnMany(world, 2, storage(ship), Local);
    file(...crew);
    const { chunks } = files.rowLists;
    const before = chunkOf(chunks, indexOf(crew[0]!));

    add(world, crew[0]!, Frozen);
    add(world, ship, Frozen);
    file(...crew);

    const after = crew.map((one) => chunkOf(chunks, indexOf(one)));
    expect(new Set([before, ...after]).size).toBe(3);
    expect(crew.map((one) => filedAt(world, files, one))).toEqual(crew.map(() => [1, indexOf(ship)]));
  });
});

describe("an entity is filed", () => {
  it("below a source of either storage", () => {
    const cockpit = spawn(world, ChildOf(ship), Placed);
    const seat = spawn(world, Parent(cockpit), Placed);
    const belt = spawn(world, ChildOf(seat));
    const buckle = spawn(world, Parent(belt));

    file(cockpit, seat, belt, buckle);

    expect(now()).toEqual([
      ...below([cockpit], ship),
      ...below([seat], cockpit),
      ...below([belt], seat),
      ...below([buckle], seat),
    ]);
  });

  it("nowhere, if it has no parent", () => {
    file(ship, station);

    expect(now()).toEqual([]);
  });
});

describe("an entity leaves its chunk", () => {
  it.each<[title: string, change: (seat: Entity) => void, after: boolean]>([
    ["when it gets its parent in its type", (seat) => add(world, seat, ChildOf(ship)), true],
    ["when it gets another component", (seat) => add(world, seat, Frozen), true],
    ["when it becomes a root", (seat) => remove(world, seat, ChildOf(Any)), false],
    ["when it is destroyed", (seat) => destroy(world, seat), false],
  ])("%s, and the last one moves to its place", (_, change, isFiledAfter) => {
    const crew = spawnMany(world, 4, Parent(ship), Local);
    file(...crew);
    change(crew[1]!);

    file(...crew);

    const rest = below([crew[0]!, crew[3]!, crew[2]!], ship);
    expect(now()).toEqual(isFiledAfter ? [...rest, ...below([crew[1]!], ship)] : rest);
  });

  it("as the last one, and the chunk is freed", () => {
    const seat = spawn(world, Parent(ship), Local);
    file(seat);
    destroy(world, seat);

    file(seat);

    const { chunks, wasted, end } = files.rowLists;
    expect([now(), chunks.alive, wasted]).toEqual([[], 0, end]);
  });
});

describe("what was filed counts as changed", () => {
  /** Does a change that is filed then count? */
  function isChanged(...entities: Entity[]): boolean {
    files.rowLists.isChanged = false;
    file(...entities);
    return files.rowLists.isChanged;
  }

  it("if an entity comes, leaves, has another row, another source or another row of its source", () => {
    const [seat, other] = spawnMany(world, 2, ChildOf(station), Local) as [Entity, Entity];
    const entered = isChanged(seat, other);
    const same = isChanged(seat, other);

    destroy(world, ship);
    const hasRowOfSource = isChanged(seat, other);
    const source = spawn(world, Placed);
    add(world, other, ChildOf(source));
    const hasSource = isChanged(seat, other);
    destroy(world, seat);
    const hasRow = [isChanged(other), isChanged(seat), isChanged(seat)];

    expect([entered, same, hasRowOfSource, hasSource, hasRow]).toEqual([
      true,
      false,
      true,
      true,
      [true, true, false],
    ]);
  });

  it("if nothing was filed before, and all rows are", () => {
    files.rowLists.isChanged = false;
    const seat = spawn(world, ChildOf(ship));
    beginRound(world, files);

    fileRows(world, files, [archetypeOf(seat)]);

    expect(files.rowLists.isChanged).toBe(true);
  });
});

describe("fileRow", () => {
  it("notes the row of an entity that filled a gap, and nothing else", () => {
    const crew = spawnMany(world, 3, ChildOf(ship), Local);
    file(...crew);
    destroy(world, crew[0]!);
    file(crew[0]!);
    files.rowLists.isChanged = false;

    fileRow(world, files, indexOf(crew[2]!));

    expect([now(), files.rowLists.isChanged]).toEqual([below([crew[2]!, crew[1]!], ship), true]);
  });

  it("passes over entities that are not filed", () => {
    file();
    files.rowLists.isChanged = false;

    fileRow(world, files, indexOf(ship));

    expect([now(), files.rowLists.isChanged]).toEqual([[], false]);
  });
});

describe("fileRows", () => {
  it("files all rows of archetypes in their order, in chunks that have the room they need, by depth", () => {
    const crew = spawnMany(world, 8, ChildOf(ship), Local, Placed);
    const pets = spawnMany(world, 4, Parent(crew[0]!), Frozen);
    const guests = spawnMany(world, 12, ChildOf(station), Local, Placed);
    const deep = spawnMany(world, 4, ChildOf(pets[0]!), Local, Placed);
    beginRound(world, files);

    fileRows(world, files, [archetypeOf(pets[0]!), archetypeOf(crew[0]!)]);

    expect(now()).toEqual([
      ...below([...crew], ship),
      ...below(guests, station),
      ...below(pets, crew[0]!),
      ...below(deep, crew[0]!),
    ]);
    const { chunks, end, wasted } = files.rowLists;
    const byDepth = [...chunks.order.subarray(0, chunks.alive)];
    expect(byDepth.map((chunk) => [chunks.start[chunk], chunks.room[chunk]])).toEqual([
      [0, 26],
      [26, 6],
      [32, 6],
    ]);
    expect([end, wasted]).toEqual([38, 0]);
  });

  it("files the same as one entity after the other", () => {
    const decks = spawnMany(world, 5, ChildOf(ship), Placed);
    const crew = decks.flatMap((deck, at) => [
      ...spawnMany(world, at, ChildOf(deck), Local),
      ...spawnMany(world, 2, Parent(deck), Local),
    ]);
    for (const one of crew.slice(3, 7)) destroy(world, one);
    const all = [...decks, ...crew];
    const rows = new Files(world, [along(world, ChildOf, Placed)]);
    beginRound(world, rows);

    fileRows(world, rows, [
      ...new Set(all.flatMap((one) => (world.entities.table[indexOf(one)] === 0 ? [] : [archetypeOf(one)]))),
    ]);
    file(...all);

    const places = (of: Files): unknown[] => all.map((one) => filedAt(world, of, one));
    expect(places(rows)).toEqual(places(files));
    expect(places(rows).filter((place) => place === undefined).length).toBe(4);
  });
});

describe("a list of paths", () => {
  it.each<[string, Relation[], isWide: boolean]>([
    ["ChildOf", [ChildOf], false],
    ["Docked", [Docked], false],
    ["Needs", [Needs], true],
    ["ChildOf, Docked", [ChildOf, Docked], false],
    ["Docked, Needs", [Docked, Needs], true],
  ])("knows whether all is filed again after each change: %s", (_, relations, isWide) => {
    expect(filesAlong(...relations).isWide).toBe(isWide);
  });

  it("tells which archetypes have rows that are filed", () => {
    const port = spawn(world);
    const entities = [
      port,
      spawn(world, ChildOf(port)),
      spawn(world, Parent(port)),
      spawn(world, Docked(port)),
      spawn(world, Docked(port), Parent(port)),
    ];
    const known = [filesAlong(ChildOf), filesAlong(Docked), filesAlong(Docked, ChildOf)].map((paths) =>
      entities.map((one) => isFiled(paths, archetypeOf(one))),
    );

    expect(known).toEqual([
      [false, true, true, false, true],
      [false, false, false, true, true],
      [false, true, true, true, true],
    ]);
  });
});

describe("the children of an entity, filed at once", () => {
  const fileBelow = (entity: Entity): void => {
    beginRound(world, files);
    fileSubjects(world, files, pairCursor(world).find(ChildOf, indexOf(entity)));
  };

  it("are where each would be filed alone, from nowhere or from elsewhere, of several archetypes", () => {
    const crew = [Local, Frozen, Local].map((what) => spawn(world, what, ChildOf(ship)));
    crew.push(spawn(world, Local, Parent(ship)));
    fileBelow(ship);
    const places = (): unknown[] => crew.map((one) => filedAt(world, files, one));
    expect(places()).toEqual(crew.map(() => [1, indexOf(ship)]));

    add(world, ship, ChildOf(station));
    remove(world, ship, Placed);
    fileBelow(ship);

    expect(places()).toEqual(crew.map(() => [2, indexOf(station)]));
  });

  it("take their chunk with them if they are many", () => {
    const crew = spawnMany(world, 300, Local, ChildOf(ship));
    file(...crew);
    const chunk = chunkOf(files.rowLists.chunks, indexOf(crew[0]!));

    add(world, ship, ChildOf(station));
    add(world, ship, Frozen);
    fileBelow(ship);

    expect(chunkOf(files.rowLists.chunks, indexOf(crew[39]!))).toBe(chunk);
    expect([now(), filedAt(world, files, crew[7]!)]).toEqual([below(crew, ship), [2, indexOf(ship)]]);
  });

  it("get chunks of their own when they have become many, and leave these when they are few", () => {
    const crew = spawnMany(world, 255, Local, ChildOf(ship));
    file(...crew);
    const chunks = (): Set<number> =>
      new Set(crew.map((one) => chunkOf(files.rowLists.chunks, indexOf(one))));
    const before = chunks();
    crew.push(...[Local, Frozen].map((what) => spawn(world, what, ChildOf(ship))));
    file(...crew.slice(255));
    expect(chunks().size).toBe(3);

    add(world, ship, ChildOf(station));
    fileBelow(ship);
    const many = chunks();
    for (const one of crew.splice(0, 100)) {
      destroy(world, one);
      beginRound(world, files);
      fileEntity(world, files, indexOf(one));
    }
    add(world, ship, Frozen);
    fileBelow(ship);

    expect([before.size, many.size, chunks().size]).toEqual([1, 2, 2]);
    expect(crew.map((one) => filedAt(world, files, one))).toEqual(crew.map(() => [2, indexOf(ship)]));
  });

  it("leave it to others that stay, and join others that are there", () => {
    const [crew, others] = [
      spawnMany(world, 3, Local, ChildOf(ship)),
      spawnMany(world, 2, Local, ChildOf(station)),
    ];
    file(...crew, ...others);
    const dock = spawn(world, Placed, ChildOf(station));
    const guests = spawnMany(world, 2, Local, ChildOf(dock));
    file(dock, ...guests);

    add(world, ship, ChildOf(station));
    fileBelow(ship);

    expect([...crew, ...guests].map((one) => filedAt(world, files, one)?.[0])).toEqual([2, 2, 2, 2, 2]);
    expect(others.map((one) => filedAt(world, files, one))).toEqual(others.map(() => [1, indexOf(station)]));
    expect(now().length).toBe(8);
  });

  it("may be of a pair that is gone", () => {
    const crew = spawn(world, Local, ChildOf(ship));
    const pair = pairCursor(world).find(ChildOf, indexOf(ship));
    destroy(world, crew);
    beginRound(world, files);
    fileSubjects(world, files, pair);

    expect([pairCursor(world).find(ChildOf, indexOf(ship)), now()]).toEqual([0, []]);
  });
});

describe("eachBelow", () => {
  let paths: Files;

  /** The entities that are met for an entity, in any order. */
  function met(entity: Entity): number[] {
    const found: number[] = [];
    const subjects = new SubjectCursor(world);
    eachBelow(world, indexOf(entity), paths.list[0]!, (pair) => {
      for (subjects.ofPair(pair); subjects.next(); ) found.push(subjects.index);
    });
    return found.sort((one, other) => one - other);
  }

  it.each<[string, Relation]>([
    ["ChildOf", ChildOf],
    ["Docked", Docked],
  ])("goes through subjects along %s, and on below those that are no sources themselves", (_, relation) => {
    paths = filesAlong(relation);
    const top = spawn(world);
    const [plain, source] = [spawn(world, relation(top)), spawn(world, relation(top), Size)];
    const [deep, covered] = [spawn(world, relation(plain)), spawn(world, relation(source))];
    const deepest = spawn(world, relation(deep), Tired);
    spawn(world, relation === ChildOf ? Docked(top) : ChildOf(top));
    beginRound(world, paths);

    expect(met(top)).toEqual([plain, source, deep, deepest].map(indexOf));
    expect(met(source)).toEqual([indexOf(covered)]);
  });

  it("goes through children of both storages", () => {
    paths = filesAlong(ChildOf);
    const top = spawn(world);
    const children = [spawn(world, ChildOf(top)), spawn(world, Parent(top))];
    const grandchildren = [spawn(world, ChildOf(children[1]!)), spawn(world, Parent(children[0]!))];
    beginRound(world, paths);

    expect(met(top)).toEqual([...children, ...grandchildren].map(indexOf));
  });

  it("calls back once for each entity in a round, and again in the next", () => {
    paths = filesAlong(Docked);
    const chain = [spawn(world)];
    for (let at = 0; at < 5; at++) chain.push(spawn(world, Docked(chain[at]!)));
    beginRound(world, paths);

    const first = [met(chain[2]!).length, met(chain[0]!).length, met(chain[0]!).length];
    beginRound(world, paths);

    expect([first, met(chain[0]!).length]).toEqual([[3, 2, 0], 5]);
  });
});
