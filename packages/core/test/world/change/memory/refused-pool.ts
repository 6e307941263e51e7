/** Pools of lists that cannot grow, and what is tested of calls that would need it. */
import { describe, expect, it } from "vitest";
import type { NumberPool } from "../../../../src/base/number-pool.ts";
import { type Component, observe, type Relation } from "../../../../src/index.ts";
import type { World } from "../../../fixture.ts";
import { verify } from "../../../reading.ts";
import { stateOf } from "../../refused.ts";

/** A copy of so many numbers that cannot grow. */
export function fixed(numbers: Int32Array<ArrayBuffer>, length: number): Int32Array<ArrayBuffer> {
  const copy = numbers.slice(0, length);
  Object.defineProperty(copy, "constructor", {
    value: function refused(): never {
      throw new RangeError("no memory");
    },
  });
  return copy;
}

/** From now on no list of a pool can grow. @returns what lets them grow again. */
export function refusePool(lists: NumberPool): () => void {
  const { pool } = lists;
  const free = lists.free.slice();
  lists.free.fill(0);
  lists.pool = fixed(pool, lists.end);
  return () => {
    lists.free.set(free);
    lists.pool = pool;
  };
}

type Observed = Component | Relation;

/**
 * Each call is refused while there is no memory, and has changed nothing then, also where it is observed; later it is not.
 *
 * @param plant a fresh world for each. @param refuse returns what grants memory again.
 */
export function itChangesNothing<Fixture extends { readonly world: World }>(
  plant: () => Fixture,
  refuse: (world: World) => () => void,
  calls: readonly (readonly [when: string, call: (fixture: Fixture) => unknown])[],
  observed: readonly Observed[],
): void {
  describe.each<[string, readonly Observed[]]>([
    ["", []],
    [", observed", observed],
  ])("", (when, what) => {
    it.each(calls)(`while %s${when}, nothing has changed`, (_, call) => {
      const fixture = plant();
      const { world } = fixture;
      let notified = 0;
      for (const one of what) {
        observe(world, { added: one }, () => notified++);
        observe(world, { removed: one }, () => notified++);
      }
      const before = stateOf(world);
      const grant = refuse(world);

      expect(() => call(fixture)).toThrow("no memory");

      expect([stateOf(world), notified]).toEqual([before, 0]);
      grant();
      expect(verify(world)).toEqual([]);
      call(fixture);
      expect(verify(world)).toEqual([]);
    });
  });
}
