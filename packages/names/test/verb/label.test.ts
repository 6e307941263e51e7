import { add, clone, createWorld, defer, release, remove, set, spawn, spawnMany } from "@treeline/core";
import { indexOf } from "@treeline/core/internal";
import { describe, expect, it } from "vitest";
import { findLabelled, Label, labelOf, lookup, Name, pathOf } from "../../src/index.ts";
import { ChildOf, Parent } from "../definitions.ts";
import { codeOf, fleet, refusalOf } from "../fleet.ts";
import { get, has, verify } from "../reading.ts";

describe("a label", () => {
  it("is what is shown, before the name, before the index", () => {
    const { world, ship } = fleet();
    const nameless = spawn(world);
    expect([labelOf(world, ship), labelOf(world, nameless)]).toEqual(["Ship", `#${indexOf(nameless)}`]);

    set(world, ship, Label, "HMS Treeline");
    add(world, nameless, Label("Pilot"));

    expect([labelOf(world, ship), labelOf(world, nameless)]).toEqual(["HMS Treeline", "Pilot"]);
  });

  it("is no longer shown when it is removed", () => {
    const world = createWorld();
    const ship = spawn(world, Label("Shown"), Name("Ship"));

    remove(world, ship, Label);
    expect(labelOf(world, ship)).toBe("Ship");
    remove(world, ship, Name);

    expect(labelOf(world, ship)).toBe(`#${indexOf(ship)}`);
  });

  it("may be shared with siblings and all others", () => {
    const { world, ship } = fleet();

    const crates = spawnMany(world, 3, Label("Crate"), ChildOf(ship));

    expect(crates.map((crate) => labelOf(world, crate))).toEqual(["Crate", "Crate", "Crate"]);
    expect(verify(world)).toEqual([]);
  });

  it("is not used by lookup and is in no path", () => {
    const world = createWorld();
    const ship = spawn(world, Label("Shown"), Name("Ship"));
    const nameless = spawn(world, Label("Shown too"));

    expect([lookup(world, "Shown"), lookup(world, "Shown too")]).toEqual([undefined, undefined]);
    expect([pathOf(world, ship), pathOf(world, nameless)]).toEqual(["Ship", `#${indexOf(nameless)}`]);
  });

  it("may be empty: then the name is shown", () => {
    const world = createWorld();
    const ship = spawn(world, Name("Ship"), Label(""));

    expect([labelOf(world, ship), findLabelled(world, "")]).toEqual(["Ship", [ship]]);
  });

  it.each([" ", "a::b", "#1", "x".repeat(10_000), "\ud800", "line\nline"])("may be %j", (label) => {
    const world = createWorld();
    const entity = spawn(world, Label(label));

    expect([labelOf(world, entity), findLabelled(world, label)]).toEqual([label, [entity]]);
  });

  it.each([undefined, null, 7, {}, ["a"]])("is not %j: every verb refuses that", (label) => {
    const { world, ship } = fleet();
    const bad = label as string;

    for (const act of [
      () => spawn(world, Label(bad)),
      () => spawnMany(world, 2, Label(bad)),
      () => set(world, ship, Label, bad),
      () => add(world, ship, Label(bad)),
    ]) {
      expect(refusalOf(world, act).code).toBe("bad-name");
    }
  });

  it("is not undefined either", () => {
    const { world, ship } = fleet();

    expect(refusalOf(world, () => spawn(world, Label as never)).code).toBe("bad-name");
    expect(refusalOf(world, () => add(world, ship, Label)).code).toBe("bad-name");
    expect(() => spawn(world, Label(7 as unknown as string))).toThrow("a label is a string, not 7");
  });

  it("is copied to a clone, and to the clones of its descendants", () => {
    const world = createWorld();
    const ship = spawn(world, Name("Ship"), Label("Shown"));
    spawn(world, Name("Hold"), Label("Below"), Parent(ship));

    const copy = clone(world, ship, { deep: true });

    expect([labelOf(world, copy), has(world, copy, Name)]).toEqual(["Shown", false]);
    expect(labelOf(world, lookup(world, "Hold", { from: copy })!)).toBe("Below");
  });

  it("set inside an iteration is there at its end", () => {
    const { world, ship } = fleet();

    defer(world, () => {
      set(world, ship, Label, "Shown");
      expect(get(world, ship, Label)).toBeUndefined();
    });

    expect(labelOf(world, ship)).toBe("Shown");
  });
});

describe("labelOf", () => {
  it("refuses an entity that is not alive", () => {
    const { world, hold } = fleet();
    release(world, hold);

    expect(codeOf(() => labelOf(world, hold))).toBe("dead-entity");
  });
});

describe("findLabelled", () => {
  it("finds all entities that have exactly that label", () => {
    const { world, ship, hold, station } = fleet();
    set(world, hold, Label, "Store");
    set(world, ship, Label, "Store 2");
    const crate = spawn(world, Label("Store"), Parent(station));

    expect(findLabelled(world, "Store")).toEqual([hold, crate]);
    expect(findLabelled(world, "store")).toEqual([]);
    expect(findLabelled(world, "Sto*")).toEqual([]);
  });

  it("finds none by name", () => {
    const { world } = fleet();

    expect(findLabelled(world, "Ship")).toEqual([]);
    expect(findLabelled(createWorld(), "Ship")).toEqual([]);
  });

  it("returns them in the order in which they were attached", () => {
    const { world, ship, station } = fleet();
    const crates = [spawn(world), spawn(world, Parent(ship)), spawn(world, ChildOf(station)), spawn(world)];
    for (const crate of [...crates].reverse()) set(world, crate, Label, "Crate");
    expect(findLabelled(world, "Crate")).toEqual(crates);

    add(world, crates[0]!, ChildOf(ship));

    expect(findLabelled(world, "Crate")).toEqual([crates[1], crates[2], crates[3], crates[0]]);
  });

  it("is a fresh list", () => {
    const { world, ship } = fleet();
    set(world, ship, Label, "Shown");

    findLabelled(world, "Shown").pop();

    expect(findLabelled(world, "Shown")).toEqual([ship]);
  });

  it.each([undefined, null, 7, {}])("refuses %j", (label) => {
    expect(codeOf(() => findLabelled(createWorld(), label as string))).toBe("bad-name");
  });
});
