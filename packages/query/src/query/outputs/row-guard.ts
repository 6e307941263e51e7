// Development builds: a guard for each row in place of a row view, which refuses use after the row (`guarding`, `enterRow`), and wrong values.
import { type Definition, type Numbers, TreelineError, type World } from "@treeline/core";
import { notifiedWrites, requireField } from "@treeline/core/internal";
import { textOfTerms } from "../../term/text.ts";
import type { Query } from "../state/query-state.ts";
import { warnOnce } from "./warn-once.ts";

/*
 * Development builds pass a guard for each row in place of a row view, which is the same for all rows: a guard refuses reads and
 * writes after its row, and writes of what a field cannot hold. Shipped builds contain nothing of this file.
 */

/** An array that a row view has passed of a component that is only read, and the numbers that it had. */
interface ReadArray {
  readonly definition: Definition;
  readonly array: Numbers;
  readonly was: Numbers;
}

/** One row of an iteration, as long as it is shown. */
class ShownRow {
  isOver = false;
  private readonly reading: Reading | undefined;
  private arrays: ReadArray[] = [];

  /** @param reading of a loop that declares what it only reads. */
  constructor(reading: Reading | undefined) {
    this.reading = reading;
  }

  end(): void {
    this.isOver = true;
    for (const { definition, array, was } of this.arrays)
      if (was.some((one, place) => !Object.is(one, array[place]))) this.written(definition);
    this.arrays = [];
  }

  /** The view of a component has passed a value. */
  passed(definition: Definition, value: unknown): void {
    if (!this.reading?.reads.includes(definition) || !ArrayBuffer.isView(value)) return;
    const array = value as unknown as Numbers;
    this.arrays.push({ definition, array, was: array.slice() });
  }

  /** Warns if the loop has declared that it only reads the component. */
  written({ id, name }: Definition): void {
    if (!this.reading?.reads.some((one) => (one as Definition).id === id)) return;
    const { world, terms } = this.reading.query;
    warnOnce(
      world,
      `reads of ${id}`,
      () =>
        `a loop over query(${textOfTerms(world, terms)}) has written ${name}, which it declares to read: queries with ` +
        `changed(${name}), orderBy, propagate and three.js may miss it; leave ${name} out of { reads: [...] }`,
    );
  }
}

/** A loop that declares what it only reads. */
interface Reading {
  readonly query: Query;
  readonly reads: readonly unknown[];
}

/** A row view that knows its row. The row is private: guards have no own properties, as views have none. */
class Guard {
  readonly #row: ShownRow;

  constructor(row: ShownRow) {
    this.#row = row;
  }

  static isStale(guard: Guard): boolean {
    return #row in guard && guard.#row.isOver; // inspectors also read prototypes
  }

  static rowOf(guard: Guard): ShownRow | undefined {
    return #row in guard ? guard.#row : undefined;
  }
}
type GuardKind = new (row: ShownRow) => Guard;

/** By object of a row view, the class of its guards. */
const kinds = /* @__PURE__ */ new WeakMap<object, GuardKind>();
/** By iterator of `rows`. */
const shownRows = /* @__PURE__ */ new WeakMap<object, ShownRow>();
const readings = /* @__PURE__ */ new WeakMap<object, Reading>();

/** Makes the class of the guards of a row view: its properties, each of which is checked first. */
export function makeGuardable(world: World, object: object, definition: Definition): void {
  const Kind = class extends Guard {};
  const properties: Record<string | symbol, PropertyDescriptor> = Object.getOwnPropertyDescriptors(
    Object.getPrototypeOf(object),
  );
  for (const key of Reflect.ownKeys(properties)) {
    const property = properties[key]!;
    if (key === "constructor" && property.get === undefined) continue; // not a field of that name
    Object.defineProperty(Kind.prototype, key, guarded(property, world, definition, key));
  }
  Object.setPrototypeOf(Kind.prototype, withoutOthers(definition));
  kinds.set(object, Kind);
}

