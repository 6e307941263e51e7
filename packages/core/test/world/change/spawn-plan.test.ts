import { beforeEach, describe, expect, it } from "vitest";
import { add, entityOf, observe, pack, release, type SpawnTerm } from "../../../src/index.ts";
import { knownPlan } from "../../../src/world/change/spawn-plans.ts";
import { array, component, f32, tag } from "../../defining.ts";
import {
  Any,
  ChildOf,
  DisabledTree,
  DockedTo,
  Frozen,
  Label,
  Likes,
  Lit,
  OrderedChildren,
  Parent,
} from "../../definitions.ts";
import { createDice, seeds } from "../../dice.ts";
import { createWorld, type Entity, setWorld, spawn, spawnMany, type World, world } from "../../fixture.ts";
import { addObservers, Is, Life } from "../../internal.ts";
import { asTag, codeOf, get, has, isDisabled, parentOf, subjectsOf, verify } from "../../reading.ts";
import { destroy } from "../destroy.ts";
import { livingTables, snapshot } from "../snapshot.ts";

const Position = component("Position", { x: f32, cells: array(f32, 2) });

beforeEach(setWorld);

describe("a list of terms that was used before", () => {
  it("is cached by its definitions, in their order, whatever values and target it has", () => {
    const [ship, dock] = [spawn(world), spawn(world)];
    spawn(world, Position({ x: 1 }), ChildOf(ship));

    const plan = knownPlan(world, [Position, ChildOf(dock)]);

    expect(plan?.definitions).toEqual([Position, ChildOf]);
    expect(knownPlan(world, [ChildOf(dock), Position])).toBeUndefined();
    expect(knownPlan(world, [Position, undefined as never])).toBeUndefined();
    expect(knownPlan(world, [Position])).toBeUndefined();
  });

  it("is cached for parents stored by value: such children are as those of a first spawn", () => {
    const [ship, dock] = [spawn(world, Position), spawn(world, Position)];
    const crew = [ship, dock, ship, ship].map((parent, at) =>
      spawn(world, Position({ x: at }), Parent(parent)),
    );

    expect(knownPlan(world, [Position, Parent(dock)])).toBeDefined();
    expect(crew.map((one) => [parentOf(world, one), get(world, one, Position)?.x])).toEqual([
      [ship, 0],
      [dock, 1],
      [ship, 2],
      [ship, 3],
    ]);
    expect(subjectsOf(world, ship, Parent)).toEqual([crew[0], crew[2], crew[3]]);
    expect(codeOf(() => spawn(world, Position, Parent(Any as never)))).toBe("bad-term");
    release(world, crew[1]!);
    expect(world.graph.pairs.alive).toBe(1);
    expect(verify(world)).toEqual([]);
  });

  it("is cached once, for entities used as tags too, and whatever observers there are", () => {
    const ship = spawn(world);
    world.plans.length = 0;

    spawn(world, Frozen);
    for (let count = 0; count < 20; count++) spawn(world, Frozen, asTag(ship));
    const stop = observe(world, { added: Lit }, () => undefined);
    for (let count = 0; count < 20; count++) spawn(world, Frozen);
    stop();

    expect(world.plans.map(({ definitions }) => definitions)).toEqual([[Frozen], [Frozen, Is]]);
  });

  it("is used while observers match other things only, and given up otherwise", () => {
    const calls: unknown[] = [];
    const [Rare, Common] = [tag("Rare"), tag("Common")];
    const parent = spawn(world);
    observe(world, { added: Rare }, ({ entity }) => calls.push(["rare", entity]));
    for (let round = 0; round < 3; round++) spawn(world, Common, ChildOf(parent));
    expect(calls).toEqual([]);

    const stop = observe(world, { added: Common }, ({ entity }) => calls.push(["common", entity]));
    const first = spawn(world, Common, ChildOf(parent));
    stop();
    spawn(world, Common, ChildOf(parent));
    observe(world, { added: ChildOf(Any) }, ({ entity }) => calls.push(["child", entity]));
    const second = spawn(world, Common, ChildOf(parent));
    const third = spawn(world, Common, Parent(parent));

    expect(calls).toEqual([
      ["common", first],
      ["child", second],
      ["child", third],
    ]);
    const plans = world.plans.filter(({ definitions }) => definitions.length === 2);
    expect(plans.length).toBe(2);
    expect(verify(world)).toEqual([]);
  });

  it.each([
    ["everything", Any, Frozen],
    ["spawns only", Life, Life],
  ])("is given up for observers of %s", (_, definition, observed) => {
    const calls: unknown[] = [];
    const call = (event: { readonly definition: unknown }): number => calls.push(event.definition);
    spawn(world, Frozen);
    addObservers(world, [{ kind: "added", definition, target: 0, call, isStopped: false }]);

    spawn(world, Frozen);

    expect(calls).toEqual([observed]);
  });

  it("is dropped once many others were used: few are cached", () => {
    const tags = Array.from({ length: 100 }, (_, at) => tag(`T${at}`));

    for (const one of tags) spawn(world, one);

    expect(world.plans.length).toBe(64);
    expect([knownPlan(world, [tags[0]!]), knownPlan(world, [tags[99]!])?.definitions]).toEqual([
      undefined,
      [tags[99]],
    ]);
  });

  it("writes values and defaults as the first time", () => {
    spawn(world, Position, Label("a"), Frozen);
    spawn(world, Position({ x: 1, cells: [2, 3] }), Label("b"), Frozen);

    const [one, other] = [
      spawn(world, Position({ x: 4 }), Label("c"), Frozen),
      spawn(world, Position, Label("d"), Frozen),
    ];

    expect([get(world, one, Position), get(world, one, Label)]).toEqual([
      { x: 4, cells: Float32Array.of(0, 0) },
      "c",
    ]);
    expect([get(world, other, Position), get(world, other, Label)]).toEqual([
      { x: 0, cells: Float32Array.of(0, 0) },
      "d",
    ]);
  });

  it.each<[string, (world: World, ship: Entity, destroyed: Entity) => readonly unknown[]]>([
    ["a target that is not alive", (_, __, destroyed) => [Frozen, ChildOf(destroyed)]],
    [
      "a target that is not alive and a bad value behind it",
      (_, __, destroyed) => [Likes(destroyed), Position({ x: "1" as never })],
    ],
    [
      "a bad value before a target that is not alive",
      (_, __, destroyed) => [Position({ x: "1" as never }), Likes(destroyed)],
    ],
    ["a target that is no entity", () => [Frozen, ChildOf(-1 as Entity)]],
    ["a wildcard", () => [Frozen, ChildOf(Any)]],
    ["a relation without target", () => [Frozen, ChildOf]],
    ["a bad value", () => [Position({ cells: [1] })]],
    [
      "a value for a tag",
      (_, ship) => [(Frozen as unknown as (value: unknown) => unknown)(5), ChildOf(ship)],
    ],
    ["a tag twice", () => [Frozen, Frozen]],
    ["undefined", () => [Frozen, undefined]],
  ])("is refused as the first time, with the same code: %s", (_, termsFor) => {
    const worlds = [createWorld(), createWorld()] as const;
    const codes = worlds.map((world, at) => {
      const [ship, destroyed] = [spawn(world), spawn(world)];
      spawn(world, Frozen, ChildOf(ship));
      spawn(world, Likes(ship), Position({ x: 1 }));
      spawn(world, Position({ x: 1 }), Likes(ship));
      spawn(world, Position);
      release(world, destroyed);
      if (at === 0) world.plans.length = 0;
      const before = snapshot(world);
      const code = codeOf(() => spawn(world, ...(termsFor(world, ship, destroyed) as readonly SpawnTerm[])));
      expect(snapshot(world)).toEqual(before);
      return code;
    });

    expect(codes[0]).toBeDefined();
    expect(codes[1]).toBe(codes[0]);
  });

  it("adapts to lists, disabled trees and component entities, as they are at the spawn", () => {
    const ship = spawn(world);
    const first = spawn(world, ChildOf(ship));
    add(world, ship, OrderedChildren, DisabledTree);

    const second = spawn(world, ChildOf(ship));
    const third = spawn(world, Parent(ship));
    const fourth = spawn(world, ChildOf(ship));

    expect([subjectsOf(world, ship, ChildOf), isDisabled(world, fourth)]).toEqual([
      [first, second, third, fourth],
      true,
    ]);
    expect(has(world, spawn(world, asTag(entityOf(world, Frozen))), Frozen)).toBe(true);
    expect(verify(world)).toEqual([]);
  });

  it("finds the right table again after its table was dropped, and its number reused", () => {
    for (let round = 0; round < 300; round++) {
      const [ship, dock] = [spawn(world), spawn(world)];
      const one = spawn(world, Frozen, ChildOf(ship));
      destroy(world, ship);
      const other = spawn(world, Lit, ChildOf(dock));
      const again = spawn(world, Frozen, ChildOf(dock));
      const third = spawn(world, Frozen, ChildOf(other));

      expect([has(world, other, Frozen), has(world, again, Lit), has(world, third, ChildOf(other))]).toEqual([
        false,
        false,
        true,
      ]);
      expect(one === again).toBe(false);
      destroy(world, dock);
    }
    expect([world.entities.alive, verify(world)]).toEqual([0, []]);
  });

  it.each(seeds(1, 3))(
    "has the same result as without cache, under random spawns and destructions, seed %i",
    (seed) => {
      const texts = [false, true].map((isForgetful) => {
        const world = createWorld();
        const dice = createDice(seed);
        const all = spawnMany(world, 5);
        for (let step = 0; step < 500; step++) {
          if (isForgetful) world.plans.length = 0;
          const [one, other] = [dice.pick(all), dice.pick(all)];
          const lists: SpawnTerm[][] = [
            [],
            [Frozen],
            [Position({ x: step }), Label(`${step}`)],
            [ChildOf(one)],
            [ChildOf(one), Frozen, Position({ x: step })],
            [Likes(one), Lit],
            [DockedTo(one)],
            [Parent(one), Frozen],
            [Likes(one), Likes(one === other ? all[0]! : other)],
            [asTag(one), Frozen],
          ];
          if (dice.chance(0.75)) {
            try {
              all.push(spawn(world, ...dice.pick(lists)));
            } catch {}
          } else if (all.length > 10) {
            destroy(world, one);
            for (const each of [...all]) if (!has0(world, each)) all.splice(all.indexOf(each), 1);
          } else if (dice.chance(0.05)) pack(world);
          if (all.length < 3) all.push(...spawnMany(world, 3));
        }
        expect(verify(world)).toEqual([]);
        // A plan may use a spare table with the number of its pair: only the numbers of pairs, and so their order, differ.
        return livingTables(world).map(withSortedPairs).toSorted();
      });

      expect(texts[1]).toEqual(texts[0]);
    },
  );

  /** Alive? */
  function has0(world: World, one: Entity): boolean {
    return world.entities.handles[one & 0xffffff] === one;
  }
});

function withSortedPairs(table: string): string {
  return table.replace(
    /\[(.*)\]/,
    (_, terms: string) =>
      `[${terms
        .split(/, (?=\()/)
        .toSorted()
        .join(", ")}]`,
  );
}
