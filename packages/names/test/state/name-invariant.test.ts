import {
  add,
  clear,
  clone,
  type Hooks,
  locate,
  release,
  remove,
  set,
  spawn,
  type TreelineError,
} from "@treeline/core";
import { indexOf } from "@treeline/core/internal";
import { describe, expect, it } from "vitest";
import { lookup, Name, pathOf, rename } from "../../src/index.ts";
import { insertName, removeName } from "../../src/state/name-index.ts";
import { Any, ChildOf, Parent, tag } from "../definitions.ts";
import { createDice } from "../dice.ts";
import { createWorld, type Entity, fleet, refusalOf } from "../fleet.ts";
import { namesOf } from "../internal.ts";
import { get, isAlive, verify } from "../reading.ts";

const Frozen = tag("Frozen");

describe("a name is free again", () => {
  it("after its component was removed", () => {
    const { world, ship, cockpit } = fleet();

    remove(world, cockpit, Name);

    expect(lookup(world, "Ship::Cockpit")).toBeUndefined();
    const other = spawn(world, Name("Cockpit"), ChildOf(ship));
    expect(lookup(world, "Ship::Cockpit")).toBe(other);
    expect(refusalOf(world, () => rename(world, cockpit, "Cockpit")).code).toBe("name-taken");
    remove(world, cockpit, Name);
    expect(lookup(world, "Ship::Cockpit")).toBe(other);
  });

  it("after its entity was released", () => {
    const { world, ship, hold } = fleet();

    release(world, hold);

    expect(lookup(world, "Ship::Hold")).toBeUndefined();
    const other = spawn(world, Name("Hold"), ChildOf(ship));
    expect(lookup(world, "Ship::Hold")).toBe(other);
    expect(verify(world)).toEqual([]);
  });

  it("after a rename, a reparent and an unparent of its entity", () => {
    const { world, ship, station, cockpit, hold } = fleet();
    const spare = spawn(world);

    rename(world, cockpit, "Bridge");
    rename(world, spawn(world, ChildOf(ship)), "Cockpit");
    add(world, hold, ChildOf(station));
    const second = spawn(world, Name("Hold"), ChildOf(ship));
    remove(world, second, ChildOf(Any));
    add(world, spare, Name("Hold"), ChildOf(ship));

    expect(lookup(world, "Ship::Hold")).toBe(spare);
    expect(lookup(world, "Station::Hold")).toBe(hold);
    expect(lookup(world, "Hold")).toBe(second);
    expect(verify(world)).toEqual([]);
  });

  it("after destructions in any order: also for children whose parents are removed already", () => {
    const { world, ship, cockpit, hold } = fleet();
    const { onRemove, anyOrder } = Name.hooks as Hooks<string>;
    expect(anyOrder).toBe(true);

    // Parents first, and with a parent that is not theirs any more.
    for (const entity of [ship, cockpit, hold])
      onRemove?.(world, entity, get(world, entity, Name)!, undefined);
    expect(lookup(world, "Ship::Cockpit")).toBeUndefined();
    for (const entity of [hold, cockpit, ship]) release(world, entity);

    expect(lookup(world, "Ship")).toBeUndefined();
    expect(lookup(world, "Station::Cockpit")).toBeDefined();
    const again = spawn(world, Name("Ship"));
    expect(lookup(world, "Ship")).toBe(again);
    expect(lookup(world, "Ship::Cockpit")).toBeUndefined();
    expect(verify(world)).toEqual([]);
  });

  it("also for an entity spawned with a used index", () => {
    const world = createWorld();
    const released = Array.from({ length: 6_000 }, (_, at) => spawn(world, Name(`released ${at}`)));
    for (const entity of released) release(world, entity);
    const indexes = new Set(released.map(indexOf));

    const spawned = Array.from({ length: 3_000 }, () => spawn(world));

    const reused = spawned.filter((entity) => indexes.has(indexOf(entity)));
    expect(reused.length).toBeGreaterThan(1_000);
    expect(spawned.filter((entity) => pathOf(world, entity) !== `#${indexOf(entity)}`)).toEqual([]);
    spawned.forEach((entity, at) => {
      rename(world, entity, `released ${at}`);
    });
    expect(spawned.filter((entity, at) => lookup(world, `released ${at}`) !== entity)).toEqual([]);
    expect(lookup(world, "released 5999")).toBeUndefined();
    expect(verify(world)).toEqual([]);
  });

  it("so that many names in turn leave the index as it was", () => {
    const { world, cockpit } = fleet();
    const { nameIndex } = namesOf(world);
    const before = [nameIndex.slots.length, nameIndex.entries.length];

    for (let round = 0; round < 20_000; round++) rename(world, cockpit, `name ${round}`);

    expect([nameIndex.slots.length, nameIndex.entries.length]).toEqual(before);
    expect(nameIndex.texts.length).toBeLessThanOrEqual(4_096);
    expect(lookup(world, "Ship::name 19999")).toBe(cockpit);
  });
});

