import { describe, expect, it } from "vitest";
import type { Asking, Question, QuestionTerm } from "../../src/query/twin.ts";
import { answersTo, depthFor, givesOne } from "../../src/query/twin.ts";
import {
  createHappenings,
  happenedSince,
  lookNow,
  noteDifferences,
  noteWritten,
} from "../../src/query/twin-changes.ts";
import { groupOf, inOrder, tornGroup, wrongTurn } from "../../src/query/twin-order.ts";
import { rules } from "../../src/step/vocabulary.ts";
import type { SlowTerm, Twin } from "../../src/twin/rules.ts";
import * as verbs from "../../src/twin/verbs.ts";
import * as worlds from "../../src/twin/world.ts";

const slow = { ...verbs, ...worlds };
type World = worlds.SlowWorld;

/** Everybody's index is its number; everything has happened that could have. */
function asking(world: World, more: Partial<Asking> = {}): Asking {
  return {
    slow: world,
    indexOf: (twin) => twin,
    ...happenedSince(createHappenings(), world, undefined),
    ...more,
  };
}

function has(what: string, target?: Twin | "Any" | `$${string}`): QuestionTerm {
  return target === undefined ? { kind: "has", what } : { kind: "has", what, target };
}

function not(term: QuestionTerm): QuestionTerm {
  return { kind: "not", term };
}

function maybe(term: QuestionTerm): QuestionTerm {
  return { kind: "maybe", term };
}

function or(...terms: QuestionTerm[]): QuestionTerm {
  return { kind: "or", terms };
}

function all(...terms: QuestionTerm[]): QuestionTerm {
  return { kind: "all", terms };
}

function up(what: string, relation = "ChildOf"): QuestionTerm {
  return { kind: "up", what, relation };
}

const Parents: QuestionTerm = { kind: "cascade", what: "Clock", relation: "ChildOf", desc: false };

function who(world: World, ...terms: QuestionTerm[]): Twin[] {
  return answersTo(asking(world), { terms }).map(({ twin }) => twin);
}

function given(world: World, ...terms: QuestionTerm[]): unknown[] {
  return answersTo(asking(world), { terms }).map((answer) => [answer.twin, ...answer.given]);
}

function under(target: Twin): SlowTerm {
  return { what: "ChildOf", target };
}

function loose(target: Twin): SlowTerm {
  return { what: "Parent", target };
}

function clock(ticks: number): SlowTerm {
  return { what: "Clock", value: { at: 0, ticks } };
}

const Lit: SlowTerm = { what: "Lit" };

/** 1 and 2 are parents; 3 is a child of 1 by Parent and 4 by ChildOf, 5 and 6 are those of 2. The children are lit. */
function twoFamilies(): World {
  const world = slow.createSlowWorld(rules);
  slow.spawn(world, [1, 2], []);
  slow.spawn(world, [3], [loose(1), Lit]);
  slow.spawn(world, [4], [under(1), Lit]);
  slow.spawn(world, [5], [loose(2), Lit]);
  slow.spawn(world, [6], [under(2), Lit]);
  return world;
}

describe("naive questions about parents in both storages", () => {
  it("exclude the children of a parent, whatever their storage", () => {
    expect(who(twoFamilies(), has("Lit"), not(has("ChildOf", 1)))).toEqual([5, 6]);
  });

  it("exclude a group as a whole", () => {
    const world = twoFamilies();
    expect(who(world, has("Lit"), not(all(has("ChildOf", 1))))).toEqual([5, 6]);
    expect(who(world, not(all(has("ChildOf", 1), has("Parent", 1))))).toEqual([1, 2, 4, 5, 6]);
  });

  it("take the children of either parent, each once", () => {
    expect(who(twoFamilies(), or(has("ChildOf", 1), has("ChildOf", 2)))).toEqual([3, 4, 5, 6]);
  });

  it("tell of each child alone whether it has the parent", () => {
    expect(given(twoFamilies(), has("Lit"), maybe(has("ChildOf", 1)))).toEqual([
      [3, true],
      [4, true],
      [5, undefined],
      [6, undefined],
    ]);
  });

  it("find nobody below the dead, and leave out nobody for their sake", () => {
    const world = twoFamilies();
    expect(who(world, has("ChildOf", 99))).toEqual([]);
    expect(who(world, has("Lit"), not(has("ChildOf", 99)))).toEqual([3, 4, 5, 6]);
  });
});

