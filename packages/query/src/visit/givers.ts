import type { Entity, World } from "@treeline/core";
import {
  type Archetype,
  archetypeAt,
  columnsOf,
  handleOf,
  hasDefinition,
  rowAt,
} from "@treeline/core/internal";
import { tell, YES } from "../match/tests.ts";
import type { Query } from "../query/state/query-state.ts";
import type { Scene } from "../query/state/scene.ts";
import type { AboveGift, AsideGift, FirstGift, Gift, MarkGift, OwnGift, Question } from "../term/plan.ts";
import { isVariable } from "../term/variable.ts";
import { columnsOfPair } from "./columns.ts";
import { type Desk, viewAt } from "./desks.ts";
import { copyRow, RowPointer, type RowView, turnView } from "./row-view.ts";

/**
 * What there is to do from row to row: nothing, turning a pointer, taking a value, looking up where the values of a pair lie,
 * or asking what holds.
 */
type Work = "none" | "turn" | "value" | "pair" | "entity" | "ask";

/** Gives what `each` hands over for one term: a row view, a JavaScript value, an entity, `true` or `undefined`. */
export class Giver {
  readonly gift: Gift;
  private readonly view: RowView | undefined;
  /** Shows the view which row it is. */
  readonly pointer: RowPointer;
  /** Alternatives of which the first that holds gives. */
  private readonly parts: readonly (Giver | undefined)[];
  /** What it gives for the present row; the same for all rows of a span if there is no work. */
  given: unknown = undefined;
  work: Work = "none";
  /** Whose row it reads: the visited one's, that of an ancestor, or one for all. */
  private reads: "own" | "above" | "one" = "own";
  private values: readonly unknown[] = [];
  private row = 0;
  /** The alternative that gave last. */
  private chosen: Giver | undefined = undefined;

  /** The way to the ancestors that it reads. */
  private way = 0;

  constructor(gift: Gift, view: RowView | undefined, parts: readonly (Giver | undefined)[]) {
    this.gift = gift;
    this.view = view;
    this.pointer = view === undefined ? new RowPointer() : view.pointer;
    this.parts = parts;
  }

  /** Turns to a span. @param tick of what the visit writes itself, or 0. */
  turnTo(scene: Scene, tick: number): void {
    const { gift } = this;
    this.given = undefined;
    this.work = "none";
    switch (gift.from) {
      case "own":
        this.turnToOwn(scene, gift, tick);
        return;
      case "above":
        this.turnToAbove(scene, gift);
        return;
      case "on":
        this.turnToOne(scene, gift);
        return;
      case "variable":
        if (scene.wayOfVariable() >= 0) this.work = "entity";
        else this.given = scene.targetOf(gift.variable);
        return;
      case "mark":
        this.work = "ask";
        return;
      default:
        this.work = "ask";
        for (const part of this.parts) part?.turnTo(scene, tick);
    }
  }

  private turnToOwn(scene: Scene, gift: OwnGift, tick: number): void {
    const { shape } = scene;
    this.reads = "own";
    this.turnToColumns(gift, shape, columnsIn(scene, gift, shape, scene.rowAt(scene.from)), false);
    if (this.view === undefined) return;
    const { marks } = this.view;
    marks.shape = shape;
    marks.turn();
    if (marks.tick !== tick) marks.tick = tick;
  }

  private turnToAbove(scene: Scene, gift: AboveGift): void {
    const { way, self, definition } = gift;
    this.way = way;
    if (definition.kind === "relation") {
      this.work = "pair";
      return;
    }
    if (self) {
      const columns = columnsIn(scene, gift, scene.shape, scene.rowAt(scene.from));
      if (columns !== undefined || hasDefinition(scene.shape, definition)) {
        this.reads = "own";
        this.turnToColumns(gift, scene.shape, columns, true);
        return;
      }
    }
    const holder = scene.holders[way];
    if (holder === undefined) return;
    this.reads = "above";
    this.turnToColumns(
      gift,
      holder,
      columnsIn(scene, gift, holder, scene.holderRowAt(way, scene.from)),
      true,
    );
  }

  /** One entity for all rows of the span. */
  private turnToOne(scene: Scene, gift: AsideGift): void {
    const seen = scene.seen!;
    const isOfVariable = isVariable(seen.sourceOfAside(gift.aside));
    if (isOfVariable && scene.wayOfVariable() >= 0) {
      const way = scene.wayOfVariable();
      const target = scene.holders[way]!;
      this.reads = "above";
      this.way = way;
      if (gift.definition.kind === "relation") {
        this.work = "pair";
        return;
      }
      this.turnToColumns(
        gift,
        target,
        columnsIn(scene, gift, target, scene.holderRowAt(way, scene.from)),
        true,
      );
      return;
    }
    if (isOfVariable) {
      for (let place = 0; place < scene.variables.length; place++)
        seen.variables[place] = scene.variables[place]!;
      seen.askAgain(gift.aside);
    }
    const index = seen.found[gift.aside]!;
    if (index === 0) return;
    const { world } = scene.query;
    const shape = archetypeAt(world, index);
    this.reads = "one";
    this.row = rowAt(world, index);
    this.turnToColumns(gift, shape, columnsIn(scene, gift, shape, this.row), true);
  }

