import { describe, expect, it } from "vitest";
import {
  add,
  addMany,
  bits,
  ChildOf,
  clear,
  clone,
  component,
  createWorld,
  defer,
  destroyMany,
  type Entity,
  f32,
  f64,
  relation,
  removeMany,
  set,
  sparse,
  spawn,
  spawnMany,
  tag,
  type World,
} from "../../../src/index.ts";
import { get, verify } from "../../reading.ts";
import { refusing } from "../../storage/memory/refused-memory.ts";
import { refuseEachRequest } from "../refused.ts";

const Position = component("Position", { x: f32 });
const Target = component("Target", { x: f32, y: f64 }, { storage: sparse });
const Marked = tag("Marked", { storage: sparse });
const Lit = tag("Lit", { storage: bits });
const Hidden = tag("Hidden", { storage: bits });
const Fears = relation("Fears", { storage: sparse });

type Plan = (world: World, list: readonly Entity[]) => () => unknown;

const plans: readonly (readonly [title: string, plan: Plan])[] = [
  [
    "a sparse component",
    (world, [one]) =>
      () =>
        add(world, one!, Target({ x: 7, y: 8 })),
  ],
  [
    "a sparse component by set",
    (world, [one]) =>
      () =>
        set(world, one!, Target, { x: 9 }),
  ],
  [
    "a sparse tag beside a component",
    (world, [one]) =>
      () =>
        add(world, one!, Position({ x: 1 }), Marked),
  ],
  [
    "a tag of bits",
    (world, [one]) =>
      () =>
        add(world, one!, Lit),
  ],
  [
    "a tag of bits beside a parent",
    (world, [one, two]) =>
      () =>
        add(world, one!, ChildOf(two!), Hidden, Lit),
  ],
  [
    "a sparse pair",
    (world, [one, two]) =>
      () =>
        add(world, one!, Fears(two!)),
  ],
  [
    "a spawn with all storages",
    (world, [one]) =>
      () =>
        spawn(world, Position, Target({ x: 3 }), Lit, Fears(one!)),
  ],
  ["many spawns with all storages", (world) => () => spawnMany(world, 70, Position, Target({ x: 3 }), Lit)],
  [
    "a deferred spawn with all storages",
    (world) => () => defer(world, () => spawn(world, Target, Marked, Lit)),
  ],
  ["a list that gets a sparse component", (world, list) => () => addMany(world, list, Target({ x: 4 }))],
  ["a list that gets a tag of bits", (world, list) => () => addMany(world, list, Lit, Marked)],
  ...([Target, Marked, Lit] as const).map((what): readonly [string, Plan] => [
    `a list that loses ${what.name}`,
    (world, list) => {
      addMany(world, list, Target({ x: 4 }), Marked, Lit);
      return () => removeMany(world, list, what);
    },
  ]),
  [
    "the loss of everything",
    (world, [one, two]) => {
      add(world, one!, Target({ x: 4 }), Lit, Marked, Position, Fears(two!));
      return () => clear(world, one!);
    },
  ],
  [
    "a clone with all storages",
    (world, [one, two]) => {
      add(world, one!, Target({ x: 4 }), Lit, Marked, Position, Fears(two!));
      return () => clone(world, one!, { deep: true });
    },
  ],
];

describe("a call that is refused memory leaves no partial change:", () => {
  it.each(plans)("%s", (_, plan) => {
    for (const earlier of [0, 1, 15, 16, 63, 64])
      refuseEachRequest((world) => {
        const others = spawnMany(world, earlier, Position);
        if (earlier > 0) addMany(world, others, Target({ x: 1 }), Lit, Marked);
        const list = [spawn(world), spawn(world, Position), spawn(world)];
        return { call: plan(world, list), calls: [] };
      });
  });

  it("memory is asked for by some of these calls", () => {
    const counts = plans.map(([, plan]) => {
      const memory = refusing();
      const world = createWorld({ memory });
      const call = plan(world, [spawn(world), spawn(world), spawn(world)]);
      memory.grant();
      call();
      return memory.requests;
    });

    expect(counts.filter((count) => count > 0).length).toBeGreaterThan(8);
  });

  it("a list is destroyed without memory, in all storages", () => {
    const memory = refusing();
    const world = createWorld({ memory });
    const list = spawnMany(world, 100, Position, Target({ x: 2 }), Lit, Marked);
    const kept = spawn(world, Target({ x: 5 }), Lit, Fears(list[0]!));
    for (const one of list.slice(0, 50)) spawn(world, ChildOf(one), Target, Fears(kept));

    memory.refuse(1, false);
    destroyMany(world, list);

    expect([world.entities.alive, get(world, kept, Target)]).toEqual([1, { x: 5, y: 0 }]);
    expect(verify(world)).toEqual([]);
  });
});
