import type { Entity } from "@treeline/core";
import { type Archetype, archetypesOf, handleOf } from "@treeline/core/internal";
import { JOINED, ROWS, type Spans } from "../lists/spans.ts";
import { boundTo, type Query } from "./query-state.ts";
import type { Seen } from "./sight.ts";

/**
 * How a scene turns to rows that have ancestors or variables beside them: brought by terms about those. Functions only; nothing
 * in here is state.
 */
export interface Beside {
  turnToChunk: ((scene: Scene, chunk: number) => void) | undefined;
  turnToJoined: ((scene: Scene, spans: Spans, at: number) => void) | undefined;
}

export const beside: Beside = { turnToChunk: undefined, turnToJoined: undefined };

/** Where a visit is: one span, with all that is known of its rows. The same object is used for the next span. */
export class Scene {
  shape: Archetype;
  /** Positions `from <= at < to`. */
  from = 0;
  to = 0;
  /** Position -> absolute row; undefined if positions are absolute rows. */
  rows: Int32Array | undefined = undefined;
  depth = 0;
  /** By traversal: the shape of the nearest ancestors, and position -> their absolute rows, or one row for all. */
  readonly holders: (Archetype | undefined)[];
  readonly holderRows: (Int32Array | undefined)[];
  readonly holderRow: number[];
  /** By variable: an entity index, or 0. */
  readonly variables: number[];
  seen: Seen | undefined = undefined;
  query: Query;

  constructor(query: Query) {
    const { plan, world } = query;
    this.query = query;
    this.shape = archetypesOf(world)[0]!;
    const ways = plan.freeWay?.traversals ?? plan.traversals;
    this.holders = ways.map(() => undefined);
    this.holderRows = ways.map(() => undefined);
    this.holderRow = ways.map(() => 0);
    this.variables = plan.variables.map(() => 0);
  }

  begin(query: Query, seen: Seen): void {
    this.query = query;
    this.seen = seen;
  }

  /** @param at where the numbers of a span begin. */
  turnTo(spans: Spans, at: number): void {
    const { numbers } = spans;
    const { world, plan } = this.query;
    const base = numbers[at + 3]!;
    this.shape = archetypesOf(world)[numbers[at]!]!;
    this.from = numbers[at + 1]!;
    this.to = numbers[at + 2]!;
    if (base > ROWS) {
      beside.turnToChunk!(this, base);
      return;
    }
    this.rows = undefined;
    this.depth = 0;
    for (let place = 0; place < this.holders.length; place++) this.holders[place] = undefined;
    if (base === JOINED) beside.turnToJoined!(this, spans, at);
    else if (plan.variables.length > 0) this.turnToBound();
  }

  /** Rows of a shape that answers by what it has. */
  turnToRows(shape: Archetype, from: number, to: number): void {
    this.shape = shape;
    this.from = from;
    this.to = to;
    this.rows = undefined;
    this.depth = 0;
  }

  /** All variables are set: for this span they stand for what they are set to. */
  turnToBound(): void {
    for (let place = 0; place < this.variables.length; place++)
      this.variables[place] = this.seen!.variables[place]!;
  }

  rowAt(at: number): number {
    return this.rows === undefined ? at : this.rows[at]!;
  }

  /** The absolute row of the nearest ancestor of a position. */
  holderRowAt(place: number, at: number): number {
    const rows = this.holderRows[place];
    return rows === undefined ? this.holderRow[place]! : rows[at]!;
  }

  entityAt(at: number): Entity {
    return handleOf(this.query.world, this.shape.lanes.i32[this.rowAt(at)]!);
  }

  /** The entity in an absolute row. */
  entityIn(row: number): Entity {
    return handleOf(this.query.world, this.shape.lanes.i32[row]!);
  }

  /** What a variable stands for here, as a handle; a negative number while it is free. */
  targetOf(variable: number): number {
    const index = this.variables[this.query.plan.variables.indexOf(variable)]!;
    return index === 0 ? boundTo(this.query, variable) : handleOf(this.query.world, index);
  }
}
