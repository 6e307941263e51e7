import type { Entity } from "@treeline/core";
import { add, clear, clone, markChanged, pack, patch, remove, set, spawnMany } from "@treeline/core";
import { describe, expect, it } from "vitest";
import { count, destroy, dispose, each, eachBatch, eachRun, first, isEmpty } from "../../src/index.ts";
import { Tag } from "../definitions.ts";
import { Any, ChildOf, Disabled, Parent } from "../public/builtins.ts";
import { component } from "../public/define.ts";
import { added, changed, maybe, not, or, removed } from "../public/filters.ts";
import { orderBy, shard } from "../public/parts.ts";
import { cascade, up } from "../public/terms.ts";
import { tracksChanges } from "../world-state.ts";
import { Heavy, named, setUpNamedWorld, spawnWithIndexOf, unread, Warm, watch } from "./named-world.ts";

/** Changes that similar engines report for whole tables, or not at all, are reported here for each entity. */

const Label = component<{ text: string }>("Label");

setUpNamedWorld();

/** Writes through the row view of one entity. */
function writeOf(one: Entity): void {
  each(watch(Warm), (warm, entity) => {
    if (entity === one) warm.of = 1;
  });
}

/** Three siblings in one table, all of which were read. */
function plantThree() {
  const [a, b, c] = [
    named.spawnNamed("a", Warm, Tag),
    named.spawnNamed("b", Warm, Tag),
    named.spawnNamed("c", Warm, Tag),
  ];
  const tested = watch(changed(Warm));
  unread(tested);
  return { a, b, c, tested };
}

describe("changed matches the one entity, not its table", () => {
  it.each<[string, (one: Entity) => unknown]>([
    ["set", (one) => set(named.world, one, Warm, { of: 5 })],
    ["set to the same value", (one) => set(named.world, one, Warm, { of: one })],
    ["patch", (one) => patch(named.world, one, Warm, (warm) => void warm.of++)],
    ["markChanged", (one) => markChanged(named.world, one, Warm)],
    ["writing its row view", (one) => writeOf(one)],
    [
      "a run with declared writes",
      (one) => {
        add(named.world, one, Heavy);
        eachRun(watch(Warm, Heavy), () => undefined, { writes: [Warm] });
      },
    ],
    [
      "a batch with declared writes",
      (one) => {
        add(named.world, one, Parent(named.spawnNamed("p")));
        eachBatch(watch(Warm, up(Warm)), () => undefined, { writes: [Warm] });
        eachBatch(watch(Warm, ChildOf(Any), cascade(Warm)), () => undefined, { writes: [Warm] });
      },
    ],
    [
      "losing it and getting it again",
      (one) => {
        remove(named.world, one, Warm);
        add(named.world, one, Warm);
      },
    ],
  ])("after %s", (_, act) => {
    const { b, tested } = plantThree();

    act(b);

    expect([unread(tested), unread(tested)]).toEqual(["b", ""]);
  });

  it.each<[string, (one: Entity) => unknown]>([
    ["getting something else", (one) => add(named.world, one, Heavy)],
    [
      "changing something else",
      (one) => {
        add(named.world, one, Heavy);
        set(named.world, one, Heavy, { of: 2 });
      },
    ],
    ["another parent", (one) => add(named.world, one, ChildOf(named.spawnNamed("p")))],
    ["losing it", (one) => remove(named.world, one, Warm)],
    ["its destruction", (one) => destroy(named.world, one)],
    [
      "the destruction of a neighbour, whose row is reused",
      () => destroy(named.world, named.spawnNamed("d", Tag)),
    ],
    [
      "a run without declared writes",
      () => eachRun(watch(Warm), (run) => run.columns(Warm).of.fill(3, run.first, run.end)),
    ],
    ["a pack", () => pack(named.world)],
    ["reading it", () => each(watch(Warm), ({ of }) => expect(of).toBeTypeOf("number"))],
  ])("not after %s", (_, act) => {
    const { a, tested } = plantThree();

    act(a);

    expect(unread(tested)).toBe("");
  });

  it("follows an entity that moves to another table, and rows that are packed", () => {
    const { a, b, tested } = plantThree();
    set(named.world, b, Warm, { of: 1 });
    destroy(named.world, a);
    add(named.world, b, ChildOf(named.spawnNamed("p")));
    pack(named.world);

    expect(unread(tested)).toBe("b");
  });

  it("reports JavaScript values too", () => {
    const [x, y] = [named.spawnNamed("x", Label({ text: "x" })), named.spawnNamed("y", Label({ text: "y" }))];
    const tested = watch(changed(Label));
    expect(unread(tested)).toBe("x y");

    set(named.world, y, Label, { text: "z" });
    expect(unread(tested)).toBe("y");
    patch(named.world, x, Label, (label) => {
      label.text = "w";
    });
    expect(unread(tested)).toBe("x");
  });

  it("matches everything at the first read, also when other queries have long been reading", () => {
    const { b } = plantThree();
    set(named.world, b, Warm, { of: 1 });

    expect([unread(watch(changed(Warm))), unread(watch(changed(Warm)))]).toEqual(["a b c", "a b c"]);
  });

  it("is reported to each query separately", () => {
    const { b, tested } = plantThree();
    const other = watch(changed(Warm));
    unread(other);

    set(named.world, b, Warm, { of: 1 });

    expect([unread(tested), unread(other), unread(tested), unread(other)]).toEqual(["b", "b", "", ""]);
  });

  it("combines with alternatives and not", () => {
    const { a, b, c } = plantThree();
    named.addOwn(c, Heavy);
    const either = watch(or(changed(Warm), changed(Heavy)));
    const still = watch(Warm, not(changed(Warm)));
    for (const tested of [either, still]) unread(tested);

    set(named.world, a, Warm, { of: 1 });
    set(named.world, c, Heavy, { of: 1 });

    expect([unread(either), unread(still)]).toEqual(["a c", "b c"]);
    set(named.world, b, Warm, { of: 1 });
    expect([unread(either), unread(still)]).toEqual(["b", "a c"]);
  });

  it("leaves out disabled entities, and keeps their unread changes until they are enabled", () => {
    const { b, tested } = plantThree();
    add(named.world, b, Disabled);
    set(named.world, b, Warm, { of: 1 });

    expect(unread(watch(changed(Warm), maybe(Disabled)))).toBe("a b c");
    remove(named.world, b, Disabled);
    expect(unread(tested)).toBe("b");
  });

  it("is lost with destroyed entities: an entity spawned with their index is a change of its own", () => {
    const { a, tested } = plantThree();
    set(named.world, a, Warm, { of: 1 });
    destroy(named.world, a);
    const reused = spawnWithIndexOf(named.world, a);

    expect(unread(tested)).toBe("");
    add(named.world, reused, Warm);
    expect(unread(tested)).toBe("?");
  });
});

