import { add, DisabledTree, markChanged, pack, patch, remove, set } from "@treeline/core";
import { describe, expect, it } from "vitest";
import { attach } from "../../src/hierarchy.ts";
import { below, count, destroy, each, first, isEmpty, type Query, type QueryTerm } from "../../src/index.ts";
import { Tag } from "../definitions.ts";
import { ChildOf, Disabled, Parent } from "../public/builtins.ts";
import { added, changed, maybe, not, or, removed } from "../public/filters.ts";
import { cascade, up } from "../public/terms.ts";
import { Heavy, named, setUpNamedWorld, spawnWithIndexOf, unread, Warm, watch } from "./named-world.ts";

/** An entity cannot match while it is disabled. A read does not read its changes: they stay unread. */

setUpNamedWorld();

/** A query that has read all changes so far. */
function readUpToNow(...terms: readonly QueryTerm[]): Query {
  const tested = watch(...terms);
  unread(tested);
  return tested;
}

/** Two roots and a child of the second. */
function plantFamily() {
  const [a, b] = [named.spawnNamed("a", Warm, Tag), named.spawnNamed("b", Warm, Tag)];
  const c = named.spawnNamed("c", Warm, Tag, ChildOf(b));
  return { a, b, c };
}

describe("changes of an entity that is disabled", () => {
  it.each<[string, typeof Disabled]>([
    ["Disabled", Disabled],
    ["DisabledTree", DisabledTree],
  ])("stay unread until it loses %s, and are read once", (_, what) => {
    const { b } = plantFamily();
    const tested = readUpToNow(changed(Warm));
    add(named.world, b, what);

    set(named.world, b, Warm, { of: 1 });
    expect([unread(tested), unread(tested)]).toEqual(["", ""]);
    remove(named.world, b, what);

    expect([unread(tested), unread(tested)]).toEqual(["b", ""]);
  });

  it("stay unread below a DisabledTree, also for parents stored by value", () => {
    const { a, c } = plantFamily();
    const e = named.spawnNamed("e", Warm, Parent(a));
    const tested = readUpToNow(changed(Warm));
    for (const top of [a, c]) add(named.world, top, DisabledTree);

    for (const one of [c, e]) patch(named.world, one, Warm, (warm) => void warm.of++);
    expect(unread(tested)).toBe("");
    remove(named.world, a, DisabledTree);
    expect(unread(tested)).toBe("e");
    remove(named.world, c, DisabledTree);

    expect([unread(tested), unread(tested)]).toEqual(["c", ""]);
  });

  it("stay unread if they were unread when it was disabled", () => {
    const { a } = plantFamily();
    const tested = readUpToNow(changed(Warm));

    set(named.world, a, Warm, { of: 1 });
    add(named.world, a, Disabled);
    unread(tested);
    remove(named.world, a, Disabled);

    expect([unread(tested), unread(tested)]).toEqual(["a", ""]);
  });

  it("are not made by disabling and enabling it", () => {
    const { a, b } = plantFamily();
    const tested = readUpToNow(changed(Warm));

    for (const top of [a, b]) add(named.world, top, DisabledTree);
    unread(tested);
    for (const top of [a, b]) remove(named.world, top, DisabledTree);

    expect(unread(tested)).toBe("");
  });

  it("are all of them at its first read, if the query has not read it before", () => {
    const { a } = plantFamily();
    add(named.world, a, Disabled);
    const tested = watch(changed(Warm));

    expect(unread(tested)).toBe("b c");
    remove(named.world, a, Disabled);

    expect([unread(tested), unread(tested)]).toEqual(["a", ""]);
  });

  it("are read by one query, and stay unread for another that left it out", () => {
    const { a } = plantFamily();
    const [often, naming] = [readUpToNow(changed(Warm)), readUpToNow(changed(Warm), maybe(Disabled))];
    set(named.world, a, Warm, { of: 1 });
    const rarely = readUpToNow(changed(Warm));
    expect(unread(often)).toBe("a");
    add(named.world, a, Disabled);

    set(named.world, a, Warm, { of: 2 });
    expect([unread(often), unread(naming), unread(naming)]).toEqual(["", "a", ""]);
    remove(named.world, a, Disabled);

    expect([unread(often), unread(rarely), unread(naming)]).toEqual(["a", "a", ""]);
  });

  it("stay unread over several reads, moves to other archetypes, and packing", () => {
    const { a, b } = plantFamily();
    const tested = readUpToNow(changed(Warm));
    add(named.world, a, Disabled);
    markChanged(named.world, a, Warm);
    unread(tested);

    add(named.world, a, Heavy);
    add(named.world, b, Disabled);
    unread(tested);
    remove(named.world, b, Disabled);
    pack(named.world);
    unread(tested);
    remove(named.world, a, Disabled);

    expect([unread(tested), unread(tested)]).toEqual(["a", ""]);
  });

  it("are matched without marking by first, count and isEmpty", () => {
    const { a } = plantFamily();
    const tested = readUpToNow(changed(Warm));
    add(named.world, a, Disabled);
    set(named.world, a, Warm, { of: 1 });
    unread(tested);

    expect([first(tested), count(tested), isEmpty(tested)]).toEqual([undefined, 0, true]);
    remove(named.world, a, Disabled);

    expect([first(tested), count(tested), isEmpty(tested)]).toEqual([a, 1, false]);
    expect([unread(tested), count(tested)]).toEqual(["a", 0]);
  });

  it("do not match after the component is gone, and are lost with the entity", () => {
    const { a, b } = plantFamily();
    const tested = readUpToNow(changed(Warm));
    for (const one of [a, b]) {
      add(named.world, one, Disabled);
      set(named.world, one, Warm, { of: 1 });
    }
    unread(tested);

    remove(named.world, a, Warm);
    destroy(named.world, b);
    spawnWithIndexOf(named.world, b);
    remove(named.world, a, Disabled);

    expect(unread(tested)).toBe("");
  });

  it("are told of by or, and by not, as those of others", () => {
    const { a, b } = plantFamily();
    add(named.world, b, Heavy);
    const either = readUpToNow(or(changed(Warm), changed(Heavy)));
    const still = readUpToNow(Warm, not(changed(Warm)));
    add(named.world, a, Disabled);
    set(named.world, a, Warm, { of: 1 });
    for (const tested of [either, still]) unread(tested);

    remove(named.world, a, Disabled);

    expect([unread(either), unread(still)]).toEqual(["a", "b c"]);
    expect([unread(either), unread(still)]).toEqual(["", "a b c"]);
  });
});

