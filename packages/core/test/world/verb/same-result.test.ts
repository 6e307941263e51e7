import { expect, it } from "vitest";
import { describe as textOf } from "../../../src/debug.ts";
import { add, clear, clone, defer, entityOf, observe, release, remove, set } from "../../../src/index.ts";
import { component, f32, relation, tag, withPolicy } from "../../defining.ts";
import {
  Any,
  ChildOf,
  Damage,
  DisabledTree,
  DockedTo,
  Frozen,
  Knows,
  Label,
  Likes,
  MarriedTo,
  OrderedChildren,
  Owns,
  Parent,
} from "../../definitions.ts";
import { createDice, type Dice, seeds } from "../../dice.ts";
import { createWorld, type Entity, spawn, spawnMany, type World } from "../../fixture.ts";
import { asTag, get, isAlive, isDisabled, subjectsOf, targetsOf, verify } from "../../reading.ts";
import { destroy } from "../destroy.ts";

const Position = component("Position", { x: f32, y: f32 });
const Holds = relation("Holds", { onTargetDestroy: "refuse" });
const Burning = withPolicy(tag("Burning"), { onDestroy: "delete" });
const DependsOn = relation("DependsOn", { acyclic: true, exclusive: false });

type Command = (world: World, all: Entity[]) => void;

/** One change, described by places in the list of all entities, so that it can be made in two worlds. */
function commandFrom(dice: Dice, size: number, step: number): Command {
  const [one, other] = [dice.below(size), dice.below(size)];
  const commands: Command[] = [
    (world, all) => all.push(spawn(world, ChildOf(all[one]!), Frozen)),
    (world, all) => all.push(spawn(world, Parent(all[one]!), Position({ x: step }), Likes(all[other]!))),
    (world, all) => all.push(...spawnMany(world, 2, Parent(all[one]!), Knows(all[other]!))),
    (world, all) => all.push(clone(world, all[one]!, { with: [Label("copy")] })),
    (world, all) => add(world, all[one]!, ChildOf(all[other]!)),
    (world, all) => add(world, all[one]!, Parent(all[other]!), Frozen),
    (world, all) => add(world, all[one]!, Likes(all[other]!), Damage(all[other]!, { amount: step })),
    (world, all) => add(world, all[one]!, MarriedTo(all[other]!)),
    (world, all) => add(world, all[one]!, Knows(all[other]!), DockedTo(all[other]!)),
    (world, all) => add(world, all[one]!, DependsOn(all[other]!)),
    (world, all) => add(world, all[one]!, asTag(all[other]!), Label(`${step}`)),
    (world, all) => add(world, all[one]!, step % 2 ? DisabledTree : OrderedChildren),
    (world, all) => set(world, all[one]!, Position, step % 2 ? { x: step } : { y: step }),
    (world, all) => set(world, all[one]!, Damage(all[other]!), { amount: step }),
    (world, all) => set(world, all[one]!, Label, `${step}`),
    (world, all) =>
      remove(world, all[one]!, [Frozen, Position, Likes(Any), DisabledTree, OrderedChildren][step % 5]!),
    (world, all) => remove(world, all[one]!, ChildOf(Any)),
    (world, all) => remove(world, all[one]!, Any(all[other]!)),
    (world, all) => clear(world, all[one]!),
  ];
  return dice.pick(commands);
}

function perform(world: World, all: Entity[], commands: readonly Command[]): void {
  for (const command of commands) {
    try {
      command(world, all);
    } catch {}
  }
}

/** The observable state of all entities. */
function stateOf(world: World, all: readonly Entity[]): unknown {
  const at = (list: readonly Entity[]): number[] => list.map((one) => all.indexOf(one));
  return all
    .filter((one) => isAlive(world, one))
    .map((one) => ({
      type: textOf(world, one)
        .replace(/^.*?\[/, "")
        .replace(/\].*depth/, ", depth")
        .split(/, (?!e\d)/)
        .toSorted(),
      values: [get(world, one, Position), get(world, one, Label), isDisabled(world, one)],
      children: at(subjectsOf(world, one, ChildOf)),
      targets: [Likes, Knows, MarriedTo, DockedTo, Damage, DependsOn, Parent].map((each) =>
        at(targetsOf(world, one, each)),
      ),
      damage: targetsOf(world, one, Damage).map((target) => get(world, one, Damage(target))),
    }));
}

