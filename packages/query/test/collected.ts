import { defer, type Entity } from "@treeline/core";
import { handleOf } from "@treeline/core/internal";
import type { Query } from "../src/index.ts";
import { createSpansFor, HEAD, type Spans } from "../src/query/lists/spans.ts";
import { collectRows } from "../src/query/rows/collect.ts";
import { gather } from "../src/query/rows/gather.ts";
import { Scene } from "../src/query/state/scene.ts";

/** What a visit that begins now would visit: its spans, and whom they mean. */
export interface Gathered {
  readonly spans: Spans;
  readonly entities: Entity[];
  /** Spans as lists of entities. */
  readonly pieces: Entity[][];
}

export function gathered(query: Query): Gathered {
  const { world } = query;
  const spans = createSpansFor(query);
  const seen = new Scene(query);
  defer(world, () => gather(query, seen, spans));
  const pieces: Entity[][] = [];
  for (let at = 0; at < spans.length; at += spans.stride) {
    const [archetype, from, to, source] = spans.numbers.subarray(at, at + HEAD) as unknown as [
      number,
      number,
      number,
      number,
    ];
    const { i32 } = world.graph.archetypes[archetype]!.lanes;
    const piece: Entity[] = [];
    for (let position = from; position < to; position++) {
      const row = source > 0 ? seen.batches!.positions.rows[position]! : position;
      piece.push(handleOf(world, i32[row]!));
    }
    pieces.push(piece);
  }
  return { spans, entities: pieces.flat(), pieces };
}

export function inOrder(query: Query): Entity[] {
  return gathered(query).entities;
}

/** Whom the clauses about targets find, as visits list them, without other tests. */
export function collected(query: Query): Entity[] {
  const { world } = query;
  const spans = createSpansFor(query);
  collectRows(query, spans);
  const found: Entity[] = [];
  for (let at = 0; at < spans.length; at += spans.stride) {
    const { i32 } = world.graph.archetypes[spans.numbers[at]!]!.lanes;
    for (let row = spans.numbers[at + 1]!; row < spans.numbers[at + 2]!; row++)
      found.push(handleOf(world, i32[row]!));
  }
  return found;
}
