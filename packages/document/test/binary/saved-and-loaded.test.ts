import { createWorld, type World } from "@treeline/core";
import { dump, verify } from "@treeline/core/debug";
import { configureNames } from "@treeline/names";
import fc from "fast-check";
import { expect, it } from "vitest";
import { fromBinary, toBinary } from "../../src/binary.ts";
import { fromDocument } from "../../src/json.ts";
import { play, steps } from "../random-world.ts";
import { all, manifold, SAVED, sameBytes, save } from "../support.ts";

it("saves a loaded world as the same bytes", () => {
  const { world } = manifold();
  const bytes = toBinary(world, { all: true });

  const copy = createWorld();
  fromBinary(copy, bytes, { definitions: all });

  expect(sameBytes(toBinary(copy, { all: true }), bytes)).toBe(true);
  expect(verify(copy)).toEqual([]);
});

/** A world that is saved in both formats, and the worlds that are loaded from them. */
function loadedTwice(world: World, isLoose: boolean) {
  const bytes = toBinary(world, { all: true });
  const text = save(world);
  const copy = createWorld();
  const other = createWorld();
  if (isLoose) for (const one of [copy, other]) configureNames(one, { collisions: "allow" });
  fromBinary(copy, bytes, { definitions: all });
  fromDocument(other, text, { definitions: all });
  return { bytes, text, copy, other };
}

it(
  "saves random worlds, and loads them to the same bytes, and to what JSON loads",
  () => {
    fc.assert(
      fc.property(steps, fc.boolean(), (list, isLoose) => {
        const world = createWorld();
        play(world, list, isLoose);
        const { bytes, text, copy, other } = loadedTwice(world, isLoose);

        expect(verify(copy)).toEqual([]);
        expect(save(copy)).toBe(text);
        expect(sameBytes(toBinary(copy, { all: true }), bytes)).toBe(true);
        expect(sameBytes(toBinary(other, { all: true }), bytes)).toBe(true);
      }),
      { numRuns: SAVED },
    );
  },
  SAVED * 300,
);

/** Steps after which all that entities have is in columns. */
const PLAIN = [0, 1, 2, 3, 4, 5, 6, 7, 9, 10, 11, 12, 26, 29, 30];

it(
  "loads random worlds by columns to what JSON loads",
  () => {
    fc.assert(
      fc.property(steps, fc.boolean(), (list, isLoose) => {
        const world = createWorld();
        play(
          world,
          list.map((step) => ({ ...step, what: PLAIN[step.what % PLAIN.length]! })),
          isLoose,
        );
        const { bytes, copy, other } = loadedTwice(world, isLoose);

        expect(verify(copy)).toEqual([]);
        // Archetypes are listed in the order in which they were created.
        expect(dump(copy).split("\n").sort()).toEqual(dump(other).split("\n").sort());
        expect(sameBytes(toBinary(copy, { all: true }), bytes)).toBe(true);
      }),
      { numRuns: SAVED },
    );
  },
  SAVED * 300,
);
