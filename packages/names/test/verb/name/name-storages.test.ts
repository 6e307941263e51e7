import { add, clear, createWorld, type Entity, release, remove, spawn, spawnMany } from "@treeline/core";
import { indexOf, moveAll, parseTerm, removeFromAll } from "@treeline/core/internal";
import { describe, expect, it } from "vitest";
import { lookup, Name, pathOf, rename } from "../../../src/index.ts";
import { Any, ChildOf, Parent, tag } from "../../definitions.ts";
import { refusalOf } from "../../fleet.ts";
import { get, has, parentOf, verify } from "../../reading.ts";

const Frozen = tag("Frozen");
const storages = [
  ["ChildOf", ChildOf],
  ["Parent", Parent],
] as const;

/**
 *   Ship
 *     Cockpit   by the storage
 *       Seat    as a value
 *     Hold      as a value
 *   Station
 */
function plant(storage: typeof ChildOf) {
  const world = createWorld();
  const ship = spawn(world, Name("Ship"));
  const cockpit = spawn(world, Name("Cockpit"), storage(ship));
  const seat = spawn(world, Name("Seat"), Parent(cockpit));
  const hold = spawn(world, Parent(ship), Name("Hold"));
  const station = spawn(world, Name("Station"));
  return { world, ship, cockpit, seat, hold, station };
}

describe.each(storages)("names of children by %s", (_, storage) => {
  it("are found below their parents, and back", () => {
    const { world, ship, cockpit, seat, hold } = plant(storage);

    expect([
      lookup(world, "Ship::Cockpit"),
      lookup(world, "Ship::Cockpit::Seat"),
      lookup(world, "Ship::Hold"),
    ]).toEqual([cockpit, seat, hold]);
    expect([lookup(world, "Seat", { from: cockpit }), lookup(world, "Cockpit")]).toEqual([seat, undefined]);
    expect([pathOf(world, seat), pathOf(world, hold)]).toEqual(["Ship::Cockpit::Seat", "Ship::Hold"]);
    expect([parentOf(world, cockpit), verify(world)]).toEqual([ship, []]);
  });

  it("move along with a reparent, whatever the new storage", () => {
    for (const other of [ChildOf, Parent]) {
      const { world, cockpit, seat, station } = plant(storage);

      add(world, cockpit, other(station));

      expect([lookup(world, "Ship::Cockpit"), lookup(world, "Station::Cockpit::Seat")]).toEqual([
        undefined,
        seat,
      ]);
      expect([pathOf(world, seat), verify(world)]).toEqual(["Station::Cockpit::Seat", []]);
    }
  });

  it("stay where they are when only the storage changes", () => {
    const { world, ship, cockpit, seat } = plant(storage);
    const other = storage === ChildOf ? Parent : ChildOf;

    add(world, cockpit, other(ship));
    add(world, cockpit, storage(ship), Frozen);

    expect([lookup(world, "Ship::Cockpit"), lookup(world, "Ship::Cockpit::Seat"), verify(world)]).toEqual([
      cockpit,
      seat,
      [],
    ]);
  });

  it("are refused as taken among siblings of both storages, and nothing changes", () => {
    const { world, ship, cockpit, hold, station } = plant(storage);
    const other = spawn(world, Name("Cockpit"), Parent(station));

    const codes = [
      () => spawn(world, Name("Cockpit"), ChildOf(ship)),
      () => spawn(world, Name("Cockpit"), Parent(ship)),
      () => spawn(world, Name("Hold"), storage(ship)),
      () => add(world, cockpit, Parent(station)),
      () => add(world, cockpit, ChildOf(station)),
      () => add(world, other, storage(ship)),
      () => rename(world, hold, "Cockpit"),
      () => spawnMany(world, 2, Name("Twin"), storage(ship)),
    ].map((act) => refusalOf(world, act).code);

    expect(new Set(codes)).toEqual(new Set(["name-taken"]));
  });

  it("are free again after a move, a removal, a clear and a destruction", () => {
    const { world, ship, cockpit, station } = plant(storage);
    const again = (): Entity => spawn(world, Name("Cockpit"), storage(ship));

    add(world, cockpit, Parent(station));
    const second = again();
    remove(world, second, ChildOf(Any));
    const third = again();
    clear(world, third);
    const fourth = again();
    release(world, fourth);
    const fifth = again();

    expect([
      lookup(world, "Ship::Cockpit"),
      lookup(world, "Station::Cockpit"),
      lookup(world, "Cockpit"),
    ]).toEqual([fifth, cockpit, second]);
    expect([has(world, third, Name), verify(world)]).toEqual([false, []]);
  });

  it("of those without one are steps by index, below their parents or from the roots", () => {
    const { world, ship, cockpit } = plant(storage);
    const nameless = spawn(world, storage(cockpit));
    const step = `#${indexOf(nameless)}`;

    expect([pathOf(world, nameless), lookup(world, `Ship::Cockpit::${step}`)]).toEqual([
      `Ship::Cockpit::${step}`,
      nameless,
    ]);
    expect([
      lookup(world, step),
      lookup(world, `Ship::${step}`),
      lookup(world, step, { from: ship }),
    ]).toEqual([nameless, undefined, undefined]);
  });

  it("of an entity that loses its parent are refused if a root has them", () => {
    const { world, cockpit } = plant(storage);
    spawn(world, Name("Cockpit"));

    expect(refusalOf(world, () => remove(world, cockpit, ChildOf(Any))).code).toBe("name-taken");
    expect(refusalOf(world, () => remove(world, cockpit, Any(Any))).code).toBe("name-taken");
  });
});

