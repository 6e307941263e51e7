import { describe, expect, it } from "vitest";
import { ancestors, children, depthOf, descendants, roots } from "../../src/index.ts";
import { seeds } from "../random/dice.ts";
import { ancestorsIn, anyEntity, childrenIn, createTwin, depthIn, step, type Twin } from "../random/twin.ts";

type Handles = ReturnType<typeof children>;

function descendantsIn(twin: Twin, entity: Handles[number]): Handles {
  return childrenIn(twin, entity).flatMap((child) => [child, ...descendantsIn(twin, child)]);
}

describe("in a random world", () => {
  it.each(seeds(1, 3))("walks find what a naive search finds, seed %i", (seed) => {
    const twin = createTwin(seed, { most: 100, destroy: 0.05 });
    const { world, living } = twin;
    const wrong: string[] = [];
    const compare = (at: number, what: string, received: unknown, right: unknown): void => {
      if (String(received) !== String(right))
        wrong.push(`${what} in step ${at}: ${received} instead of ${right}`);
    };

    for (let at = 0; at < 2000; at++) {
      step(twin);
      if (living.size === 0) continue;
      const one = anyEntity(twin);
      compare(at, "depth", depthOf(world, one), depthIn(twin, one));
      compare(at, "ancestors", ancestors(world, one), ancestorsIn(twin, one));
      compare(at, "children", children(world, one), childrenIn(twin, one));
      if (at % 10 === 0) {
        compare(at, "roots", roots(world), childrenIn(twin, undefined));
        compare(at, "descendants", descendants(world, one), descendantsIn(twin, one));
      }
    }

    expect(wrong.slice(0, 5)).toEqual([]);
  });
});
