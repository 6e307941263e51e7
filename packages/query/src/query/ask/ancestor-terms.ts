import { type AnyKindOfRelation, type Asked, type Component, TreelineError } from "@treeline/core";
import { readers } from "../../term/draft.ts";
import { type ReadOf, type Wrapped, wrap } from "../../term/operators.ts";
import { cascadeReader, upReader } from "../../term/read-ancestors.ts";
import { bringAncestors } from "./bring.ts";

/** Along which relation `up`, `selfOrUp` and `cascade` go. */
export interface UpOptions {
  /** A traversable relation. Default ChildOf, which covers both storages of parents. */
  readonly relation?: AnyKindOfRelation;
}

/**
 * The nearest ancestor that has it, the entity itself excluded; only entities that have such an ancestor. Hands over its
 * value, read-only. `maybe(up(C))` does not filter, `not(up(C))` takes the others.
 *
 * Along a relation with many targets, the line of the target that has the lowest index is followed to its end before
 * that of the next.
 *
 * Cost: the world keeps lists of all rows below somebody, shared by queries with the same ways: about 12 bytes a table,
 * and an entity if some store their parent as a value, 12 bytes a row and 4 more for each further way, and room to grow;
 * of queries that name an entity, for the 256 lists that were asked for last. What moved is filed anew before the next
 * visit, along relations with many targets everything; else a visit takes some dozen nanoseconds for each stretch.
 *
 * @throws TreelineError `bad-query` for options that are no object of options, such as the relation itself.
 *
 * @example
 * const lit = query(world, Mesh, up(Light));
 */
export function up<const T extends Asked>(what: T, options: UpOptions = {}): Wrapped<"up", ReadOf<T>> {
  bringAncestors();
  readers.up = upReader;
  return wrap("up", [what], relationIn("up", options));
}

/**
 * The same, but an entity that has it itself is its own holder: the value is its own. Cost: as `up`.
 *
 * @throws TreelineError as `up`.
 */
export function selfOrUp<const T extends Asked>(
  what: T,
  options: UpOptions = {},
): Wrapped<"selfOrUp", ReadOf<T>> {
  bringAncestors();
  readers.selfOrUp = upReader;
  return wrap("selfOrUp", [what], relationIn("selfOrUp", options));
}

/** Along which relation `cascade` goes, and from which end. */
export interface CascadeOptions extends UpOptions {
  /** Children before their parents. Default false. */
  readonly desc?: boolean;
}

/**
 * Visits parents before their children, and hands over the component of the nearest ancestor that has it, read-only;
 * `undefined` where no ancestor has it, as for roots. It does not filter: the component itself is asked for by a term of
 * its own, and `up` filters. Depth along a relation with many targets is that of the longest way.
 *
 * A query takes several, if they go along one relation in one direction; others, and `what` without values, are refused by
 * `query` with `bad-query`. Cost: as `up`.
 *
 * @throws TreelineError as `up`.
 *
 * @example
 * const placed = query(world, Local, World, cascade(World));
 */
export function cascade<Row>(
  what: Component<Row>,
  options: CascadeOptions = {},
): Wrapped<"cascade", Readonly<Row> | undefined> {
  bringAncestors();
  readers.cascade = cascadeReader;
  return wrap("cascade", [what], relationIn("cascade", options), options?.desc === true);
}

/** @throws TreelineError `bad-query` for options that are no object of options, such as the relation itself. */
function relationIn(operator: string, options: UpOptions): unknown {
  if (typeof options === "object" && options !== null && !("kind" in options)) return options.relation;
  throw new TreelineError(
    "bad-query",
    `${operator} takes its relation in an object: ${operator}(${operator === "cascade" ? "Place" : "Light"}, { relation: WiredTo })`,
  );
}
