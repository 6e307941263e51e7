import { locate, set, spawn } from "@treeline/core";
import { verify } from "@treeline/core/debug";
import { indexOf } from "@treeline/core/internal";
import { describe, expect, it } from "vitest";
import { Alias, type Collisions, configureNames, Name } from "../../src/index.ts";
import { insertName, removeName } from "../../src/state/name-index.ts";
import { fleet } from "../fleet.ts";
import { namesOf } from "../internal.ts";

/** The fleet, in which Ship::Hold is also called Store. */
function store(collisions: Collisions) {
  const all = fleet();
  configureNames(all.world, { collisions });
  set(all.world, all.hold, Alias, "Store");
  expect(verify(all.world)).toEqual([]);
  return { ...all, aliases: namesOf(all.world).aliases! };
}

describe("invariant I15", () => {
  it("reports an alias written past the hooks", () => {
    const { world, hold } = store("error");
    const place = locate(world, hold, Alias)!;

    (place.columns as string[])[place.row] = "Shop";

    expect(verify(world)).toEqual([`I15: #${indexOf(hold)} has the alias "Shop" and is indexed as "Store"`]);
  });

  it("reports aliases that are not indexed, and indexed ones that no entity has", () => {
    const { world, hold, ship, aliases } = store("error");

    removeName(aliases, indexOf(hold));
    expect(verify(world)).toContain(
      `I15: #${indexOf(hold)} has the alias "Store" and is indexed as undefined`,
    );
    insertName(aliases, indexOf(hold), 0, "Store");
    expect(verify(world)).toEqual([]);
    insertName(aliases, indexOf(ship), 0, "Flagship");

    expect(verify(world).join()).toContain("I15: 1 entities have an alias, 2 are indexed");
  });

  it("reports an alias that is indexed anywhere but among the roots", () => {
    const { world, hold, ship, aliases } = store("error");

    insertName(aliases, indexOf(hold), indexOf(ship), "Store");

    expect(verify(world).join()).toContain(`I15: #${indexOf(hold)} has the alias "Store"`);
  });
});

describe("invariant I21", () => {
  it.each(["error", "suffix"] as const)(
    "reports siblings with one name where collisions are %s",
    (policy) => {
      const { world } = store("allow");
      spawn(world, Name("Ship"));
      expect(verify(world)).toEqual([]);

      namesOf(world).collisions = policy;

      expect(verify(world)).toEqual(["I21: 1 entities share the name of a sibling"]);
    },
  );

  it.each(["error", "suffix"] as const)("reports a root with the alias of another one (%s)", (policy) => {
    const { world, hold, station } = store("allow");
    set(world, hold, Alias, "Station");
    expect(verify(world)).toEqual([]);

    namesOf(world).collisions = policy;

    expect(verify(world)).toEqual([
      `I21: #${indexOf(hold)} has the name of the root #${indexOf(station)} as its alias`,
    ]);
  });

  it("accepts a root with its own name as alias", () => {
    const { world, ship } = store("error");

    set(world, ship, Alias, "Ship");

    expect(verify(world)).toEqual([]);
  });
});
