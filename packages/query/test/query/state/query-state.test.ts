import { add, ChildOf, pack, remove, spawn, spawnMany } from "@treeline/core";
import { verify } from "@treeline/core/debug";
import { archetypesOfDefinition } from "@treeline/core/internal";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { each, eachRun, not, type Query, query } from "../../../src/index.ts";
import { matchesArchetype } from "../../../src/match/evaluate.ts";
import { matchedArchetypes } from "../../../src/query/state/query-state.ts";
import { Frozen, Position, Velocity } from "../../definitions.ts";
import { matchesOf } from "../../matches.ts";
import { setWorld, world } from "../../test-world.ts";

vi.mock("../../../src/match/evaluate.ts", { spy: true });

beforeEach(setWorld);

describe("a query that names a target", () => {
  it("is not tested against new archetypes", () => {
    const ship = spawn(world);
    for (let at = 0; at < 100; at++) query(world, ChildOf(ship), Position);
    vi.mocked(matchesArchetype).mockClear();

    spawn(world, ChildOf(ship), Position);

    expect(matchesArchetype).not.toHaveBeenCalled();
  });
});

describe("a new archetype", () => {
  it("is tested once by each query, however many rows and tables it gets", () => {
    const parents = spawnMany(world, 20);
    const kept = [query(world, Position), query(world, not(Frozen)), query(world, Position, Velocity)];
    vi.mocked(matchesArchetype).mockClear();

    for (const parent of parents) spawnMany(world, 3, Position, ChildOf(parent));

    expect(kept.map((one) => matchedArchetypes(one as Query).length)).toEqual([1, 2, 0]);
    const { length } = vi.mocked(matchesArchetype).mock.calls;
    for (const one of kept) matchedArchetypes(one as Query);
    expect(matchesArchetype).toHaveBeenCalledTimes(length);
  });

  it("is listed once, and a new table of a known archetype is not", () => {
    const parents = spawnMany(world, 20);
    const before = archetypesOfDefinition(world, Position).length;

    for (const parent of parents) spawn(world, Position, ChildOf(parent));

    expect([before, archetypesOfDefinition(world, Position).length]).toEqual([0, 1]);
  });

  it("is not tested again when it loses its rows and gets new ones", () => {
    query(world, Position);
    const one = spawn(world, Position);
    remove(world, one, Position);
    vi.mocked(matchesArchetype).mockClear();

    add(world, one, Position);
    pack(world);

    expect(matchesArchetype).not.toHaveBeenCalled();
    expect(matchesOf(world, Position)).toEqual([one]);
  });
});

describe("an iteration of a cached query", () => {
  it("tests no archetype while none is created", () => {
    const ship = spawn(world, Position);
    spawnMany(world, 10, Position, ChildOf(ship));
    const tested = query(world, Position, not(Frozen));
    vi.mocked(matchesArchetype).mockClear();

    each(tested, () => {});
    eachRun(tested, () => {});

    expect(matchesArchetype).not.toHaveBeenCalled();
  });
});

describe("verify", () => {
  it("finds a query that lists an archetype too few or too many (I11)", () => {
    spawn(world, Position);
    spawn(world, Frozen);
    const tested = query(world, Position);
    const other = query(world, Frozen);

    const [archetype] = matchedArchetypes(tested);
    tested.matches.listed!.pop();
    const few = verify(world);
    tested.matches.listed!.push(archetype!);
    const right = verify(world);
    matchedArchetypes(other);
    other.matches.listed!.push(archetype!);
    const many = verify(world);

    expect([few.length, right.length, many.length]).toEqual([1, 0, 1]);
    expect([...few, ...many].every((text) => text.startsWith("I11"))).toBe(true);
  });
});
