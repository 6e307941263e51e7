import {
  Any,
  type AnyKindOfRelation,
  type Asked,
  ChildOf,
  type Component,
  type Definition,
} from "@treeline/core";
import { Parent, shown } from "@treeline/core/internal";
import { tellAbove, tellers } from "../../match/tests.ts";
import type { ReadOf, Wrapped } from "../../term/operators.ts";
import { isVariable } from "../../term/operators.ts";
import { type Above, type Draft, giftOf, keyOfTraversals, namesTarget } from "../../term/plan.ts";
import { give, note, questionIn, type Reader, refuse, wrap } from "../../term/read.ts";
import { forgetStretches } from "../batches/stretches.ts";
import { aboveGiving, givings } from "../outputs/givers.ts";
import { gatherStretched } from "../rows/above.ts";
import { engine, turnBeside } from "../state/scene.ts";

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
  return wrap("up", upReader, [what], relationIn("up", options));
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
  return wrap("selfOrUp", upReader, [what], relationIn("selfOrUp", options));
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
  return wrap("cascade", cascadeReader, [what], relationIn("cascade", options), options?.desc === true);
}

/** @throws TreelineError `bad-query` for options that are no object of options, such as the relation itself. */
function relationIn(operator: string, options: UpOptions): unknown {
  if (typeof options === "object" && options !== null && !("kind" in options)) return options.relation;
  return refuse(
    `${operator} takes its relation in an object: ${operator}(${operator === "cascade" ? "Place" : "Light"}, { relation: WiredTo })`,
  );
}

/** From now on ancestors can be asked for. */
function bringAncestors(): void {
  bringStretches();
  tellers.above = tellAbove;
  givings.above = aboveGiving;
}

/** From now on answers can have others beside them. */
export function bringStretches(): void {
  engine.gatherStretched = gatherStretched;
  engine.forgetStretches = forgetStretches;
  engine.turnBeside = turnBeside;
}

const upReader: Reader = {
  test: (draft, term) => ({ kind: "above", ...wayFor(draft, term) }),
  way: wayFor,
};

/** It leaves nobody out. Its way is the first of all: it says which row is how deep. */
const cascadeReader: Reader = {
  lead(draft, term) {
    const { definition } = questionIn(draft, term.of[0]);
    if (definition.kind !== "component" || definition.holds === "nothing")
      refuse(`cascade(${definition.name}) needs a component that has values`);
    const direction = term.isDescending ? -1 : 1;
    const { way } = wayFor(draft, term);
    if (draft.cascade === 0) draft.cascade = direction;
    else if (draft.cascade !== direction || draft.traversals[0]!.relation !== draft.traversals[way]!.relation)
      refuse("cascade terms of one query go along one relation in one direction");
  },
  demand: (draft, term) => give(draft, giftOf({ kind: "above", ...wayFor(draft, term) })),
  way: wayFor,
};

/** Equal ways stand in the list of the plan once. */
function wayFor(draft: Draft, { operator, of, by }: Wrapped): Above {
  const relation = relationOf(by);
  const what = questionIn(draft, of[0]);
  if (isVariable(what.target)) refuse(`${operator} takes no variables`);
  const self = operator === "selfOrUp";
  const { traversals } = draft;
  const asked = { relation, what, self };
  const key = keyOfTraversals([asked]);
  const known = traversals.findIndex((one) => keyOfTraversals([one]) === key);
  const way = known < 0 ? traversals.push(asked) - 1 : known;
  if (namesTarget(what)) {
    draft.namesEntity = true;
    if (self) note(draft.ownPairs, way);
  }
  return { ...what, way, self };
}

/** The relation that a term goes along. @throws TreelineError `bad-query` for one that cannot be followed. */
export function relationOf(by: unknown): Definition {
  const relation = (by ?? ChildOf) as AnyKindOfRelation;
  if (relation === Parent) refuse("ChildOf covers both storages of parents; use it in place of Parent");
  if (relation?.kind !== "relation" || relation === Any || !relation.traversable)
    refuse(
      `${relation?.name ?? shown(by)} cannot be followed; define it as a relation with traversable: true`,
    );
  return relation;
}
