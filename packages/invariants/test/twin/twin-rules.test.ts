import { describe, expect, it } from "vitest";
import { performNaively } from "../../src/perform/twin-steps.ts";
import { textOf } from "../../src/step/step.ts";
import { rules } from "../../src/step/vocabulary.ts";
import { clone } from "../../src/twin/clone.ts";
import { destroy, destroyWhere, entityOf } from "../../src/twin/destroy.ts";
import type { NaiveTerm } from "../../src/twin/rules.ts";
import { insertAt, moveBeside, replaceChildren, setChildOrder } from "../../src/twin/siblings.ts";
import { add, clear, remove, removeAll, set, spawn } from "../../src/twin/verbs.ts";
import type { NaiveWorld } from "../../src/twin/world.ts";
import {
  childrenOf,
  createNaiveWorld,
  get,
  has,
  isDisabled,
  nameOf,
  parentOf,
  targetsOf,
} from "../../src/twin/world.ts";

function worldOf(count: number): NaiveWorld {
  const world = createNaiveWorld(rules);
  for (let twin = 1; twin <= count; twin++) spawn(world, [twin], []);
  return world;
}

function under(target: number, what: "ChildOf" | "Parent" = "ChildOf"): NaiveTerm {
  return { what, target };
}

function link(world: NaiveWorld, entity: number, what: string, target: number): unknown {
  return add(world, entity, [{ what, target }]);
}

function stateOf(world: NaiveWorld): string {
  return textOf(
    [...world.living].map(([twin, { pairs, ...rest }]) => [twin, [...pairs.keys()], rest, [...rest.tags]]),
  );
}

describe("the naive twin's relations", () => {
  it("have both halves of a symmetric pair, also when one end gets another partner or is destroyed", () => {
    const world = worldOf(4);

    link(world, 1, "MarriedTo", 2);
    link(world, 3, "MarriedTo", 4);
    link(world, 2, "MarriedTo", 3);
    link(world, 1, "Knows", 4);
    destroy(world, 4);

    expect(targetsOf(world, 2, "MarriedTo")).toEqual([3]);
    expect(targetsOf(world, 3, "MarriedTo")).toEqual([2]);
    expect(targetsOf(world, 1, "MarriedTo")).toEqual([]);
    expect(targetsOf(world, 1, "Knows")).toEqual([]);
  });

  it("refuse cycles of many targets, one subject too many, and change nothing then", () => {
    const world = worldOf(4);
    for (const target of [3, 2]) link(world, 1, "Needs", target);
    link(world, 2, "Needs", 4);
    for (const entity of [1, 2]) link(world, entity, "SitsIn", 4);
    const before = stateOf(world);

    expect(link(world, 4, "Needs", 1)).toBe("cycle");
    expect(link(world, 4, "Needs", 4)).toBe("cycle");
    expect(link(world, 3, "SitsIn", 4)).toBe("full");
    expect(spawn(world, [5], [{ what: "SitsIn", target: 4 }])).toBe("full");
    expect(link(world, 1, "SitsIn", 4)).toBeUndefined();

    expect(stateOf(world)).toBe(before);
    expect(targetsOf(world, 1, "Needs")).toEqual([3, 2]);
  });

  it("have one parent in two storages, which ChildOf covers in queries", () => {
    const world = worldOf(3);

    add(world, 2, [under(1)]);
    add(world, 3, [under(1, "Parent")]);
    add(world, 2, [under(1, "Parent")]);

    expect(childrenOf(world, 1)).toEqual([2, 3]);
    expect(has(world, 2, "ChildOf", 1)).toBe(true);
    expect(has(world, 2, "Parent", "Any")).toBe(true);
    expect(add(world, 2, [under(1), under(3, "Parent")])).toBe("bad-term");
    remove(world, 2, "Parent", 1);
    expect(parentOf(world, 2)).toBeUndefined();
    remove(world, 3, "ChildOf", "Any");
    expect(childrenOf(world, undefined)).toEqual([1, 2, 3]);
  });

  it("follow the policies when a component entity is destroyed", () => {
    const world = worldOf(3);
    for (const [twin, what] of ["Frozen", "Doomed", "Sacred"].entries()) {
      add(world, twin + 1, [{ what }]);
      entityOf(world, what, 10 + twin);
    }
    add(world, 3, [{ what: "Is", target: 10 }]);

    expect(has(world, 3, "Frozen")).toBe(true);
    expect(destroy(world, 12)).toBe("refused");
    destroy(world, 10);
    destroy(world, 11);

    expect([...world.living.keys()]).toEqual([1, 3, 12]);
    expect(has(world, 1, "Frozen") || has(world, 3, "Frozen")).toBe(false);
  });

  it("are removed from all entities, or from none if two roots had the same name then", () => {
    const world = worldOf(2);
    for (const [twin, parent] of [
      [3, 1],
      [4, 2],
    ] as const) {
      spawn(world, [twin], [under(parent), { what: "Name", value: "a" }, { what: "Likes", target: 1 }]);
    }

    expect(removeAll(world, { what: "ChildOf", target: "Any" })).toBe("name-taken");
    expect(removeAll(world, { what: "Any", target: 1 })).toBeUndefined();

    expect(parentOf(world, 3)).toBeUndefined();
    expect(parentOf(world, 4)).toBe(2);
    expect(targetsOf(world, 4, "Likes")).toEqual([]);
  });

  it("exclude disabled entities that a query does not name, and count the destroyed entities", () => {
    const world = worldOf(3);
    add(world, 2, [under(1)]);
    add(world, 1, [{ what: "DisabledTree" }]);

    expect([1, 2, 3].map((twin) => isDisabled(world, twin))).toEqual([true, true, false]);
    expect(destroyWhere(world, [{ kind: "not", what: "Frozen" }])).toBe(1);
    expect(destroyWhere(world, [{ kind: "with", what: "DisabledTree" }])).toBe(2);
  });
});

