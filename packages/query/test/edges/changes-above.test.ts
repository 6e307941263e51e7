import { add, pack, remove, set } from "@treeline/core";
import { describe, expect, it } from "vitest";
import { cascade, changed, destroy, selfOrUp, up } from "../../src/index.ts";
import { Tag } from "../definitions.ts";
import { named, STORAGES, setUpNamedWorld, unread, Warm, watch } from "./named-world.ts";

/** Changes of sources above, which similar engines report for whole tables, are reported here for each entity. */

setUpNamedWorld();

describe.each(STORAGES)("changed(up), with parents stored by %s", (_, one, other) => {
  function plantTree(term = changed(up(Warm))) {
    const { spawnNamed } = named;
    const a = spawnNamed("a", Warm);
    const b = spawnNamed("b", one(a));
    const c = spawnNamed("c", other(b));
    const tested = watch(term);
    unread(tested);
    return { a, b, c, tested };
  }

  it("matches all entities below a value that was written above, down to the next that has it", () => {
    const { a, b, tested } = plantTree();

    set(named.world, a, Warm, { of: 1 });
    expect([unread(tested), unread(tested)]).toEqual(["b c", ""]);
    named.addOwn(b, Warm);
    expect(unread(tested)).toBe("c");
    set(named.world, a, Warm, { of: 2 });
    expect(unread(tested)).toBe("b");
    set(named.world, b, Warm, { of: 2 });
    expect(unread(tested)).toBe("c");
  });

  it("matches when the source changes: by reparent, removal, destruction and adding it again", () => {
    const { a, b, c, tested } = plantTree();
    const x = named.spawnNamed("x", Warm);

    add(named.world, c, one(x));
    expect(unread(tested)).toBe("c");
    add(named.world, c, other(a));
    expect(unread(tested)).toBe("c");
    remove(named.world, a, Warm);
    expect(unread(tested)).toBe("");
    named.addOwn(a, Warm);
    expect(unread(tested)).toBe("b c");
    add(named.world, b, other(x));
    destroy(named.world, x);
    expect(unread(tested)).toBe("");
    set(named.world, a, Warm, { of: 1 });
    expect(unread(tested)).toBe("c");
  });

  it("matches spawned entities, and none when tables move and rows change places", () => {
    const { a, b, tested } = plantTree();
    const d = named.spawnNamed("d", other(a));
    named.spawnNamed("e", one(d));
    expect(unread(tested)).toBe("d e");

    add(named.world, a, Tag);
    add(named.world, b, Tag);
    pack(named.world);

    expect(unread(tested)).toBe("");
  });

  it("of cascade matches the same; of selfOrUp also changes of the entity's own value", () => {
    const { a, b, c, tested } = plantTree(changed(cascade(Warm)));
    const self = watch(changed(selfOrUp(Warm)));
    expect(unread(self)).toBe("a b c");

    set(named.world, a, Warm, { of: 1 });
    expect([unread(tested), unread(self)]).toEqual(["b c", "a b c"]);
    named.addOwn(c, Warm);
    expect([unread(tested), unread(self)]).toEqual(["", "c"]);
    remove(named.world, c, Warm);
    expect([unread(tested), unread(self)]).toEqual(["", "c"]);
    set(named.world, b, Warm, { of: 0 });
    expect([unread(tested), unread(self)]).toEqual(["c", "b c"]);
  });

  it("does not match entities that only started to match the other terms", () => {
    const { c } = plantTree();
    const tested = watch(Tag, changed(up(Warm)));
    unread(tested);

    add(named.world, c, Tag);

    expect(unread(tested)).toBe("");
  });
});
