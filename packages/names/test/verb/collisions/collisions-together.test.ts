import { ChildOf, type Entity, get, observe, parentOf, spawn } from "@treeline/core";
import { verify } from "@treeline/core/debug";
import { indexOf, moveAll as moveTogether } from "@treeline/core/internal";
import { describe, expect, it } from "vitest";
import { type Collisions, childNamed, Name, pathOf, rename } from "../../../src/index.ts";
import { STORAGES, type Yard, yard } from "../../collision-cases.ts";
import { refusalOf } from "../../fleet.ts";
import { namedIn } from "../../starts.ts";

const named = ({ world }: Yard, entities: readonly Entity[]): (string | undefined)[] =>
  entities.map((entity) => get(world, entity, Name));

describe.each(STORAGES)("an entity that leaves in the same change, stored by %s,", (_, storage) => {
  it.each<Collisions>(["error", "suffix", "allow"])(
    "leaves room for another: two swap places (%s)",
    (policy) => {
      const all = yard(policy, storage);
      const { world, ship, crate, station, stationCrate } = all;

      moveTogether(world, [
        [crate, station],
        [stationCrate, ship],
      ]);

      expect([parentOf(world, crate), parentOf(world, stationCrate)]).toEqual([station, ship]);
      expect(named(all, [crate, stationCrate])).toEqual(["Crate", "Crate"]);
      expect([childNamed(world, ship, "Crate"), childNamed(world, station, "Crate")]).toEqual([
        stationCrate,
        crate,
      ]);
      expect(verify(world)).toEqual([]);
    },
  );

  it.each<Collisions>(["error", "suffix", "allow"])(
    "leaves room also among the roots, in a ring of three (%s)",
    (policy) => {
      for (const turn of [0, 1, 2]) {
        const all = yard(policy, storage);
        const { world, ship, crate, station, stationCrate, bin } = all;
        rename(world, all.rootCrate, "Old");
        rename(world, bin, "Crate");
        const moves: [Entity, Entity | undefined][] = [
          [crate, station],
          [stationCrate, undefined],
          [bin, ship],
        ];

        moveTogether(world, [...moves.slice(turn), ...moves.slice(0, turn)]);

        const places = [station, undefined, ship].map((parent) => namedIn(world, parent, "Crate"));
        expect([places, verify(world)]).toEqual([[crate, stationCrate, bin], []]);
      }
    },
  );

  it("leaves no room where it arrives itself: two of one name are refused, and nothing changes", () => {
    const { world, ship, crate, stationCrate, bin } = yard("error", storage);

    expect(
      refusalOf(world, () =>
        moveTogether(world, [
          [crate, bin],
          [stationCrate, bin],
        ]),
      ).code,
    ).toBe("name-taken");
    expect([parentOf(world, crate), childNamed(world, bin, "Crate")]).toEqual([ship, undefined]);
  });

  it("gets suffixes one after another where suffixes are allowed", () => {
    const all = yard("suffix", storage);
    const { world, crate, stationCrate, bin, station, box, lid } = all;
    rename(world, box, "Lid");
    const calls: string[] = [];
    observe(world, { set: Name }, ({ entity }) => calls.push(pathOf(world, entity)));

    moveTogether(world, [
      [crate, bin],
      [stationCrate, bin],
      [box, station],
    ]);

    expect(named(all, [crate, stationCrate, box, lid])).toEqual(["Crate", "Crate (2)", "Lid (2)", "Lid"]);
    expect(calls).toEqual(["Bin::Crate (2)", "Station::Lid (2)"]);
    expect(verify(world)).toEqual([]);
  });

  it("is first in the order of the change where names may be shared", () => {
    const { world, crate, stationCrate, bin } = yard("allow", storage);

    moveTogether(world, [
      [stationCrate, bin],
      [crate, bin],
    ]);

    expect([childNamed(world, bin, "Crate"), verify(world)]).toEqual([stationCrate, []]);
  });

  it("does not leave room for entities outside the change", () => {
    const { world, station, crate, box, bin } = yard("error", storage);

    expect(
      refusalOf(world, () =>
        moveTogether(world, [
          [box, bin],
          [crate, station],
        ]),
      ).code,
    ).toBe("name-taken");
  });

  it("may take the number that another one leaves", () => {
    const all = yard("suffix", storage);
    const { world, ship, bin, stationCrate, lid, crate } = all;
    const second = spawn(world, Name("Crate"), storage(ship));
    expect(get(world, second, Name)).toBe("Crate (2)");

    moveTogether(world, [
      [second, bin],
      [stationCrate, ship],
      [lid, ship],
    ]);

    expect(named(all, [crate, second, stationCrate, lid])).toEqual([
      "Crate",
      "Crate (2)",
      "Crate (2)",
      "Lid",
    ]);
    expect([childNamed(world, ship, "Crate (2)"), verify(world)]).toEqual([stationCrate, []]);
  });
});

describe("a refused change of several", () => {
  it("names the entity that has the name, there already or arriving", () => {
    const { world, ship, crate, stationCrate, station, bin } = yard("error", ChildOf);

    expect(refusalOf(world, () => moveTogether(world, [[crate, station]])).message).toBe(
      `"Crate" is taken among the children of Station: Station::Crate (#${indexOf(stationCrate)}) has it; ` +
        "choose another name, or rename that one first",
    );
    expect(
      refusalOf(world, () =>
        moveTogether(world, [
          [crate, bin],
          [stationCrate, bin],
        ]),
      ).message,
    ).toContain(`"Crate" is taken among the children of Bin: Ship::Crate (#${indexOf(crate)}) has it`);
    expect([parentOf(world, crate), parentOf(world, stationCrate)]).toEqual([ship, station]);
  });
});
