/*
 * Numbers of `array` fields are written without a setter: what was written is found before a query reads changes. On the shipped
 * bundles as well.
 */
import {
  add,
  array,
  ChildOf,
  component,
  createWorld,
  type Entity,
  f32,
  f64,
  field,
  get,
  i32,
  locate,
  pack,
  patch,
  read,
  set,
  sparse,
  spawn,
  tag,
  u8,
  type World,
} from "@treeline/core";
import { verify } from "@treeline/core/debug";
import { restore, snapshot } from "@treeline/document/snapshot";
import { instantiate, prefab } from "@treeline/prefab";
import {
  cascade,
  changed,
  collect,
  count,
  destroy,
  each,
  eachRun,
  entities,
  on,
  orderBy,
  query,
  rows,
  up,
} from "@treeline/query";
import { Local3D, propagate, World3D } from "@treeline/transform/3d";
import { beforeEach, describe, expect, it } from "vitest";
import { refusalOf } from "./refusal.ts";

const Place = component("Place", { at: array(f32, 3), weight: array(f64, 2), flags: array(u8, 3), heat: 0 });
const Chain = component("Chain", { links: array(i32, 2) }, { storage: sparse });
const Marked = tag("Marked");

let world: World;
beforeEach(() => {
  world = createWorld();
});

/** What was written to places since the last call. */
function readerOf(what: typeof Place | typeof Chain = Place): () => Entity[] {
  const unread = query(world, changed(what as typeof Place));
  entities(unread);
  return () => entities(unread);
}

function spawnPlaces(number: number): Entity[] {
  return Array.from({ length: number }, (_, at) => spawn(world, Place({ at: [at, 0, 0] })));
}

