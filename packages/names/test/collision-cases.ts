import { add, clone, remove, set, spawn, spawnMany } from "@treeline/core";
import { moveAll, parseTerm, removeFromAll } from "@treeline/core/internal";
import { type Collisions, configureNames, Name, rename } from "../src/index.ts";
import { Any, ChildOf, Parent } from "./definitions.ts";
import { createWorld, type Entity, type World } from "./fleet.ts";

export const POLICIES: readonly Collisions[] = ["error", "suffix", "allow"];

export const STORAGES = [
  ["ChildOf", ChildOf],
  ["Parent", Parent],
] as const;

/**
 *   Ship
 *     Crate     by the storage, as all that are not roots
 *     Box
 *     (unnamed)
 *   Station
 *     Crate
 *     Lid
 *   Crate
 *   Bin
 */
export interface Yard {
  readonly world: World;
  readonly storage: typeof ChildOf;
  readonly ship: Entity;
  readonly crate: Entity;
  readonly box: Entity;
  readonly nameless: Entity;
  readonly station: Entity;
  readonly stationCrate: Entity;
  readonly lid: Entity;
  readonly rootCrate: Entity;
  readonly bin: Entity;
}

export function yard(collisions: Collisions, storage: typeof ChildOf | typeof Parent): Yard {
  const world = createWorld();
  configureNames(world, { collisions });
  const below = (parent: Entity, name: string): Entity => spawn(world, Name(name), storage(parent));
  const ship = spawn(world, Name("Ship"));
  const [crate, box] = [below(ship, "Crate"), below(ship, "Box")];
  const nameless = spawn(world, storage(ship));
  const station = spawn(world, Name("Station"));
  const [stationCrate, lid] = [below(station, "Crate"), below(station, "Lid")];
  const [rootCrate, bin] = [spawn(world, Name("Crate")), spawn(world, Name("Bin"))];
  return {
    world,
    storage: storage as typeof ChildOf,
    ...{ ship, crate, box, nameless, station, stationCrate, lid, rootCrate, bin },
  };
}

/** A change by which an entity gets the name Crate where there is one already. */
export interface CollisionCase {
  readonly title: string;
  /** Where: below the ship, or among the roots. */
  readonly where: "ship" | "roots";
  /** @returns the entity with the name. */
  readonly come: (yard: Yard) => Entity;
}

/** Acts on an entity and returns it as the named one. */
function to(
  choose: (yard: Yard) => Entity,
  act: (yard: Yard, entity: Entity) => unknown,
): CollisionCase["come"] {
  return (all) => {
    const entity = choose(all);
    act(all, entity);
    return entity;
  };
}

const collisionCase = (
  title: string,
  where: CollisionCase["where"],
  come: CollisionCase["come"],
): CollisionCase => ({ title, where, come });