describe("naive cascades", () => {
  it("follow a family that moved below the end of another", () => {
    const world = slow.createSlowWorld(rules);
    slow.spawn(world, [1], [clock(1)]);
    slow.spawn(world, [2], [clock(2), under(1)]);
    slow.spawn(world, [3], [clock(3), under(2)]);
    slow.spawn(world, [4], [clock(4)]);
    slow.spawn(world, [5], [clock(5), under(4)]);
    const question: Question = { terms: [has("Clock"), Parents] };
    const depths = (): number[] => [1, 2, 3, 4, 5].map((twin) => depthFor(world, question, twin));
    expect(depths()).toEqual([0, 1, 2, 0, 1]);

    slow.add(world, 4, [under(3)]);

    expect(depths()).toEqual([0, 1, 2, 3, 4]);
    expect(wrongTurn(world, question, [1, 2, 3, 4, 5])).toBeUndefined();
    expect(wrongTurn(world, question, [1, 4, 2, 3, 5])).toEqual([4, 3]);
    const downwards: Question = { terms: [{ ...Parents, desc: true } as QuestionTerm] };
    expect(wrongTurn(world, downwards, [5, 4, 3, 2, 1])).toBeUndefined();
    expect(wrongTurn(world, downwards, [5, 4, 2, 3, 1])).toEqual([2, 3]);
    const rows = answersTo(asking(world), question).map(({ given: [, above] }) => above);
    expect(rows.map((above) => (above as { ticks: number } | undefined)?.ticks)).toEqual([
      undefined,
      1,
      2,
      3,
      4,
    ]);
  });

  it("take the longest way for the depth along many targets", () => {
    const world = slow.createSlowWorld(rules);
    slow.spawn(world, [1], []);
    slow.spawn(world, [2], [{ what: "Needs", target: 1 }]);
    slow.spawn(world, [3], [{ what: "Needs", target: 2 }]);
    slow.spawn(
      world,
      [4],
      [
        { what: "Needs", target: 1 },
        { what: "Needs", target: 3 },
      ],
    );
    const question: Question = {
      terms: [{ kind: "cascade", what: "Clock", relation: "Needs", desc: false }],
    };
    expect([1, 2, 3, 4].map((twin) => depthFor(world, question, twin))).toEqual([0, 1, 2, 3]);
  });
});

describe("naive looks upwards", () => {
  it("skip those without it, and themselves", () => {
    const world = slow.createSlowWorld(rules);
    slow.spawn(world, [1], [clock(1)]);
    slow.spawn(world, [2], [under(1)]);
    slow.spawn(world, [3], [loose(2), clock(3)]);
    slow.spawn(world, [4], [under(3)]);
    expect(given(world, up("Clock"))).toEqual([
      [2, { at: 0, ticks: 1 }],
      [3, { at: 0, ticks: 1 }],
      [4, { at: 0, ticks: 3 }],
    ]);
    expect(who(world, not(up("Clock")))).toEqual([1]);
    expect(given(world, { kind: "selfOrUp", what: "Clock", relation: "ChildOf" })[2]).toEqual([
      3,
      { at: 0, ticks: 3 },
    ]);
  });

  it("follow the line of the lowest index to its end", () => {
    const world = slow.createSlowWorld(rules);
    slow.spawn(world, [1], [clock(1)]);
    slow.spawn(world, [2], [{ what: "Needs", target: 1 }]);
    slow.spawn(world, [3], [clock(3)]);
    slow.spawn(
      world,
      [4],
      [
        { what: "Needs", target: 3 },
        { what: "Needs", target: 2 },
      ],
    );
    const terms = [up("Clock", "Needs")];
    const ticksOf4 = (indexOf: (twin: Twin) => number): unknown =>
      answersTo(asking(world, { indexOf }), { terms }).find(({ twin }) => twin === 4)?.given[0];
    expect(ticksOf4((twin) => twin)).toEqual({ at: 0, ticks: 1 });
    expect(ticksOf4((twin) => -twin)).toEqual({ at: 0, ticks: 3 });
  });

  it("take a disabled ancestor, which does not answer itself", () => {
    const world = slow.createSlowWorld(rules);
    slow.spawn(world, [1], [clock(1), { what: "Disabled" }]);
    slow.spawn(world, [2], [under(1)]);
    expect(who(world, has("Clock"))).toEqual([]);
    expect(who(world, up("Clock"))).toEqual([2]);
    expect(who(world, has("Clock"), maybe(has("Disabled")))).toEqual([1]);
    expect(who(world, has("Clock"), not(up("Disabled")))).toEqual([]);
  });
});

