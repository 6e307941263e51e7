import { add, clear, defer, observe, release, remove, set, spawn } from "@treeline/core";
import { destroyAll, indexOf } from "@treeline/core/internal";
import { describe, expect, it, vi } from "vitest";
import { Alias, configureNames, lookup, Name, path, pathOf, rename, withScope } from "../../src/index.ts";
import { ChildOf, Parent } from "../definitions.ts";
import { createDice } from "../dice.ts";
import { codeOf, createWorld, type Entity, fleet } from "../fleet.ts";
import { namesOf } from "../internal.ts";

describe("a path handle", () => {
  it("finds the entity that is there now", () => {
    const { world, ship, hold } = fleet();
    const kept = path(world, "Ship::Hold");

    expect(kept.entity).toBe(hold);
    expect(path(world, ["Ship", "Hold"]).entity).toBe(hold);
    expect(path(world, "Hold", { from: ship }).entity).toBe(hold);
    expect(path(world, "Ship/Hold", { separator: "/" }).entity).toBe(hold);
    expect(path(world, "Ship::Galley").entity).toBeUndefined();
  });

  it("finds an entity that is added later", () => {
    const world = createWorld();
    const kept = path(world, "Ship::Hold");
    expect(kept.entity).toBeUndefined();

    const ship = spawn(world, Name("Ship"));
    expect(kept.entity).toBeUndefined();
    const hold = spawn(world, Name("Hold"), ChildOf(ship));

    expect(kept.entity).toBe(hold);
  });

  it("follows names: a rename of any step, and back", () => {
    const { world, ship, hold } = fleet();
    const kept = path(world, "Ship::Hold");

    rename(world, hold, "Hull");
    expect(kept.entity).toBeUndefined();
    set(world, hold, Name, "Hold");
    expect(kept.entity).toBe(hold);
    rename(world, ship, "Boat");
    expect(kept.entity).toBeUndefined();
    add(world, ship, Name("Ship"));
    expect(kept.entity).toBe(hold);
    remove(world, ship, Name);
    expect(kept.entity).toBeUndefined();
  });

  it("finds another entity that gets the name", () => {
    const { world, cockpit, hold } = fleet();
    const kept = path(world, "Ship::Hold");
    expect(kept.entity).toBe(hold);

    rename(world, hold, "Hull");
    rename(world, cockpit, "Hold");

    expect(kept.entity).toBe(cockpit);
  });

  it("follows moves of the entity and of its ancestors", () => {
    const { world, ship, hold, station } = fleet();
    const [inShip, inStation] = [path(world, "Ship::Hold"), path(world, "Station::Hold")];
    const deep = path(world, "Station::Ship::Hold");
    expect([inShip.entity, inStation.entity, deep.entity]).toEqual([hold, undefined, undefined]);

    add(world, hold, Parent(station));
    expect([inShip.entity, inStation.entity]).toEqual([undefined, hold]);
    add(world, hold, ChildOf(ship));
    add(world, ship, ChildOf(station));

    expect([inShip.entity, inStation.entity, deep.entity]).toEqual([undefined, undefined, hold]);
  });

  it("finds none after a destruction, and the next one of that name", () => {
    const { world, ship, hold } = fleet();
    const kept = path(world, "Ship::Hold");
    expect(kept.entity).toBe(hold);

    release(world, hold);
    expect(kept.entity).toBeUndefined();
    const again = spawn(world, Name("Hold"), ChildOf(ship));

    expect([kept.entity, again === hold]).toEqual([again, false]);
  });

  it("finds none after the destruction of all ancestors, and new ones of the same names later", () => {
    const { world, ship, hold } = fleet();
    const kept = path(world, "Ship::Hold");
    expect(kept.entity).toBe(hold);

    destroyAll(world, [indexOf(ship)]);
    expect(kept.entity).toBeUndefined();
    const again = spawn(world, Name("Hold"), ChildOf(spawn(world, Name("Ship"))));

    expect(kept.entity).toBe(again);
  });

  it("finds none after a clear", () => {
    const { world, hold } = fleet();
    const kept = path(world, "Ship::Hold");
    expect(kept.entity).toBe(hold);

    clear(world, hold);

    expect(kept.entity).toBeUndefined();
  });

  it("changes at the end of an iteration, with the names", () => {
    const { world, ship } = fleet();
    const kept = path(world, "Ship::Deck");

    const deck = defer(world, () => {
      const spawned = spawn(world, Name("Deck"), ChildOf(ship));
      expect(kept.entity).toBeUndefined();
      return spawned;
    });

    expect(kept.entity).toBe(deck);
  });

  it("is current in observers", () => {
    const { world, ship } = fleet();
    const kept = path(world, "Ship::Deck");
    const seen: unknown[] = [];
    observe(world, { added: Name, removed: Name }, ({ entity }) => seen.push(kept.entity === entity));

    const deck = spawn(world, Name("Deck"), ChildOf(ship));
    release(world, deck);

    expect([seen, kept.entity]).toEqual([[true, true], undefined]);
  });

  it("follows aliases, also the first one of a world", () => {
    const { world, hold, cockpit } = fleet();
    const kept = path(world, "Store");
    expect(kept.entity).toBeUndefined();

    set(world, hold, Alias, "Store");
    expect(kept.entity).toBe(hold);
    set(world, hold, Alias, "Other");
    expect(kept.entity).toBeUndefined();
    set(world, cockpit, Alias, "Store");
    expect(kept.entity).toBe(cockpit);
    remove(world, cockpit, Alias);

    expect(kept.entity).toBeUndefined();
  });

  it("follows the first of several with one name", () => {
    const world = createWorld();
    configureNames(world, { collisions: "allow" });
    const kept = path(world, "Ship");
    const ships = [0, 1, 2].map(() => spawn(world, Name("Ship")));

    const seen: (Entity | undefined)[] = [];
    for (const ship of ships) {
      seen.push(kept.entity);
      rename(world, ship, "Wreck");
    }

    expect([seen, kept.entity]).toEqual([ships, undefined]);
  });

  it("of indexes finds the entity with that index, in whatever place, though no name changes", () => {
    const world = createWorld();
    const [one, other] = [spawn(world, Name("One")), spawn(world, Name("Other"))];
    const crate = spawn(world, ChildOf(one));
    const inOne = path(world, `One::#${indexOf(crate)}`);
    const anywhere = path(world, pathOf(world, crate).replace("One::", ""));
    expect([inOne.entity, anywhere.entity]).toEqual([crate, crate]);

    add(world, crate, ChildOf(other));
    expect([inOne.entity, anywhere.entity]).toEqual([undefined, crate]);
    release(world, crate);

    expect([inOne.entity, anywhere.entity]).toEqual([undefined, undefined]);
  });

  it("returns the same as lookup at all times", () => {
    const dice = createDice(81);
    const world = createWorld();
    configureNames(world, { collisions: "allow" });
    const names = ["a", "b", "c"];
    const requests = ["a", "b::a", "a::b", "a::b::c", "c::c", "#2::a", "a::#3", "#0::b"];
    const kept = requests.map((one) => path(world, one));
    const living: Entity[] = [];
    const someone = (): Entity => dice.pick(living);
    const acts = [
      () => living.push(spawn(world, Name(dice.pick(names)))),
      () => living.push(spawn(world, Name(dice.pick(names)), ChildOf(someone()))),
      () => rename(world, someone(), dice.pick(names)),
      () => add(world, someone(), dice.pick([ChildOf, Parent])(someone())),
      () => set(world, someone(), Alias, dice.pick(names)),
      () => remove(world, someone(), Name),
      () => remove(world, someone(), Alias),
      () => release(world, living.pop()!),
    ];
    for (let round = 0; round < 1_500; round++) {
      codeOf(living.length < 3 ? acts[0]! : dice.pick(acts));
      if (living.length > 12) destroyAll(world, living.splice(0).map(indexOf));
      expect(kept.map((one) => one.entity)).toEqual(requests.map((one) => lookup(world, one)));
    }
  });
});

