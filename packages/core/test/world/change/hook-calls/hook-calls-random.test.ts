import { beforeEach, describe, expect, it } from "vitest";
import { add, clear, clone, observe, release, remove, type SpawnTerm, set } from "../../../../src/index.ts";
import { component, f32, i32, withHooks } from "../../../defining.ts";
import { Any, ChildOf, Lit, Parent } from "../../../definitions.ts";
import { createDice, type Dice, seeds } from "../../../dice.ts";
import { createWorld, type Entity, spawn, spawnMany, type World } from "../../../fixture.ts";
import { indexOf } from "../../../handles.ts";
import { moveAll } from "../../../internal.ts";
import { codeOf, entityAt, get, isAlive, parentOf, verify } from "../../../reading.ts";
import { destroy } from "../../destroy.ts";
import { livingTables } from "../../snapshot.ts";

/** The hook calls of the world that is being changed; entities by index, since handles differ from world to world. */
let calls: unknown[][] = [];
let number = 0;

beforeEach(() => {
  calls = [];
});

function indexOfAny(entity: Entity | undefined): number {
  return entity === undefined ? 0 : indexOf(entity);
}

class Refusal extends Error {}

/** Refuses some values, and replaces others. */
function resultOf(
  name: string,
): (...requests: [World, Entity | undefined, string, Entity | undefined]) => string | undefined {
  return (_, entity, value, parent) => {
    calls.push([`${name} check`, indexOfAny(entity), value, indexOfAny(parent)]);
    const turn = number++ % 7;
    if (turn === 3) throw new Refusal("no");
    return turn === 5 ? `${value.slice(0, 4)}'${number}` : undefined;
  };
}

const Title = withHooks(component<string>("Title"), {
  check: resultOf("title"),
  written: (_, entity, value, parent) =>
    calls.push(["title written", indexOf(entity), value, indexOfAny(parent)]),
  onSet: (_, entity, value, before) => calls.push(["title set", indexOf(entity), value, before]),
  onRemove: (_, entity, value, parent) =>
    calls.push(["title removed", indexOf(entity), value, indexOfAny(parent)]),
});
const Motto = withHooks(component<string>("Motto"), {
  check: resultOf("motto"),
  written: (_, entity, value) => calls.push(["motto written", indexOf(entity), value]),
  identifies: "siblings",
});
const Level = withHooks(component("Level", { height: f32, steps: i32 }), {
  check: (_, __, { height, steps }) => (steps > 5 ? { height: height + 1, steps: 5 } : undefined),
  onSet: (_, entity, value, before) => calls.push(["level set", indexOf(entity), value, before]),
});
const Plain = component("Plain", { x: f32 });

type Deed = (world: World, dice: Dice, at: (index: number) => Entity) => void;

function termsBy(dice: Dice, at: (index: number) => Entity, indexes: number): SpawnTerm[] {
  const terms: SpawnTerm[] = [];
  if (dice.below(2) === 0) terms.push(Title(`t${dice.below(9)}`));
  if (dice.below(3) === 0) terms.push(Motto(`m${dice.below(9)}`));
  if (dice.below(3) === 0) terms.push(dice.below(2) === 0 ? Level({ steps: dice.below(10) }) : Level);
  if (dice.below(3) === 0) terms.push(Plain({ x: dice.below(5) }));
  if (dice.below(4) === 0) terms.push(Lit);
  if (dice.below(2) === 0) terms.push((dice.below(3) === 0 ? Parent : ChildOf)(at(dice.below(indexes))));
  return terms;
}

function placesOf(world: World): number {
  return world.entities.length;
}

const deeds: Deed[] = [
  (world, dice, at) => spawn(world, ...termsBy(dice, at, placesOf(world))),
  (world, dice, at) => spawn(world, Title(`t${dice.below(9)}`), ChildOf(at(dice.below(placesOf(world))))),
  (world, dice, at) => spawnMany(world, dice.below(4), ...termsBy(dice, at, placesOf(world))),
  (world, dice, at) => set(world, at(dice.below(placesOf(world))), Title, `t${dice.below(9)}`),
  (world, dice, at) => set(world, at(dice.below(placesOf(world))), Level, { steps: dice.below(10) }),
  (world, dice, at) => add(world, at(dice.below(placesOf(world))), ...termsBy(dice, at, placesOf(world))),
  (world, dice, at) => add(world, at(dice.below(placesOf(world))), Level),
  (world, dice, at) => add(world, at(dice.below(placesOf(world))), ChildOf(at(dice.below(placesOf(world))))),
  (world, dice, at) => add(world, at(dice.below(placesOf(world))), Parent(at(dice.below(placesOf(world))))),
  (world, dice, at) => remove(world, at(dice.below(placesOf(world))), Title),
  (world, dice, at) => remove(world, at(dice.below(placesOf(world))), ChildOf(Any)),
  (world, dice, at) => remove(world, at(dice.below(placesOf(world))), Any(Any)),
  (world, dice, at) => clone(world, at(dice.below(placesOf(world))), { deep: dice.below(2) === 0 }),
  (world, dice, at) => clear(world, at(dice.below(placesOf(world)))),
  (world, dice, at) => release(world, at(dice.below(placesOf(world)))),
  (world, dice, at) => void destroy(world, at(dice.below(placesOf(world)))),
  (world, dice, at) => {
    const three = new Set([0, 1, 2].map(() => at(dice.below(placesOf(world)))));
    const living = [...three].filter((one) => isAlive(world, one));
    moveAll(
      world,
      living.map((one) => [one, undefined]),
    );
  },
];

/** Does one change, and returns its result. */
function act(world: World, deed: Deed, seed: number): unknown {
  calls = [];
  number = seed;
  const dice = createDice(seed);
  const at = (index: number): Entity => entityAt(world, index) ?? (0 as Entity);
  const code = codeOf(() => deed(world, dice, at));
  const everything = Array.from({ length: world.entities.length }, (_, index) => entityAt(world, index));
  const values = everything.map((one) =>
    one === undefined
      ? undefined
      : [Title, Motto, Level, Plain]
          .map((what): unknown => get(world, one, what))
          .concat(indexOfAny(parentOf(world, one))),
  );
  return {
    code,
    calls,
    values,
    tables: livingTables(world),
    state: [world.deferDepth, world.checks, world.changes],
  };
}

describe("hooks are called with the same arguments", () => {
  it.each(seeds(1, 4))("whether there is any observer or none, whatever happens (seed %i)", (seed) => {
    const [unobserved, observed] = [createWorld(), createWorld()];
    observe(observed, { reordered: ChildOf }, () => {});
    const dice = createDice(seed);
    for (const world of [unobserved, observed]) spawnMany(world, 3);

    for (let step = 0; step < 400; step++) {
      const deed = deeds[dice.below(deeds.length)]!;
      const roll = dice.below(1 << 20);
      const expected = act(observed, deed, roll);
      expect(act(unobserved, deed, roll)).toEqual(expected);
    }
    expect([verify(unobserved), verify(observed)]).toEqual([[], []]);
  });
});
