import fc from "fast-check";
import { expect, it } from "vitest";
import { fromDocument } from "../../src/json.ts";
import { loadsSoundly, MUTATED, manifold, save } from "../support.ts";
import { mutated, mutations } from "./mutations.ts";

it(
  "refuses mutated documents with a code, and changes nothing; what it loads is a sound world",
  () => {
    const texts = (["nested", "flat"] as const).map((form) => save(manifold().world, form));
    let loaded = 0;
    fc.assert(
      fc.property(
        fc.constantFrom(...texts),
        mutations,
        fc.constantFrom("refuse", "keep", "drop"),
        (text, changes, unknown) => {
          const given = mutated(text, changes);
          const isLoaded = loadsSoundly((world, options) =>
            fromDocument(world, given, { ...options, unknown: unknown as "keep" }),
          );
          if (isLoaded) loaded++;
        },
      ),
      { numRuns: MUTATED },
    );
    expect(loaded).toBeGreaterThan(100);
  },
  MUTATED * 12,
);
