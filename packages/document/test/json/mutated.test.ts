import fc from "fast-check";
import { expect, it } from "vitest";
import { fromDocument } from "../../src/json.ts";
import { loadsSoundly, MUTATED, manifold, save } from "../support.ts";

/** Pieces that are put into a text: numbers, names, brackets and whole members. */
const pieces: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    "null",
    "{}",
    "[]",
    "-1",
    "0",
    "1e999",
    '"NaN"',
    '"__proto__"',
    '"constructor"',
    '"$entity"',
    '{"$entity":1}',
    '{"$entity":99}',
    '{"$path":["Fleet"]}',
    '{"$outside":1}',
    '"Parent"',
    '"Position"',
    '"Needs"',
    '"DisabledTree"',
    '"id":1,',
    '"name":"Dock",',
    '"children":[{}],',
    '"parent":1,',
    '"__proto__":{"a":1},',
    ",",
    "}",
    "]",
    "[[[[",
  ),
  fc.string({ maxLength: 3 }),
);

const mutations = fc.array(
  fc.record({
    at: fc.nat(1000),
    length: fc.oneof(fc.constant(0), fc.nat(20)),
    piece: pieces,
    token: fc.boolean(),
  }),
  { minLength: 1, maxLength: 3 },
);

/** Cuts texts at the borders of JSON's tokens, so that many mutated texts are JSON again. */
function mutated(
  text: string,
  changes: readonly { at: number; length: number; piece: string; token: boolean }[],
): string {
  let result = text;
  for (const { at, length, piece, token } of changes) {
    if (token) {
      const tokens = result.split(/("(?:[^"\\]|\\.)*"|[[\]{},:])/);
      const place = at % tokens.length;
      tokens[place] = tokens[(at + length) % tokens.length]!;
      if (length === 0) tokens[place] = piece;
      result = tokens.join("");
    } else {
      const place = Math.floor((at / 1000) * result.length);
      result = result.slice(0, place) + piece + result.slice(place + length);
    }
  }
  return result;
}

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
    expect(loaded).toBeGreaterThan(MUTATED / 25);
  },
  MUTATED * 120,
);
