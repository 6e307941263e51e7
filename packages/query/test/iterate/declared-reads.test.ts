import { array, component, createWorld, f32, f64, spawn, type World } from "@treeline/core";
import { changed, each, entities, query, rows } from "@treeline/query";
import { afterEach, beforeEach, expect, it, vi } from "vitest";

const Place = component("Place", { at: array(f32, 3), heat: f64 });
const Speed = component("Speed", { by: array(f32, 3) });

let world: World;
let warnings: string[];
beforeEach(() => {
  world = createWorld();
  warnings = [];
  vi.spyOn(console, "warn").mockImplementation((text) => void warnings.push(text));
  spawn(world, Place, Speed({ by: [1, 0, 0] }));
  entities(query(world, changed(Place)));
});
afterEach(() => vi.restoreAllMocks());

it.each<[string, () => void]>([
  [
    "a number of an array",
    () => each(query(world, Place), (place) => void (place.at[0] = 1), { reads: [Place] }),
  ],
  ["a field", () => each(query(world, Place), (place) => void (place.heat = 1), { reads: [Place] })],
  [
    "an array that is assigned",
    () =>
      each(query(world, Place), (place) => void (place.at = Float32Array.of(1, 2, 3)), { reads: [Place] }),
  ],
  [
    "an array that is passed to a function, in rows",
    () => {
      for (const [place] of rows(query(world, Place), { reads: [Place] })) place.at.fill(2);
    },
  ],
])("development builds tell of %s that a loop writes and declares to read", (_what, loop) => {
  loop();
  loop();

  expect(warnings).toEqual([
    "a loop over query(Place) has written Place, which it declares to read: queries with changed(Place), orderBy, propagate and " +
      "three.js may miss it; leave Place out of { reads: [...] }",
  ]);
});

it("nothing is told of what is only read, nor of components that are not declared", () => {
  each(
    query(world, Place, Speed),
    (place, speed) => {
      for (let axis = 0; axis < 3; axis++) place.at[axis]! += speed.by[axis]!;
      place.heat = 5;
    },
    { reads: [Speed] },
  );

  expect(warnings).toEqual([]);
});

it("development builds refuse reads of what has no values, and other options", () => {
  const read = (options: object) => () => each(query(world, Place), () => {}, options);

  expect(read({ reads: [query(world, Place)] })).toThrow("reads takes components that have values");
  expect(read({ writes: [Place] })).toThrow("writes");
});
