import {
  Any,
  add,
  ChildOf,
  type Entity,
  has,
  isDisabled,
  Parent,
  pack,
  remove,
  spawn,
  spawnMany,
  type World,
} from "@treeline/core";
import { verify } from "@treeline/core/debug";
import { describe, expect, it } from "vitest";
import {
  bind,
  children,
  destroy,
  each,
  eachBatch,
  eachRun,
  moveBefore,
  query,
  variable,
} from "../../../src/index.ts";
import { Frozen, Position, Tag } from "../../definitions.ts";
import { Disabled } from "../../public/builtins.ts";
import { createWorld } from "../../public/define.ts";
import { createDice, type Dice, seeds } from "../../random/dice.ts";

type Reader = (found: Entity[]) => void;

/** The children of one parent that have `Position`, by each way to iterate; by a variable, and by the entity itself. */
function readersOf(world: World): (parent: Entity) => readonly Reader[] {
  const parent = variable("parent");
  const bound = query(world, Position, ChildOf(parent));
  const ofOne = new Map<Entity, typeof bound>();
  return (of) => {
    const own = ofOne.get(of) ?? (query(world, Position, ChildOf(of)) as unknown as typeof bound);
    ofOne.set(of, own);
    return [
      (found) => each(bind(bound, parent, of), (_, entity) => found.push(entity)),
      (found) =>
        eachRun(own, (run) => {
          for (let row = run.first; row < run.end; row++) found.push(run.entityAt(row));
        }),
      (found) =>
        eachBatch(bind(bound, parent, of), (batch) => {
          for (let at = batch.from; at < batch.to; at++) found.push(batch.entityAt(batch.rows[at]!));
        }),
    ];
  };
}

/** Children by what they have, in sibling order: those of one kind are of one archetype, or of one of the two storages. */
function byKind(world: World, entities: readonly Entity[]): Record<string, Entity[]> {
  const kinds: Record<string, Entity[]> = {};
  for (const one of entities) {
    const kind = [has(world, one, Tag), has(world, one, Frozen), has(world, one, Parent(Any))].join();
    (kinds[kind] ??= []).push(one);
  }
  return kinds;
}

function change(world: World, parents: readonly Entity[], crew: Entity[], dice: Dice): void {
  const own = (): Entity => dice.pick(crew);
  const storage = dice.chance(0.1) ? Parent : ChildOf;
  if (crew.length < 8 || dice.chance(0.25)) {
    const terms = [Position, Tag, Frozen].filter((_, at) => dice.chance(at === 0 ? 0.9 : 0.2));
    crew.push(...spawnMany(world, 1 + dice.below(6), storage(dice.pick(parents)), ...terms));
    return;
  }
  const at = dice.below(crew.length);
  const ways: readonly (() => void)[] = [
    () => add(world, own(), storage(dice.pick(parents))),
    () => (has(world, crew[at]!, Tag) ? remove(world, crew[at]!, Tag) : add(world, crew[at]!, Tag)),
    () =>
      has(world, crew[at]!, Position) ? remove(world, crew[at]!, Position) : add(world, crew[at]!, Position),
    () =>
      has(world, crew[at]!, Disabled) ? remove(world, crew[at]!, Disabled) : add(world, crew[at]!, Disabled),
    () => destroy(world, crew.splice(at, 1)[0]!),
    () => pack(world),
    () => {
      const family = children(world, dice.pick(parents));
      const [one, other] = [dice.below(family.length), dice.below(family.length)];
      if (one !== other) moveBefore(world, family[one]!, family[other]!);
    },
  ];
  dice.pick(ways)();
}

describe("the children of one parent, read again and again", () => {
  it.each(seeds(1, 40))(
    "are those that it has, in order, whatever has changed in between, seed %i",
    (seed) => {
      const dice = createDice(seed);
      const world = createWorld();
      const parents = spawnMany(world, 3);
      const readers = readersOf(world);
      const crew: Entity[] = [];
      const wrong: string[] = [];

      for (let step = 0; step < 150 && wrong.length === 0; step++) {
        change(world, parents, crew, dice);
        if (dice.chance(0.5)) continue;
        for (const parent of parents) {
          const right = children(world, parent).filter(
            (one) => has(world, one, Position) && !isDisabled(world, one),
          );
          const expected = JSON.stringify(byKind(world, right), Object.keys(byKind(world, right)).sort());
          for (const [way, read] of readers(parent).entries()) {
            const found: Entity[] = [];
            read(found);
            const kinds = byKind(world, found);
            if (
              found.length !== right.length ||
              JSON.stringify(kinds, Object.keys(kinds).sort()) !== expected
            )
              wrong.push(`step ${step}, way ${way}: ${JSON.stringify(kinds)} instead of ${expected}`);
          }
        }
        wrong.push(...verify(world));
      }

      expect(wrong).toEqual([]);
    },
  );

  it("are found in their rows after other rows have moved into the gaps of theirs", () => {
    const world = createWorld();
    const [ship, other] = spawnMany(world, 2);
    const crew = spawnMany(world, 4, Position, ChildOf(ship!));
    const guests = spawnMany(world, 4, Position, ChildOf(other!));
    const [ofShip] = readersOf(world)(ship!);
    const read = (): Entity[] => {
      const found: Entity[] = [];
      ofShip!(found);
      return found;
    };
    expect(read()).toEqual(crew);

    destroy(world, crew[0]!);
    destroy(world, guests[0]!);
    const late = spawn(world, Position, ChildOf(ship!));

    expect(read()).toEqual([...crew.slice(1), late]);
  });
});
