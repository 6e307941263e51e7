import {
  add,
  component,
  createWorld,
  type Entity,
  get,
  has,
  isAlive,
  remove,
  set,
  sparse,
  spawn,
  targetOf,
} from "@treeline/core";
import { verify } from "@treeline/core/debug";
import { destroy, entities, query } from "@treeline/query";
import fc from "fast-check";
import { expect, it } from "vitest";
import { checksum, restore, snapshot, withTransient } from "../../src/snapshot.ts";
import { Aims, Lit, Position, Target } from "../small-world.ts";

const Shown = withTransient(component("Shown", { x: 0 }));
const Glow = withTransient(component("Glow", { x: 0 }, { storage: sparse }));
const VERBS = [
  "spawn",
  "destroy",
  "move",
  "light",
  "dim",
  "aim",
  "store",
  "drop",
  "show",
  "glow",
  "hide",
] as const;

interface Step {
  readonly verb: (typeof VERBS)[number];
  readonly which: number;
  readonly x: number;
}

const steps = fc.array(fc.record({ verb: fc.constantFrom(...VERBS), which: fc.nat(20), x: fc.nat(9) }), {
  maxLength: 40,
});

function play(world: ReturnType<typeof createWorld>, history: readonly Step[]): void {
  const all = query(world, Position);
  for (const { verb, which, x } of history) {
    const present = entities(all);
    const chosen = present[which % Math.max(1, present.length)];
    if (verb === "spawn" || chosen === undefined) spawn(world, Position({ x }));
    else if (verb === "destroy") destroy(world, chosen);
    else if (verb === "move") set(world, chosen, Position, { x });
    else if (verb === "light") add(world, chosen, Lit);
    else if (verb === "dim") remove(world, chosen, Lit);
    else if (verb === "aim") add(world, chosen, Aims(present[x % present.length]!));
    else if (verb === "store") add(world, chosen, Target({ x }));
    else if (verb === "drop") remove(world, chosen, Target);
    else if (verb === "show") add(world, chosen, Shown({ x }));
    else if (verb === "glow") add(world, chosen, Glow({ x }));
    else remove(world, chosen, Shown);
  }
}

/** What a world has of each entity, in the order of its rows, without transient values. */
function stateOf(world: ReturnType<typeof createWorld>): unknown[] {
  return entities(query(world, Position)).map((entity) => [
    entity,
    get(world, entity, Position),
    get(world, entity, Target),
    targetOf(world, entity, Aims),
    [Lit, Shown, Glow].map((what) => has(world, entity, what)),
  ]);
}

it("a world that went on is, restored and with the same calls, as it was with them, in any history", () => {
  fc.assert(
    fc.property(steps, steps, steps, (before, given, after) => {
      const world = createWorld();
      play(world, before);
      const taken = snapshot(world);
      play(world, after);
      const [state, sum] = [stateOf(world), checksum(world)];
      restore(world, taken);
      play(world, given);

      restore(world, taken);
      play(world, after);

      expect([stateOf(world), checksum(world)]).toEqual([state, sum]);
      expect(verify(world)).toEqual([]);
    }),
  );
});

it("transient values stay where an entity has them before and after a restore, and are the former ones elsewhere", () => {
  fc.assert(
    fc.property(steps, steps, (before, given) => {
      const world = createWorld();
      play(world, before);
      const taken = snapshot(world);
      const valuesOf = (entity: Entity): unknown[] => [get(world, entity, Shown), get(world, entity, Glow)];
      const then = new Map(entities(query(world, Position)).map((entity) => [entity, valuesOf(entity)]));
      play(world, given);
      const now = new Map(
        [...then.keys()].map((entity) => [entity, isAlive(world, entity) ? valuesOf(entity) : []]),
      );

      restore(world, taken);

      for (const [entity, former] of then) {
        const kept = now.get(entity)!;
        expect(valuesOf(entity)).toEqual(former.map((value, at) => value && (kept[at] ?? value)));
      }
    }),
  );
});
