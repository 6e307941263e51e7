import { ChildOf, createWorld, type Entity, get, Parent, release, remove, spawn } from "@treeline/core";
import { verify } from "@treeline/core/debug";
import { indexOf } from "@treeline/core/internal";
import { describe, expect, it } from "vitest";
import {
  type Collisions,
  configureNames,
  lookup,
  Name,
  type NameOptions,
  pathOf,
  rename,
} from "../../src/index.ts";
import { fleet, refusalOf } from "../fleet.ts";
import { namesOf } from "../internal.ts";

const POLICIES: Collisions[] = ["error", "suffix", "allow"];

/** The state that a refused call must leave as it was. */
function settings(world: Parameters<typeof namesOf>[0]): unknown {
  const { collisions, separator, search } = namesOf(world);
  return [collisions, separator.text, [...search]];
}

describe("configureNames", () => {
  it.each(POLICIES)("lets a world that shares no names change from %s to every other policy", (from) => {
    for (const to of POLICIES) {
      const { world, hold } = fleet();
      configureNames(world, { collisions: from });

      configureNames(world, { collisions: to });

      expect([namesOf(world).collisions, lookup(world, "Ship::Hold"), verify(world)]).toEqual([to, hold, []]);
    }
  });

  it("keeps options that are not given", () => {
    const { world, ship } = fleet();

    configureNames(world, { collisions: "suffix" });
    configureNames(world, { separator: "/" });
    configureNames(world, { search: [ship] });
    configureNames(world, {});

    expect(settings(world)).toEqual(["suffix", "/", [ship]]);
  });

  it("treats undefined as not given", () => {
    const { world, ship } = fleet();
    configureNames(world, { collisions: "allow", separator: ".", search: [ship] });

    const nothing = { collisions: undefined, separator: undefined, search: undefined };
    configureNames(world, nothing as unknown as NameOptions);

    expect(settings(world)).toEqual(["allow", ".", [ship]]);
  });

  it("is by default error, :: and no search scopes", () => {
    expect(settings(createWorld())).toEqual(["error", "::", []]);
  });

  it("applies to one world only", () => {
    const [one, other] = [createWorld(), createWorld()];

    configureNames(one, { collisions: "allow", separator: "/", search: [spawn(one)] });

    expect(settings(other)).toEqual(["error", "::", []]);
  });

  it("may be called before and after names are in use", () => {
    const world = createWorld();
    configureNames(world, { collisions: "suffix" });
    const crates = [0, 1].map(() => spawn(world, Name("Crate")));

    configureNames(world, { collisions: "error" });

    expect(crates.map((crate) => get(world, crate, Name))).toEqual(["Crate", "Crate (2)"]);
    expect(refusalOf(world, () => spawn(world, Name("Crate"))).code).toBe("name-taken");
  });

  it("removes all search scopes with an empty list", () => {
    const { world, ship } = fleet();
    configureNames(world, { search: [ship] });
    expect(lookup(world, "Hold", { upwards: true })).toBeDefined();

    configureNames(world, { search: [] });

    expect(lookup(world, "Hold", { upwards: true })).toBeUndefined();
  });

  it("changes how messages write paths", () => {
    const { world, ship } = fleet();

    configureNames(world, { separator: "/" });

    expect(refusalOf(world, () => spawn(world, Name("Cockpit"), ChildOf(ship))).message).toContain(
      "Ship/Cockpit",
    );
  });
});

describe("a refused configureNames changes nothing:", () => {
  it.each<[string, (world: ReturnType<typeof fleet>) => NameOptions, string]>([
    ["an unknown policy", () => ({ collisions: "none" as Collisions, separator: "/" }), "bad-value"],
    ["a policy that is no text", () => ({ collisions: 7 as unknown as Collisions }), "bad-value"],
    ["a policy that is null", () => ({ collisions: null as unknown as Collisions }), "bad-value"],
    ["a bad separator", () => ({ collisions: "allow", separator: "#" }), "bad-path"],
    ["an empty separator", () => ({ collisions: "allow", separator: "" }), "bad-path"],
    ["a bad separator beside search", ({ ship }) => ({ search: [ship], separator: "*" }), "bad-path"],
    ["search for none", () => ({ collisions: "suffix", search: [0 as Entity] }), "dead-entity"],
  ])("%s", (_, options, code) => {
    const all = fleet();
    configureNames(all.world, { collisions: "suffix", separator: ".", search: [all.station] });
    const before = settings(all.world);

    expect(refusalOf(all.world, () => configureNames(all.world, options(all))).code).toBe(code);

    expect(settings(all.world)).toEqual(before);
  });

  it("a search scope that is not alive, or of another world", () => {
    const { world, ship, hold } = fleet();
    release(world, hold);

    for (const search of [[ship, hold], [spawn(createWorld())]]) {
      const refusal = refusalOf(world, () => configureNames(world, { search, separator: "/" }));
      expect([refusal.code, settings(world)]).toEqual(["dead-entity", ["error", "::", []]]);
    }
  });

  it("a policy is reported with the possible ones", () => {
    expect(() => configureNames(createWorld(), { collisions: "suffixes" as Collisions })).toThrow(
      'collisions are "error", "suffix" or "allow", not',
    );
  });
});

describe("a world where siblings share names", () => {
  it.each([
    ["error", "roots"],
    ["suffix", "roots"],
    ["error", "children"],
    ["suffix", "children"],
  ] as const)("does not become one of %s, for %s", (collisions, where) => {
    const { world, ship } = fleet();
    configureNames(world, { collisions: "allow" });
    const twins = [ChildOf, Parent].map((storage) =>
      where === "roots" ? spawn(world, Name("Twin")) : spawn(world, Name("Twin"), storage(ship)),
    );

    const refusal = refusalOf(world, () => configureNames(world, { collisions, separator: "/" }));

    const [one, other] = twins.map((twin) => `${pathOf(world, twin)} (#${indexOf(twin)})`);
    expect([refusal.code, settings(world)]).toEqual(["name-taken", ["allow", "::", []]]);
    expect(refusal.message).toBe(
      `${one} has "Twin" as its name, and ${other} as its name; change one of them first`,
    );
  });

  it("may keep its policy by name, and change the rest", () => {
    const world = createWorld();
    configureNames(world, { collisions: "allow" });
    for (const _ of [0, 1]) spawn(world, Name("Twin"));

    configureNames(world, { collisions: "allow", separator: "/" });

    expect(settings(world)).toEqual(["allow", "/", []]);
  });

  it("may change once none of them is left, however they were removed", () => {
    for (const part of [
      (world: Parameters<typeof rename>[0], twin: Entity) => rename(world, twin, "Other"),
      (world: Parameters<typeof rename>[0], twin: Entity) => remove(world, twin, Name),
      (world: Parameters<typeof rename>[0], twin: Entity) => release(world, twin),
    ]) {
      const { world, ship } = fleet();
      configureNames(world, { collisions: "allow" });
      const twins = [0, 1, 2].map(() => spawn(world, Name("Twin"), ChildOf(ship)));
      rename(world, twins[2]!, "Third");

      part(world, twins[1]!);
      configureNames(world, { collisions: "error" });

      expect([lookup(world, "Ship::Twin"), verify(world)]).toEqual([twins[0], []]);
    }
  });
});
