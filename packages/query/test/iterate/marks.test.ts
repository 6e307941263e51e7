import { component, createWorld, f32, spawn, type World } from "@treeline/core";
import { describe, expect, it } from "vitest";
import {
  changed,
  collect,
  count,
  dispose,
  each,
  eachRun,
  entities,
  first,
  orderBy,
  query,
  rows,
} from "../../src/index.ts";

const Place = component("Place", { x: f32 });

function worldOf(count: number): World {
  const world = createWorld();
  for (let x = 1; x <= count; x++) spawn(world, Place({ x }));
  return world;
}

describe("who begins to ask inside a visit", () => {
  it("hears of what the visit writes afterwards: an order", () => {
    const world = worldOf(4);
    const ordered = query(world, Place, orderBy(Place, "x"));
    let turn = 0;

    each(query(world, Place), (place) => {
      if (turn++ === 0) first(ordered);
      place.x = -turn;
    });

    expect(collect(ordered).map(([{ x }]) => x)).toEqual([-4, -3, -2, -1]);
  });

  it.each(["each", "rows"])("hears of what the visit writes afterwards: changes, by %s", (path) => {
    const world = worldOf(4);
    const asked: ReturnType<typeof watch>[] = [];
    const watch = () => query(world, changed(Place));
    const write = (place: { x: number }): void => {
      if (asked.length === 0) {
        asked.push(watch());
        entities(asked[0]!);
      }
      place.x = 9;
    };

    if (path === "each") each(query(world, Place), write);
    else for (const [place] of rows(query(world, Place))) write(place);

    expect(entities(asked[0]!)).toHaveLength(4);
  });

  it("hears of it after another one has ceased to ask", () => {
    const world = worldOf(3);
    let asked = query(world, changed(Place));
    let turn = 0;

    each(query(world, Place), (place) => {
      if (turn++ === 0) {
        dispose(asked);
        asked = query(world, changed(Place));
        entities(asked);
      }
      place.x = 5;
    });

    expect(count(asked)).toBe(3);
  });
});

describe("declared writes", () => {
  it("count for the whole run in which a visitor throws", () => {
    const world = worldOf(3);
    const asked = query(world, changed(Place));
    entities(asked);

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

    expect(count(asked)).toBe(3);
  });

  it("count for the whole run if the visitor counts with the run's own bounds", () => {
    const world = worldOf(3);
    const asked = query(world, changed(Place));
    entities(asked);

    eachRun(
      query(world, Place),
      (run) => {
        const { x } = run.columns(Place);
        for (; run.first < run.end; run.first++) x[run.first]! += 1;
      },
      { writes: [Place] },
    );

    expect(count(asked)).toBe(3);
  });
});

describe("a row view", () => {
  it("is written to texts by its fields", () => {
    const world = worldOf(1);
    let text = "";

    each(query(world, Place), (place) => {
      text = JSON.stringify(place);
    });

    expect(text).toBe('{"x":1}');
  });
});

describe("what a visit writes itself", () => {
  it("is no news to it, though another question about changes is made meanwhile", () => {
    const world = worldOf(4);
    const asked = query(world, Place, changed(Place));

    each(asked, (place) => {
      place.x = 3;
      query(world, Place, changed(Place));
    });

    expect(count(asked)).toBe(0);
  });
});
