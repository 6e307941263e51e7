import type { Definition, World } from "@treeline/core";
import { ANY, type Column, columnOf, hasDefinition, type Shape, viewColumn } from "@treeline/core/internal";
import type { Query } from "../query/query.ts";
import type { Clause } from "../term/term.ts";
import { columnOfPair } from "./columns.ts";
import { createRowView, ROW, type RowView, turnView } from "./row-view.ts";

/** Gives what `each` hands over for one term: a row view, a JavaScript value, or `undefined`. */
export class Giver {
  readonly definition: Definition;
  readonly target: number;
  /** Reads the rows of the parents. */
  readonly ofParents: boolean;
  private readonly view: RowView | undefined;
  /** What it gives in the present shape: the view, values, or nothing. */
  private gives: "view" | "value" | "nothing" = "nothing";
  private values: readonly unknown[] = [];

  constructor(world: World, { operator, definition, target }: Clause) {
    this.definition = definition;
    this.target = target;
    this.ofParents = operator === "cascade";
    this.view = definition.holds === "values" ? undefined : createRowView(world, definition);
  }

  /** @param row any absolute row of the rows to come. */
  turnTo(world: World, shape: Shape | undefined, row: number): void {
    const column = shape === undefined ? undefined : this.columnIn(world, shape, row);
    if (shape === undefined || column === undefined) {
      const { definition } = this;
      const isEmptyView =
        definition.kind === "component" && shape !== undefined && hasDefinition(shape, definition);
      this.gives = isEmptyView ? "view" : "nothing";
    } else if (this.view === undefined) {
      this.gives = "value";
      this.values = viewColumn(shape, column) as unknown[];
    } else {
      this.gives = "view";
      turnView(this.view, shape, column);
    }
  }

  private columnIn(world: World, shape: Shape, row: number): Column | undefined {
    const { definition } = this;
    return definition.kind === "relation"
      ? columnOfPair(world, shape, definition, this.target, row)
      : columnOf(shape, definition);
  }

  at(row: number): unknown {
    if (this.gives === "view") {
      this.view![ROW] = row;
      return this.view;
    }
    return this.gives === "value" ? this.values[row] : undefined;
  }
}

/** One giver for each term that has values. Tags, pairs without data, wildcards and `not` give nothing. */
export function createGivers({ world, clauses }: Query): Giver[] {
  return clauses
    .filter(({ operator, definition, target }) => {
      if (operator === "not" || target === ANY) return false;
      return (
        definition.kind === "component" || (definition.kind === "relation" && definition.holds !== "nothing")
      );
    })
    .map((clause) => new Giver(world, clause));
}
