import {
  add,
  ChildOf,
  clone,
  defer,
  type Entity,
  isAlive,
  observe,
  observeEntity,
  remove,
  set,
  spawn,
  type WorldEvent,
} from "@treeline/core";
import { destroy } from "@treeline/core/internal";
import { describe, expect, it } from "vitest";
import { configureNames, ensurePath, Name, pathOf, rename, withScope } from "../../../src/index.ts";
import { Any } from "../../definitions.ts";
import { createWorld, fleet, type World } from "../../fleet.ts";
import { get } from "../../reading.ts";

/** "set Hull" for each event of a name, with the name at that moment. */
function recordNames(world: World, one?: Entity): string[] {
  const seen: string[] = [];
  const changes = { added: Name, set: Name, removed: Name };
  const call = ({ kind, entity }: WorldEvent): void => void seen.push(`${kind} ${get(world, entity, Name)}`);
  if (one === undefined) observe(world, changes, call);
  else observeEntity(world, one, changes, call);
  return seen;
}

describe("an observer of names", () => {
  it.each<[string, (world: World, ship: Entity) => unknown, string[]]>([
    ["a spawn with a name", (world) => spawn(world, Name("Hull")), ["added Hull", "set Hull"]],
    [
      "a name for an entity without one",
      (world) => rename(world, spawn(world), "Hull"),
      ["added Hull", "set Hull"],
    ],
    ["rename", (world, ship) => rename(world, ship, "Hull"), ["set Hull"]],
    ["set", (world, ship) => set(world, ship, Name, "Hull"), ["set Hull"]],
    ["add", (world, ship) => add(world, ship, Name("Hull")), ["set Hull"]],
    ["rename to the present name", (world, ship) => rename(world, ship, "Ship"), []],
    ["the loss of the name", (world, ship) => remove(world, ship, Name), ["removed Ship"]],
    [
      "ensurePath",
      (world, ship) => withScope(world, ship, () => ensurePath(world, "Hold::Crate")),
      ["added Hold", "set Hold", "added Crate", "set Crate"],
    ],
    ["a move that keeps the name", (world, ship) => add(world, ship, ChildOf(spawn(world))), []],
    [
      "the destruction of a tree, children first",
      (world, ship) => destroy(world, ship),
      ["removed Cockpit", "removed Ship"],
    ],
  ])("is notified of %s", (_, act, expected) => {
    const world = createWorld();
    const ship = spawn(world, Name("Ship"));
    spawn(world, Name("Cockpit"), ChildOf(ship));
    const seen = recordNames(world);

    act(world, ship);

    expect(seen).toEqual(expected);
  });

  it("is notified of the names below a deep clone, which has no name of its own", () => {
    const world = createWorld();
    const ship = spawn(world, Name("Ship"));
    spawn(world, Name("Cockpit"), ChildOf(ship));
    const seen = recordNames(world);

    clone(world, ship, { deep: true });

    expect(seen).toEqual(["added Cockpit", "set Cockpit"]);
  });

  it("is notified once of a name that a conflict changes, with the number", () => {
    const world = createWorld();
    configureNames(world, { collisions: "suffix" });
    const [ship, crate] = [spawn(world, Name("Ship")), spawn(world, Name("Crate"))];
    spawn(world, Name("Crate"), ChildOf(ship));
    const seen = recordNames(world);

    add(world, crate, ChildOf(ship));
    rename(world, spawn(world, Name("Box"), ChildOf(ship)), "Crate");

    expect(seen).toEqual(["set Crate (2)", "added Box", "set Box", "set Crate (3)"]);
  });

  it("of one entity is notified of its names alone", () => {
    const { world, ship, station } = fleet();
    const seen = recordNames(world, ship);

    rename(world, station, "Dock");
    rename(world, ship, "Hull");
    remove(world, ship, Name);

    expect(seen).toEqual(["set Hull", "removed Hull"]);
  });

  it("with `after` knows the former name if it keeps names itself", () => {
    const world = createWorld();
    const known = new Map<Entity, string>();
    const seen: string[] = [];
    observe(
      world,
      { added: Name, set: Name, removed: Name },
      ({ entity }) => {
        const [before, now] = [
          known.get(entity),
          isAlive(world, entity) ? get(world, entity, Name) : undefined,
        ];
        if (before === now) return;
        seen.push(`${before} > ${now}`);
        if (now === undefined) known.delete(entity);
        else known.set(entity, now);
      },
      { after: true, yieldExisting: true },
    );

    const ship = spawn(world, Name("Ship"));
    defer(world, () => {
      rename(world, ship, "Hull");
      rename(world, ship, "Wreck");
    });
    destroy(world, ship);

    expect(seen).toEqual(["undefined > Ship", "Ship > Wreck", "Wreck > undefined"]);
  });
});

it("a path is observed through names and parents: a store of it is a few lines", () => {
  const world = createWorld();
  const ship = spawn(world, Name("Ship"));
  const cockpit = spawn(world, Name("Cockpit"), ChildOf(ship));
  const station = spawn(world, Name("Station"));
  const paths: string[] = [pathOf(world, cockpit)];
  const update = (): void => {
    const path = isAlive(world, cockpit) ? pathOf(world, cockpit) : "";
    if (path !== paths.at(-1)) paths.push(path);
  };
  const changes = { set: Name, added: Any, removed: Any };
  observe(world, changes, ({ definition }) => (definition === Name || definition === ChildOf) && update(), {
    after: true,
  });

  rename(world, ship, "Hull");
  add(world, ship, ChildOf(station));
  rename(world, cockpit, "Bridge");
  add(world, cockpit, ChildOf(station));
  rename(world, ship, "Wreck");
  remove(world, station, Name);
  destroy(world, station);

  const unnamed = paths[5];
  expect(paths).toEqual([
    "Ship::Cockpit",
    "Hull::Cockpit",
    "Station::Hull::Cockpit",
    "Station::Hull::Bridge",
    "Station::Bridge",
    unnamed,
    "",
  ]);
  expect(unnamed).toMatch(/^#.*::Bridge$/);
});