describe("other changes of an entity that is disabled", () => {
  it("stay unread when it gets and loses components, tags and parents", () => {
    const { a, b, c } = plantFamily();
    const tests = [
      readUpToNow(added(Heavy)),
      readUpToNow(removed(Tag)),
      readUpToNow(changed(ChildOf)),
      readUpToNow(removed(ChildOf)),
    ];
    for (const one of [a, c]) add(named.world, one, Disabled);

    add(named.world, a, Heavy);
    remove(named.world, a, Tag);
    attach(named.world, a, b);
    remove(named.world, c, ChildOf(b));
    expect(tests.map(unread)).toEqual(["", "", "", ""]);
    for (const one of [a, c]) remove(named.world, one, Disabled);

    expect(tests.map(unread)).toEqual(["a", "a", "a c", "c"]);
    expect(tests.map(unread)).toEqual(["", "", "", ""]);
  });

  it("stay unread when an ancestor is written, or another one becomes the nearest", () => {
    const { a, b, c } = plantFamily();
    const tests = [
      readUpToNow(Tag, changed(up(Warm))),
      readUpToNow(Tag, ChildOf(b), changed(cascade(Warm))),
      readUpToNow(Tag, below(changed(Warm))),
    ];
    add(named.world, c, Disabled);

    set(named.world, b, Warm, { of: 1 });
    expect(tests.map(unread)).toEqual(["", "", ""]);
    remove(named.world, c, Disabled);
    expect(tests.map(unread)).toEqual(["c", "c", "c"]);

    add(named.world, c, Disabled);
    attach(named.world, c, a);
    expect(tests.map(unread)).toEqual(["", "", ""]);
    remove(named.world, c, Disabled);
    expect(tests.map(unread)).toEqual(["c", "", ""]);
    expect(tests.map(unread)).toEqual(["", "", ""]);
  });

  it("stay unread while it is enabled in an iteration and disabled again", () => {
    const { a, b } = plantFamily();
    const tested = readUpToNow(changed(Warm));
    add(named.world, a, Disabled);
    for (const one of [a, b]) set(named.world, one, Warm, { of: 1 });

    each(tested, () => remove(named.world, a, Disabled));
    add(named.world, a, Disabled);
    expect(unread(tested)).toBe("");
    remove(named.world, a, Disabled);

    expect([unread(tested), unread(tested)]).toEqual(["a", ""]);
  });
});
