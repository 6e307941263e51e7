/* Lists that are given for `array` fields, on the shipped bundles as well. */
import {
  add,
  array,
  component,
  createWorld,
  type Entity,
  f32,
  get,
  patch,
  set,
  spawn,
  type World,
} from "@treeline/core";
import { each, query } from "@treeline/query";
import { beforeEach, describe, expect, it } from "vitest";
import { refusalOf } from "./refusal.ts";

const Place = component("Place", { at: array(f32, 3) });

let world: World;
beforeEach(() => {
  world = createWorld();
});

function spawnPlaces(number: number): Entity[] {
  return Array.from({ length: number }, (_, at) => spawn(world, Place({ at: [at, 0, 0] })));
}

describe("a list that is given for an array", () => {
  const given: [string, ArrayLike<number>][] = [
    ["a list", [1, 2, 3]],
    ["numbers of another kind", Float64Array.of(1, 2, 3)],
    ["an object with a length", { length: 3, 0: 1, 1: 2, 2: 3 }],
  ];

  it.each(given)("is copied from %s, wherever it is given", (_what, list) => {
    const expected = Float32Array.of(1, 2, 3);
    const At = component("At", { at: array(f32, 3, list) });
    const [first, second, third, fourth] = [
      spawn(world, Place({ at: list })),
      spawn(world),
      spawn(world, Place),
      spawn(world, Place),
    ];
    add(world, second, Place({ at: list }));
    set(world, third, Place, { at: list });
    each(query(world, Place), (place, one) => {
      if (one === fourth) assign(place, list);
    });
    const fifth = spawn(world, Place);
    patch(world, fifth, Place, (place) => assign(place, list));
    const values = (): Float32Array[] =>
      [first, second, third, fourth, fifth].map((one) => get(world, one, Place)!.at);

    expect(values()).toEqual([expected, expected, expected, expected, expected]);
    expect(get(world, spawn(world, At), At)!.at).toEqual(expected);
    (list as number[])[0] = 50;
    expect(values()).toEqual([expected, expected, expected, expected, expected]);
    (list as number[])[0] = 1;
  });

  it.each<[string, ArrayLike<number> | undefined]>([
    ["shorter", [1, 2]],
    ["longer", [1, 2, 3, 4]],
    ["not there", undefined],
  ])("is refused in a row view if it is %s, and its neighbours stay as they are", (_what, list) => {
    const all = spawnPlaces(3);

    const code = refusalOf(world, () => each(query(world, Place), (place) => assign(place, list!)));

    expect(code).toBe("bad-value");
    expect(all.map((one) => get(world, one, Place)!.at[0])).toEqual([0, 1, 2]);
  });

  function assign(place: object, list: ArrayLike<number>): void {
    (place as { at: ArrayLike<number> }).at = list;
  }
});
