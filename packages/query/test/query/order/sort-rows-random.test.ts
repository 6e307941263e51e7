import { type Entity, get, has, isAlive, isDisabled, parentOf, remove, set, targetOf } from "@treeline/core";
import { expect, it } from "vitest";
import { depthOf, entities, type Query, query } from "../../../src/index.ts";
import { ChildOf } from "../../public/builtins.ts";
import { component } from "../../public/define.ts";
import { f64 } from "../../public/fields.ts";
import { group, groupBy, groupsOf, orderBy } from "../../public/parts.ts";
import { cascade } from "../../public/terms.ts";
import { seeds } from "../../random/dice.ts";
import { change, createRandomWorld, livingIn, type RandomWorld, Sign } from "../../random/random-world.ts";
import { indexOf } from "../../world-state.ts";

const Rank = component("Rank", { of: f64 });
const NUMBERS = [0, -0, 1, 2, 3, 4, -5, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];

/** One way to sort, written naively. */
interface UpPath {
  readonly text: string;
  readonly tested: Query;
  /** What is compared first, second ...: numbers, small ones first. */
  readonly measures: readonly ((entity: Entity) => number)[];
}

function pathsIn({ world }: RandomWorld): UpPath[] {
  const rankOf = (entity: Entity): number | undefined => get(world, entity, Rank)?.of;
  const layer = (entity: Entity): number => {
    const rank = rankOf(entity);
    return rank === undefined ? 2 : Number.isNaN(rank) ? 1 : 0;
  };
  const numberOf = (entity: Entity): number => (layer(entity) === 0 ? rankOf(entity)! : 0);
  const depth = (entity: Entity): number => depthOf(world, entity);
  const above = (entity: Entity): number => {
    const parent = parentOf(world, entity);
    return parent === undefined ? Number.POSITIVE_INFINITY : indexOf(parent);
  };
  const minus = (measure: (entity: Entity) => number) => (entity: Entity) => -measure(entity);
  // NaN cannot be ordered by a comparison: it counts as 0.
  const compared = (entity: Entity): number => (has(world, entity, Rank) ? rankOf(entity) || 0 : 0);
  const lack = (entity: Entity): number => (has(world, entity, Rank) ? 0 : 1);
  const compare = (one: { of: number }, other: { of: number }): number =>
    (one.of || 0) < (other.of || 0) ? -1 : (one.of || 0) > (other.of || 0) ? 1 : 0;
  const desc = { desc: true };
  return [
    {
      text: "up",
      tested: query(world, Sign, orderBy(Rank, "of")),
      measures: [layer, numberOf],
    },
    {
      text: "down",
      tested: query(world, Sign, orderBy(Rank, "of", desc)),
      measures: [layer, minus(numberOf)],
    },
    {
      text: "compared",
      tested: query(world, Sign, orderBy(Rank, compare, desc)),
      measures: [lack, minus(compared)],
    },
    {
      text: "depth, up",
      tested: query(world, Sign, cascade(Sign), orderBy(Rank, "of")),
      measures: [depth, layer, numberOf],
    },
    {
      text: "depth from below, down",
      tested: query(world, Sign, cascade(Sign, desc), orderBy(Rank, "of", desc)),
      measures: [minus(depth), layer, minus(numberOf)],
    },
    {
      text: "parents, depth, up",
      tested: query(world, groupBy(ChildOf), Sign, cascade(Sign), orderBy(Rank, "of")),
      measures: [above, depth, layer, numberOf],
    },
    {
      text: "parents, compared",
      tested: query(world, groupBy(ChildOf), Sign, orderBy(Rank, compare)),
      measures: [above, lack, compared],
    },
  ];
}

function sortedBy({ world, spawned }: RandomWorld, { measures }: UpPath): Entity[] {
  const expectedMatches = spawned.filter((one) => isAlive(world, one) && !isDisabled(world, one));
  return expectedMatches.sort((one, other) => {
    for (const measure of [...measures, indexOf]) {
      const [first, second] = [measure(one), measure(other)];
      if (first < second) return -1;
      if (first > second) return 1;
    }
    return 0;
  });
}

function changeOrRank(random: RandomWorld): void {
  const { world, dice } = random;
  const living = livingIn(random);
  if (living.length === 0 || dice.chance(0.4)) change(random);
  else if (dice.chance(0.85)) set(world, dice.pick(living), Rank, { of: dice.pick(NUMBERS) });
  else remove(world, dice.pick(living), Rank);
}

it.each([...seeds(1, 2, 2), ...seeds(2, 2, 2)])(
  "sorts as a plain sort of all values does, whatever happens: seed %i",
  (seed) => {
    const random = createRandomWorld(seed, seed % 2 === 0 ? 0.5 : 0);
    const { world, dice } = random;
    const paths = pathsIn(random);
    for (let step = 0; step < 200; step++) {
      changeOrRank(random);
      for (const path of paths) {
        if (!dice.chance(0.4)) continue;
        const found = entities(path.tested).join();
        expect(found, `${path.text} after step ${step}`).toBe(sortedBy(random, path).join());
      }
    }
    const byParent = query(world, groupBy(ChildOf), Sign);
    const groups = groupsOf(byParent);
    expect(groups.length).toBeGreaterThan(2);
    for (const key of groups) {
      const members = livingIn(random).filter(
        (one) => !isDisabled(world, one) && targetOf(world, one, ChildOf) === key,
      );
      expect(entities(group(byParent, key)).toSorted()).toEqual(members.toSorted());
    }
    expect(groups.flatMap((key) => entities(group(paths[6]!.tested, key)))).toEqual(
      entities(paths[6]!.tested),
    );
  },
);