describe("a number of an array, written in each", () => {
  it("is an unread change for queries that read changes, once", () => {
    const [, second] = spawnPlaces(3);
    const unread = readerOf();

    each(query(world, Place), (place, one) => {
      if (one === second) place.at[1] = 5;
    });

    expect(unread()).toEqual([second]);
    expect(unread()).toEqual([]);
    expect(get(world, second!, Place)!.at).toEqual(Float32Array.of(1, 5, 0));
  });

  it("is no change where the row was only read, or the same number written", () => {
    spawnPlaces(200);
    const unread = readerOf();
    let sum = 0;

    each(query(world, Place), (place) => {
      sum += place.at[0]! + place.weight[1]!;
      place.at[0] = place.at[0]!;
    });

    expect(unread()).toEqual([]);
    expect(sum).toBe((199 * 200) / 2);
  });

  it.each<[string, (list: Float32Array) => void]>([
    ["an element", (list) => void (list[2]! += 1)],
    ["set", (list) => list.set([4, 5], 1)],
    ["fill", (list) => list.fill(7)],
    ["copyWithin", (list) => list.copyWithin(1, 0, 1)],
    ["reverse", (list) => list.reverse()],
    ["sort", (list) => list.sort().fill(3, 0, 1)],
    ["a part of it", (list) => list.subarray(1).fill(9)],
    ["other numbers over its memory", (list) => new Int32Array(list.buffer, list.byteOffset, 3).fill(1)],
    ["-0", (list) => list.fill(-0, 1)],
    ["NaN", (list) => list.fill(Number.NaN, 1, 2)],
  ])("is an unread change by %s", (_way, write) => {
    const [, second] = spawnPlaces(2);
    const unread = readerOf();

    each(query(world, Place), (place, one) => {
      if (one === second) write(place.at);
    });

    expect(unread()).toEqual([second]);
    expect(unread()).toEqual([]);
  });

  it("is an unread change in fields of all kinds and lengths", () => {
    const [first, second, third] = spawnPlaces(3);
    const unread = readerOf();

    each(query(world, Place), (place, one) => {
      if (one === first) place.weight[1] = 1e-300;
      if (one === third) place.flags[2] = 1;
    });
    each(query(world, Place), (place, one) => {
      if (one === second) place.flags[0] = 200;
    });

    expect(unread()).toEqual([first, second, third]);
  });

  it("is an unread change beside other fields and by nested loops, for readers in the middle of the loop too", () => {
    const [first, second] = spawnPlaces(2);
    const unread = readerOf();
    const seen: Entity[][] = [];

    each(query(world, Place), (outer, one) => {
      outer.at[0] = -1;
      each(query(world, Place), (inner, other) => {
        if (other === second && one === first) inner.at[2] = 8;
      });
      seen.push(unread());
    });

    expect(seen).toEqual([[first, second], [second]]);
    expect(unread()).toEqual([]);
  });

  it("is seen by count and isEmpty, which leave it unread", () => {
    const [first] = spawnPlaces(2);
    const unread = query(world, changed(Place));
    entities(unread);

    each(query(world, Place), (place, one) => {
      if (one === first) place.at[0] = 3;
    });

    expect([count(unread), count(unread), entities(unread)]).toEqual([1, 1, [first]]);
  });

  it("is an unread change in rows, which are left early or not", () => {
    const [first, second] = spawnPlaces(3);
    const unread = readerOf();

    for (const [place, one] of rows(query(world, Place))) {
      place.at[0] = 10;
      if (one === second) break;
    }

    expect(unread()).toEqual([first, second]);
  });

  it("is an unread change for another query that reads changes, and not for the one that writes", () => {
    spawnPlaces(3);
    const own = query(world, Place, changed(Place));
    const other = readerOf();
    const read = (): number => {
      let matches = 0;
      each(own, (place) => {
        place.at[0]! += 1;
        matches++;
      });
      return matches;
    };

    expect(read()).toBe(3);
    expect(other()).toHaveLength(3);
    expect(read()).toBe(0);
  });

  it("is an unread change for the query that reads changes, if a loop inside its own has written it", () => {
    const [first] = spawnPlaces(2);
    const own = query(world, Place, changed(Place));
    entities(own);
    set(world, first!, Place, { heat: 1 });

    each(own, (place) => {
      place.at[0]! += 1;
      each(query(world, Place), (inner, one) => {
        if (one !== first) inner.at[1] = 4;
      });
    });

    expect(entities(own)).toHaveLength(1);
    expect(entities(own)).not.toContain(first);
  });

  it("sorts by what was written", () => {
    const Sorted = component("Sorted", { keys: array(f32, 1), key: 0 });
    const [first, second] = [1, 2].map((key) => spawn(world, Sorted({ keys: [key] })));
    const order = orderBy(
      Sorted,
      (one: { keys: Float32Array }, other: { keys: Float32Array }) => one.keys[0]! - other.keys[0]!,
    );
    const sorted = query(world, Sorted, order);

    expect(entities(sorted)).toEqual([first, second]);
    each(query(world, Sorted), (own, one) => {
      if (one === first) own.keys[0] = 3;
    });

    expect(entities(sorted)).toEqual([second, first]);
  });

  it("moves what propagate computes, and what is below", () => {
    const ship = spawn(world, Local3D, World3D);
    const mast = spawn(world, Local3D({ position: [0, 1, 0] }), World3D, ChildOf(ship));
    propagate(world);

    each(query(world, Local3D), (local, one) => {
      if (one === ship) local.position[0]! += 2;
    });

    expect(propagate(world)).toBe(2);
    expect([...get(world, mast, World3D)!.matrix.slice(12, 15)]).toEqual([2, 1, 0]);
    expect(propagate(world)).toBe(0);
  });

  it("computes nothing again where matrices were only read", () => {
    const ship = spawn(world, Local3D, World3D);
    propagate(world);
    let x = 0;

    for (const value of [1, 2, 3]) {
      each(query(world, World3D), (place) => {
        x += place.matrix[12]!;
      });
      set(world, ship, Local3D, { position: [value, 0, 0] });
      expect([propagate(world), propagate(world)]).toEqual([1, 0]);
    }

    expect(x).toBe(3);
  });

  it("is an unread change of a sparse component, also after others have come and gone", () => {
    const [first, second, third] = [1, 2, 3].map((link) => spawn(world, Chain({ links: [link, 0] })));
    const unread = readerOf(Chain);

    each(query(world, Chain), (chain, one) => {
      if (one !== second) chain.links[1] = 5;
    });
    for (let more = 0; more < 100; more++) spawn(world, Chain);
    expect(unread().slice(0, 2)).toEqual([first, third]);
    destroy(world, first!);
    each(query(world, Chain), (chain, one) => {
      if (one === third) chain.links[0] = 9;
    });

    expect(unread()).toEqual([third]);
    expect(get(world, third!, Chain)!.links).toEqual(Int32Array.of(9, 5));
  });
});

describe("columns that locate returns", () => {
  it("are watched at that row: what is written there is an unread change, also of a field of one number", () => {
    const [first, second, third] = spawnPlaces(3);
    const unread = readerOf();
    const at = (one: Entity, place: number, value: number): void => {
      const { columns, row } = locate(world, one, Place)!;
      columns.at[row * 3 + place] = value;
    };

    at(first!, 1, 4);
    locate(world, third!, Place);
    expect(unread()).toEqual([first]);
    const { columns, row } = locate(world, second!, Place)!;
    columns.heat[row] = 5;
    expect([unread(), unread()]).toEqual([[second], []]);
    at(first!, 1, 4);
    expect(unread()).toEqual([]);
    at(first!, 0, 7);
    at(third!, 0, 7);
    expect(unread()).toEqual([first, third]);
  });

  it("are watched in a sparse store", () => {
    const [first, second] = [1, 2].map((link) => spawn(world, Chain({ links: [link, 0] })));
    const unread = readerOf(Chain);

    const { columns, row } = locate(world, second!, Chain)!;
    columns.links[row * 2] = 8;

    expect(unread()).toEqual([second]);
    expect(get(world, first!, Chain)!.links[0]).toBe(1);
  });
});

