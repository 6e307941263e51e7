import fc from "fast-check";

/** One change of a text. */
export interface Mutation {
  readonly at: number;
  readonly length: number;
  readonly piece: string;
  readonly token: boolean;
}

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

export const mutations: fc.Arbitrary<Mutation[]> = fc.array(
  fc.record({
    at: fc.nat(1000),
    length: fc.oneof(fc.constant(0), fc.nat(20)),
    piece: pieces,
    token: fc.boolean(),
  }),
  { minLength: 1, maxLength: 3 },
);

/** Cuts texts at the borders of JSON's tokens, so that many mutated texts are JSON again. */
export function mutated(text: string, changes: readonly Mutation[]): string {
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
