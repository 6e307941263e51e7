import { describe, expect, it } from "vitest";
import { add, clear, clone, defer, observe, remove, spawn, spawnMany } from "../../../src/index.ts";
import { component, f32, f64, withHooks } from "../../defining.ts";
import { Any, ChildOf, DisabledTree, Frozen, Knows, MarriedTo, Parent, storages } from "../../definitions.ts";
import { createWorld, type Entity, type World } from "../../fixture.ts";
import { isDisabled, verify } from "../../reading.ts";
import { refusing } from "../../storage/memory/refused-memory.ts";
import { type Ready, refuseEachRequest } from "../refused.ts";

const Position = component("Position", { x: f32, y: f64 });
const HookCalls: unknown[] = [];
const Hooked = withHooks(component("Hooked", { n: f32 }), {
  written: (_, entity, value) => HookCalls.push(["written", entity, value]),
  onRemove: (_, entity, value) => HookCalls.push(["removed", entity, value]),
});

type Storage = typeof ChildOf | typeof Parent;

/** The entities before a call, after others of the same kind went the same way. */
interface State {
  readonly world: World;
  readonly In: Storage;
  /** It has DisabledTree. */
  readonly hold: Entity;
  readonly deck: Entity;
}

//  one              Position
//    two            Frozen, MarriedTo outside
//      three        Position, Frozen
//    four           Position
//  five
function plantBranch({ world, In }: State, ...above: readonly Entity[]): Entity[] {
  const one = spawn(world, Position({ x: 1, y: 1 }), ...above.map((parent) => In(parent)));
  const two = spawn(world, Frozen, In(one));
  const three = spawn(world, Position({ x: 3, y: 3 }), Frozen, ChildOf(two));
  const four = spawn(world, Position({ x: 4, y: 4 }), In(one));
  return [one, two, three, four, spawn(world, Position({ x: 5, y: 5 }))];
}

type Plan = (state: State) => () => unknown;

const plans: readonly (readonly [title: string, plan: Plan])[] = [
  [
    "a spawn below a disabled entity",
    ({ world, In, hold }) =>
      () =>
        spawn(world, Position({ x: 1, y: 2 }), In(hold)),
  ],
  [
    "a spawn with hooks below a disabled entity",
    ({ world, In, hold }) =>
      () =>
        spawn(world, Hooked({ n: 1 }), In(hold)),
  ],
  [
    "a deferred spawn",
    ({ world, In, hold }) =>
      () =>
        defer(world, () => spawn(world, Position, In(hold))),
  ],
  [
    "several spawns below a disabled entity",
    ({ world, In, hold }) =>
      () =>
        spawnMany(world, 20, Position, In(hold)),
  ],
  [
    "several spawns with hooks",
    ({ world, In, hold }) =>
      () =>
        spawnMany(world, 3, Hooked({ n: 1 }), In(hold)),
  ],
  [
    "several spawns that are not disabled",
    ({ world, In, deck }) =>
      () =>
        spawnMany(world, 20, Position, In(deck)),
  ],
  [
    "a move below what is disabled",
    (state) => {
      const [one] = plantBranch(state);
      return () => add(state.world, one!, state.In(state.hold));
    },
  ],
  [
    "a deferred move",
    (state) => {
      const [one] = plantBranch(state);
      return () => defer(state.world, () => add(state.world, one!, state.In(state.hold)));
    },
  ],
  [
    "a move into the open",
    (state) => {
      const [one] = plantBranch(state, state.hold);
      return () => add(state.world, one!, state.In(state.deck), Frozen);
    },
  ],
  [
    "a move into the other storage",
    (state) => {
      const [one] = plantBranch(state, state.hold);
      return () => add(state.world, one!, (state.In === Parent ? ChildOf : Parent)(state.deck));
    },
  ],
  [
    "the loss of a parent",
    (state) => {
      const [one] = plantBranch(state, state.hold);
      return () => remove(state.world, one!, ChildOf(Any));
    },
  ],
  [
    "the loss of all pairs",
    (state) => {
      const [one, , three, , five] = plantBranch(state, state.hold);
      add(state.world, one!, MarriedTo(five!), Knows(three!));
      return () => remove(state.world, one!, Any(Any));
    },
  ],
  [
    "the loss of everything",
    (state) => {
      const [one, , three, , five] = plantBranch(state, state.hold);
      add(state.world, one!, Hooked({ n: 4 }), MarriedTo(five!), Knows(three!));
      return () => clear(state.world, one!);
    },
  ],
  [
    "a DisabledTree that is put on a tree",
    (state) => {
      const [one] = plantBranch(state);
      return () => add(state.world, one!, DisabledTree);
    },
  ],
  [
    "a DisabledTree that is taken off",
    (state) => {
      const top = spawn(state.world, DisabledTree);
      plantBranch(state, top);
      return () => remove(state.world, top, DisabledTree);
    },
  ],
  [
    "a DisabledTree with another parent",
    (state) => {
      const [one] = plantBranch(state);
      return () => add(state.world, one!, DisabledTree, state.In(state.hold));
    },
  ],
  [
    "a spawn with symmetric pairs",
    (state) => {
      const [one, two, three, four, five] = plantBranch(state);
      add(state.world, one!, MarriedTo(two!));
      return () =>
        spawn(state.world, MarriedTo(one!), Knows(three!), Knows(four!), Knows(five!), state.In(state.hold));
    },
  ],
  [
    "several spawns with symmetric pairs",
    (state) => {
      const [one, two, three] = plantBranch(state);
      add(state.world, one!, MarriedTo(two!));
      return () => spawnMany(state.world, 3, MarriedTo(one!), Knows(three!), state.In(state.deck));
    },
  ],
  [
    "a deferred spawn with symmetric pairs",
    (state) => {
      const [one] = plantBranch(state);
      return () => defer(state.world, () => spawn(state.world, MarriedTo(one!), Frozen, ChildOf(state.hold)));
    },
  ],
  [
    "a symmetric pair that replaces two others",
    (state) => {
      const [one, two, three, four] = plantBranch(state);
      add(state.world, one!, MarriedTo(two!));
      add(state.world, three!, MarriedTo(four!));
      return () => add(state.world, one!, MarriedTo(three!));
    },
  ],
  [
    "symmetric pairs with many",
    (state) => {
      const [one, two, three, four, five] = plantBranch(state);
      return () => add(state.world, one!, Knows(two!), Knows(three!), Knows(four!), Knows(five!));
    },
  ],
  [
    "the loss of a symmetric pair",
    (state) => {
      const [one, two, three] = plantBranch(state);
      add(state.world, one!, Knows(two!), Knows(three!));
      return () => remove(state.world, one!, Knows(three!));
    },
  ],
  [
    "a move with symmetric pairs to entities below",
    (state) => {
      const [one, two, three, four, five] = plantBranch(state);
      add(state.world, two!, MarriedTo(five!));
      return () => add(state.world, one!, state.In(state.hold), MarriedTo(two!), Knows(three!), Knows(four!));
    },
  ],
  [
    "a deep clone below what is disabled",
    (state) => {
      const [one, two, , four] = plantBranch(state, state.hold);
      add(state.world, two!, MarriedTo(four!));
      return () => clone(state.world, one!, { deep: true, with: [Frozen] });
    },
  ],
];

