import { describe, expect, it } from "vitest";
import type { OrderBy, QueryContext, QueryDescription, QueryTerm } from "../../src/query/twin.ts";
import { depthFor, hasOutput, matchesOf } from "../../src/query/twin.ts";
import {
  changesSince,
  createChangeLog,
  noteDifferences,
  noteWritten,
  readNow,
} from "../../src/query/twin-changes.ts";
import { groupOf, inOrder, splitGroup, wrongOrder } from "../../src/query/twin-order.ts";
import { rules } from "../../src/step/vocabulary.ts";
import type { NaiveTerm, Twin } from "../../src/twin/rules.ts";
import * as verbs from "../../src/twin/verbs.ts";
import * as worlds from "../../src/twin/world.ts";

const naive = { ...verbs, ...worlds };
type World = worlds.NaiveWorld;

/** The index of an entity is its number, and everything has just changed. */
function contextOf(world: World, more: Partial<QueryContext> = {}): QueryContext {
  return {
    naive: world,
    indexOf: (twin) => twin,
    ...changesSince(createChangeLog(), world, undefined),
    ...more,
  };
}

function has(what: string, target?: Twin | "Any" | `$${string}`): QueryTerm {
  return target === undefined ? { kind: "has", what } : { kind: "has", what, target };
}

function not(term: QueryTerm): QueryTerm {
  return { kind: "not", term };
}

function maybe(term: QueryTerm): QueryTerm {
  return { kind: "maybe", term };
}

function or(...terms: QueryTerm[]): QueryTerm {
  return { kind: "or", terms };
}

function all(...terms: QueryTerm[]): QueryTerm {
  return { kind: "all", terms };
}

function up(what: string, relation = "ChildOf"): QueryTerm {
  return { kind: "up", what, relation };
}

const Parents: QueryTerm = { kind: "cascade", what: "Clock", relation: "ChildOf", desc: false };

function twinsMatching(world: World, ...terms: QueryTerm[]): Twin[] {
  return matchesOf(contextOf(world), { terms }).map(({ twin }) => twin);
}

function outputs(world: World, ...terms: QueryTerm[]): unknown[] {
  return matchesOf(contextOf(world), { terms }).map((match) => [match.twin, ...match.outputs]);
}

function under(target: Twin): NaiveTerm {
  return { what: "ChildOf", target };
}

function byValue(target: Twin): NaiveTerm {
  return { what: "Parent", target };
}

function clock(ticks: number): NaiveTerm {
  return { what: "Clock", value: { at: 0, ticks } };
}

const Lit: NaiveTerm = { what: "Lit" };

/** 1 and 2 are parents; 3 is a child of 1 by Parent and 4 by ChildOf, 5 and 6 are those of 2. The children are lit. */
function twoParents(): World {
  const world = naive.createNaiveWorld(rules);
  naive.spawn(world, [1, 2], []);
  naive.spawn(world, [3], [byValue(1), Lit]);
  naive.spawn(world, [4], [under(1), Lit]);
  naive.spawn(world, [5], [byValue(2), Lit]);
  naive.spawn(world, [6], [under(2), Lit]);
  return world;
}

describe("naive queries about parents in both storages", () => {
  it("exclude the children of a parent, whatever their storage", () => {
    expect(twinsMatching(twoParents(), has("Lit"), not(has("ChildOf", 1)))).toEqual([5, 6]);
  });

  it("exclude a group as a whole", () => {
    const world = twoParents();
    expect(twinsMatching(world, has("Lit"), not(all(has("ChildOf", 1))))).toEqual([5, 6]);
    expect(twinsMatching(world, not(all(has("ChildOf", 1), has("Parent", 1))))).toEqual([1, 2, 4, 5, 6]);
  });

  it("match the children of either parent, each once", () => {
    expect(twinsMatching(twoParents(), or(has("ChildOf", 1), has("ChildOf", 2)))).toEqual([3, 4, 5, 6]);
  });

  it("output for each child whether it has the parent", () => {
    expect(outputs(twoParents(), has("Lit"), maybe(has("ChildOf", 1)))).toEqual([
      [3, true],
      [4, true],
      [5, undefined],
      [6, undefined],
    ]);
  });

  it("match nothing below a destroyed entity, and exclude nothing because of it", () => {
    const world = twoParents();
    expect(twinsMatching(world, has("ChildOf", 99))).toEqual([]);
    expect(twinsMatching(world, has("Lit"), not(has("ChildOf", 99)))).toEqual([3, 4, 5, 6]);
  });
});

