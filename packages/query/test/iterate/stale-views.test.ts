import { add, type Entity, entityOf, get, set, spawn, spawnMany } from "@treeline/core";
import { buildSync } from "esbuild";
import { beforeEach, describe, expect, it } from "vitest";
import { each, query, rows } from "../../src/index.ts";
import { codeOf } from "../code-of.ts";
import { Mesh } from "../definitions.ts";
import { ChildOf } from "../public/builtins.ts";
import { component, relation } from "../public/define.ts";
import { array, bool, entity, f32, f64, i32 } from "../public/fields.ts";
import { maybe, or } from "../public/filters.ts";
import { cascade, on, selfOrUp, singleton, up, variable } from "../public/terms.ts";
import { setWorld, world } from "../test-world.ts";

const Place = component("Place", { x: f32, y: i32 });
const All = component("All", { big: f64, is: bool, at: entity, cells: array(f32, 2) });
const Docked = relation("Docked", { fields: { berth: i32 } });
const Label = component<{ text: string }>("Label");

interface Shown {
  x: number;
}

let ship: Entity;
let crew: Entity[];

/** All views that were kept must refuse to be read and written, and the rows must be as before. */
function expectStale(kept: readonly Shown[]): void {
  const before = crew.map((one) => get(world, one, Place));
  expectUnreadable(kept);
  for (const view of kept) {
    expect(
      codeOf(() => {
        view.x = 9;
      }),
    ).toBe("stale-view");
  }
  expect(crew.map((one) => get(world, one, Place))).toEqual(before);
}

/** The same for views that are read-only. */
function expectUnreadable(kept: readonly Readonly<Shown>[]): void {
  for (const view of kept) expect(codeOf(() => view.x)).toBe("stale-view");
}

beforeEach(() => {
  setWorld();
  ship = spawn(world, Place({ x: 100, y: 100 }), Mesh("mesh"));
  crew = spawnMany(world, 3, Place, ChildOf(ship));
  crew.forEach((one, at) => {
    set(world, one, Place, { x: at, y: at });
  });
});

describe("a row view that each passes", () => {
  it("is stale after the iteration", () => {
    const kept: Shown[] = [];

    each(query(world, Place), (place) => kept.push(place));

    expect(kept.length).toBe(4);
    expectStale(kept);
  });

  it("is stale in the callback for the next row", () => {
    let last: Shown | undefined;
    const codes: unknown[] = [];

    each(query(world, Place, ChildOf(ship)), (place) => {
      codes.push(last && codeOf(() => last!.x));
      last = place;
    });

    expect(codes).toEqual([undefined, "stale-view", "stale-view"]);
  });

  it("is stale after the callback has thrown", () => {
    const kept: Shown[] = [];
    const stop = new Error("stop");

    const iterate = (): void =>
      each(query(world, Place), (place) => {
        kept.push(place);
        throw stop;
      });

    expect(iterate).toThrow(stop);
    expectStale(kept);
  });

  it("is stale after an await, in the first half of the callback it is not", async () => {
    const codes: unknown[] = [];
    const waiting: Promise<void>[] = [];

    each(query(world, Place, ChildOf(ship)), (place) => {
      const wait = async (): Promise<void> => {
        place.x += 10;
        await undefined;
        codes.push(codeOf(() => place.x));
      };
      waiting.push(wait());
    });
    await Promise.all(waiting);

    expect(codes).toEqual(["stale-view", "stale-view", "stale-view"]);
    expect(crew.map((one) => get(world, one, Place)!.x)).toEqual([10, 11, 12]);
  });

  it("stays valid while its callback iterates, the same query too", () => {
    const tested = query(world, Place, ChildOf(ship));
    const seen: number[] = [];

    each(tested, (outer) => {
      each(tested, (inner) => {
        inner.y += 1;
      });
      for (const [inner] of rows(tested)) inner.y += 1;
      seen.push(outer.x);
    });

    expect(seen).toEqual([0, 1, 2]);
    expect(crew.map((one) => get(world, one, Place)!.y)).toEqual([6, 7, 8]);
  });

  it("is stale for maybe and or, for sources above, fixed sources and variables", () => {
    const parent = variable("parent");
    const kept: (Readonly<Shown> | undefined)[] = [];

    each(query(world, maybe(Place), ChildOf(ship)), (view) => kept.push(view));
    each(query(world, or(Mesh, Place), ChildOf(ship)), (view) => kept.push(view as Shown));
    each(query(world, up(Place)), (view) => kept.push(view));
    each(query(world, selfOrUp(Place)), (view) => kept.push(view));
    each(query(world, Place, cascade(Place)), (_, view) => kept.push(view));
    each(query(world, Place, on(ship, Place)), (_, view) => kept.push(view));
    each(query(world, ChildOf(parent), on(parent, Place)), (view) => kept.push(view));

    const views = kept.filter((view) => view !== undefined);
    expect(views.length).toBe(3 + 3 + 3 + 4 + 3 + 4 + 3);
    expectUnreadable(views);
  });

  it("is stale for singletons and pairs with values", () => {
    const kept: { berth: number }[] = [];
    const singles: Readonly<Shown>[] = [];
    add(world, crew[0]!, Docked(ship, { berth: 3 }));
    add(world, entityOf(world, Place), Place({ x: 1, y: 1 }));

    each(query(world, Docked(ship)), (docked) => {
      expect(docked.berth).toBe(3);
      kept.push(docked);
    });
    each(query(world, ChildOf(ship), singleton(Place)), (place) => singles.push(place));

    expect(codeOf(() => kept[0]!.berth)).toBe("stale-view");
    expect(singles.length).toBe(3);
    expectUnreadable(singles);
  });

  it("refuses each kind of field", () => {
    const one = spawn(world, All({ big: 1, is: true, at: ship, cells: [1, 2] }));
    let kept: { big: number; is: boolean; at: Entity | undefined; cells: ArrayLike<number> } | undefined;

    each(query(world, All), (all) => {
      kept = all;
    });

    expect(codeOf(() => kept!.big)).toBe("stale-view");
    expect(codeOf(() => kept!.is)).toBe("stale-view");
    expect(codeOf(() => kept!.at)).toBe("stale-view");
    expect(codeOf(() => kept!.cells)).toBe("stale-view");
    expect([...get(world, one, All)!.cells]).toEqual([1, 2]);
  });

  it("does not turn into JSON later, and prints that it is over", () => {
    let kept: object | undefined;
    let shown = "";

    each(query(world, Place, Mesh), (place) => {
      kept = place;
      shown = JSON.stringify(place);
    });

    const inspect = Symbol.for("nodejs.util.inspect.custom");
    expect(shown).toBe('{"x":100,"y":100}');
    expect(codeOf(() => JSON.stringify(kept))).toBe("stale-view");
    expect((kept as Record<symbol, () => unknown>)[inspect]!()).toBe("a row view of Place after its row");
  });

  it("says how to keep the value", () => {
    let kept: Shown | undefined;
    each(query(world, Place, Mesh), (place) => {
      kept = place;
    });

    expect(() => kept!.x).toThrow("keep a copy: get(world, entity, Place)");
  });

  it("has no own properties, as without the check", () => {
    each(query(world, Place, Mesh), (place) => {
      expect(Reflect.ownKeys(place)).toEqual([]);
    });
  });

  it("leaves values without fields alone", () => {
    const label = { text: "bow" };
    spawn(world, Label(label));
    const kept: object[] = [];

    each(query(world, Label), (one) => kept.push(one));

    expect(kept[0]).toBe(label);
  });
});