  /** @param turns its view does not show the row of the visited entity by itself. */
  private turnToColumns({ definition }: Question, shape: Archetype, columns: unknown, turns: boolean): void {
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
    const { gift } = this;
    switch (this.work) {
      case "turn":
        this.pointer.row = this.rowOf(scene, row, at);
        return;
      case "value":
        this.given = this.values[this.rowOf(scene, row, at)];
        return;
      case "entity":
        this.given = targetAt(scene, at);
        return;
      case "pair":
        if (gift.from === "above" || gift.from === "on") this.turnToPair(scene, gift, row, at);
        return;
      case "ask":
        if (gift.from === "mark") this.given = markAt(scene, gift, row, at);
        else if (gift.from === "first") this.given = this.firstAt(scene, gift, row, at);
    }
  }

  /** Values of pairs lie in other columns in every table, and ancestors' shapes tell nothing of tables. */
  private turnToPair(scene: Scene, gift: AboveGift | AsideGift, row: number, at: number): void {
    const { view, way } = this;
    const self = gift.from === "above" && gift.self;
    const own = self ? columnsIn(scene, gift, scene.shape, row) : undefined;
    if (own !== undefined || (self && isOwnTarget(scene, gift, row))) {
      this.showPair(view, own, row);
      return;
    }
    const holder = scene.holders[way];
    const above = holder === undefined ? 0 : scene.holderRowAt(way, at);
    this.showPair(view, holder && columnsIn(scene, gift, holder, above), above);
  }

  private showPair(view: RowView | undefined, columns: unknown, row: number): void {
    this.given = undefined;
    if (columns === undefined || view === undefined) return;
    turnView(view, columns);
    this.pointer.row = row;
    this.given = view.given;
  }

  private rowOf(scene: Scene, row: number, at: number): number {
    if (this.reads === "own") return row;
    return this.reads === "one" ? this.row : scene.holderRowAt(this.way, at);
  }

  /** Position -> absolute row of the ancestors, if showing them is all there is to do. */
  rowsAbove(scene: Scene): Int32Array | undefined {
    return this.work === "turn" && this.reads === "above" ? scene.holderRows[this.way] : undefined;
  }

  private firstAt(scene: Scene, { tests }: FirstGift, row: number, at: number): unknown {
    turnSight(scene, row, at);
    for (let place = 0; place < tests.length; place++) {
      if (tell(tests[place]!, scene.shape, scene.seen) !== YES) continue;
      const part = this.parts[place];
      part?.turnToRow(scene, row, at);
      this.chosen = part;
      return part?.given;
    }
    this.chosen = undefined;
    return undefined;
  }

  /** What is given for the present row, good for keeping. */
  copy(): unknown {
    const { view, given, chosen } = this;
    if (this.gift.from === "first") return chosen === undefined ? undefined : chosen.copy();
    return view === undefined || given === undefined ? given : copyRow(view);
  }
}

function columnsIn(scene: Scene, { definition, target }: Question, shape: Archetype, row: number): unknown {
  if (definition.kind !== "relation") return columnsOf(shape, definition);
  const handle = isVariable(target) ? scene.targetOf(target) : target;
  return columnsOfPair(scene.query.world, shape, definition, handle, row);
}

/** Everybody has a reflexive pair with itself, without values. */
function isOwnTarget({ query, shape }: Scene, { definition, target }: Question, row: number): boolean {
  return definition.reflexive && handleOf(query.world, shape.lanes.i32[row]!) === target;
}

/** What a free variable stands for at a position. */
function targetAt(scene: Scene, at: number): Entity {
  const way = scene.wayOfVariable();
  const row = scene.holderRowAt(way, at);
  return handleOf(scene.query.world, scene.holders[way]!.lanes.i32[row]!);
}

function markAt(scene: Scene, { test }: MarkGift, row: number, at: number): true | undefined {
  turnSight(scene, row, at);
  return tell(test, scene.shape, scene.seen) === YES ? true : undefined;
}

/** Turns what the visit knows to one row. */
function turnSight(scene: Scene, row: number, at: number): void {
  const seen = scene.seen!;
  seen.shape = scene.shape;
  seen.index = scene.shape.lanes.i32[row]!;
  seen.row = row;
  for (let place = 0; place < scene.holders.length; place++) {
    seen.holders[place] = scene.holders[place];
    if (scene.holders[place] !== undefined) seen.holderRows[place] = scene.holderRowAt(place, at);
  }
  for (let place = 0; place < scene.variables.length; place++)
    seen.variables[place] = scene.variables[place]!;
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
      (gift) => gift.from === "own" && gift.definition.kind !== "relation",
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
  if (gift.from === "first") {
    const parts = gift.of.map((one) => one && createGiver(world, desk, one, places));
    return new Giver(gift, undefined, parts);
  }
  if (gift.from === "variable" || gift.from === "mark") return new Giver(gift, undefined, NO_PARTS);
  const { from, definition } = gift;
  const isOwn = from === "own";
  if (definition.holds === "values") return new Giver(gift, undefined, NO_PARTS);
  const key = `${definition.id} ${isOwn}`;
  const place = places.get(key) ?? 0;
  places.set(key, place + 1);
  return new Giver(gift, viewAt(world, desk, definition, isOwn, place), NO_PARTS);
}