describe("naive cascades", () => {
  it("follow a subtree that moved below a leaf of another", () => {
    const world = naive.createNaiveWorld(rules);
    naive.spawn(world, [1], [clock(1)]);
    naive.spawn(world, [2], [clock(2), under(1)]);
    naive.spawn(world, [3], [clock(3), under(2)]);
    naive.spawn(world, [4], [clock(4)]);
    naive.spawn(world, [5], [clock(5), under(4)]);
    const description: QueryDescription = { terms: [has("Clock"), Parents] };
    const depths = (): number[] => [1, 2, 3, 4, 5].map((twin) => depthFor(world, description, twin));
    expect(depths()).toEqual([0, 1, 2, 0, 1]);

    naive.add(world, 4, [under(3)]);

    expect(depths()).toEqual([0, 1, 2, 3, 4]);
    expect(wrongOrder(world, description, [1, 2, 3, 4, 5])).toBeUndefined();
    expect(wrongOrder(world, description, [1, 4, 2, 3, 5])).toEqual([4, 3]);
    const downwards: QueryDescription = { terms: [{ ...Parents, desc: true } as QueryTerm] };
    expect(wrongOrder(world, downwards, [5, 4, 3, 2, 1])).toBeUndefined();
    expect(wrongOrder(world, downwards, [5, 4, 2, 3, 1])).toEqual([2, 3]);
    const rows = matchesOf(contextOf(world), description).map(({ outputs: [, above] }) => above);
    expect(rows.map((above) => (above as { ticks: number } | undefined)?.ticks)).toEqual([
      undefined,
      1,
      2,
      3,
      4,
    ]);
  });

  it("use the longest path for the depth along many targets", () => {
    const world = naive.createNaiveWorld(rules);
    naive.spawn(world, [1], []);
    naive.spawn(world, [2], [{ what: "Needs", target: 1 }]);
    naive.spawn(world, [3], [{ what: "Needs", target: 2 }]);
    naive.spawn(
      world,
      [4],
      [
        { what: "Needs", target: 1 },
        { what: "Needs", target: 3 },
      ],
    );
    const description: QueryDescription = {
      terms: [{ kind: "cascade", what: "Clock", relation: "Needs", desc: false }],
    };
    expect([1, 2, 3, 4].map((twin) => depthFor(world, description, twin))).toEqual([0, 1, 2, 3]);
  });
});

describe("naive upward terms", () => {
  it("skip entities without the component, and the entity itself", () => {
    const world = naive.createNaiveWorld(rules);
    naive.spawn(world, [1], [clock(1)]);
    naive.spawn(world, [2], [under(1)]);
    naive.spawn(world, [3], [byValue(2), clock(3)]);
    naive.spawn(world, [4], [under(3)]);
    expect(outputs(world, up("Clock"))).toEqual([
      [2, { at: 0, ticks: 1 }],
      [3, { at: 0, ticks: 1 }],
      [4, { at: 0, ticks: 3 }],
    ]);
    expect(twinsMatching(world, not(up("Clock")))).toEqual([1]);
    expect(outputs(world, { kind: "selfOrUp", what: "Clock", relation: "ChildOf" })[2]).toEqual([
      3,
      { at: 0, ticks: 3 },
    ]);
  });

  it("follow the branch of the lowest index to its end", () => {
    const world = naive.createNaiveWorld(rules);
    naive.spawn(world, [1], [clock(1)]);
    naive.spawn(world, [2], [{ what: "Needs", target: 1 }]);
    naive.spawn(world, [3], [clock(3)]);
    naive.spawn(
      world,
      [4],
      [
        { what: "Needs", target: 3 },
        { what: "Needs", target: 2 },
      ],
    );
    const terms = [up("Clock", "Needs")];
    const ticksOf4 = (indexOf: (twin: Twin) => number): unknown =>
      matchesOf(contextOf(world, { indexOf }), { terms }).find(({ twin }) => twin === 4)?.outputs[0];
    expect(ticksOf4((twin) => twin)).toEqual({ at: 0, ticks: 1 });
    expect(ticksOf4((twin) => -twin)).toEqual({ at: 0, ticks: 3 });
  });

  it("accept a disabled ancestor, which does not match itself", () => {
    const world = naive.createNaiveWorld(rules);
    naive.spawn(world, [1], [clock(1), { what: "Disabled" }]);
    naive.spawn(world, [2], [under(1)]);
    expect(twinsMatching(world, has("Clock"))).toEqual([]);
    expect(twinsMatching(world, up("Clock"))).toEqual([2]);
    expect(twinsMatching(world, has("Clock"), maybe(has("Disabled")))).toEqual([1]);
    expect(twinsMatching(world, has("Clock"), not(up("Disabled")))).toEqual([]);
  });
});

