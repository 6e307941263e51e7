import { add, Disabled, type Entity, has, pack, remove, spawnMany } from "@treeline/core";
import { archetypeViewAt, indexOf } from "@treeline/core/internal";
import { beforeEach, describe, expect, it } from "vitest";
import { children, count, destroy, entities, moveBefore, type Query, query } from "../../../src/index.ts";
import { Frozen, Position, Tag, Velocity } from "../../definitions.ts";
import { matchesByRun } from "../../matches.ts";
import { ChildOf, Parent } from "../../public/builtins.ts";
import { not } from "../../public/filters.ts";
import { bind, page } from "../../public/parts.ts";
import { variable } from "../../public/terms.ts";
import { createDice, type Dice, seeds } from "../../random/dice.ts";
import { setWorld, verifyWorld, world } from "../../test-world.ts";

beforeEach(setWorld);

const KINDS = [Position, Velocity, Tag, Frozen, Disabled];
const anyParent = variable("a parent of random children");

let dice: Dice;
/** The most children, and the chance of each kind of their components and tags. */
let most: number;
let chance: number;
let parents: Entity[];
let crew: Entity[];

const below = (parent: Entity) => (dice.chance(0.5) ? ChildOf(parent) : Parent(parent));

/** One random change of the children of a few parents. */
function stepChildren(): void {
  const parent = dice.pick(parents);
  const one = crew.length > 0 ? dice.pick(crew) : undefined;
  if (one === undefined || (crew.length < most && dice.chance(0.3))) {
    const kinds = KINDS.filter(() => dice.chance(chance));
    crew.push(...spawnMany(world, 1 + dice.below(most / 12), ...kinds, below(parent)));
  } else if (dice.chance(0.15)) {
    destroy(world, one);
    crew = crew.filter((other) => other !== one);
  } else if (dice.chance(0.3)) add(world, one, below(parent));
  else if (crew.length > 1 && dice.chance(0.4))
    moveBefore(world, one, dice.pick(crew.filter((other) => other !== one)));
  else if (dice.chance(0.02)) pack(world);
  else {
    const kind = dice.pick(KINDS);
    if (has(world, one, kind)) remove(world, one, kind);
    else if (dice.chance(chance * 3)) add(world, one, kind);
  }
}

/** The children of a parent that pass, by archetypes in order of founding, and within each in the order of siblings. */
function expected(parent: Entity, passes: (child: Entity) => boolean): Entity[] {
  const place = (child: Entity): number => archetypeViewAt(world, indexOf(child)).place;
  return children(world, parent)
    .filter(passes)
    .sort((one, other) => place(one) - place(other));
}

describe("in a random world, the children of one parent", () => {
  it.each(
    seeds(1, 12).flatMap((seed) => [
      { seed, many: 60, share: 0.3 },
      { seed: seed + 100, many: 900, share: 0.03 },
    ]),
  )(
    "of $many come in the order of siblings for each archetype, in all queries, seed $seed",
    ({ seed, many, share }) => {
      dice = createDice(seed);
      most = many;
      chance = share;
      parents = spawnMany(world, 3);
      crew = [];
      const bound = query(world, Position, ChildOf(anyParent)) as unknown as Query;
      const isOn = (child: Entity): boolean => !has(world, child, Disabled);
      const wrong: string[] = [];

      for (let at = 0; at < 200 && wrong.length === 0; at++) {
        stepChildren();
        const parent = dice.pick(parents);
        const queries: [string, Query, (child: Entity) => boolean][] = [
          ["all", query(world, ChildOf(parent)), isOn],
          [
            "by value",
            query(world, Parent(parent)),
            (child) => isOn(child) && has(world, child, Parent(parent)),
          ],
          [
            "with a tag",
            query(world, Tag, ChildOf(parent)),
            (child) => isOn(child) && has(world, child, Tag),
          ],
          [
            "without one",
            query(world, not(Tag), ChildOf(parent)),
            (child) => isOn(child) && !has(world, child, Tag),
          ],
          ["disabled", query(world, ChildOf(parent), Disabled), (child) => !isOn(child)],
          [
            "bound",
            bind(bound as never, anyParent, parent) as unknown as Query,
            (child) => isOn(child) && has(world, child, Position),
          ],
        ];
        for (const [name, tested, passes] of queries) {
          const right = expected(parent, passes);
          const first = dice.below(right.length + 1);
          const found = [entities(tested), matchesByRun(tested).flat(), entities(page(tested, first, 3))];
          const all = [right, right, right.slice(first, first + 3)];
          if (JSON.stringify(found) !== JSON.stringify(all))
            wrong.push(`${at}, ${name}: other matches, or in another order`);
          if (count(tested) !== right.length) wrong.push(`${at}, ${name}: ${count(tested)} are counted`);
        }
      }

      expect(wrong.slice(0, 3)).toEqual([]);
      expect(crew.length).toBeGreaterThan(many / 4);
      verifyWorld();
    },
  );
});
