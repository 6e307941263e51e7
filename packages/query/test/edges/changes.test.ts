import {
  Any,
  add,
  ChildOf,
  clear,
  clone,
  component,
  Disabled,
  type Entity,
  markChanged,
  Parent,
  pack,
  patch,
  remove,
  set,
  spawnMany,
} from "@treeline/core";
import { verify } from "@treeline/core/debug";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  added,
  cascade,
  changed,
  count,
  destroy,
  dispose,
  each,
  eachBatch,
  eachRun,
  first,
  isEmpty,
  maybe,
  not,
  or,
  orderBy,
  removed,
  shard,
  up,
} from "../../src/index.ts";
import { Tag } from "../definitions.ts";
import { bornWithIndexOf, cast, Heavy, news, setCast, Warm, watch } from "./cast.ts";

/** What another engine of this kind tells of whole tables, or not at all, is told here of each entity. */

const Label = component<{ text: string }>("Label");

beforeEach(setCast);

afterEach(() => {
  expect(verify(cast.world)).toEqual([]);
});

/** Writes through the row view of one entity. */
function writeOf(one: Entity): void {
  each(watch(Warm), (warm, entity) => {
    if (entity === one) warm.of = 1;
  });
}

/** Three siblings in one table, all of which were looked at. */
function plantThree() {
  const [a, b, c] = [cast.born("a", Warm, Tag), cast.born("b", Warm, Tag), cast.born("c", Warm, Tag)];
  const asked = watch(changed(Warm));
  news(asked);
  return { a, b, c, asked };
}

describe("changed tells of the one entity, not of its table", () => {
  it.each<[string, (one: Entity) => unknown]>([
    ["set", (one) => set(cast.world, one, Warm, { of: 5 })],
    ["set to the same value", (one) => set(cast.world, one, Warm, { of: one })],
    ["patch", (one) => patch(cast.world, one, Warm, (warm) => warm.of++)],
    ["markChanged", (one) => markChanged(cast.world, one, Warm)],
    ["writing its row view", (one) => writeOf(one)],
    [
      "a run with declared writes",
      (one) => {
        add(cast.world, one, Heavy);
        eachRun(watch(Warm, Heavy), () => undefined, { writes: [Warm] });
      },
    ],
    [
      "a batch with declared writes",
      (one) => {
        add(cast.world, one, Parent(cast.born("p")));
        eachBatch(watch(Warm, up(Warm)), () => undefined, { writes: [Warm] });
        eachBatch(watch(Warm, ChildOf(Any), cascade(Warm)), () => undefined, { writes: [Warm] });
      },
    ],
    [
      "losing it and getting it again",
      (one) => {
        remove(cast.world, one, Warm);
        add(cast.world, one, Warm);
      },
    ],
  ])("after %s", (_, act) => {
    const { b, asked } = plantThree();

    act(b);

    expect([news(asked), news(asked)]).toEqual(["b", ""]);
  });

  it.each<[string, (one: Entity) => unknown]>([
    ["getting something else", (one) => add(cast.world, one, Heavy)],
    [
      "changing something else",
      (one) => {
        add(cast.world, one, Heavy);
        set(cast.world, one, Heavy, { of: 2 });
      },
    ],
    ["another parent", (one) => add(cast.world, one, ChildOf(cast.born("p")))],
    ["losing it", (one) => remove(cast.world, one, Warm)],
    ["its death", (one) => destroy(cast.world, one)],
    ["the death of a neighbour, whose row is taken over", () => destroy(cast.world, cast.born("d", Tag))],
    [
      "a run without declared writes",
      () => eachRun(watch(Warm), (run) => run.columns(Warm).of.fill(3, run.first, run.end)),
    ],
    ["a pack", () => pack(cast.world)],
    ["reading it", () => each(watch(Warm), ({ of }) => expect(of).toBeTypeOf("number"))],
  ])("not after %s", (_, act) => {
    const { a, asked } = plantThree();

    act(a);

    expect(news(asked)).toBe("");
  });

  it("goes along with an entity that moves to another table, and with rows that are packed", () => {
    const { a, b, asked } = plantThree();
    set(cast.world, b, Warm, { of: 1 });
    destroy(cast.world, a);
    add(cast.world, b, ChildOf(cast.born("p")));
    pack(cast.world);

    expect(news(asked)).toBe("b");
  });

  it("tells of JavaScript values too", () => {
    const [x, y] = [cast.born("x", Label({ text: "x" })), cast.born("y", Label({ text: "y" }))];
    const asked = watch(changed(Label));
    expect(news(asked)).toBe("x y");

    set(cast.world, y, Label, { text: "z" });
    expect(news(asked)).toBe("y");
    patch(cast.world, x, Label, (label) => {
      label.text = "w";
    });
    expect(news(asked)).toBe("x");
  });

  it("sees everything at the first look, also when others have long been looking", () => {
    const { b } = plantThree();
    set(cast.world, b, Warm, { of: 1 });

    expect([news(watch(changed(Warm))), news(watch(changed(Warm)))]).toEqual(["a b c", "a b c"]);
  });

  it("is told to each query on its own", () => {
    const { b, asked } = plantThree();
    const other = watch(changed(Warm));
    news(other);

    set(cast.world, b, Warm, { of: 1 });

    expect([news(asked), news(other), news(asked), news(other)]).toEqual(["b", "b", "", ""]);
  });

  it("goes with alternatives and not", () => {
    const { a, b, c } = plantThree();
    cast.give(c, Heavy);
    const either = watch(or(changed(Warm), changed(Heavy)));
    const still = watch(Warm, not(changed(Warm)));
    for (const asked of [either, still]) news(asked);

    set(cast.world, a, Warm, { of: 1 });
    set(cast.world, c, Heavy, { of: 1 });

    expect([news(either), news(still)]).toEqual(["a c", "b c"]);
    set(cast.world, b, Warm, { of: 1 });
    expect([news(either), news(still)]).toEqual(["b", "a c"]);
  });

  it("leaves out who is disabled, and keeps the news for when it is not", () => {
    const { b, asked } = plantThree();
    add(cast.world, b, Disabled);
    set(cast.world, b, Warm, { of: 1 });

    expect(news(watch(changed(Warm), maybe(Disabled)))).toBe("a b c");
    remove(cast.world, b, Disabled);
    expect(news(asked)).toBe("b");
  });

  it("is lost with the dead: whoever is born with their index is news for itself only", () => {
    const { a, asked } = plantThree();
    set(cast.world, a, Warm, { of: 1 });
    destroy(cast.world, a);
    const heir = bornWithIndexOf(cast.world, a);

    expect(news(asked)).toBe("");
    add(cast.world, heir, Warm);
    expect(news(asked)).toBe("?");
  });
});