describe("the naive twin's siblings", () => {
  it("stay where they were put", () => {
    const world = worldOf(1);
    spawn(world, [2, 3, 4], [under(1)]);
    spawn(world, [5], []);

    insertAt(world, 1, 5, 1);
    moveBeside(world, 2, 4, "after");
    expect(childrenOf(world, 1)).toEqual([5, 3, 4, 2]);
    expect(insertAt(world, 1, 2, 4)).toBe("bad-order");
    expect(setChildOrder(world, 1, [5, 3, 4, 4])).toBe("bad-order");
    expect(replaceChildren(world, 4, [1])).toBe("cycle");
    replaceChildren(world, 1, [2, 5]);

    expect(childrenOf(world, 1)).toEqual([2, 5]);
    expect(childrenOf(world, undefined)).toEqual([1, 3, 4]);
  });
});

describe("the naive twin's copies", () => {
  it("point at copies where the originals point at originals", () => {
    const world = worldOf(2);
    spawn(world, [3], [under(1), { what: "Name", value: "a" }]);
    add(world, 1, [
      { what: "Name", value: "a" },
      { what: "Likes", target: 3 },
      { what: "MarriedTo", target: 2 },
    ]);
    set(world, 3, { what: "Aim", value: { at: 1, power: 1 } });

    clone(world, { entity: 1, isDeep: true, terms: [{ what: "Lit" }], spawned: 10 });

    expect(targetsOf(world, 10, "Likes")).toEqual([11]);
    expect(get(world, 11, "Aim")).toEqual({ at: 10, power: 1 });
    expect([nameOf(world, 10), nameOf(world, 11)]).toEqual([undefined, "a"]);
    expect(targetsOf(world, 10, "MarriedTo")).toEqual([]);
    expect(targetsOf(world, 2, "MarriedTo")).toEqual([1]);
    clear(world, 11);
    expect(childrenOf(world, undefined)).toEqual([1, 2, 10, 11]);
  });
});

describe("the naive twin's iterations", () => {
  it("execute the commands at the end, as far as the entities that they name are alive", () => {
    const world = worldOf(3);

    const codes = performNaively(world, {
      verb: "iterate",
      method: "defer",
      isThrowing: false,
      steps: [
        { verb: "spawn", spawned: [4], terms: [under(1)] },
        { verb: "destroy", entity: 1 },
        { verb: "spawn", spawned: [5], terms: [under(1)] },
        { verb: "add", entity: 2, terms: [{ what: "Lit" }, { what: "Likes", target: 4 }] },
        { verb: "add", entity: 3, terms: [{ what: "Lit" }, under(4)] },
        { verb: "add", entity: 9, terms: [] },
        { verb: "add", entity: 2, terms: [under(2)] },
      ],
    });

    expect(codes).toBe("issued issued issued issued issued dead-entity issued cycle");
    expect([...world.living.keys()]).toEqual([2]);
    expect(has(world, 2, "Lit")).toBe(true);
  });
});
