import type { Definition } from "@treeline/core";
import { type ArchetypeView, clockOf, columnsOf, notifiedWrites, trackOf } from "@treeline/core/internal";
import { warnOnce } from "../query/outputs/warn-once.ts";
import type { Query } from "../query/state/query-state.ts";
import { textOfTerms } from "../term/text.ts";
import type { Shown, Writes } from "./iteration.ts";

/*
 * Development builds compare columns before and after a callback, where queries or observers miss writes: those that are not
 * declared are found, and reported once. Shipped builds contain nothing of this file.
 */

type Callback<Kind extends Shown> = ((shown: Kind) => void) & {
  takeAll?: (shown: Kind, bounds: Int32Array, length: number) => boolean;
};

/** A callback that also compares what it may have written in columns. @param writes what is declared. */
export function noticing<Kind extends Shown>(
  callback: Callback<Kind>,
  query: Query,
  writes: Writes,
): Callback<Kind> {
  const call: Callback<Kind> = (shown) => {
    const archetype = shown.archetypeOfRows();
    const wanted = wantedIn(query, archetype, writes);
    const rows = wanted.length === 0 ? [] : rowsOf(shown);
    const before = wanted.map((definition) => new Snapshot(query, archetype, definition, rows));
    callback(shown);
    for (const snapshot of before) snapshot.compare();
  };
  const { takeAll } = callback;
  if (takeAll !== undefined)
    call.takeAll = (shown, bounds, length) =>
      wantedIn(query, shown.archetypeOfRows(), writes).length === 0 && takeAll(shown, bounds, length);
  return call;
}

/** Components whose changes are read, or whose writes are observed, unless they are declared. */
function wantedIn({ world }: Query, archetype: ArchetypeView, writes: Writes): Definition[] {
  return archetype.definitions.filter((definition) => {
    if (definition.kind !== "component" || columnsOf(archetype, definition) === undefined) return false;
    if (writes?.some((one) => (one as unknown) === definition)) return false;
    return trackOf(archetype, definition, "changed") !== undefined || notifiedWrites(world, definition) >= 0;
  });
}

/** Absolute rows. */
function rowsOf({ rows, from = 0, to = 0, first = from, end = to }: Shown): number[] {
  return Array.from({ length: end - first }, (_, at) =>
    rows === undefined ? first + at : rows[first + at]!,
  );
}

/** The values of a component in some rows. */
class Snapshot {
  private readonly query: Query;
  private readonly archetype: ArchetypeView;
  private readonly definition: Definition;
  private readonly rows: readonly number[];
  private readonly values: readonly unknown[][];
  private readonly ticks: readonly number[];
  private readonly notified: number;

  constructor(query: Query, archetype: ArchetypeView, definition: Definition, rows: readonly number[]) {
    this.query = query;
    this.archetype = archetype;
    this.definition = definition;
    this.rows = rows;
    this.values = this.valuesNow();
    this.ticks = this.ticksNow();
    this.notified = notifiedWrites(query.world, definition);
  }

  /** By row, all of its values. */
  private valuesNow(): unknown[][] {
    const { archetype, definition, rows } = this;
    const columns = columnsOf(archetype, definition);
    if (Array.isArray(columns)) return rows.map((row) => [columns[row]]);
    const lists = definition.fields.map(([name, { isList, length }]) => ({
      column: (columns as Record<string, Float64Array | unknown[]>)[name]!,
      size: isList ? length : 1,
    }));
    return rows.map((row) =>
      lists.flatMap(({ column, size }) => [...column.slice(row * size, (row + 1) * size)]),
    );
  }

  /** The ticks of the rows; empty if no query reads changes. */
  private ticksNow(): number[] {
    const track = trackOf(this.archetype, this.definition, "changed");
    return track === undefined ? [] : this.rows.map((row) => track.rows[row]!);
  }

  /** Warns if values differ, and a query or observer misses that. */
  compare(): void {
    const { query, definition, values, ticks, notified } = this;
    const { world, plan, terms } = query;
    const written = this.valuesNow().map(
      (row, at) => !row.every((value, k) => Object.is(value, values[at]![k])),
    );
    if (!written.includes(true)) return;
    // The next read of changes sees the present tick.
    const isUnseen = (tick: number, at: number): boolean =>
      written[at]! && tick === ticks[at] && tick < clockOf(world).now;
    const { name } = definition;
    const missed: string[] = [];
    if (this.ticksNow().some(isUnseen)) missed.push(`queries with changed(${name}) or orderBy do not see it`);
    if (notified >= 0 && notifiedWrites(world, definition) === notified)
      missed.push("observers of set are not notified");
    if (missed.length === 0) return;
    const clauses = plan.clauses.map((clause) => `${clause.operator} ${clause.definition.id}`);
    warnOnce(
      world,
      `columns of ${definition.id} by ${clauses}`,
      () =>
        `a callback for query(${textOfTerms(world, terms)}) has written columns of ${name}, but ${missed.join(", and ")}: declare ` +
        `it with { writes: [${name}] }, which marks the rows as changed; observers are notified by set and patch only`,
    );
  }
}