describe("the start of a path handle", () => {
  it("is from, wherever that one moves", () => {
    const { world, ship, hold, station } = fleet();
    const kept = path(world, "Hold", { from: ship });
    expect(kept.entity).toBe(hold);

    add(world, ship, ChildOf(station));
    rename(world, ship, "Boat");

    expect(kept.entity).toBe(hold);
  });

  it("that was destroyed finds none, and no other of that name", () => {
    const { world, station, dock } = fleet();
    const kept = path(world, "Cockpit", { from: station });
    expect(kept.entity).toBe(dock);

    destroyAll(world, [indexOf(station)]);
    const again = spawn(world, Name("Station"));
    spawn(world, Name("Cockpit"), ChildOf(again));

    expect(kept.entity).toBeUndefined();
  });

  it("is the scope in which it was made, and stays that", () => {
    const { world, ship, hold, station } = fleet();

    const kept = withScope(world, ship, () => path(world, "Hold"));

    expect([kept.entity, withScope(world, station, () => kept.entity)]).toEqual([hold, hold]);
  });

  it("is the result of an empty path, until it is destroyed", () => {
    const { world, hold } = fleet();
    const kept = [path(world, "", { from: hold }), path(world, [], { from: hold })];
    expect(kept.map(({ entity }) => entity)).toEqual([hold, hold]);

    release(world, hold);

    expect(kept.map(({ entity }) => entity)).toEqual([undefined, undefined]);
  });

  it("are the roots for a path with a leading separator", () => {
    const { world, ship, buoy } = fleet();

    expect(path(world, "::Cockpit", { from: ship }).entity).toBe(buoy);
    expect(withScope(world, ship, () => path(world, "::Cockpit")).entity).toBe(buoy);
  });
});

