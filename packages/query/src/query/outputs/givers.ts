import type { World } from "@treeline/core";
import { type Archetype, columnsOf, hasDefinition } from "@treeline/core/internal";
import type { Gift, HasTest, Question } from "../../term/plan.ts";
import { isVariable } from "../../term/variable.ts";
import type { Query } from "../state/query-state.ts";
import type { Scene } from "../state/scene.ts";
import { columnsOfPair } from "./columns.ts";
import { type Desk, viewAt } from "./desks.ts";
import { copyRow, RowPointer, type RowView, turnView } from "./row-view.ts";

/**
 * What there is to do from row to row: nothing, turning a pointer, taking a value, or asking how what a term asks for is given.
 */
type Work = "none" | "turn" | "value" | "ask";

/** How what a kind of term asks for is handed over. Terms with operators bring it along. */
export interface Giving<Kind extends Gift = Gift> {
  /** Turns to a span. @param tick of what the visit writes itself, or 0. */
  readonly turnTo: (giver: Giver, gift: Kind, scene: Scene, tick: number) => void;
  /** Does the work for one row, if that is to ask. @param row the visited entity's absolute row. @param at its position. */
  readonly turnToRow?: (giver: Giver, gift: Kind, scene: Scene, row: number, at: number) => void;
}

/** By what gives. Functions only; nothing in here is state. */
export const givings: {
  [Kind in Exclude<Gift["kind"], "has">]?: Giving<Extract<Gift, { readonly kind: Kind }>>;
} = {};

/** Gives what `each` hands over for one term: a row view, a JavaScript value, an entity, `true` or `undefined`. */
export class Giver {
  readonly gift: Gift;
  readonly view: RowView | undefined;
  /** Shows the view which row it is. */
  readonly pointer: RowPointer;
  /** Alternatives of which the first that holds gives. */
  readonly parts: readonly (Giver | undefined)[];
  /** What it gives for the present row; the same for all rows of a span if there is no work. */
  given: unknown = undefined;
  work: Work = "none";
  /** Whose row it reads: the visited one's, that of an ancestor, or one for all. */
  reads: "own" | "above" | "one" = "own";
  private values: readonly unknown[] = [];
  row = 0;
  /** The alternative that gave last. */
  chosen: Giver | undefined = undefined;
  /** The way to the ancestors that it reads. */
  way = 0;
  /** Undefined for what those who are visited have themselves. */
  private readonly giving: Giving<never> | undefined;

  constructor(gift: Gift, view: RowView | undefined, parts: readonly (Giver | undefined)[]) {
    this.gift = gift;
    this.view = view;
    this.pointer = view === undefined ? new RowPointer() : view.pointer;
    this.parts = parts;
    this.giving = gift.kind === "has" ? undefined : givings[gift.kind];
  }

  /** Turns to a span. @param tick of what the visit writes itself, or 0. */
  turnTo(scene: Scene, tick: number): void {
    const { gift, giving } = this;
    this.given = undefined;
    this.work = "none";
    if (gift.kind === "has") this.turnToOwn(scene, gift, tick);
    else giving!.turnTo(this, gift as never, scene, tick);
  }

  private turnToOwn(scene: Scene, gift: HasTest, tick: number): void {
    const { shape } = scene;
    this.reads = "own";
    this.turnToColumns(gift, shape, columnsIn(scene, gift, shape, scene.rowAt(scene.from)), false);
    if (this.view === undefined) return;
    const { marks } = this.view;
    marks.shape = shape;
    marks.turn();
    if (marks.tick !== tick) marks.tick = tick;
  }

  /** @param turns its view does not show the row of the visited entity by itself. */
  turnToColumns({ definition }: Question, shape: Archetype, columns: unknown, turns: boolean): void {
    const { view } = this;
    if (columns === undefined) {
      if (definition.kind === "component" && hasDefinition(shape, definition)) this.given = view?.given;
    } else if (view === undefined) {
      this.values = columns as unknown[];
      this.work = "value";
    } else {
      turnView(view, columns);
      this.given = view.given;
      if (turns) this.work = "turn";
    }
  }

  /** Does the work for one row. @param row the visited entity's absolute row. @param at its position. */
  turnToRow(scene: Scene, row: number, at: number): void {
    switch (this.work) {
      case "turn":
        this.pointer.row = this.rowOf(scene, row, at);
        return;
      case "value":
        this.given = this.values[this.rowOf(scene, row, at)];
        return;
      case "ask":
        this.giving!.turnToRow!(this, this.gift as never, scene, row, at);
    }
  }