/** Cases that set names. */
export const NAMING_CASES: readonly CollisionCase[] = [
  collisionCase("a spawn", "ship", ({ world, ship, storage }) => spawn(world, Name("Crate"), storage(ship))),
  collisionCase("the spawn of a root", "roots", ({ world }) => spawn(world, Name("Crate"))),
  collisionCase(
    "the spawn of one by spawnMany",
    "ship",
    ({ world, ship, storage }) => spawnMany(world, 1, storage(ship), Name("Crate"))[0]!,
  ),
  collisionCase(
    "a rename",
    "ship",
    to(
      ({ box }) => box,
      ({ world }, box) => rename(world, box, "Crate"),
    ),
  ),
  collisionCase(
    "a rename of a root",
    "roots",
    to(
      ({ bin }) => bin,
      ({ world }, bin) => rename(world, bin, "Crate"),
    ),
  ),
  collisionCase(
    "a set",
    "ship",
    to(
      ({ box }) => box,
      ({ world }, box) => set(world, box, Name, "Crate"),
    ),
  ),
  collisionCase(
    "an add of another name",
    "ship",
    to(
      ({ box }) => box,
      ({ world }, box) => add(world, box, Name("Crate")),
    ),
  ),
  collisionCase(
    "a first name by add",
    "ship",
    to(
      ({ nameless }) => nameless,
      ({ world }, nameless) => add(world, nameless, Name("Crate")),
    ),
  ),
  collisionCase(
    "a first name by set",
    "ship",
    to(
      ({ nameless }) => nameless,
      ({ world }, nameless) => set(world, nameless, Name, "Crate"),
    ),
  ),
  collisionCase(
    "a first name by rename",
    "ship",
    to(
      ({ nameless }) => nameless,
      ({ world }, nameless) => rename(world, nameless, "Crate"),
    ),
  ),
  collisionCase(
    "a name together with another parent",
    "ship",
    to(
      ({ lid }) => lid,
      ({ world, ship, storage }, lid) => add(world, lid, Name("Crate"), storage(ship)),
    ),
  ),
  collisionCase(
    "a name together with the same parent",
    "ship",
    to(
      ({ box }) => box,
      ({ world, ship, storage }, box) => add(world, box, Name("Crate"), storage(ship)),
    ),
  ),
  collisionCase(
    "a name together with a first parent",
    "ship",
    to(
      ({ bin }) => bin,
      ({ world, ship, storage }, bin) => add(world, bin, storage(ship), Name("Crate")),
    ),
  ),
  collisionCase("a clone that is given it", "ship", ({ world, box }) =>
    clone(world, box, { with: [Name("Crate")] }),
  ),
  collisionCase("a clone of the named entity", "ship", ({ world, crate }) =>
    clone(world, crate, { with: [Name("Crate")] }),
  ),
  collisionCase("a clone into another parent", "ship", ({ world, lid, ship, storage }) =>
    clone(world, lid, { with: [storage(ship), Name("Crate")] }),
  ),
  collisionCase("a deep clone of a root", "roots", ({ world, station }) =>
    clone(world, station, { deep: true, with: [Name("Crate")] }),
  ),
];

/** Cases that keep names, or move them along. */
export const KEEPING_CASES: readonly CollisionCase[] = [
  collisionCase(
    "a reparent",
    "ship",
    to(
      ({ stationCrate }) => stationCrate,
      ({ world, ship, storage }, crate) => add(world, crate, storage(ship)),
    ),
  ),
  collisionCase(
    "a reparent into ChildOf",
    "ship",
    to(
      ({ stationCrate }) => stationCrate,
      ({ world, ship }, crate) => add(world, crate, ChildOf(ship)),
    ),
  ),
  collisionCase(
    "a reparent into Parent",
    "ship",
    to(
      ({ stationCrate }) => stationCrate,
      ({ world, ship }, crate) => add(world, crate, Parent(ship)),
    ),
  ),
  collisionCase(
    "a reparent with Name as it is",
    "ship",
    to(
      ({ stationCrate }) => stationCrate,
      ({ world, ship, storage }, crate) => add(world, crate, Name, storage(ship)),
    ),
  ),
  collisionCase(
    "a first parent",
    "ship",
    to(
      ({ rootCrate }) => rootCrate,
      ({ world, ship, storage }, crate) => add(world, crate, storage(ship)),
    ),
  ),
  collisionCase(
    "an unparent",
    "roots",
    to(
      ({ crate }) => crate,
      ({ world }, crate) => remove(world, crate, ChildOf(Any)),
    ),
  ),
  collisionCase(
    "an unparent from that parent",
    "roots",
    to(
      ({ crate }) => crate,
      ({ world, ship }, crate) => remove(world, crate, ChildOf(ship)),
    ),
  ),
  collisionCase(
    "the removal of all pairs",
    "roots",
    to(
      ({ crate }) => crate,
      ({ world }, crate) => remove(world, crate, Any(Any)),
    ),
  ),
  collisionCase(
    "the removal of a parent from all that have it",
    "roots",
    to(
      ({ crate }) => crate,
      ({ world, ship }) => removeFromAll(world, parseTerm(world, ChildOf(ship))),
    ),
  ),
  collisionCase(
    "an unparent of several",
    "roots",
    to(
      ({ crate }) => crate,
      ({ world, box }, crate) =>
        moveAll(world, [
          [crate, undefined],
          [box, undefined],
        ]),
    ),
  ),
];

/** As test titles and arguments: every case in every storage. */
export function inBothStorages(
  cases: readonly CollisionCase[],
): [string, string, CollisionCase, typeof ChildOf][] {
  return cases.flatMap((one) =>
    STORAGES.map(([name, storage]): [string, string, CollisionCase, typeof ChildOf] => [
      one.title,
      name,
      one,
      storage as typeof ChildOf,
    ]),
  );
}
