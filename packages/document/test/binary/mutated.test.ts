import { ChildOf, createWorld, Parent, spawn } from "@treeline/core";
import { Name } from "@treeline/names";
import fc from "fast-check";
import { expect, it } from "vitest";
import { fromBinary, toBinary } from "../../src/binary.ts";
import { Link, loadsSoundly, Marked, MUTATED, manifold, Notes, Position, Stats } from "../support.ts";
import { sealed } from "./sealed.ts";

/** Behind the head, which `sealed` makes right again. */
const FIRST = 20;

const mutations = fc.array(
  fc.record({
    at: fc.nat(100_000),
    length: fc.oneof(fc.constant(0), fc.constant(1), fc.nat(12)),
    from: fc.nat(100_000),
    bytes: fc.oneof(
      fc.uint8Array({ maxLength: 4 }),
      fc.constantFrom([0], [1], [255], [127], [255, 255, 255, 255, 7], [0, 0, 0, 128], [0, 0, 192, 127]),
      // Text of the JSON inside.
      fc.constantFrom('"NaN"', "null", "{}", '{"$entity":1}', '{"$entity":99}', "__proto__", "[", "}"),
    ),
    isCopied: fc.boolean(),
  }),
  { minLength: 1, maxLength: 3 },
);

type Mutation = typeof mutations extends fc.Arbitrary<(infer One)[]> ? One : never;

function mutated(document: Uint8Array, changes: readonly Mutation[]): Uint8Array {
  let result = [...document];
  for (const { at, length, from, bytes, isCopied } of changes) {
    const place = FIRST + (at % (result.length - FIRST));
    const other = FIRST + (from % (result.length - FIRST));
    const given = typeof bytes === "string" ? new TextEncoder().encode(bytes) : bytes;
    const piece = isCopied ? result.slice(other, other + length) : given;
    // Most keep their length, so that what follows stays where it is due.
    const removed = length === 12 ? length : piece.length;
    result = [...result.slice(0, place), ...piece, ...result.slice(place + removed)];
  }
  return Uint8Array.from(result);
}

it(
  "refuses mutated documents with a code, and changes nothing; what it loads is a sound world",
  () => {
    const { world: full, ship } = manifold();
    const simple = createWorld();
    // All of this is in columns.
    const top = spawn(simple, Name("Top"), Position({ x: 1 }));
    const below = spawn(simple, Name("Below"), ChildOf(top), Link({ to: top }), Notes({ list: [1] }));
    for (let at = 0; at < 3; at++) spawn(simple, Parent(below), Position({ y: at }), Stats, Marked);
    const documents = [
      toBinary(full, { all: true }),
      toBinary(full, { root: ship, relations: [] }),
      toBinary(simple, { root: top }),
    ];
    let loaded = 0;
    fc.assert(
      fc.property(
        fc.constantFrom(...documents),
        mutations,
        fc.constantFrom("refuse", "keep", "drop"),
        fc.nat(20),
        (document, changes, unknown, luck) => {
          const changed = mutated(document, changes);
          const given = luck === 0 ? changed : sealed(changed);
          const isLoaded = loadsSoundly((world, options) =>
            fromBinary(world, given, { ...options, unknown: unknown as "keep" }),
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
