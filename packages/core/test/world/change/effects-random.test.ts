import { expect, it } from "vitest";
import { add, clear, clone, observe, remove, spawn, spawnMany, TreelineError } from "../../../src/index.ts";
import {
  Any,
  ChildOf,
  DisabledTree,
  Frozen,
  Knows,
  Likes,
  MarriedTo,
  OrderedChildren,
  Parent,
  Position,
} from "../../definitions.ts";
import { createDice, seeds } from "../../dice.ts";
import { createWorld, type Entity } from "../../fixture.ts";
import { verify } from "../../reading.ts";
import { refusing } from "../../storage/memory/refused-memory.ts";
import { destroy } from "../destroy.ts";
import { livingIn, stateOf } from "../refused.ts";

it.each([...seeds(1, 2, 2), ...seeds(2, 2, 2)])(
  "a refused call changes nothing and notifies no observer, whatever came before, seed %i",
  (seed) => {
    const dice = createDice(seed);
    const memory = refusing();
    const world = createWorld({
      memory: {
        ...memory,
        allocate: (bytes, moved) => {
          if (world.graph.vacated !== undefined) throw new Error("requests memory while rows are reserved");
          return memory.allocate(bytes, moved);
        },
      },
    });
    let recorded = 0;
    if (seed % 2 === 0) {
      for (const what of [Position, Frozen, ChildOf(Any), Knows(Any)]) {
        observe(world, { added: what }, () => recorded++);
        observe(world, { removed: what }, () => recorded++);
      }
    }
    let all: Entity[] = [...spawnMany(world, 20)];
    const one = (): Entity => dice.pick(all);
    const parent = () => (dice.chance(0.5) ? ChildOf : Parent)(one());
    const addSymmetric = () => (dice.chance(0.5) ? Knows : MarriedTo)(one());
    const calls: (() => unknown)[] = [
      () => spawn(world, Position({ x: 1 }), parent()),
      () => spawn(world, parent(), addSymmetric()),
      () => spawnMany(world, dice.pick([1, 3, 40]), Position, parent()),
      () => spawnMany(world, 3, Frozen, addSymmetric()),
      () => add(world, one(), parent()),
      () => add(world, one(), parent(), addSymmetric(), Likes(one())),
      () => add(world, one(), dice.pick([Position, Frozen, OrderedChildren])),
      () => add(world, one(), DisabledTree),
      () => add(world, one(), DisabledTree, parent()),
      () => add(world, one(), addSymmetric()),
      () => add(world, one(), Knows(one()), Knows(one()), MarriedTo(one())),
      () => remove(world, one(), dice.pick([Position, Frozen, OrderedChildren])),
      () => remove(world, one(), DisabledTree),
      () => remove(world, one(), ChildOf(Any)),
      () => remove(world, one(), dice.pick([Knows(Any), MarriedTo(Any), Any(Any)])),
      () => clear(world, one()),
      () => clone(world, one(), { deep: dice.chance(0.5) }),
    ];
    let refused = 0;

    for (let step = 0; step < 500; step++) {
      if (all.length > 150) {
        destroy(world, ...all.filter(() => dice.chance(0.6)));
        expect(verify(world)).toEqual([]);
      }
      all = livingIn(world);
      if (all.length < 5) all.push(...spawnMany(world, 20));
      const before = stateOf(world);
      const callsBefore = recorded;
      memory.refuse(1 + dice.below(3), dice.chance(0.5));
      try {
        dice.pick(calls)();
      } catch (error) {
        if (!(error instanceof TreelineError)) throw error;
        expect([recorded, stateOf(world)]).toEqual([callsBefore, before]);
        if (error.code === "capacity") refused++;
      }
      memory.grant();
      if (step % 5 === 0) expect(verify(world)).toEqual([]);
    }

    expect(refused).toBeGreaterThan(0);
    expect(verify(world)).toEqual([]);
  },
);