describe("a copy of an array", () => {
  it("is the caller's own: what is written to it changes nothing, and is no change", () => {
    const [first] = spawnPlaces(1);
    const unread = readerOf();
    const row = { at: new Float32Array(3), weight: new Float64Array(2), flags: new Uint8Array(3), heat: 0 };

    get(world, first!, Place)!.at[0] = 9;
    read(world, first!, Place, row);
    row.at[0] = 9;
    field(Place, "at").get(world, first!)![0] = 9;
    collect(query(world, Place))[0]![0].at[0] = 9;

    expect(unread()).toEqual([]);
    expect(get(world, first!, Place)!.at[0]).toBe(0);
  });

  it("is written back by patch", () => {
    const [first] = spawnPlaces(1);
    const unread = readerOf();

    patch(world, first!, Place, (place) => {
      place.at[0] = 9;
    });

    expect(unread()).toEqual([first]);
    expect(get(world, first!, Place)!.at[0]).toBe(9);
  });
});

describe("a loop that declares what it only reads", () => {
  it("reads the same, and what another loop writes is an unread change", () => {
    const [first] = spawnPlaces(3);
    const unread = readerOf();
    let sum = 0;

    each(query(world, Place), (place) => void (sum += place.at[0]!), { reads: [Place] });
    for (const [place] of rows(query(world, Place), { reads: [Place] })) sum += place.at[0]!;
    each(query(world, Place), (place, one) => {
      if (one === first) place.at[0] = 1;
    });

    expect(sum).toBe(6);
    expect(unread()).toEqual([first]);
  });

  it("is refused with reads that are no list", () => {
    spawnPlaces(1);
    const wrong = { reads: Place } as never;

    expect(refusalOf(world, () => each(query(world, Place), () => {}, wrong))).toBe("bad-query");
    expect(refusalOf(world, () => rows(query(world, Place), wrong))).toBe("bad-query");
  });
});

describe("an array of a value that the row reads of another entity", () => {
  it("is an unread change of that entity, and of what is below it", () => {
    const ship = spawn(world, Place, Local3D, World3D);
    const mast = spawn(world, Local3D, World3D, ChildOf(ship));
    const unread = readerOf();
    propagate(world);

    each(query(world, Local3D, up(Place), up(Local3D)), (_own, place, above) => {
      (place.at as Float32Array)[0] = 4;
      (above.position as Float32Array)[0] = 4;
    });

    expect(unread()).toEqual([ship]);
    expect(propagate(world)).toBe(2);
    expect(get(world, mast, World3D)!.matrix[12]).toBe(4);
  });

  it("is an unread change along a cascade, and of one entity for all rows", () => {
    const [root, other] = spawnPlaces(2);
    const child = spawn(world, Place, ChildOf(root!));
    const leaf = spawn(world, Place, ChildOf(child));
    const unread = readerOf();

    each(query(world, Place, cascade(Place)), (_place, above, one) => {
      if (one === leaf) (above!.at as Float32Array)[2] = 1;
    });
    expect(unread()).toEqual([child]);
    each(query(world, Place, on(other!, Place)), (_place, given, one) => {
      if (one === leaf) (given.at as Float32Array)[2] = 1;
    });
    expect(unread()).toEqual([other]);
  });

  it("becomes the entity's own where it is inherited, and leaves the prefab as it is", () => {
    const Shared = component("Shared", { at: array(f32, 2), size: 1 }, { onInstantiate: "inherit" });
    const base = prefab(world, Shared({ at: [1, 2] }));
    const [first, second] = [instantiate(world, base), instantiate(world, base)];
    const unread = query(world, changed(Shared));
    entities(unread);
    const values = (): number[][] => [base, first, second].map((one) => [...get(world, one, Shared)!.at]);

    each(query(world, Shared), (shared, one) => {
      if (one !== second) return;
      shared.at[0] = 7;
      count(query(world, Shared));
      shared.at[1]! += 1;
    });

    expect(values()).toEqual([
      [1, 2],
      [1, 2],
      [7, 3],
    ]);
    expect(entities(unread)).toEqual([second]);
    for (const [shared] of rows(query(world, Shared))) shared.at.fill(9);
    expect(values().slice(1)).toEqual([
      [9, 9],
      [9, 9],
    ]);
  });
});