describe("naive variables", () => {
  it("join siblings, each with itself too", () => {
    const world = twoParents();
    const siblings: QueryTerm[] = [
      has("ChildOf", "$parent"),
      { kind: "on", source: "$other", term: has("ChildOf", "$parent") },
    ];
    const found = matchesOf(contextOf(world), { terms: siblings });
    expect(
      found.map(({ twin, bindings }) => [twin, bindings.get("$parent"), bindings.get("$other")]),
    ).toEqual([
      [3, 1, 3],
      [3, 1, 4],
      [4, 1, 3],
      [4, 1, 4],
      [5, 2, 5],
      [5, 2, 6],
      [6, 2, 5],
      [6, 2, 6],
    ]);
  });

  it("have the entity that they are bound to, if it is alive", () => {
    const world = twoParents();
    const terms: QueryTerm[] = [has("ChildOf", "$parent"), { kind: "variable", variable: "$parent" }];
    const boundTo = (parent: Twin): unknown[] =>
      matchesOf(contextOf(world), { terms, bound: { $parent: parent } }).map(({ twin, outputs }) => [
        twin,
        ...outputs,
      ]);
    expect(boundTo(2)).toEqual([
      [5, 2],
      [6, 2],
    ]);
    expect(boundTo(99)).toEqual([]);
  });

  it("match an entity once per target, where a wildcard matches it once", () => {
    const world = naive.createNaiveWorld(rules);
    naive.spawn(world, [1, 2], []);
    naive.spawn(
      world,
      [3],
      [
        { what: "Likes", target: 1 },
        { what: "Likes", target: 2 },
      ],
    );
    expect(twinsMatching(world, has("Likes", "Any"))).toEqual([3]);
    expect(twinsMatching(world, has("Likes", "$target"))).toEqual([3, 3]);
  });
});

describe("naive values", () => {
  it("are those of the first alternative that matches", () => {
    const world = naive.createNaiveWorld(rules);
    naive.spawn(world, [1], [{ what: "Mesh", value: "cube" }, clock(1)]);
    naive.spawn(world, [2], [clock(2), Lit]);
    naive.spawn(world, [3], [Lit]);
    expect(outputs(world, or(has("Mesh"), has("Lit"), has("Clock")))).toEqual([
      [1, "cube"],
      [2, undefined],
      [3, undefined],
    ]);
    expect(outputs(world, or(has("Lit"), has("Frozen")))).toEqual([[2], [3]]);
    expect(outputs(world, all(has("Lit"), has("Clock")))).toEqual([[2]]);
  });

  it("come from one given entity, or from the component entity", () => {
    const world = naive.createNaiveWorld(rules);
    naive.spawn(world, [1], [clock(7)]);
    naive.spawn(world, [2], [Lit]);
    expect(outputs(world, has("Lit"), { kind: "on", source: 1, term: has("Clock") })).toEqual([
      [2, { at: 0, ticks: 7 }],
    ]);
    expect(outputs(world, has("Lit"), { kind: "on", source: 9, term: has("Clock") })).toEqual([]);
    expect(twinsMatching(world, has("Lit"), { kind: "singleton", what: "Clock" })).toEqual([]);

    world.componentEntities.set("Clock", 1);
    expect(outputs(world, has("Lit"), { kind: "singleton", what: "Clock" })).toEqual([
      [2, { at: 0, ticks: 7 }],
    ]);
  });

  it("are determined by the terms alone", () => {
    expect(hasOutput(maybe(has("Lit")))).toBe(true);
    expect(hasOutput(has("Damage", "Any"))).toBe(false);
    expect(hasOutput(has("Damage", 1))).toBe(true);
    expect(hasOutput(not(has("Clock")))).toBe(false);
  });
});

