import { createWorld } from "@treeline/core";
import { verify } from "@treeline/core/debug";
import { configureNames } from "@treeline/names";
import fc from "fast-check";
import { expect, it } from "vitest";
import { fromDocument, toDocument } from "../../src/json.ts";
import { play, steps } from "../random-world.ts";
import { all, manifold, SAVED, save } from "../support.ts";

it.each(["nested", "flat"] as const)("saves a loaded world as the same bytes, in the %s form", (form) => {
  const { world } = manifold();
  const text = save(world, form);

  const copy = createWorld();
  fromDocument(copy, text, { definitions: all });

  expect(save(copy, form)).toBe(text);
  expect(verify(copy)).toEqual([]);
});

it("saves random worlds, and loads them to the same bytes", () => {
  fc.assert(
    fc.property(
      steps,
      fc.boolean(),
      fc.constantFrom("nested" as const, "flat" as const),
      (list, isLoose, form) => {
        const world = createWorld();
        play(world, list, isLoose);
        const text = save(world, form);

        const copy = createWorld();
        if (isLoose) configureNames(copy, { collisions: "allow" });
        fromDocument(copy, text, { definitions: all });

        expect(verify(copy)).toEqual([]);
        expect(save(copy, form)).toBe(text);
      },
    ),
    { numRuns: 2 * SAVED },
  );
});

it("loads plain data as it loads its text", () => {
  const { world } = manifold();
  const document = toDocument(world, { all: true });
  const copy = createWorld();

  fromDocument(copy, document, { definitions: all });

  expect(save(copy)).toBe(save(world));
});

it("skips a byte order mark before the text, and takes Windows line ends and tabs", () => {
  const { world } = manifold();
  const text = save(world);

  for (const other of [`\uFEFF${text}`, text.replaceAll("\n", "\r\n"), text.replaceAll("  ", "\t")]) {
    const copy = createWorld();
    fromDocument(copy, other, { definitions: all });

    expect(save(copy)).toBe(text);
  }
});
