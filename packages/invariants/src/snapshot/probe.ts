/** What is read of a world beside its state: queries of every kind, whose results depend on the order of rows, and a monitor. */

import type { Entity, World } from "@treeline/core";
import * as core from "@treeline/core";
import * as queries from "@treeline/query";
import type { Dice } from "../base/dice.ts";
import { queryVerbs } from "../base/entry-points.ts";
import { definitionOf } from "../step/vocabulary.ts";

type Maker = (...operands: readonly unknown[]) => unknown;

const { Any, ChildOf } = core as unknown as { Any: unknown; ChildOf: Maker };
const { added, cascade, changed, maybe, monitor, not, orderBy, removed, up } = queries as unknown as Record<
  "added" | "cascade" | "changed" | "maybe" | "monitor" | "not" | "orderBy" | "removed" | "up",
  Maker
>;

export class Probe {
  /** The entities that a monitor has reported, as plain handles. */
  readonly matching: Set<number> = new Set();
  private readonly queries: readonly object[];
  private readonly world: World;

  constructor(world: World) {
    this.world = world;
    const [Position, Health, Clock] = ["Position", "Health", "Clock"].map(definitionOf);
    const [Frozen, Lit, Name] = ["Frozen", "Lit", "Name"].map(definitionOf);
    const byText = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);
    const terms = [
      [Position],
      [not(Frozen)],
      [ChildOf(Any), maybe(Health)],
      [Position, cascade(Position)],
      [not(Lit), cascade(Clock)],
      [up(Health)],
      [Name],
      [changed(Position)],
      [changed(Clock), not(Frozen)],
      [changed(ChildOf)],
      [changed(up(Health))],
      [added(Frozen)],
      [removed(Position)],
      [Position, orderBy(Position, "x")],
      [Name, orderBy(Name, byText)],
    ];
    this.queries = terms.map((list) => queryVerbs.query(world, ...list));
    monitor(queryVerbs.query(world, Position, not(Frozen)), {
      entered: (entity: Entity) => this.matching.add(plainOf(world, entity)),
      left: (entity: Entity) => this.matching.delete(plainOf(world, entity)),
    });
  }

  /** What those of the queries that dice choose list, in order; and what the monitor has reported. */
  read(dice: Dice): string {
    return JSON.stringify([this.list(dice), [...this.matching].sort()]);
  }

  /** The same without the monitor. @param dice leaves queries out; without dice, all are read. */
  list(dice?: Dice): string {
    const found: unknown[] = [];
    for (const [at, query] of this.queries.entries()) {
      if (dice?.chance(0.4) === true) continue;
      const list: number[] = [];
      queryVerbs.each(query, (...row) => list.push(plainOf(this.world, row.at(-1) as Entity)));
      found.push([at, list]);
    }
    return JSON.stringify(found);
  }
}

/** The handle without the block of generations that a world of checked builds has. */
function plainOf(world: World, entity: Entity): number {
  const { entities } = world as unknown as { readonly entities: { readonly firstGeneration: number } };
  return entity - entities.firstGeneration * 2 ** 24;
}
