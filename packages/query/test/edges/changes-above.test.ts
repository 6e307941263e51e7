import { add, pack, remove, set } from "@treeline/core";
import { verify } from "@treeline/core/debug";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { cascade, changed, destroy, selfOrUp, up } from "../../src/index.ts";
import { Tag } from "../definitions.ts";
import { cast, news, STORAGES, setCast, Warm, watch } from "./cast.ts";

/** What another engine of this kind tells of sources that are reached upwards, is told here of each entity. */

beforeEach(setCast);

afterEach(() => {
  expect(verify(cast.world)).toEqual([]);
});

describe.each(STORAGES)("changed(up), with parents stored by %s", (_, one, other) => {
  function plantTree(term = changed(up(Warm))) {
    const { born } = cast;
    const a = born("a", Warm);
    const b = born("b", one(a));
    const c = born("c", other(b));
    const asked = watch(term);
    news(asked);
    return { a, b, c, asked };
  }

  it("tells everybody below of a value that was written above, down to the next who has it", () => {
    const { a, b, asked } = plantTree();

    set(cast.world, a, Warm, { of: 1 });
    expect([news(asked), news(asked)]).toEqual(["b c", ""]);
    cast.give(b, Warm);
    expect(news(asked)).toBe("c");
    set(cast.world, a, Warm, { of: 2 });
    expect(news(asked)).toBe("b");
    set(cast.world, b, Warm, { of: 2 });
    expect(news(asked)).toBe("c");
  });

  it("tells of another source: by reparent, by loss, by death and by getting it again", () => {
    const { a, b, c, asked } = plantTree();
    const x = cast.born("x", Warm);

    add(cast.world, c, one(x));
    expect(news(asked)).toBe("c");
    add(cast.world, c, other(a));
    expect(news(asked)).toBe("c");
    remove(cast.world, a, Warm);
    expect(news(asked)).toBe("");
    cast.give(a, Warm);
    expect(news(asked)).toBe("b c");
    add(cast.world, b, other(x));
    destroy(cast.world, x);
    expect(news(asked)).toBe("");
    set(cast.world, a, Warm, { of: 1 });
    expect(news(asked)).toBe("c");
  });

  it("tells newcomers, and nobody when tables move and rows change places", () => {
    const { a, b, asked } = plantTree();
    const d = cast.born("d", other(a));
    cast.born("e", one(d));
    expect(news(asked)).toBe("d e");

    add(cast.world, a, Tag);
    add(cast.world, b, Tag);
    pack(cast.world);

    expect(news(asked)).toBe("");
  });

  it("of cascade the same; of selfOrUp also by one's own value", () => {
    const { a, b, c, asked } = plantTree(changed(cascade(Warm)));
    const self = watch(changed(selfOrUp(Warm)));
    expect(news(self)).toBe("a b c");

    set(cast.world, a, Warm, { of: 1 });
    expect([news(asked), news(self)]).toEqual(["b c", "a b c"]);
    cast.give(c, Warm);
    expect([news(asked), news(self)]).toEqual(["", "c"]);
    remove(cast.world, c, Warm);
    expect([news(asked), news(self)]).toEqual(["", "c"]);
    set(cast.world, b, Warm, { of: 0 });
    expect([news(asked), news(self)]).toEqual(["c", "b c"]);
  });

  it("does not tell those who only began to answer the other terms", () => {
    const { c } = plantTree();
    const asked = watch(Tag, changed(up(Warm)));
    news(asked);

    add(cast.world, c, Tag);

    expect(news(asked)).toBe("");
  });
});
