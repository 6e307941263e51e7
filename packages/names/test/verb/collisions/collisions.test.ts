import { add, ChildOf, defer, type Entity, get, parentOf, remove } from "@treeline/core";
import { verify } from "@treeline/core/debug";
import { describe, expect, it } from "vitest";
import { childNamed, Name, pathOf, rename } from "../../../src/index.ts";
import { refusalOf } from "../../fleet.ts";
import { inBothStorages, KEPT, NAMED_BY, type Way, type Yard, yard } from "../../paths-up.ts";

const WAYS = inBothStorages([...NAMED_BY, ...KEPT]);

/** Changes that verbs of other packages make are not deferred ones: their callers defer them. */
const DEFERRED = inBothStorages(
  [...NAMED_BY, ...KEPT].filter(({ title }) => title !== "an unparent of several" && !/from all/.test(title)),
);

/** The place of the collision, and the entity that was there before. */
function placeOf({ where }: Way, { ship, crate, rootCrate }: Yard): [Entity | undefined, Entity] {
  return where === "ship" ? [ship, crate] : [undefined, rootCrate];
}

const MOMENTS: [string, (all: Yard, way: Way) => Entity][] = [
  ["at once", (all, { come }) => come(all)],
  ["inside an iteration", (all, { come }) => defer(all.world, () => come(all))],
];

describe.each(MOMENTS)("a name that is taken, %s,", (moment, act) => {
  const ways = moment === "at once" ? WAYS : DEFERRED;

  describe("where collisions are errors, refuses", () => {
    it.each(ways)("%s, stored by %s: all is as it was", (_, __, way, storage) => {
      const all = yard("error", storage);
      const [parent, source] = placeOf(way, all);

      expect(refusalOf(all.world, () => act(all, way)).code).toBe("name-taken");

      expect(childNamed(all.world, parent, "Crate")).toBe(source);
      expect(childNamed(all.world, parent, "Crate (2)")).toBeUndefined();
    });
  });

  describe("where suffixes are given, gets one by", () => {
    it.each(ways)("%s, stored by %s: it is found by that name", (_, __, way, storage) => {
      const all = yard("suffix", storage);
      const { world } = all;
      const [parent, source] = placeOf(way, all);

      const comer = act(all, way);

      expect([get(world, comer, Name), parentOf(world, comer)]).toEqual(["Crate (2)", parent]);
      expect(childNamed(world, parent, "Crate (2)")).toBe(comer);
      expect([childNamed(world, parent, "Crate"), get(world, source, Name)]).toEqual([source, "Crate"]);
      expect(verify(world)).toEqual([]);
    });
  });

  describe("where it may be shared, is shared by", () => {
    it.each(ways)("%s, stored by %s: the first is found, then the next", (_, __, way, storage) => {
      const all = yard("allow", storage);
      const { world } = all;
      const [parent, source] = placeOf(way, all);

      const comer = act(all, way);

      expect([get(world, comer, Name), parentOf(world, comer)]).toEqual(["Crate", parent]);
      expect(childNamed(world, parent, "Crate")).toBe(source);
      expect(verify(world)).toEqual([]);
      remove(world, source, Name);
      expect([childNamed(world, parent, "Crate"), verify(world)]).toEqual([comer, []]);
    });
  });
});

describe.each(["error", "suffix", "allow"] as const)(
  "a place that was left, where collisions are %s,",
  (policy) => {
    it.each(inBothStorages([...NAMED_BY, ...KEPT]))("is free for %s, stored by %s", (_, __, way, storage) => {
      const all = yard(policy, storage);
      const { world } = all;
      const [parent, source] = placeOf(way, all);
      // Some ways act on the named entity itself: that one stays then, under another name.
      rename(world, source, "Gone");
      if (way.title === "a clone of the named entity") rename(world, all.box, "Old box");

      const comer = way.come(all);

      expect([get(world, comer, Name), childNamed(world, parent, "Crate")]).toEqual(["Crate", comer]);
      expect(verify(world)).toEqual([]);
    });

    it.each(inBothStorages(KEPT))(
      "inside the same iteration is free for %s, stored by %s",
      (title, _, way, storage) => {
        if (title === "an unparent of several") return;
        const all = yard(policy, storage);
        const { world } = all;
        const [parent, source] = placeOf(way, all);

        const comer = defer(world, () => {
          rename(world, source, "Gone");
          return way.come(all);
        });

        expect([get(world, comer, Name), childNamed(world, parent, "Crate")]).toEqual(["Crate", comer]);
        expect(verify(world)).toEqual([]);
      },
    );
  },
);

describe("an entity that returns to its place", () => {
  it.each(["error", "suffix", "allow"] as const)("collides with nothing, itself included (%s)", (policy) => {
    for (const [, , , storage] of inBothStorages(NAMED_BY.slice(0, 1))) {
      const { world, ship, crate } = yard(policy, storage);

      rename(world, crate, "Crate");
      add(world, crate, Name("Crate"));
      add(world, crate, storage(ship));
      add(world, crate, storage(ship), Name("Crate"));
      add(world, crate, ChildOf(ship));

      expect([pathOf(world, crate), childNamed(world, ship, "Crate"), verify(world)]).toEqual([
        "Ship::Crate",
        crate,
        [],
      ]);
    }
  });
});