/** Refuses writes of properties that are no fields: a row view would keep them, as a property, for all rows. */
function withoutOthers({ name, fields }: Definition): object {
  return new Proxy(Guard.prototype, {
    /** @throws TreelineError `bad-value`. */
    set(_, key): never {
      const own = fields.map(([one]) => one).join(", ");
      throw new TreelineError("bad-value", `${name} has no field ${String(key)}; it has ${own}`);
    },
  });
}

function guarded(
  property: PropertyDescriptor,
  world: World,
  definition: Definition,
  key: string | symbol,
): PropertyDescriptor {
  const { name, fields } = definition;
  const at = fields.findIndex(([own]) => own === key);
  const isForPeople = typeof key === "symbol"; // read by what prints objects, where an error would only be in the way
  const { get, set, value, enumerable = false } = property;
  /** @throws TreelineError `stale-view` after the row. */
  function read(this: Guard): unknown {
    if (!isForPeople) requireShown(this, name);
    else if (Guard.isStale(this)) return () => `a row view of ${name} after its row`;
    if (get === undefined) return value;
    const read = get.call(this);
    Guard.rowOf(this)?.passed(definition, read);
    return read;
  }
  /** @throws TreelineError `stale-view` after the row; `bad-value` for what the field cannot hold. */
  function write(this: Guard, written: unknown): void {
    requireShown(this, name);
    requireField(definition, at, written);
    const former = get!.call(this);
    set!.call(this, written);
    Guard.rowOf(this)?.written(definition);
    if (!Object.is(former, get!.call(this))) warnIfObserved(world, definition);
  }
  return { get: read, ...(set && { set: write }), enumerable };
}

/** Observers are notified of what verbs write only. */
function warnIfObserved(world: World, definition: Definition): void {
  if (notifiedWrites(world, definition) < 0) return;
  const { id, name } = definition;
  warnOnce(
    world,
    `views of ${id}`,
    () =>
      `a row view has written ${name}, but observers of set are not notified: they are by set and patch only; queries with ` +
      `changed(${name}) see it`,
  );
}

/** @throws TreelineError `stale-view` after the row. */
function requireShown(guard: Guard, name: string): void {
  if (!Guard.isStale(guard)) return;
  throw new TreelineError(
    "stale-view",
    `a row view of ${name} is valid for its row only: read in the callback or loop body what you need, or keep a copy: ` +
      `get(world, entity, ${name})`,
  );
}

/** Replaces the row views of a list by guards. */
function guardRow(list: unknown[], row: ShownRow): void {
  for (let place = 0; place < list.length; place++) {
    const value = list[place];
    const Kind = typeof value === "object" && value !== null ? kinds.get(value) : undefined;
    if (Kind !== undefined) list[place] = new Kind(row);
  }
}

const PROMISED =
  "each got a function that returned a promise: its row views are not valid after an await, and what it does then is not part " +
  "of the iteration; collect(query) first, and await afterwards";

/** A callback of `each` has returned a promise. */
export function warnOfPromise(world: World): void {
  warnOnce(world, "promise", () => PROMISED);
}

/** A callback of `each` whose row views are valid until it returns; warns once in a world if it returns a promise. */
export function guarding(
  query: Query,
  callback: (...row: unknown[]) => unknown,
  reads: readonly unknown[] | undefined,
): (...row: unknown[]) => void {
  return (...row) => {
    const shown = new ShownRow(reads && { query, reads });
    guardRow(row, shown);
    try {
      if (callback(...row) instanceof Promise) warnOfPromise(query.world);
    } finally {
      shown.end();
    }
  };
}

/** An iterator of `rows` only reads some components. */
export function declareReads(iterator: object, query: Query, reads: readonly unknown[]): void {
  readings.set(iterator, { query, reads });
}

/** An iterator of `rows` shows its row in a list, perhaps not the first one. */
export function enterRow(iterator: object, list: unknown[]): void {
  const row = shownRows.get(iterator) ?? new ShownRow(readings.get(iterator));
  shownRows.set(iterator, row);
  guardRow(list, row);
}

/** The row that an iterator has shown is over. */
export function leaveRow(iterator: object): void {
  const row = shownRows.get(iterator);
  row?.end();
  shownRows.delete(iterator);
}