describe("what a visit writes itself", () => {
  it("is no news to it, but to others", () => {
    const { asked } = plantThree();
    const other = watch(changed(Warm));
    news(other);
    each(watch(Warm), (warm) => warm.of++);

    each(asked, (...row: unknown[]) => row);
    const writer = watch(Warm, changed(Warm));
    each(writer, (...row: unknown[]) => ((row[0] as { of: number }).of = 1));

    expect([news(writer), news(asked), news(other)]).toEqual(["", "a b c", "a b c"]);
  });

  it("with set is news: it may be about anybody", () => {
    const { b, asked } = plantThree();
    set(cast.world, b, Warm, { of: 1 });

    each(asked, (...row: unknown[]) => set(cast.world, row.at(-1) as Entity, Warm, { of: 2 }));

    expect(news(asked)).toBe("b");
  });
});

describe("added and removed", () => {
  it("tell who got it, once, and who lost it and lives", () => {
    const { a, b, c } = plantThree();
    const [got, lost] = [watch(added(Tag)), watch(removed(Tag))];
    expect([news(got), news(lost)]).toEqual(["a b c", ""]);

    remove(cast.world, a, Tag);
    clear(cast.world, b);
    remove(cast.world, c, Tag);
    destroy(cast.world, c);
    expect([news(got), news(lost), news(lost)]).toEqual(["", "a b", ""]);

    add(cast.world, a, Tag);
    expect([news(got), news(lost)]).toEqual(["a", ""]);
  });

  it("tell the net change: what went and came back was got, what came and went was lost", () => {
    const { a } = plantThree();
    const d = cast.born("d");
    const [got, lost] = [watch(added(Tag)), watch(removed(Tag))];
    for (const asked of [got, lost]) news(asked);

    remove(cast.world, a, Tag);
    add(cast.world, a, Tag);
    add(cast.world, d, Tag);
    remove(cast.world, d, Tag);

    expect([news(got), news(lost)]).toEqual(["a", "d"]);
  });

  it("added tells births of all kinds", () => {
    const { a } = plantThree();
    const got = watch(added(Warm));
    news(got);

    cast.born("n", Warm);
    spawnMany(cast.world, 2, Warm);
    clone(cast.world, a);

    expect(news(got)).toBe("? ? ? n");
  });

  it("of who is disabled name it: who is disabled answers", () => {
    const { b } = plantThree();
    const [got, lost] = [watch(added(Disabled)), watch(removed(Disabled))];
    for (const asked of [got, lost]) news(asked);

    add(cast.world, b, Disabled);
    expect([news(got), news(lost)]).toEqual(["b", ""]);
    remove(cast.world, b, Disabled);
    expect([news(got), news(lost)]).toEqual(["", "b"]);
  });
});

describe("looking and peeking", () => {
  it("first, count, isEmpty, parts and visits of others leave the news", () => {
    const { b, asked } = plantThree();
    set(cast.world, b, Warm, { of: 1 });

    expect([count(asked), first(asked), isEmpty(asked), news(shard(asked, 0, 1))]).toEqual([
      1,
      b,
      false,
      "b",
    ]);
    news(watch(Warm));
    expect([news(asked), isEmpty(asked)]).toEqual(["b", true]);
  });

  it("a look that is broken off has looked", () => {
    const { a, b, asked } = plantThree();
    for (const one of [a, b]) set(cast.world, one, Warm, { of: 1 });

    expect(() =>
      each(asked, () => {
        throw new Error("enough");
      }),
    ).toThrow("enough");

    expect(news(asked)).toBe("");
  });

  it("the same question gives another query, and a disposed one keeps nothing of the world awake", () => {
    const { asked } = plantThree();
    const other = watch(changed(Warm));

    expect(other).not.toBe(asked);
    for (const one of [asked, other]) dispose(one);
    expect(cast.world.graph.tracking.tracked).toEqual([]);
  });

  it("orders what changed", () => {
    const { a, b, c } = plantThree();
    const asked = watch(changed(Warm), orderBy(Warm, "of", { desc: true }));
    news(asked);
    set(cast.world, a, Warm, { of: 1 });
    set(cast.world, c, Warm, { of: 3 });

    expect([cast.textOf([a, b, c]), cast.inTurn(asked)]).toEqual(["a b c", "c a"]);
  });
});
