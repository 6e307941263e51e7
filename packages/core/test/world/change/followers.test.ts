import { describe, expect, it } from "vitest";
import { verify } from "../../../src/debug.ts";
import {
  Any,
  add,
  ChildOf,
  clear,
  clone,
  component,
  createWorld,
  DisabledTree,
  defer,
  type Entity,
  f32,
  f64,
  isDisabled,
  observe,
  Parent,
  remove,
  spawn,
  spawnMany,
  type World,
  withHooks,
} from "../../../src/index.ts";
import { Frozen, Knows, MarriedTo, storages } from "../../definitions.ts";
import { refusing } from "../../storage/memory/refused-memory.ts";
import { type Ready, refuseEachRequest } from "../refused.ts";

const Position = component("Position", { x: f32, y: f64 });
const Heard: unknown[] = [];
const Hooked = withHooks(component("Hooked", { n: f32 }), {
  written: (_, entity, value) => Heard.push(["written", entity, value]),
  onRemove: (_, entity, value) => Heard.push(["removed", entity, value]),
});

type Storage = typeof ChildOf | typeof Parent;

/** Who is there before a call, so many of the same kind that went the same way before. */
interface Scene {
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
function family({ world, In }: Scene, ...above: readonly Entity[]): Entity[] {
  const one = spawn(world, Position({ x: 1, y: 1 }), ...above.map((parent) => In(parent)));
  const two = spawn(world, Frozen, In(one));
  const three = spawn(world, Position({ x: 3, y: 3 }), Frozen, ChildOf(two));
  const four = spawn(world, Position({ x: 4, y: 4 }), In(one));
  return [one, two, three, four, spawn(world, Position({ x: 5, y: 5 }))];
}

type Plan = (scene: Scene) => () => unknown;

const calls: readonly (readonly [title: string, plan: Plan])[] = [
  [
    "a birth below what is disabled",
    ({ world, In, hold }) =>
      () =>
        spawn(world, Position({ x: 1, y: 2 }), In(hold)),
  ],
  [
    "a birth with hooks below what is disabled",
    ({ world, In, hold }) =>
      () =>
        spawn(world, Hooked({ n: 1 }), In(hold)),
  ],
  [
    "a birth that waited",
    ({ world, In, hold }) =>
      () =>
        defer(world, () => spawn(world, Position, In(hold))),
  ],
  [
    "several births below what is disabled",
    ({ world, In, hold }) =>
      () =>
        spawnMany(world, 20, Position, In(hold)),
  ],
  [
    "several births with hooks",
    ({ world, In, hold }) =>
      () =>
        spawnMany(world, 3, Hooked({ n: 1 }), In(hold)),
  ],
  [
    "several births in the open",
    ({ world, In, deck }) =>
      () =>
        spawnMany(world, 20, Position, In(deck)),
  ],
  [
    "a move below what is disabled",
    (scene) => {
      const [one] = family(scene);
      return () => add(scene.world, one!, scene.In(scene.hold));
    },
  ],
  [
    "a move that waited",
    (scene) => {
      const [one] = family(scene);
      return () => defer(scene.world, () => add(scene.world, one!, scene.In(scene.hold)));
    },
  ],
  [
    "a move into the open",
    (scene) => {
      const [one] = family(scene, scene.hold);
      return () => add(scene.world, one!, scene.In(scene.deck), Frozen);
    },
  ],
  [
    "a move into the other storage",
    (scene) => {
      const [one] = family(scene, scene.hold);
      return () => add(scene.world, one!, (scene.In === Parent ? ChildOf : Parent)(scene.deck));
    },
  ],
  [
    "the loss of a parent",
    (scene) => {
      const [one] = family(scene, scene.hold);
      return () => remove(scene.world, one!, ChildOf(Any));
    },
  ],
  [
    "the loss of all pairs",
    (scene) => {
      const [one, , three, , five] = family(scene, scene.hold);
      add(scene.world, one!, MarriedTo(five!), Knows(three!));
      return () => remove(scene.world, one!, Any(Any));
    },
  ],
  [
    "the loss of everything",
    (scene) => {
      const [one, , three, , five] = family(scene, scene.hold);
      add(scene.world, one!, Hooked({ n: 4 }), MarriedTo(five!), Knows(three!));
      return () => clear(scene.world, one!);
    },
  ],
  [
    "a DisabledTree that is put on a tree",
    (scene) => {
      const [one] = family(scene);
      return () => add(scene.world, one!, DisabledTree);
    },
  ],
  [
    "a DisabledTree that is taken off",
    (scene) => {
      const top = spawn(scene.world, DisabledTree);
      family(scene, top);
      return () => remove(scene.world, top, DisabledTree);
    },
  ],
  [
    "a DisabledTree with another parent",
    (scene) => {
      const [one] = family(scene);
      return () => add(scene.world, one!, DisabledTree, scene.In(scene.hold));
    },
  ],
  [
    "a birth with bonds",
    (scene) => {
      const [one, two, three, four, five] = family(scene);
      add(scene.world, one!, MarriedTo(two!));
      return () =>
        spawn(scene.world, MarriedTo(one!), Knows(three!), Knows(four!), Knows(five!), scene.In(scene.hold));
    },
  ],
  [
    "several births with bonds",
    (scene) => {
      const [one, two, three] = family(scene);
      add(scene.world, one!, MarriedTo(two!));
      return () => spawnMany(scene.world, 3, MarriedTo(one!), Knows(three!), scene.In(scene.deck));
    },
  ],
  [
    "a birth with bonds that waited",
    (scene) => {
      const [one] = family(scene);
      return () => defer(scene.world, () => spawn(scene.world, MarriedTo(one!), Frozen, ChildOf(scene.hold)));
    },
  ],
  [
    "a bond that takes the places of two others",
    (scene) => {
      const [one, two, three, four] = family(scene);
      add(scene.world, one!, MarriedTo(two!));
      add(scene.world, three!, MarriedTo(four!));
      return () => add(scene.world, one!, MarriedTo(three!));
    },
  ],
  [
    "bonds with many",
    (scene) => {
      const [one, two, three, four, five] = family(scene);
      return () => add(scene.world, one!, Knows(two!), Knows(three!), Knows(four!), Knows(five!));
    },
  ],
  [
    "the loss of a bond",
    (scene) => {
      const [one, two, three] = family(scene);
      add(scene.world, one!, Knows(two!), Knows(three!));
      return () => remove(scene.world, one!, Knows(three!));
    },
  ],
  [
    "a move with bonds to those below",
    (scene) => {
      const [one, two, three, four, five] = family(scene);
      add(scene.world, two!, MarriedTo(five!));
      return () => add(scene.world, one!, scene.In(scene.hold), MarriedTo(two!), Knows(three!), Knows(four!));
    },
  ],
  [
    "a deep clone below what is disabled",
    (scene) => {
      const [one, two, , four] = family(scene, scene.hold);
      add(scene.world, two!, MarriedTo(four!));
      return () => clone(scene.world, one!, { deep: true, with: [Frozen] });
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
    const scene: Scene = { world, In, hold, deck: spawn(world) };
    if (isOdd) for (const term of [In(hold), Frozen]) spawn(world, Position, term);
    if (isOdd) spawn(world, Position);
    for (let count = 0; count < earlier; count++) plan(scene)();
    const told: unknown[] = [];
    if (isObserved) {
      for (const what of [Position, Frozen, ChildOf(Any), Knows(Any), MarriedTo(Any), DisabledTree]) {
        observe(world, { added: what }, (event) => told.push(event));
        observe(world, { removed: what }, (event) => told.push(event));
      }
    }
    Heard.length = 0;
    return { call: plan(scene), told: isObserved ? told : Heard };
  };
}

describe.each(storages)("a call that is refused memory, with parents by %s", (_, In) => {
  describe.each([
    ["in silence", false],
    ["heard", true],
  ])("%s", (_silence, isObserved) => {
    it.each(calls)("leaves nothing half done (L16, L17, L19): %s", (_title, plan) => {
      let refused = 0;
      for (const earlier of [0, 1, 15, 16]) {
        for (const isOdd of [false, true])
          refused += refuseEachRequest(prepare(In, plan, earlier, isObserved, isOdd));
      }

      expect(refused).toBeGreaterThan(0);
    });
  });
});

it.each([false, true])(
  "a leaf that is shown again needs no room where it leaves, heard of: %s",
  (isObserved) => {
    const memory = refusing();
    const world = createWorld({ memory });
    const hidden = spawn(world, DisabledTree);
    const shown = spawn(world);
    if (isObserved) observe(world, { added: ChildOf(Any) }, () => {});
    const [first] = spawnMany(world, 16, Position, Parent(hidden));
    spawnMany(world, 3, Position, Parent(shown));

    memory.refuse(1, false);
    add(world, first!, Parent(shown));

    expect([memory.asked, isDisabled(world, first!)]).toEqual([0, false]);
    expect(verify(world)).toEqual([]);
  },
);
