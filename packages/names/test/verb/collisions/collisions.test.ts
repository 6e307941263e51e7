import { add, ChildOf, defer, type Entity, get, parentOf, remove } from "@treeline/core";
import { verify } from "@treeline/core/debug";
import { describe, expect, it } from "vitest";
import { Name, pathOf, rename } from "../../../src/index.ts";
import {
  type CollisionCase,
  inBothStorages,
  KEEPING_CASES,
  NAMING_CASES,
  type Yard,
  yard,
} from "../../collision-cases.ts";
import { refusalOf } from "../../fleet.ts";
import { namedIn } from "../../starts.ts";

const WAYS = inBothStorages([...NAMING_CASES, ...KEEPING_CASES]);

/** Changes that verbs of other packages make are not deferred ones: their callers defer them. */
const DEFERRED = inBothStorages(
  [...NAMING_CASES, ...KEEPING_CASES].filter(
    ({ title }) => title !== "an unparent of several" && !/from all/.test(title),
  ),
);

/** The place of the collision, and the entity that was there before. */
function placeOf({ where }: CollisionCase, { ship, crate, rootCrate }: Yard): [Entity | undefined, Entity] {
  return where === "ship" ? [ship, crate] : [undefined, rootCrate];
}

const MOMENTS: [string, (all: Yard, collisionCase: CollisionCase) => Entity][] = [
  ["at once", (all, { come }) => come(all)],
  ["inside an iteration", (all, { come }) => defer(all.world, () => come(all))],
];

describe.each(MOMENTS)("a name that is taken, %s,", (moment, act) => {
  const cases = moment === "at once" ? WAYS : DEFERRED;

  describe("where collisions are errors, refuses", () => {
    it.each(cases)("%s, stored by %s: all is as it was", (_, __, collisionCase, storage) => {
      const all = yard("error", storage);
      const [parent, source] = placeOf(collisionCase, all);

      expect(refusalOf(all.world, () => act(all, collisionCase)).code).toBe("name-taken");

      expect(namedIn(all.world, parent, "Crate")).toBe(source);
      expect(namedIn(all.world, parent, "Crate (2)")).toBeUndefined();
    });
  });

  describe("where suffixes are given, gets one by", () => {
    it.each(cases)("%s, stored by %s: it is found by that name", (_, __, collisionCase, storage) => {
      const all = yard("suffix", storage);
      const { world } = all;
      const [parent, source] = placeOf(collisionCase, all);

      const comer = act(all, collisionCase);

      expect([get(world, comer, Name), parentOf(world, comer)]).toEqual(["Crate (2)", parent]);
      expect(namedIn(world, parent, "Crate (2)")).toBe(comer);
      expect([namedIn(world, parent, "Crate"), get(world, source, Name)]).toEqual([source, "Crate"]);
      expect(verify(world)).toEqual([]);
    });
  });

  describe("where it may be shared, is shared by", () => {
    it.each(cases)("%s, stored by %s: the first is found, then the next", (_, __, collisionCase, storage) => {
      const all = yard("allow", storage);
      const { world } = all;
      const [parent, source] = placeOf(collisionCase, all);

      const comer = act(all, collisionCase);

      expect([get(world, comer, Name), parentOf(world, comer)]).toEqual(["Crate", parent]);
      expect(namedIn(world, parent, "Crate")).toBe(source);
      expect(verify(world)).toEqual([]);
      remove(world, source, Name);
      expect([namedIn(world, parent, "Crate"), verify(world)]).toEqual([comer, []]);
    });
  });
});

describe.each(["error", "suffix", "allow"] as const)(
  "a place that was left, where collisions are %s,",
  (policy) => {
    it.each(inBothStorages([...NAMING_CASES, ...KEEPING_CASES]))(
      "is free for %s, stored by %s",
      (_, __, collisionCase, storage) => {
        const all = yard(policy, storage);
        const { world } = all;
        const [parent, source] = placeOf(collisionCase, all);
        // Some cases act on the named entity itself: that one stays then, under another name.
        rename(world, source, "Gone");
        if (collisionCase.title === "a clone of the named entity") rename(world, all.box, "Old box");

        const comer = collisionCase.come(all);

        expect([get(world, comer, Name), namedIn(world, parent, "Crate")]).toEqual(["Crate", comer]);
        expect(verify(world)).toEqual([]);
      },
    );

    it.each(inBothStorages(KEEPING_CASES))(
      "inside the same iteration is free for %s, stored by %s",
      (title, _, collisionCase, storage) => {
        if (title === "an unparent of several") return;
        const all = yard(policy, storage);
        const { world } = all;
        const [parent, source] = placeOf(collisionCase, all);

        const comer = defer(world, () => {
          rename(world, source, "Gone");
          return collisionCase.come(all);
        });

        expect([get(world, comer, Name), namedIn(world, parent, "Crate")]).toEqual(["Crate", comer]);
        expect(verify(world)).toEqual([]);
      },
    );
  },
);

describe("an entity that returns to its place", () => {
  it.each(["error", "suffix", "allow"] as const)("collides with nothing, itself included (%s)", (policy) => {
    for (const [, , , storage] of inBothStorages(NAMING_CASES.slice(0, 1))) {
      const { world, ship, crate } = yard(policy, storage);

      rename(world, crate, "Crate");
      add(world, crate, Name("Crate"));
      add(world, crate, storage(ship));
      add(world, crate, storage(ship), Name("Crate"));
      add(world, crate, ChildOf(ship));

      expect([pathOf(world, crate), namedIn(world, ship, "Crate"), verify(world)]).toEqual([
        "Ship::Crate",
        crate,
        [],
      ]);
    }
  });
});