describe("a row view of rows", () => {
  it("is stale in the body for the next row", () => {
    let last: Shown | undefined;
    const codes: unknown[] = [];

    for (const [place] of rows(query(world, Place, ChildOf(ship)))) {
      codes.push(last && codeOf(() => last!.x));
      last = place;
      place.x += 1;
    }

    expect(codes).toEqual([undefined, "stale-view", "stale-view"]);
    expectStale([last!]);
  });

  it("is stale after the loop was left", () => {
    const kept: Shown[] = [];

    for (const [place] of rows(query(world, Place))) {
      kept.push(place);
      break;
    }

    expectStale(kept);
  });

  it("is stale after the loop has thrown", () => {
    const kept: Shown[] = [];
    const iterator = rows(query(world, Place));
    kept.push(iterator.next().value![0]);

    expect(() => iterator.throw!(new Error("stop"))).toThrow("stop");

    expectStale(kept);
  });

  it("is stale in a list of all rows", () => {
    const [row] = [...rows(query(world, Place))];

    expectStale([row![0]]);
  });

  it("is stale for sources above", () => {
    const kept: Readonly<Shown>[] = [];

    for (const [place] of rows(query(world, up(Place)))) kept.push(place);

    expect(kept.length).toBe(3);
    expectUnreadable(kept);
  });
});

describe("the shipped bundle", () => {
  const textOf = (dropLabels: string[]): string =>
    buildSync({
      entryPoints: [new URL("../../src/index.ts", import.meta.url).pathname],
      bundle: true,
      format: "esm",
      packages: "external",
      target: "es2023",
      minifySyntax: true,
      write: false,
      dropLabels,
    }).outputFiles[0]!.text;

  it("has no trace of the checks of row views and open iterators", () => {
    const tracesIn = (text: string): Set<string> =>
      new Set(text.match(/stale-view|Guard|shownRows|warnOnce|still open/g));

    expect(tracesIn(textOf([])).size).toBe(5);
    expect(tracesIn(textOf(["CHECK"]))).toEqual(new Set());
  });

  it("makes the same row view as without the checks, and passes it itself", () => {
    const text = textOf(["CHECK"]);

    expect(text).toMatch(
      /call = callback;\n.* iterateAll\(own, call, reads\) : iterate\(own, .*, call, reads\);/,
    );
    expect(text).toMatch(/object: new Kind\(\) \};\n.*\["toJSON".*\n.*copyRow\(view\).*\n {2}return view;/);
  });
});
