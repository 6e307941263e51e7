import { add, createWorld, defer, type Entity, spawn, type World } from "@treeline/core";
import { indexOf } from "@treeline/core/internal";
import { describe, expect, it } from "vitest";
import { Alias, childNamed, configureNames, ensurePath, lookup, Name, withScope } from "../../src/index.ts";
import { POLICIES } from "../collision-cases.ts";
import { ChildOf, Parent } from "../definitions.ts";
import { createDice, type Dice } from "../dice.ts";
import { codeOf } from "../fleet.ts";
import { parentOf, stats, verify } from "../reading.ts";
import { startingAt } from "../starts.ts";

const STEPS = ["a", "b", "c", "Hero", "#0", "#1", "#3", "#5", "#99", "\\#1"];

/** A world of some trees, in which an entity that is not a root has the alias Hero. */
function plant(dice: Dice): { world: World; everything: Entity[] } {
  const world = createWorld();
  configureNames(world, { collisions: dice.pick(POLICIES) });
  const everything = [spawn(world, Name("a"))];
  for (let at = 0; at < 8; at++) {
    const parent = dice.pick(everything);
    const name = dice.pick(["a", "b", "c"]);
    if (dice.below(4) === 0) everything.push(spawn(world, ChildOf(parent)));
    else if (childNamed(world, parent, name) === undefined)
      everything.push(spawn(world, Name(name), dice.pick([ChildOf, Parent])(parent)));
  }
  if (parentOf(world, everything.at(-1)!) !== undefined) add(world, everything.at(-1)!, Alias("Hero"));
  return { world, everything };
}

/** The entity that lookup finds for the longest prefix of a path, and its length. */
function known(world: World, steps: readonly string[], from: Entity | undefined): number {
  let most = 0;
  for (let count = 1; count <= steps.length; count++)
    if (lookup(world, steps.slice(0, count).join("::"), startingAt(from)) !== undefined) most = count;
  return most;
}

const WALKS = Number(process.env.TREELINE_WALKS ?? 1);

describe("ensurePath, whatever the path and where it begins,", () => {
  it("returns what lookup finds then, and creates as many as were missing", () => {
    const dice = createDice(111);
    let created = 0;
    let refused = 0;
    for (let round = 0; round < 125 * WALKS; round++) {
      const { world, everything } = plant(dice);
      const from = dice.below(2) === 0 ? dice.pick(everything) : undefined;
      const steps = Array.from({ length: 1 + dice.below(4) }, () => dice.pick(STEPS));
      const path = steps.join("::");
      const before = stats(world).entities;
      const there = known(world, steps, from);
      const isBad = steps
        .slice(there)
        .some(
          (step, at) =>
            /^#\d/.test(step) &&
            !(step === "#0" && there + at === 0 && from === undefined && steps.length > 1),
        );

      let made: Entity | undefined;
      const code = codeOf(() => {
        made =
          from !== undefined && dice.below(2) === 0
            ? withScope(world, from, () => ensurePath(world, path))
            : ensurePath(world, path, startingAt(from));
      });

      expect([path, code]).toEqual([path, isBad ? "bad-path" : undefined]);
      expect([path, lookup(world, path, startingAt(from))]).toEqual([path, made]);
      const isRooted = steps[0] === "#0" && from === undefined && there === 0 ? 1 : 0;
      expect(stats(world).entities - before).toBe(isBad ? 0 : steps.length - there - isRooted);
      if (round % 10 === 0) expect(verify(world)).toEqual([]);
      if (isBad) refused++;
      else created += stats(world).entities - before;
    }
    expect([created > 25 * WALKS, refused > 15 * WALKS]).toEqual([true, true]);
  });

  it("returns the same inside an iteration as outside of it", () => {
    const dice = createDice(112);
    for (let round = 0; round < 40 * WALKS; round++) {
      const seed = dice.below(1_000_000);
      const paths = Array.from({ length: 4 }, () =>
        Array.from({ length: 1 + dice.below(3) }, () => dice.pick(["a", "b", "c", "Hero"])).join("::"),
      );
      const [now, later] = [plant(createDice(seed)), plant(createDice(seed))];

      const atOnce = paths.map((path) => ensurePath(now.world, path));
      const deferred = defer(later.world, () => paths.map((path) => ensurePath(later.world, path)));

      expect(deferred.map(indexOf)).toEqual(atOnce.map(indexOf));
      expect(paths.map((path) => lookup(later.world, path))).toEqual(deferred);
      expect(verify(later.world)).toEqual([]);
    }
  });
});