function prepare(
  In: Storage,
  plan: Plan,
  earlier: number,
  isObserved: boolean,
  isOdd: boolean,
): (world: World) => Ready {
  return (world) => {
    const hold = spawn(world, DisabledTree);
    const state: State = { world, In, hold, deck: spawn(world) };
    if (isOdd) for (const term of [In(hold), Frozen]) spawn(world, Position, term);
    if (isOdd) spawn(world, Position, Frozen, In(hold));
    if (isOdd) spawn(world, Position);
    for (let count = 0; count < earlier; count++) plan(state)();
    const calls: unknown[] = [];
    if (isObserved) {
      for (const what of [Position, Frozen, ChildOf(Any), Knows(Any), MarriedTo(Any), DisabledTree]) {
        observe(world, { added: what }, (event) => calls.push(event));
        observe(world, { removed: what }, (event) => calls.push(event));
      }
    }
    HookCalls.length = 0;
    return { call: plan(state), calls: isObserved ? calls : HookCalls };
  };
}

/** What went before, how often and beside what: lists grow at other numbers. Long runs take all, not every second. */
const PAST = [0, 1, 15, 16]
  .flatMap((earlier) => [false, true].map((isOdd) => [earlier, isOdd] as const))
  .filter(
    ([earlier, isOdd]) => Number(process.env.TREELINE_WALKS ?? 0) >= 1 || isOdd === (earlier % 2 === 1),
  );

describe.each(storages)("a call that is refused memory, with parents by %s", (_, In) => {
  describe.each([
    ["unobserved", false],
    ["observed", true],
  ])("%s", (_silence, isObserved) => {
    it.each(plans)("leaves no partial change (I16, I17, I19): %s", (_title, plan) => {
      let refused = 0;
      for (const [earlier, isOdd] of PAST) {
        refused += refuseEachRequest(prepare(In, plan, earlier, isObserved, isOdd));
      }

      expect(refused).toBeGreaterThan(0);
    });
  });
});

it.each([false, true])("enabling an observed leaf reserves no rows at its old place: %s", (isObserved) => {
  const memory = refusing();
  const world = createWorld({ memory });
  const disabledFromAbove = spawn(world, DisabledTree);
  const shown = spawn(world);
  if (isObserved) observe(world, { added: ChildOf(Any) }, () => {});
  const [first] = spawnMany(world, 16, Position, Parent(disabledFromAbove));
  spawnMany(world, 3, Position, Parent(shown));

  memory.refuse(1, false);
  add(world, first!, Parent(shown));

  expect([memory.requests, isDisabled(world, first!)]).toEqual([0, false]);
  expect(verify(world)).toEqual([]);
});
