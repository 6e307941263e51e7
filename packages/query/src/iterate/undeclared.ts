// Development builds: compares columns before and after a callback, and warns of writes that queries or observers miss (`noticing`).
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
    const rows = rowsOf(shown, wanted.length > 0);
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

/** The absolute rows of a run, or of a part of a list. They are looked at in each frame, so nothing is made for each row. */
interface ShownRows {
  readonly first: number;
  readonly count: number;
  /** `undefined`: the rows from `first` on. */
  readonly list: Int32Array | undefined;
}

function rowsOf({ rows, from = 0, to = 0, first = from, end = to }: Shown, isWanted: boolean): ShownRows {
  return { first, count: end - first, list: isWanted ? rows?.slice(first, end) : undefined };
}

/** A field: `size` numbers, or other values, for each row. */
interface FieldValues {
  readonly name: string;
  readonly size: number;
  readonly values: Numbers | readonly unknown[];
}

/** The values of a component in some rows. */
class Snapshot {
  private readonly query: Query;
  private readonly archetype: ArchetypeView;
  private readonly definition: Definition;
  private readonly rows: ShownRows;
  private readonly fields: readonly FieldValues[];
  /** The ticks of the rows; `undefined` if no query reads changes. */
  private readonly ticks: Numbers | readonly unknown[] | undefined;
  private readonly notified: number;

  constructor(query: Query, archetype: ArchetypeView, definition: Definition, rows: ShownRows) {
    this.query = query;
    this.archetype = archetype;
    this.definition = definition;
    this.rows = rows;
    this.fields = definition.fields.map(([name, { isList, length }]) => {
      const size = isList ? length : 1;
      return { name, size, values: copyOf(this.columnOf(name), size, rows) };
    });
    const track = trackOf(archetype, definition, "changed");
    this.ticks = track && copyOf(track.rows, 1, rows);
    this.notified = notifiedWrites(query.world, definition);
  }

  /** The present column of a field; a component without fields has one, without a name. */
  private columnOf(name: string): Numbers | unknown[] {
    const columns = columnsOf(this.archetype, this.definition)!;
    return Array.isArray(columns) ? columns : (columns as Record<string, Numbers | unknown[]>)[name]!;
  }

  /** Warns if values differ, and a query or observer misses that. */
  compare(): void {
    const { query, definition, notified } = this;
    const { world, plan, terms } = query;
    const written = new Set<number>(); // places in `rows`
    for (const field of this.fields) addWritten(written, field, this.columnOf(field.name), this.rows);
    if (written.size === 0) return;
    const { name } = definition;
    const missed: string[] = [];
    if (this.hasUnseen(written)) missed.push(`queries with changed(${name}) or orderBy do not see it`);
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

  /** Has a row been written without its tick? The next read of changes sees the present tick. */
  private hasUnseen(written: ReadonlySet<number>): boolean {
    const { archetype, definition, rows, ticks, query } = this;
    const track = trackOf(archetype, definition, "changed");
    if (track === undefined) return false;
    const { now } = clockOf(query.world);
    for (const at of written) {
      const tick = track.rows[rowAt(rows, at)]!;
      if (tick === ticks?.[at] && tick < now) return true;
    }
    return false;
  }
}

function rowAt({ first, list }: ShownRows, at: number): number {
  return list === undefined ? first + at : list[at]!;
}

function copyOf(
  column: Numbers | unknown[],
  size: number,
  { first, count, list }: ShownRows,
): Numbers | unknown[] {
  if (list === undefined) return column.slice(first * size, (first + count) * size);
  const copy = column.slice(0, count * size) as unknown[]; // the same kind of list; its values are replaced
  for (let at = 0; at < count; at++)
    for (let place = 0; place < size; place++) copy[at * size + place] = column[list[at]! * size + place];
  return copy as Numbers | unknown[];
}

/** Adds the places of those rows in which a field differs. */
function addWritten(
  written: Set<number>,
  { size, values }: FieldValues,
  column: Numbers | readonly unknown[],
  rows: ShownRows,
): void {
  for (let at = 0; at < rows.count; at++) {
    const start = rowAt(rows, at) * size;
    for (let place = 0; place < size; place++)
      if (!Object.is(values[at * size + place], column[start + place])) written.add(at);
  }
}
