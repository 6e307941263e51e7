import type { Definition, Numbers } from "@treeline/core";
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

/** The numbers, or other values, of a field: `size` for each row. */
interface FieldValues {
  readonly size: number;
  readonly values: Numbers | readonly unknown[];
}

/** The values of a component in some rows. */
class Snapshot {
  private readonly query: Query;
  private readonly archetype: ArchetypeView;
  private readonly definition: Definition;
  private readonly rows: readonly number[];
  private readonly fields: readonly FieldValues[];
  private readonly ticks: readonly number[];
  private readonly notified: number;

  constructor(query: Query, archetype: ArchetypeView, definition: Definition, rows: readonly number[]) {
    this.query = query;
    this.archetype = archetype;
    this.definition = definition;
    this.rows = rows;
    this.fields = this.fieldsNow();
    this.ticks = this.ticksNow();
    this.notified = notifiedWrites(query.world, definition);
  }

  /** A copy of the rows of each column. */
  private fieldsNow(): FieldValues[] {
    const { archetype, definition, rows } = this;
    const columns = columnsOf(archetype, definition)!;
    if (Array.isArray(columns)) return [{ size: 1, values: copyOf(columns, 1, rows) }];
    return definition.fields.map(([name, { isList, length }]) => {
      const size = isList ? length : 1;
      return { size, values: copyOf((columns as Record<string, Numbers | unknown[]>)[name]!, size, rows) };
    });
  }

  /** The ticks of the rows; empty if no query reads changes. */
  private ticksNow(): number[] {
    const track = trackOf(this.archetype, this.definition, "changed");
    return track === undefined ? [] : this.rows.map((row) => track.rows[row]!);
  }

  /** Warns if values differ, and a query or observer misses that. */
  compare(): void {
    const { query, definition, fields, rows, ticks, notified } = this;
    const { world, plan, terms } = query;
    const now = this.fieldsNow();
    const written = rows.map((_, at) => fields.some((field, index) => isOther(field, now[index]!, at)));
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

function copyOf(column: Numbers | unknown[], size: number, rows: readonly number[]): Numbers | unknown[] {
  const copy = column.slice(0, rows.length * size) as unknown[]; // the same kind of list; its values are replaced
  for (let at = 0; at < rows.length; at++)
    for (let place = 0; place < size; place++) copy[at * size + place] = column[rows[at]! * size + place];
  return copy as Numbers | unknown[];
}

/** Does a row differ? */
function isOther({ size, values }: FieldValues, now: FieldValues, at: number): boolean {
  for (let place = at * size; place < (at + 1) * size; place++)
    if (!Object.is(values[place], now.values[place])) return true;
  return false;
}