describe("naive variables", () => {
  it("join siblings, each with itself too", () => {
    const world = twoFamilies();
    const siblings: QuestionTerm[] = [
      has("ChildOf", "$parent"),
      { kind: "on", source: "$other", term: has("ChildOf", "$parent") },
    ];
    const found = answersTo(asking(world), { terms: siblings });
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

  it("stand for what they are set to, and for nobody dead", () => {
    const world = twoFamilies();
    const terms: QuestionTerm[] = [has("ChildOf", "$parent"), { kind: "variable", variable: "$parent" }];
    const asked = (parent: Twin): unknown[] =>
      answersTo(asking(world), { terms, bound: { $parent: parent } }).map(({ twin, given }) => [
        twin,
        ...given,
      ]);
    expect(asked(2)).toEqual([
      [5, 2],
      [6, 2],
    ]);
    expect(asked(99)).toEqual([]);
  });

  it("give an entity once per target, where a wildcard gives it once", () => {
    const world = slow.createSlowWorld(rules);
    slow.spawn(world, [1, 2], []);
    slow.spawn(
      world,
      [3],
      [
        { what: "Likes", target: 1 },
        { what: "Likes", target: 2 },
      ],
    );
    expect(who(world, has("Likes", "Any"))).toEqual([3]);
    expect(who(world, has("Likes", "$whom"))).toEqual([3, 3]);
  });
});

describe("naive values", () => {
  it("are those of the first alternative that holds", () => {
    const world = slow.createSlowWorld(rules);
    slow.spawn(world, [1], [{ what: "Mesh", value: "cube" }, clock(1)]);
    slow.spawn(world, [2], [clock(2), Lit]);
    slow.spawn(world, [3], [Lit]);
    expect(given(world, or(has("Mesh"), has("Lit"), has("Clock")))).toEqual([
      [1, "cube"],
      [2, undefined],
      [3, undefined],
    ]);
    expect(given(world, or(has("Lit"), has("Frozen")))).toEqual([[2], [3]]);
    expect(given(world, all(has("Lit"), has("Clock")))).toEqual([[2]]);
  });

  it("come from one given entity, or from the one that stands for the component", () => {
    const world = slow.createSlowWorld(rules);
    slow.spawn(world, [1], [clock(7)]);
    slow.spawn(world, [2], [Lit]);
    expect(given(world, has("Lit"), { kind: "on", source: 1, term: has("Clock") })).toEqual([
      [2, { at: 0, ticks: 7 }],
    ]);
    expect(given(world, has("Lit"), { kind: "on", source: 9, term: has("Clock") })).toEqual([]);
    expect(who(world, has("Lit"), { kind: "singleton", what: "Clock" })).toEqual([]);

    world.stands.set("Clock", 1);
    expect(given(world, has("Lit"), { kind: "singleton", what: "Clock" })).toEqual([
      [2, { at: 0, ticks: 7 }],
    ]);
  });

  it("are announced by the terms alone", () => {
    expect(givesOne(maybe(has("Lit")))).toBe(true);
    expect(givesOne(has("Damage", "Any"))).toBe(false);
    expect(givesOne(has("Damage", 1))).toBe(true);
    expect(givesOne(not(has("Clock")))).toBe(false);
  });
});

describe("naive orders", () => {
  it("sort by a field, put those without it last, and let indexes decide", () => {
    const world = slow.createSlowWorld(rules);
    slow.spawn(world, [1], [clock(2)]);
    slow.spawn(world, [2], []);
    slow.spawn(world, [3], [clock(1)]);
    slow.spawn(world, [4], [clock(2)]);
    const sorted = (desc: boolean): Twin[] =>
      inOrder(world, (twin) => -twin, { terms: [] }, { what: "Clock", field: "ticks", desc }, [1, 2, 3, 4]);
    expect(sorted(false)).toEqual([3, 4, 1, 2]);
    expect(sorted(true)).toEqual([4, 1, 3, 2]);
  });

  it("notice a group that comes in two pieces", () => {
    const world = twoFamilies();
    const parentOf = (twin: Twin) => groupOf(asking(world), twin, "ChildOf");
    expect(tornGroup([1, 2, 3, 4, 5, 6], parentOf)).toBeUndefined();
    expect(tornGroup([3, 5, 4, 6], parentOf)).toBe(1);
    expect(tornGroup([1, 3, 2], parentOf)).toBe("none");
  });
});

describe("naive change detection", () => {
  it("tells what was written, got and lost since the last look, and everything at first", () => {
    const world = slow.createSlowWorld(rules);
    const happenings = createHappenings();
    const did = (): void => {
      noteDifferences(happenings, world);
      world.before.clear();
    };
    slow.spawn(world, [1, 2, 3], [clock(1)]);
    slow.spawn(world, [4], [under(1)]);
    did();
    const changed: Question = { terms: [{ kind: "changed", what: "Clock" }] };
    const above: Question = {
      terms: [{ kind: "changedAbove", of: { kind: "up", what: "Clock", relation: "ChildOf" } }],
    };
    const base = asking(world);
    const since = (question: Question, last: ReturnType<typeof lookNow> | undefined): Twin[] =>
      answersTo({ ...base, ...happenedSince(happenings, world, last) }, question).map(({ twin }) => twin);
    expect(since(changed, undefined)).toEqual([1, 2, 3]);
    expect(since(above, undefined)).toEqual([4]);

    let last = lookNow(happenings, base, above);
    expect(since(changed, last)).toEqual([]);
    expect(since(above, last)).toEqual([]);

    slow.add(world, 1, [{ what: "Clock" }]);
    did();
    expect(since(changed, last)).toEqual([]);
    slow.set(world, 1, clock(1));
    noteWritten(happenings, 1, "Clock");
    did();
    slow.remove(world, 2, "Clock");
    did();
    expect(since(changed, last)).toEqual([1]);
    expect(since(above, last)).toEqual([4]);
    expect(since({ terms: [{ kind: "removed", what: "Clock" }] }, last)).toEqual([2]);

    slow.add(world, 2, [clock(2)]);
    did();
    expect(since({ terms: [{ kind: "removed", what: "Clock" }] }, last)).toEqual([]);
    expect(since({ terms: [{ kind: "added", what: "Clock" }] }, last)).toEqual([2]);

    const began = happenings.turn;
    slow.remove(world, 3, "Clock");
    did();
    const lost: Question = { terms: [{ kind: "removed", what: "Clock" }] };
    const atFirst = { ...base, ...happenedSince(happenings, world, undefined, began) };
    expect(answersTo(atFirst, lost).map(({ twin }) => twin)).toEqual([3]);
    expect(since(lost, undefined)).toEqual([]);
    slow.add(world, 3, [clock(3)]);
    did();

    last = lookNow(happenings, base, above);
    slow.add(world, 4, [under(3)]);
    did();
    expect(since(above, last)).toEqual([4]);
    expect(since(changed, last)).toEqual([]);
  });
});