describe("creating a path handle", () => {
  it.each(["", [], "a::", "::", "a\\", ["a", ""], undefined, null, 7])("refuses %j, as lookup does", (at) => {
    expect(codeOf(() => path(createWorld(), at as string))).toBe("bad-path");
  });

  it("refuses a from that is not alive, also before a leading separator", () => {
    const { world, hold } = fleet();
    release(world, hold);

    expect(codeOf(() => path(world, "a", { from: hold }))).toBe("dead-entity");
    expect(codeOf(() => path(world, "::a", { from: hold }))).toBe("dead-entity");
  });

  it("keeps the separator of that moment", () => {
    const { world, hold } = fleet();
    const kept = path(world, "Ship::Hold");

    configureNames(world, { separator: "/" });

    expect([kept.entity, path(world, "Ship/Hold").entity]).toEqual([hold, hold]);
  });

  it("keeps the list as it was given", () => {
    const { world, hold } = fleet();
    const names = ["Ship", "Hold"];
    const kept = path(world, names);

    names.pop();

    expect(kept.entity).toBe(hold);
  });
});

describe("the work of a path handle", () => {
  it("is one comparison while no name changes", () => {
    const { world, hold } = fleet();
    const kept = path(world, "Ship::Hold");
    expect(kept.entity).toBe(hold);
    const { nameIndex } = namesOf(world);
    const probes = vi.fn();
    const { slots } = nameIndex;
    const probed = (): typeof slots => {
      probes();
      return slots;
    };
    Object.defineProperty(nameIndex, "slots", { get: probed, configurable: true });

    const crate = spawn(world, ChildOf(hold));
    release(world, crate);
    for (let round = 0; round < 100; round++) expect(kept.entity).toBe(hold);
    expect(probes).not.toHaveBeenCalled();

    Object.defineProperty(nameIndex, "slots", { value: slots, writable: true });
    rename(world, hold, "Hull");
    expect(kept.entity).toBeUndefined();
  });
});