  private rowOf(scene: Scene, row: number, at: number): number {
    if (this.reads === "own") return row;
    return this.reads === "one" ? this.row : scene.holderRowAt(this.way, at);
  }

  /** Position -> absolute row of the ancestors, if showing them is all there is to do. */
  rowsAbove(scene: Scene): Int32Array | undefined {
    return this.work === "turn" && this.reads === "above" ? scene.holderRows[this.way] : undefined;
  }

  /** What is given for the present row, good for keeping. */
  copy(): unknown {
    const { view, given, chosen } = this;
    if (this.gift.kind === "first") return chosen === undefined ? undefined : chosen.copy();
    return view === undefined || given === undefined ? given : copyRow(view);
  }
}

/** Where the values lie that are asked for, of an archetype; of a pair, in the table of a row. */
export function columnsIn(
  scene: Scene,
  { definition, target }: Question,
  shape: Archetype,
  row: number,
): unknown {
  if (definition.kind !== "relation") return columnsOf(shape, definition);
  const handle = isVariable(target) ? scene.targetOf(target) : target;
  return columnsOfPair(scene.query.world, shape, definition, handle, row);
}

/** A view that shows the rows of ancestors: position -> absolute row. */
export class Turns {
  pointer: RowPointer = new RowPointer();
  rows: Int32Array = new Int32Array(0);
}

/** What `each` keeps for one query at one desk, so that steady frames make nothing. */
export class Seat {
  readonly givers: readonly Giver[];
  readonly own: RowPointer;
  /** What the visitor gets, but for the entity. */
  readonly row: unknown[];
  /** All are the same for all rows of the present span: nothing to gather from row to row. */
  isFixed = false;
  /** All but one are the same, and that one shows the rows of ancestors. */
  turns: Turns | undefined = undefined;
  /** What is given hangs on shapes and rows alone: not on tables, ancestors or what else a span knows. */
  readonly isOfShapes: boolean;
  private readonly turn: Turns = new Turns();

  constructor(query: Query, desk: Desk) {
    const places = new Map<string, number>();
    this.givers = query.plan.gifts.map((gift) => createGiver(query.world, desk, gift, places));
    this.isOfShapes = query.plan.gifts.every(
      (gift) => gift.kind === "has" && gift.definition.kind !== "relation",
    );
    this.own = desk.own;
    this.row = this.givers.map(() => undefined);
  }

  turnTo(scene: Scene, tick: number): void {
    this.isFixed = true;
    this.turns = undefined;
    const { givers } = this;
    let workers = 0;
    for (let place = 0; place < givers.length; place++) {
      const giver = givers[place]!;
      giver.turnTo(scene, tick);
      this.row[place] = giver.given;
      if (giver.work === "none") continue;
      this.isFixed = false;
      const rows = giver.rowsAbove(scene);
      if (++workers > 1 || rows === undefined) this.turns = undefined;
      else {
        this.turn.pointer = giver.pointer;
        this.turn.rows = rows;
        this.turns = this.turn;
      }
    }
  }

  /** @param row of the entity itself. @param at its position. */
  turnToRow(scene: Scene, row: number, at: number): void {
    const { givers } = this;
    this.own.row = row;
    if (this.isFixed) return;
    for (let place = 0; place < givers.length; place++) {
      const giver = givers[place]!;
      if (giver.work === "none") continue;
      giver.turnToRow(scene, row, at);
      this.row[place] = giver.given;
    }
  }
}

const NO_PARTS: readonly Giver[] = [];

/** @param places how many views of each kind the query has so far. */
function createGiver(world: World, desk: Desk, gift: Gift, places: Map<string, number>): Giver {
  if (gift.kind === "first") {
    const parts = gift.of.map((one) => one && createGiver(world, desk, one, places));
    return new Giver(gift, undefined, parts);
  }
  if (gift.kind === "variable" || gift.kind === "mark") return new Giver(gift, undefined, NO_PARTS);
  const { kind, definition } = gift;
  const isOwn = kind === "has";
  if (definition.holds === "values") return new Giver(gift, undefined, NO_PARTS);
  const key = `${definition.id} ${isOwn}`;
  const place = places.get(key) ?? 0;
  places.set(key, place + 1);
  return new Giver(gift, viewAt(world, desk, definition, isOwn, place), NO_PARTS);
}
