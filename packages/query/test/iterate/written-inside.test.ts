import { spawn, type World } from "@treeline/core";
import { describe, expect, it } from "vitest";
import { collect, count, dispose, each, eachRun, entities, first, query, rows } from "../../src/index.ts";
import { component, createWorld } from "../public/define.ts";
import { f32 } from "../public/fields.ts";
import { changed } from "../public/filters.ts";
import { orderBy } from "../public/parts.ts";

const Place = component("Place", { x: f32 });

function worldOf(count: number): World {
  const world = createWorld();
  for (let x = 1; x <= count; x++) spawn(world, Place({ x }));
  return world;
}

describe("a query made inside an iteration", () => {
  it("matches what the iteration writes afterwards: an order", () => {
    const world = worldOf(4);
    const ordered = query(world, Place, orderBy(Place, "x"));
    let turn = 0;

    each(query(world, Place), (place) => {
      if (turn++ === 0) first(ordered);
      place.x = -turn;
    });

    expect(collect(ordered).map(([{ x }]) => x)).toEqual([-4, -3, -2, -1]);
  });

  it.each(["each", "rows"])("matches what the iteration writes afterwards: changes, by %s", (path) => {
    const world = worldOf(4);
    const tested: ReturnType<typeof watch>[] = [];
    const watch = () => query(world, changed(Place));
    const write = (place: { x: number }): void => {
      if (tested.length === 0) {
        tested.push(watch());
        entities(tested[0]!);
      }
      place.x = 9;
    };

    if (path === "each") each(query(world, Place), write);
    else for (const [place] of rows(query(world, Place))) write(place);

    expect(entities(tested[0]!)).toHaveLength(4);
  });

  it("matches it after another one is disposed", () => {
    const world = worldOf(3);
    let tested = query(world, changed(Place));
    let turn = 0;

    each(query(world, Place), (place) => {
      if (turn++ === 0) {
        dispose(tested);
        tested = query(world, changed(Place));
        entities(tested);
      }
      place.x = 5;
    });

    expect(count(tested)).toBe(3);
  });
});

describe("declared writes", () => {
  it("count for the whole run in which a callback throws", () => {
    const world = worldOf(3);
    const tested = query(world, changed(Place));
    entities(tested);

    expect(() =>
      eachRun(
        query(world, Place),
        (run) => {
          run.columns(Place).x[run.first] = 7;
          throw new Error("no");
        },
        { writes: [Place] },
      ),
    ).toThrow("no");

    expect(count(tested)).toBe(3);
  });

  it("count for the whole run if the callback counts with the run's own bounds", () => {
    const world = worldOf(3);
    const tested = query(world, changed(Place));
    entities(tested);

    eachRun(
      query(world, Place),
      (run) => {
        const { x } = run.columns(Place);
        for (; run.first < run.end; run.first++) x[run.first]! += 1;
      },
      { writes: [Place] },
    );

    expect(count(tested)).toBe(3);
  });
});

describe("a row view", () => {
  it("is converted to text by its fields", () => {
    const world = worldOf(1);
    let text = "";

    each(query(world, Place), (place) => {
      text = JSON.stringify(place);
    });

    expect(text).toBe('{"x":1}');
  });
});

describe("what an iteration writes itself", () => {
  it("is not an unread change for it, even if another query about changes is made meanwhile", () => {
    const world = worldOf(4);
    const tested = query(world, Place, changed(Place));

    each(tested, (place) => {
      place.x = 3;
      query(world, Place, changed(Place));
    });

    expect(count(tested)).toBe(0);
  });
});