describe("invariant I15", () => {
  it("reports a name written past the hooks", () => {
    const { world, cockpit } = fleet();
    const place = locate(world, cockpit, Name)!;

    (place.columns as string[])[place.row] = "Bridge";

    expect(verify(world)).toEqual([`I15: #${indexOf(cockpit)} is named "Bridge" and indexed as "Cockpit"`]);
  });

  it("reports an entry in a wrong scope, destroyed entities in the index, and names that are not in it", () => {
    const { world, ship, cockpit, hold, station } = fleet();
    const { nameIndex } = namesOf(world);

    nameIndex.entries[indexOf(cockpit) * 2] = indexOf(station);
    expect(verify(world)).toContain(
      `I15: #${indexOf(cockpit)} is below #${indexOf(ship)}, not #${indexOf(station)}`,
    );
    nameIndex.entries[indexOf(cockpit) * 2] = indexOf(ship);
    expect(verify(world)).toEqual([]);

    removeName(nameIndex, indexOf(hold));
    expect(verify(world)).toContain(`I15: #${indexOf(hold)} is named "Hold" and indexed as undefined`);
    insertName(nameIndex, indexOf(hold), indexOf(ship), "Cockpit");
    expect(verify(world)).toContain("I21: 1 entities share the name of a sibling");

    release(world, hold);
    insertName(nameIndex, indexOf(hold), indexOf(ship), "Hold");
    expect(verify(world)).toContain(
      `I15: #${indexOf(hold)} is indexed as "Hold" but is not alive or has no name`,
    );
  });

  it("holds through thousands of random changes, some of them refused, and every path leads back", () => {
    const dice = createDice(77);
    const world = createWorld();
    const living: Entity[] = [];
    const refusals = new Map<string, number>();
    const names = ["a", "b", "c", "d", "e"];
    const someone = (): Entity => dice.pick(living);

    const acts: (() => unknown)[] = [
      () => living.push(spawn(world, Name(dice.pick(names)))),
      () => living.push(spawn(world, ChildOf(someone()))),
      () => living.push(spawn(world, ChildOf(someone()), Name(dice.pick(names)))),
      () => rename(world, someone(), dice.pick(names)),
      () => set(world, someone(), Name, dice.pick(names)),
      () => living.push(spawn(world, Parent(someone()), Name(dice.pick(names)))),
      () => add(world, someone(), ChildOf(someone())),
      () => add(world, someone(), Parent(someone())),
      () => add(world, someone(), Parent(someone()), Name(dice.pick(names))),
      () => clear(world, someone()),
      () =>
        living.push(clone(world, someone(), { deep: dice.below(2) === 0, with: [Name(dice.pick(names))] })),
      () => add(world, someone(), ChildOf(someone()), Name(dice.pick(names))),
      () => add(world, someone(), Frozen),
      () => remove(world, someone(), Frozen),
      () => remove(world, someone(), Name),
      () => remove(world, someone(), ChildOf(Any)),
      () => release(world, someone()),
    ];
    for (let step = 0; step < 1_500; step++) {
      try {
        (living.length === 0 ? acts[0]! : dice.pick(acts))();
      } catch (error) {
        const { code } = error as TreelineError;
        refusals.set(code, (refusals.get(code) ?? 0) + 1);
      }
      for (let at = living.length - 1; at >= 0; at--) if (!isAlive(world, living[at]!)) living.splice(at, 1);
      if (step % 25 !== 0) continue;
      expect(verify(world)).toEqual([]);
      const paths = living.map((entity) => pathOf(world, entity));
      expect(new Set(paths).size).toBe(living.length);
      expect(paths.map((path) => lookup(world, path))).toEqual(living);
    }
    expect([...refusals.keys()].sort()).toEqual(["cycle", "name-taken", "still-a-target"]);
    expect(Math.min(...refusals.values())).toBeGreaterThan(10);
  });
});
