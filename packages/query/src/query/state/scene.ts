import type { Entity } from "@treeline/core";
import { type Archetype, archetypeAt, archetypesOf, handleOf, rowAt } from "@treeline/core/internal";
import { holderShapeOf } from "../batches/chunks.ts";
import { HEAD, JOINED, ROWS, type Spans } from "../lists/spans.ts";
import { boundTo, type Query } from "./query-state.ts";
import type { Seen } from "./sight.ts";

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
    if (base > ROWS) this.turnToChunk(base);
    else {
      this.rows = undefined;
      this.depth = 0;
      for (let place = 0; place < this.holders.length; place++) this.holders[place] = undefined;
      if (base === JOINED) this.turnToJoined(numbers, at + HEAD, at + spans.stride - 1);
      else if (plan.variables.length > 0) this.turnToBound();
    }
  }

  /**
   * The same for the span behind the one it shows, if only positions and depth are others there.
   *
   * @returns false if more is: it has not turned then.
   */
  turnOn({ numbers, stride }: Spans, at: number): boolean {
    const before = at - stride;
    const chunk = numbers[at + 3]!;
    const last = numbers[before + 3]!;
    if (chunk <= ROWS || last <= ROWS || numbers[at] !== numbers[before] || this.variables.length > 0)
      return false;
    const { holder, depth } = this.seen!.stretches!.positions.chunks;
    if (holder[chunk] !== holder[last]) return false;
    this.from = numbers[at + 1]!;
    this.to = numbers[at + 2]!;
    this.depth = depth[chunk]!;
    return true;
  }

  /** Rows of a shape that answers by what it has. */
  turnToRows(shape: Archetype, from: number, to: number): void {
    this.shape = shape;
    this.from = from;
    this.to = to;
    this.rows = undefined;
    this.depth = 0;
  }

  private turnToChunk(chunk: number): void {
    const { positions } = this.seen!.stretches!;
    const { chunks, holderRows } = positions;
    this.rows = positions.rows;
    this.depth = chunks.depth[chunk]!;
    for (let place = 0; place < holderRows.length; place++) {
      const holder = holderShapeOf(chunks, chunk, place);
      this.holders[place] = holder < 0 ? undefined : archetypesOf(this.query.world)[holder];
      this.holderRows[place] = holderRows[place];
    }
    for (let place = holderRows.length; place < this.holders.length; place++) this.holders[place] = undefined;
    if (this.variables.length > 0 && !this.seen!.isFree) this.turnToBound();
  }

  private turnToJoined(numbers: Int32Array, at: number, last: number): void {
    const { world } = this.query;
    for (let place = 0; place < this.variables.length; place++) this.variables[place] = numbers[at + place]!;
    if (this.query.plan.traversals.length > 0) this.depth = numbers[last]!;
    for (let place = 0; place < this.query.plan.traversals.length; place++) {
      const index = numbers[at + this.variables.length + place]!;
      if (index === 0) continue;
      this.holders[place] = archetypeAt(world, index);
      this.holderRows[place] = undefined;
      this.holderRow[place] = rowAt(world, index);
    }
  }

  /** All variables are set: for this span they stand for what they are set to. */
  private turnToBound(): void {
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

  /** The place of the way to what a free variable stands for; -1 if that is the same for the whole span. */
  wayOfVariable(): number {
    return this.seen!.isFree ? this.query.plan.traversals.length : -1;
  }

  /** The shape of what a variable stands for; undefined for nobody. */
  shapeOfVariable(variable: number): Archetype | undefined {
    const way = this.wayOfVariable();
    if (way >= 0) return this.holders[way];
    const index = this.variables[this.query.plan.variables.indexOf(variable)]!;
    return index === 0 ? undefined : archetypeAt(this.query.world, index);
  }

  /** The absolute row of what a variable stands for, if that is the same for the whole span. */
  rowOfVariable(variable: number): number {
    const index = this.variables[this.query.plan.variables.indexOf(variable)]!;
    return rowAt(this.query.world, index);
  }

  /** What a variable stands for here, as a handle; a negative number while it is free. */
  targetOf(variable: number): number {
    const index = this.variables[this.query.plan.variables.indexOf(variable)]!;
    return index === 0 ? boundTo(this.query, variable) : handleOf(this.query.world, index);
  }
}