describe("naive orders", () => {
  it("sort by a field, put entities without it last, and use indexes if values are equal", () => {
    const world = naive.createNaiveWorld(rules);
    naive.spawn(world, [1], [clock(2)]);
    naive.spawn(world, [2], []);
    naive.spawn(world, [3], [clock(1)]);
    naive.spawn(world, [4], [clock(2)]);
    const sorted = (desc: boolean): Twin[] =>
      inOrder(
        { naive: world, indexOf: (twin) => -twin },
        { terms: [] },
        [{ what: "Clock", field: "ticks", desc }],
        [1, 2, 3, 4],
      );
    expect(sorted(false)).toEqual([3, 4, 1, 2]);
    expect(sorted(true)).toEqual([4, 1, 3, 2]);
  });

  it("sort by the value above, and equal ones by the next order", () => {
    const world = naive.createNaiveWorld(rules);
    naive.spawn(world, [1], [clock(9)]);
    naive.spawn(world, [2], [clock(4)]);
    naive.spawn(world, [3], [under(1), clock(5)]);
    naive.spawn(world, [4], [under(2), clock(1)]);
    naive.spawn(world, [5], [under(2), clock(3)]);
    const byTicks = { what: "Clock", field: "ticks", desc: false };
    const above = { kind: "up", relation: "ChildOf" } as const;
    const sorted = (...orderBy: OrderBy[]): Twin[] =>
      inOrder({ naive: world, indexOf: (twin) => twin }, { terms: [] }, orderBy, [1, 2, 3, 4, 5]);
    expect(sorted({ ...byTicks, above }, { ...byTicks, desc: true })).toEqual([5, 4, 3, 1, 2]);
    expect(sorted({ ...byTicks, above: { ...above, kind: "selfOrUp" } })).toEqual([4, 5, 2, 3, 1]);
  });

  it("detect a group that is not contiguous", () => {
    const world = twoParents();
    const parentOf = (twin: Twin) => groupOf(contextOf(world), twin, "ChildOf");
    expect(splitGroup([1, 2, 3, 4, 5, 6], parentOf)).toBeUndefined();
    expect(splitGroup([3, 5, 4, 6], parentOf)).toBe(1);
    expect(splitGroup([1, 3, 2], parentOf)).toBe("none");
  });
});

describe("naive change detection", () => {
  it("reports what was written, gained and lost since the last read, and everything at first", () => {
    const world = naive.createNaiveWorld(rules);
    const changeLog = createChangeLog();
    const did = (): void => {
      noteDifferences(changeLog, world);
      world.before.clear();
    };
    naive.spawn(world, [1, 2, 3], [clock(1)]);
    naive.spawn(world, [4], [under(1)]);
    did();
    const changed: QueryDescription = { terms: [{ kind: "changed", what: "Clock" }] };
    const above: QueryDescription = {
      terms: [{ kind: "changedAbove", of: { kind: "up", what: "Clock", relation: "ChildOf" } }],
    };
    const base = contextOf(world);
    const since = (description: QueryDescription, last: ReturnType<typeof readNow> | undefined): Twin[] =>
      matchesOf({ ...base, ...changesSince(changeLog, world, last) }, description).map(({ twin }) => twin);
    expect(since(changed, undefined)).toEqual([1, 2, 3]);
    expect(since(above, undefined)).toEqual([4]);

    let last = readNow(changeLog, base, above);
    expect(since(changed, last)).toEqual([]);
    expect(since(above, last)).toEqual([]);

    naive.add(world, 1, [{ what: "Clock" }]);
    did();
    expect(since(changed, last)).toEqual([]);
    naive.set(world, 1, clock(1));
    noteWritten(changeLog, 1, "Clock");
    did();
    naive.remove(world, 2, "Clock");
    did();
    expect(since(changed, last)).toEqual([1]);
    expect(since(above, last)).toEqual([4]);
    expect(since({ terms: [{ kind: "removed", what: "Clock" }] }, last)).toEqual([2]);

    naive.add(world, 2, [clock(2)]);
    did();
    expect(since({ terms: [{ kind: "removed", what: "Clock" }] }, last)).toEqual([]);
    expect(since({ terms: [{ kind: "added", what: "Clock" }] }, last)).toEqual([2]);

    const began = changeLog.turn;
    naive.remove(world, 3, "Clock");
    did();
    const lost: QueryDescription = { terms: [{ kind: "removed", what: "Clock" }] };
    const atFirst = { ...base, ...changesSince(changeLog, world, undefined, began) };
    expect(matchesOf(atFirst, lost).map(({ twin }) => twin)).toEqual([3]);
    expect(since(lost, undefined)).toEqual([]);
    naive.add(world, 3, [clock(3)]);
    did();

    last = readNow(changeLog, base, above);
    naive.add(world, 4, [under(3)]);
    did();
    expect(since(above, last)).toEqual([4]);
    expect(since(changed, last)).toEqual([]);
  });
});
