import { expect, it } from "vitest";
import {
  add,
  addMany,
  clear,
  clone,
  observe,
  remove,
  removeMany,
  reparentMany,
  spawnRows,
  TreelineError,
} from "../../../../src/index.ts";
import {
  Any,
  ChildOf,
  DisabledTree,
  DockedTo,
  Frozen,
  Knows,
  Likes,
  MarriedTo,
  Parent,
  Position,
} from "../../../definitions.ts";
import { createDice, seeds } from "../../../dice.ts";
import { createWorld, type Entity, spawn, spawnMany, type World } from "../../../fixture.ts";
import { moveTo } from "../../../internal.ts";
import { verify } from "../../../reading.ts";
import { destroy } from "../../destroy.ts";
import { livingIn, stateOf } from "../../refused.ts";
import { fixed } from "./refused-pool.ts";

/** From now on, lists of children and of the entities of tables can use free slices, but no more than that. @returns the opposite. */
function refuseLists({ graph }: World): () => void {
  const pools = [graph.families, graph.tables.lists];
  for (const lists of pools) lists.pool = fixed(lists.pool, lists.end);
  return () => {
    for (const lists of pools) lists.pool = Int32Array.from(lists.pool);
  };
}

it.each([...seeds(1, 4, 2), ...seeds(2, 4, 2)])(
  "a call for which lists cannot grow changes nothing and notifies no observer, whatever came before, seed %i",
  (seed) => {
    const dice = createDice(seed);
    const world = createWorld();
    let recorded = 0;
    if (seed % 2 === 0) {
      for (const what of [Position, ChildOf(Any), Likes(Any)]) {
        observe(world, { added: what }, () => recorded++);
        observe(world, { removed: what }, () => recorded++);
      }
    }
    let all: Entity[] = [...spawnMany(world, 20)];
    const one = (): Entity => dice.pick(all);
    const some = (): Entity[] => all.filter(() => dice.chance(0.1));
    const parent = () => (dice.chance(0.7) ? ChildOf : Parent)(one());
    const pair = () => dice.pick([Likes, Likes, DockedTo, Knows, MarriedTo])(one());
    const calls: (() => unknown)[] = [
      () => spawn(world, Position, parent()),
      () => spawn(world, Position, pair()),
      () => spawn(world, Frozen, Likes(one()), parent()),
      () => spawnMany(world, dice.pick([1, 3, 40]), Position, parent()),
      () => spawnMany(world, 5, Likes(one()), parent()),
      () => spawnRows(world, 5, [Position, parent()]),
      () => spawnRows(world, 5, [Position, Likes(one()), parent()]),
      () => add(world, one(), parent()),
      () => add(world, one(), pair()),
      () => add(world, one(), parent(), pair(), Likes(one())),
      () => add(world, one(), dice.pick([Position, Frozen, DisabledTree])),
      () => moveTo(world, one(), one(), dice.below(4)),
      () => reparentMany(world, some(), one()),
      () => reparentMany(world, some(), one(), Parent),
      () => addMany(world, some(), Frozen),
      () => addMany(world, some(), pair()),
      () => removeMany(world, some(), Position),
      () => removeMany(world, some(), ChildOf(Any)),
      () => remove(world, one(), dice.pick([Position, Frozen, ChildOf(Any), Likes(Any), Any(Any)])),
      () => clear(world, one()),
      () => clone(world, one(), { deep: dice.chance(0.5) }),
    ];
    let refused = 0;

    for (let step = 0; step < 250; step++) {
      if (all.length > 150) {
        destroy(world, ...all.filter(() => dice.chance(0.6)));
        expect(verify(world)).toEqual([]);
      }
      all = livingIn(world);
      if (all.length < 5) all.push(...spawnMany(world, 20));
      const before = stateOf(world);
      const callsBefore = recorded;
      const grant = refuseLists(world);
      try {
        dice.pick(calls)();
      } catch (error) {
        if (!(error instanceof RangeError || error instanceof TreelineError)) throw error;
        expect([step, recorded, stateOf(world)]).toEqual([step, callsBefore, before]);
        if (error instanceof RangeError) refused++;
      }
      grant();
      if (step % 5 === 0) expect([step, verify(world)]).toEqual([step, []]);
      // Calls that were refused would be refused for ever: lists grow now and then.
      if (dice.chance(0.5)) {
        try {
          dice.pick(calls)();
        } catch (error) {
          if (!(error instanceof TreelineError)) throw error;
        }
      }
    }

    expect(refused).toBeGreaterThan(0);
    expect(verify(world)).toEqual([]);
  },
);