describe("an array that is kept after its loop", () => {
  function keep(): Float32Array[] {
    const kept: Float32Array[] = [];
    each(query(world, Place), (place) => void kept.push(place.at));
    return kept;
  }

  it("is watched: what is written later is an unread change", () => {
    const [first, second] = spawnPlaces(2);
    const unread = readerOf();
    const kept = keep();

    expect(unread()).toEqual([]);
    kept[1]![0] = 7;
    expect(unread()).toEqual([second]);
    for (let quiet = 0; quiet < 200; quiet++) expect(unread()).toEqual([]);
    kept[0]![0] = 7;
    expect(unread()).toEqual([first]);
  });

  it("is watched if it was kept before changes were read", () => {
    const [first] = spawnPlaces(2);
    const kept = keep();
    const unread = readerOf();

    kept[0]![2] = 4;

    expect(unread()).toEqual([first]);
  });

  it("is watched among 100,000 rows that were read", () => {
    const all = spawnPlaces(100_000);
    const unread = readerOf();
    const kept = keep();

    for (const place of [99_999, 12, 50_000]) {
      for (let quiet = 0; quiet < 5; quiet++) unread();
      kept[place]![1] = 3;
      expect(unread()).toEqual([all[place]]);
    }
  });

  it("is watched after a restore, which is no change that was not there before", () => {
    const [first, second] = spawnPlaces(2);
    const unread = readerOf();
    const kept = keep();
    const saved = snapshot(world);
    kept[0]![0] = 100;
    expect(unread()).toEqual([first]);

    restore(world, saved);

    expect(unread()).toEqual([]);
    kept[1]![0] = 100;
    expect(unread()).toEqual([second]);
  });

  it("is passed to functions that know nothing of worlds", () => {
    const [first] = spawnPlaces(1);
    const unread = readerOf();
    const move = (list: { [place: number]: number }): void => {
      list[0]! += 1;
    };

    each(query(world, Place), ({ at }) => move(at));

    expect(unread()).toEqual([first]);
  });

  it("reports no row that only moves, and carries it along with them", () => {
    const [first, second, third] = spawnPlaces(3);
    const unread = readerOf();
    const kept = keep();

    kept[2]![0] = 30;
    destroy(world, first!); // the third takes its place
    expect(unread()).toEqual([third]);
    keep();
    add(world, second!, Marked);
    expect(unread()).toEqual([]);
    const last = keep();
    last.find((list) => list[0] === 1)![0] = 11;
    add(world, second!, ChildOf(third!));
    pack(world);
    expect(unread()).toEqual([second]);
    expect(unread()).toEqual([]);
    expect(verify(world)).toEqual([]);
  });

  it("loses nothing that was written before the columns grow", () => {
    const [first] = spawnPlaces(1);
    const unread = readerOf();
    const [kept] = keep();

    kept![0] = 5;
    spawnPlaces(1000);

    expect(unread()).toContain(first);
    expect(get(world, first!, Place)!.at[0]).toBe(5);
  });
});

describe("what verbs and declared columns write beside arrays", () => {
  it("is an unread change once", () => {
    const [first, second, third] = spawnPlaces(3);
    const unread = readerOf();
    const look = (): void => each(query(world, Place), (place) => void place.at[0]);
    look();
    unread();

    set(world, first!, Place, { at: [9, 9, 9] });
    expect([unread(), unread()]).toEqual([[first], []]);
    look();
    set(world, second!, Place, { at: [9, 9, 9] });
    expect([unread(), unread()]).toEqual([[second], []]);
    eachRun(
      query(world, Place),
      (run) => {
        run.columns(Place).at[run.end * 3 - 1] = 6;
      },
      { writes: [Place] },
    );
    expect([unread(), unread()]).toEqual([[first, second, third], []]);
  });

  it("is not unread for a query that declares what it writes", () => {
    spawnPlaces(3);
    const own = query(world, Place, changed(Place));
    const write = (): number => {
      let matches = 0;
      const run = (of: {
        first: number;
        end: number;
        columns(what: typeof Place): { at: Float32Array };
      }): void => {
        of.columns(Place).at.fill(of.end, of.first * 3, of.end * 3);
        matches += of.end - of.first;
      };
      eachRun(own, run, { writes: [Place] });
      return matches;
    };
    each(query(world, Place), (place) => void place.at[0]);

    expect([write(), write()]).toEqual([3, 0]);
  });

  it("is not unread for a query that assigns whole arrays", () => {
    spawnPlaces(3);
    const own = query(world, Place, changed(Place));
    const assign = (value: number): number => {
      let matches = 0;
      each(own, (place) => {
        (place as { at: ArrayLike<number> }).at = [value, value, value];
        matches++;
      });
      return matches;
    };
    each(query(world, Place), (place) => void place.at[0]);

    expect([assign(4), assign(5)]).toEqual([3, 0]);
  });
});