it.each([...seeds(1, 2, 2), ...seeds(2, 1, 2)])(
  "deferred changes have the same result as changes one by one, seed %i",
  (seed) => {
    const dice = createDice(seed);
    const worlds = [createWorld(), createWorld()] as const;
    const lists = worlds.map((world) => [...spawnMany(world, 6)]);
    const observed: [string[], string[]] = [[], []];
    worlds.forEach((world, at) => {
      if (seed % 2) return;
      observe(world, { added: Any, removed: Any }, ({ kind, entity, definition, target }) => {
        const list = lists[at]!;
        observed[at]!.push(
          `${kind} ${entity & 0xffffff} ${definition.name} ${(target ?? 0) & 0xffffff} ${list.length > 0}`,
        );
      });
    });

    for (let round = 0; round < 20; round++) {
      const commands = Array.from({ length: 12 }, (_, at) =>
        commandFrom(dice, lists[0]!.length, round * 12 + at),
      );

      perform(worlds[0], lists[0]!, commands);
      try {
        defer(worlds[1], () => perform(worlds[1], lists[1]!, commands));
      } catch {}

      expect(stateOf(worlds[1], lists[1]!)).toEqual(stateOf(worlds[0], lists[0]!));
    }

    expect(observed[1]).toEqual(observed[0]);
    expect([observed[0].length > 200, lists[0]!.length > 60]).toEqual([seed % 2 === 0, true]);
    expect(worlds.map((world) => verify(world))).toEqual([[], []]);
  },
);

/** Destructions as well, of one or several, with everything that is destroyed with them. */
function destructionFrom(dice: Dice, size: number, step: number): Command {
  const [one, other] = [dice.below(size), dice.below(size)];
  const commands: Command[] = [
    (world, all) => void destroy(world, all[one]!),
    (world, all) => void destroy(world, all[one]!, ...(one === other ? [] : [all[other]!])),
    (world, all) => release(world, all[one]!),
    (world, all) => add(world, all[one]!, Owns(all[other]!)),
    (world, all) => add(world, all[one]!, Holds(all[other]!)),
    (world) => void destroy(world, entityOf(world, [Frozen, Likes, Knows, Damage, Burning][step % 5]!)),
    (world, all) => add(world, all[one]!, Burning),
  ];
  return dice.chance(0.75) ? commandFrom(dice, size, step) : dice.pick(commands);
}

it.each(seeds(1, 3))("changes have the same result whether they are observed or not, seed %i", (seed) => {
  const dice = createDice(seed);
  const worlds = [createWorld(), createWorld(), createWorld()] as const;
  const lists = worlds.map((world) => [...spawnMany(world, 10)]);
  const [, observed, late] = worlds;
  const calls: string[] = [];
  observe(observed, { added: Any, removed: Any, set: Any }, ({ kind }) => calls.push(kind));
  observe(late, { removed: Label }, ({ kind }) => calls.push(kind));

  for (let step = 0; step < 300; step++) {
    const command = destructionFrom(dice, lists[0]!.length, step);

    for (const [at, world] of worlds.entries()) perform(world, lists[at]!, [command]);

    if (step % 10 !== 0) continue;
    const [plain, ...others] = worlds.map((world, at) => stateOf(world, lists[at]!));
    for (const other of others) expect(other).toEqual(plain);
    worlds.forEach((world, at) => {
      const living = lists[at]!.filter((one) => isAlive(world, one));
      lists[at]!.splice(0, lists[at]!.length, ...living, ...(living.length < 10 ? spawnMany(world, 10) : []));
    });
  }

  expect(calls.length).toBeGreaterThan(200);
  expect(worlds.map((world) => verify(world))).toEqual([[], [], []]);
});