describe("many that become roots at once", () => {
  it("keep their names, in both storages", () => {
    const { world, ship, cockpit, seat, hold } = plant(ChildOf);

    removeFromAll(world, parseTerm(world, ChildOf(ship)));

    expect([lookup(world, "Cockpit"), lookup(world, "Hold"), lookup(world, "Cockpit::Seat")]).toEqual([
      cockpit,
      hold,
      seat,
    ]);
    expect([lookup(world, "Ship::Cockpit"), verify(world)]).toEqual([undefined, []]);
  });

  it("are refused as a whole if one has the name of a root", () => {
    const { world, ship } = plant(Parent);
    spawn(world, Name("Hold"));

    expect(refusalOf(world, () => removeFromAll(world, parseTerm(world, ChildOf(ship)))).code).toBe(
      "name-taken",
    );
    expect(refusalOf(world, () => removeFromAll(world, parseTerm(world, Any(ship)))).code).toBe("name-taken");
  });

  it("are refused as a whole if two of them have one name: they never were siblings before", () => {
    const world = createWorld();
    const [ship, station] = [spawn(world, Name("Ship")), spawn(world, Name("Station"))];
    const [one, other] = [
      spawn(world, Name("Cockpit"), ChildOf(ship)),
      spawn(world, Name("Cockpit"), Parent(station)),
    ];
    spawn(world, Name("Hold"), Parent(ship));

    expect(refusalOf(world, () => removeFromAll(world, parseTerm(world, ChildOf(Any)))).code).toBe(
      "name-taken",
    );
    expect(refusalOf(world, () => removeFromAll(world, parseTerm(world, Any(Any)))).code).toBe("name-taken");
    expect(
      refusalOf(world, () =>
        moveAll(world, [
          [one, undefined],
          [other, undefined],
        ]),
      ).code,
    ).toBe("name-taken");
    expect([parentOf(world, one), parentOf(world, other)]).toEqual([ship, station]);

    rename(world, other, "Bridge");
    removeFromAll(world, parseTerm(world, ChildOf(Any)));
    expect([lookup(world, "Cockpit"), lookup(world, "Bridge"), get(world, one, Name)]).toEqual([
      one,
      other,
      "Cockpit",
    ]);
    expect(verify(world)).toEqual([]);
  });

  it("may lose their names and places at once", () => {
    const { world, cockpit, hold } = plant(Parent);

    removeFromAll(world, parseTerm(world, Name));
    removeFromAll(world, parseTerm(world, ChildOf(Any)));

    expect([lookup(world, "Ship"), has(world, cockpit, Name), parentOf(world, hold), verify(world)]).toEqual([
      undefined,
      false,
      undefined,
      [],
    ]);
  });
});