describe("what an iteration writes itself", () => {
  it("is not an unread change for it, but for others", () => {
    const { tested } = plantThree();
    const other = watch(changed(Warm));
    unread(other);
    each(watch(Warm), (warm) => void warm.of++);

    each(tested, (...row: unknown[]) => row);
    const writer = watch(Warm, changed(Warm));
    each(writer, (...row: unknown[]) => ((row[0] as { of: number }).of = 1));

    expect([unread(writer), unread(tested), unread(other)]).toEqual(["", "a b c", "a b c"]);
  });

  it("with set is an unread change: it may be about any entity", () => {
    const { b, tested } = plantThree();
    set(named.world, b, Warm, { of: 1 });

    each(tested, (...row: unknown[]) => set(named.world, row.at(-1) as Entity, Warm, { of: 2 }));

    expect(unread(tested)).toBe("b");
  });
});

describe("added and removed", () => {
  it("match an entity that got it, once, and one that lost it and is alive", () => {
    const { a, b, c } = plantThree();
    const [got, lost] = [watch(added(Tag)), watch(removed(Tag))];
    expect([unread(got), unread(lost)]).toEqual(["a b c", ""]);

    remove(named.world, a, Tag);
    clear(named.world, b);
    remove(named.world, c, Tag);
    destroy(named.world, c);
    expect([unread(got), unread(lost), unread(lost)]).toEqual(["", "a b", ""]);

    add(named.world, a, Tag);
    expect([unread(got), unread(lost)]).toEqual(["a", ""]);
  });

  it("match the net change: removed and added again is added, added and removed again is removed", () => {
    const { a } = plantThree();
    const d = named.spawnNamed("d");
    const [got, lost] = [watch(added(Tag)), watch(removed(Tag))];
    for (const tested of [got, lost]) unread(tested);

    remove(named.world, a, Tag);
    add(named.world, a, Tag);
    add(named.world, d, Tag);
    remove(named.world, d, Tag);

    expect([unread(got), unread(lost)]).toEqual(["a", "d"]);
  });

  it("added matches spawned entities of all kinds", () => {
    const { a } = plantThree();
    const got = watch(added(Warm));
    unread(got);

    named.spawnNamed("n", Warm);
    spawnMany(named.world, 2, Warm);
    clone(named.world, a);

    expect(unread(got)).toBe("? ? ? n");
  });

  it("for the disabled name it: disabled entities match", () => {
    const { b } = plantThree();
    const [got, lost] = [watch(added(Disabled)), watch(removed(Disabled))];
    for (const tested of [got, lost]) unread(tested);

    add(named.world, b, Disabled);
    expect([unread(got), unread(lost)]).toEqual(["b", ""]);
    remove(named.world, b, Disabled);
    expect([unread(got), unread(lost)]).toEqual(["", "b"]);
  });
});

describe("reading and peeking", () => {
  it("first, count, isEmpty, parts and iterations of other queries leave the changes unread", () => {
    const { b, tested } = plantThree();
    set(named.world, b, Warm, { of: 1 });

    expect([count(tested), first(tested), isEmpty(tested), unread(shard(tested, 0, 1))]).toEqual([
      1,
      b,
      false,
      "b",
    ]);
    unread(watch(Warm));
    expect([unread(tested), isEmpty(tested)]).toEqual(["b", true]);
  });

  it("an iteration that is broken off has read the changes", () => {
    const { a, b, tested } = plantThree();
    for (const one of [a, b]) set(named.world, one, Warm, { of: 1 });

    expect(() =>
      each(tested, () => {
        throw new Error("enough");
      }),
    ).toThrow("enough");

    expect(unread(tested)).toBe("");
  });

  it("the same description gives another query, and a disposed one leaves no tracking behind", () => {
    const { tested } = plantThree();
    const other = watch(changed(Warm));

    expect(other).not.toBe(tested);
    for (const one of [tested, other]) dispose(one);
    expect(tracksChanges(named.world)).toBe(false);
  });

  it("orders what changed", () => {
    const { a, b, c } = plantThree();
    const tested = watch(changed(Warm), orderBy(Warm, "of", { desc: true }));
    unread(tested);
    set(named.world, a, Warm, { of: 1 });
    set(named.world, c, Warm, { of: 3 });

    expect([named.textOf([a, b, c]), named.inOrder(tested)]).toEqual(["a b c", "c a"]);
  });
});
