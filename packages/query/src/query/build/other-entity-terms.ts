// `up`, `selfOrUp`, `cascade`, `on`, `singleton`, `variable`: what they accept; when a variable needs no search (`freePathOf`).
import type { AnyKindOfRelation, Component, Definition, Entity, Tag, Variable } from "@treeline/core";
import { Any, ChildOf } from "@treeline/core";
import { ANY, Life, Parent, requireOptions, shown } from "@treeline/core/internal";
import { isOfRows } from "../../match/ancestors.ts";
import {
  evaluateAbove,
  evaluateChangedAbove,
  evaluateChangedBelow,
  evaluators,
} from "../../match/evaluate.ts";
import type { Plain, ReadOf, Wrapped } from "../../term/operators.ts";
import { isVariable, isWrapped, numberVariable } from "../../term/operators.ts";
import type { Above, Draft, FixedSource, FixedSourceTest, FreePath, Leaf, Output } from "../../term/plan.ts";
import { keyOfTraversals, leavesOf, namesTarget, outputOf } from "../../term/plan.ts";
import type { Reader, VariableReader } from "../../term/read.ts";
import {
  addClause,
  addOnce,
  addOutput,
  demandTest,
  parsedIn,
  placeOf,
  readers,
  refuse,
  requireHandle,
  testOf,
  wrap,
} from "../../term/read.ts";
import { forgetBatches } from "../batches/batches.ts";
import { joinsHold, listJoined } from "../joins/solve.ts";
import { targetsAbove } from "../joins/targets-above.ts";
import { aboveBinder, binders, fixedSourceBinder, variableBinder } from "../outputs/bindings.ts";
import { collectBelow, findBelow } from "../rows/below-changed.ts";
import { findFixedSource, hasFalseFixedSource } from "../rows/list-rows.ts";
import { listBatched } from "../rows/with-ancestors.ts";
import { engine, turnToJoined } from "../state/iteration-state.ts";

/** Options of `up` and `selfOrUp`. */
export interface UpOptions {
  /** The relation to follow; it must be traversable. Default ChildOf, which covers both storages of parents. */
  readonly relation?: AnyKindOfRelation | undefined;
}

/**
 * Matches entities with an ancestor that has it, the entity itself excluded. The nearest such ancestor is the source; callbacks
 * get its value, read-only. `maybe(up(C))` does not filter, `not(up(C))` matches the others.
 *
 * Along a relation with many targets, the branch of the one that has the lowest index is followed to its end first.
 *
 * A pair may have a variable: `up(Team(team))` matches once for each target that an ancestor has, or with the target that is bound
 * or found by other terms.
 *
 * @cost the world keeps lists of all rows that have a target along the relation, shared by queries with the same paths: about 12
 *   bytes a table, and an entity if some store their parent as a value, 12 bytes a row and 4 more for each further path, and room
 *   to grow; for queries that name an entity, only the 256 most recently used lists. What moved is filed again before the next
 *   iteration, along relations with many targets everything; else an iteration takes some dozen nanoseconds for each batch.
 * @cost then all ancestors of each row that the other terms leave. It must be a term of its own, or inside `not` with `$this`:
 *   `not(on($this, up(Team(team))))`; relations with values are refused.
 * @throws TreelineError `bad-query` for options that are not an options object, such as the relation itself.
 *
 * @example
 * const lit = query(world, Mesh, up(Light));
 */
export function up<const T extends Plain>(what: T, options: UpOptions = {}): Wrapped<"up", ReadOf<T>> {
  installAncestors();
  engine.targetsAbove = targetsAbove;
  return wrap("up", upReader, [what], relationIn("up", options));
}

/**
 * Like `up`, but an entity that has it itself is its own source: callbacks get its own value.
 *
 * @cost as `up`.
 * @throws TreelineError as `up`.
 */
export function selfOrUp<const T extends Plain>(
  what: T,
  options: UpOptions = {},
): Wrapped<"selfOrUp", ReadOf<T>> {
  installAncestors();
  engine.targetsAbove = targetsAbove;
  return wrap("selfOrUp", upReader, [what], relationIn("selfOrUp", options));
}

/** Options of `cascade`. */
export interface CascadeOptions extends UpOptions {
  /** Children before their parents. Default false. */
  readonly desc?: boolean | undefined;
}

/**
 * Iterates parents before their children, and passes the component of the nearest ancestor that has it, read-only; `undefined`
 * where no ancestor has it, as for roots. It does not filter: add a term of its own for the component itself, or `up` to
 * require an ancestor. Depth along a relation with many targets is that of the longest path.
 *
 * A query accepts several, if they follow one relation in one direction; `query` refuses others, and `what` without values,
 * with `bad-query`.
 *
 * @cost as `up`.
 * @throws TreelineError as `up`.
 *
 * @example
 * const placed = query(world, Local, World, cascade(World));
 */
export function cascade<Row>(
  what: Component<Row>,
  options: CascadeOptions = {},
): Wrapped<"cascade", Readonly<Row> | undefined> {
  installAncestors();
  return wrap("cascade", cascadeReader, [what], relationIn("cascade", options), options?.desc === true);
}

/** @throws TreelineError `bad-query` for options that are not an options object, such as the relation itself. */
function relationIn(operator: string, options: UpOptions): unknown {
  if (typeof options === "object" && options !== null && !("kind" in options)) {
    CHECK: {
      const known = operator === "cascade" ? (["relation", "desc"] as const) : (["relation"] as const);
      requireOptions<CascadeOptions>(operator, options, known, "bad-query");
    }
    return options.relation;
  }
  return refuse(
    `${operator} accepts its relation in an object: ${operator}(${operator === "below" ? "changed(Place)" : operator === "cascade" ? "Place" : "Light"}, { relation: WiredTo })`,
  );
}

/**
 * Matches entities below one that changed since the query last read changes, at any depth, but not that one itself:
 * `below(changed(C))`, `below(added(C))`, `below(removed(C))`, and `below(changed(ChildOf))` for all whose ancestors are others
 * now. An ancestor that got C has changed; one that lost it is told by `below(removed(C))` alone. Trees are those of this moment. `changed(up(C))` tells only of the nearest ancestor that has the component.
 *
 * The first iteration matches everything below an entity that has it. Disabled ancestors count.
 *
 * @cost once an iteration, a look at each archetype, and everything below the entities that changed; where the term is required,
 *   alone or in an `or` of changes, rows of other entities are not read. 8 bytes for each entity index. Else as `changed`.
 * @throws TreelineError `bad-query` for options that are not an options object; `query` throws it for other operands.
 *
 * @example
 * // the entities whose place in the world must be computed again, while none loses its Local
 * query(world, Local, or(changed(Local), changed(ChildOf), below(changed(Local)), below(changed(ChildOf))));
 */
export function below(
  what: Wrapped<"changed" | "added" | "removed">,
  options: UpOptions = {},
): Wrapped<"below", undefined> {
  evaluators["changed below"] = evaluateChangedBelow;
  engine.findBelow = findBelow;
  engine.collectBelow = collectBelow;
  return wrap("below", belowReader, [what], relationIn("below", options));
}

const belowReader: Reader = {
  test(draft, { of, by }) {
    const { namesDisabled, namesPrefab } = draft;
    const change = isWrapped(of[0]) ? testOf(draft, of[0]) : undefined;
    if (change?.kind !== "changed")
      refuse("below accepts changes of the entities above: below(changed(C)), added, removed");
    Object.assign(draft, { namesDisabled, namesPrefab }); // the term is about other entities
    const { definition } = change;
    const place = draft.tracked.length; // which grows with each change
    return { kind: "changed below", what: change, definition, relation: relationOf(by), place };
  },
};

function installAncestors(): void {
  installBatches();
  evaluators.above = evaluateAbove;
  evaluators["changed above"] = evaluateChangedAbove;
  binders.above = aboveBinder;
}

/** Installs what queries with ancestors or variables need. */
function installBatches(): void {
  engine.listBatched = listBatched;
  engine.forgetBatches = forgetBatches;
  engine.turnToJoined = turnToJoined;
}

const upReader: Reader = {
  demand(draft, term) {
    const { target } = parsedIn(draft, term.of[0]);
    if (isVariable(target)) demandAbove(draft, term);
    else demandTest(draft, { kind: "above", ...upPathFor(draft, term) });
  },
  test: (draft, term) => ({ kind: "above", ...upPathFor(draft, term) }),
  path: upPathFor,
};

/** The variable is each target that an ancestor has; nothing is passed. */
function demandAbove(draft: Draft, { operator, of, by }: Wrapped): void {
  const { definition, target } = parsedIn(draft, of[0]);
  if (definition.holds !== "nothing") refuse(`${operator}(${definition.name}(variable)) cannot pass values`);
  const self = operator === "selfOrUp";
  draft.joins.push({ subject: 0, definition, target, clause: -1, above: relationOf(by), self });
}

/** It does not filter. Its path is the first of all: it decides the depth of rows. */
const cascadeReader: Reader = {
  lead(draft, term) {
    const { definition } = parsedIn(draft, term.of[0]);
    if (definition.kind !== "component" || definition.holds === "nothing")
      refuse(`cascade(${definition.name}) needs a component that has values`);
    const direction = term.isDescending ? -1 : 1;
    const { path } = upPathFor(draft, term);
    if (draft.cascade === 0) draft.cascade = direction;
    else if (
      draft.cascade !== direction ||
      draft.traversals[0]!.relation !== draft.traversals[path]!.relation
    ) {
      let text = "cascades differ";
      CHECK: text = "cascade terms of one query must follow one relation in one direction";
      refuse(text);
    }
  },
  demand: (draft, term) => addOutput(draft, outputOf({ kind: "above", ...upPathFor(draft, term) })),
  path: upPathFor,
};

/** Equal paths are in the list of the plan once. */
function upPathFor(draft: Draft, { operator, of, by }: Wrapped): Above {
  const relation = relationOf(by);
  const what = parsedIn(draft, of[0]);
  if (isVariable(what.target)) {
    let text = `${operator} accepts no variables`;
    CHECK: text = `${operator} accepts no variables inside or, maybe, on and changed`;
    refuse(text);
  }
  const self = operator === "selfOrUp";
  const traversal = { relation, what, self };
  const known = draft.traversals.map((one) => keyOfTraversals([one])).indexOf(keyOfTraversals([traversal]));
  const path = known < 0 ? draft.traversals.push(traversal) - 1 : known;
  draft.namesEntity ||= namesTarget(what);
  if (self && isOfRows(what)) addOnce(draft.ownPairs, path);
  return { ...what, path, self };
}

/** The relation that a term follows. @throws TreelineError `bad-query` for one that cannot be followed. */
export function relationOf(by: unknown): Definition {
  const relation = (by ?? ChildOf) as AnyKindOfRelation;
  if (relation === Parent) {
    let text = "use ChildOf in place of Parent";
    CHECK: text = "ChildOf covers both storages of parents; use it in place of Parent";
    refuse(text);
  }
  if (relation?.kind !== "relation" || relation === Any || !relation.traversable) {
    let text = `${relation?.name ?? shown(by)} cannot be followed`;
    CHECK: text += "; define it as a relation with traversable: true";
    refuse(text);
  }
  return relation;
}

/**
 * A term about a fixed source, which is one given entity or a variable, in place of the matching entity: `on(game, Paused)`. If
 * it does not hold, nothing matches. Callbacks get the value of the source, read-only. `up` and `selfOrUp` may be inside.
 *
 * With a variable, terms are joined: `query(world, DockedTo(ship), on(ship, MemberOf(team)), MemberOf(team))`.
 *
 * @cost one read of the entity before each iteration; for a variable that is free, one for each entity that fits. With `up` inside,
 *   each read goes up step by step.
 */
export function on<const T extends Plain | Wrapped<"up" | "selfOrUp">>(
  entity: Entity | Variable,
  what: T,
): Wrapped<"on", ReadOf<T>> {
  installFixedSources();
  return wrap("on", fixedSourceReader, [what], entity);
}

/**
 * A component on its own component entity: one value for the whole world. `add(world, entityOf(world, Time), Time)` makes it.
 * Callbacks get the value, read-only; while it does not exist, nothing matches.
 *
 * @cost as `on`.
 */
export function singleton<const T extends Component | Tag>(what: T): Wrapped<"on", ReadOf<T>> {
  installFixedSources();
  return wrap("on", fixedSourceReader, [what], what);
}

function installFixedSources(): void {
  engine.findFixedSource = findFixedSource;
  engine.hasFalseFixedSource = hasFalseFixedSource;
  binders.on = fixedSourceBinder;
}

const fixedSourceReader: Reader = {
  demand(draft, term) {
    const test = fixedSourceTest(draft, term);
    const { source, definition, target, relation } = draft.fixedSources[test.fixed]!;
    if (relation !== undefined || !(isVariable(source) || isVariable(target))) demandTest(draft, test);
    else {
      draft.joins.push({ subject: source, definition, target, clause: -1 });
      addOutput(draft, outputOf(test));
    }
  },
  test: fixedSourceTest,
};

/** Equal requirements of a given entity are in the list of the plan once. */
function fixedSourceTest(draft: Draft, { of, by }: Wrapped): FixedSourceTest {
  const what = of[0];
  const above = isWrapped(what) ? what : undefined;
  const self = above?.operator === "selfOrUp";
  if (above !== undefined && above.operator !== "up" && !self)
    refuse("on accepts a plain term, up or selfOrUp");
  if (isVariable(by)) addOnce(draft.variables, by);
  const parsed = parsedIn(draft, above === undefined ? what : above.of[0]);
  const { definition, target } = parsed;
  const relation = above === undefined ? undefined : relationOf(above.by);
  const isSingleton = typeof by === "function";
  if (isSingleton && definition.kind === "relation") refuse("singleton accepts a component or tag");
  if (!isSingleton && !isVariable(by)) requireHandle(draft.world, by as Entity);
  const source = isSingleton ? 0 : (by as number);
  draft.namesEntity ||= source > 0 || (namesTarget(parsed) && !isVariable(target));
  const fixed = { definition, target, source, relation, self };
  const keys = Object.keys(fixed) as (keyof FixedSource)[];
  return { kind: "on", definition, target, fixed: placeOf(draft.fixedSources, fixed, keys) };
}

/**
 * A target that a query leaves open: `ChildOf(parent)`. Bind it to an entity with `bind`, or leave it free: then it is each
 * target in turn. Make it once, at module level, as definitions: each variable makes its own queries, and is never freed. The
 * same variable in several terms is the same entity.
 *
 * @example
 * const parent = variable("parent");
 * const childrenOf = query(world, Position, ChildOf(parent));
 * for (const ship of ships) eachRun(bind(childrenOf, parent, ship), draw);
 */
export function variable(name = "variable"): Variable {
  installBatches();
  engine.listJoined = listJoined;
  engine.joinsHold = joinsHold;
  binders.variable = variableBinder;
  readers.variable = variableReader;
  return numberVariable(name);
}

const variableReader: VariableReader = {
  demandPair(draft, { definition, target }) {
    // A reflexive pair is in no archetype: every entity has it with itself.
    const clause = definition.reflexive ? -1 : addClause(draft, "with", { definition, target: ANY });
    draft.joins.push({ subject: 0, definition, target, clause });
  },
  finish(draft) {
    const own = readers.own?.variable ?? 0;
    if (draft.variables.includes(own) && !draft.given.includes(own)) refuse("$this can only be inside not");
    const ends = [...draft.given, ...draft.joins.flatMap(({ subject, target }) => [subject, target])];
    if (!draft.variables.every((variable) => ends.includes(variable)))
      refuse("a variable needs a term that finds it: a pair such as ChildOf(variable), or on(variable, ...)");
    draft.freePath = freePathOf(draft);
  },
};

/** Undefined if free variables need a search. */
function freePathOf(draft: Draft): FreePath | undefined {
  const { variables, joins, traversals } = draft;
  const variable = variables[0]!;
  if (variables.length > 1 || draft.isWatching || draft.readsPairs) return undefined;
  if (draft.isSorted) return undefined;
  const gates: Definition[] = [];
  let relation: Definition | undefined;
  for (const { subject, definition, target, clause } of joins) {
    if (definition.storage !== "table") return undefined;
    if (subject === variable && target === 0 && definition.kind !== "relation") gates.push(definition);
    else if (subject === 0 && target === variable && relation === undefined && clause >= 0)
      relation = definition;
    else return undefined;
  }
  if (relation === undefined || !relation.keepsDepth || relation === Parent) return undefined;
  if (draft.leaves.some((leaf) => namesVariable(draft, leaf))) return undefined;
  if (draft.outputs.some((output) => needsMore(draft, output))) return undefined;
  const all = [...traversals, { relation, what: { definition: Life, target: 0 }, self: false }];
  return { variable, traversals: all, pathsKey: keyOfTraversals(all), gates };
}

function namesVariable({ fixedSources }: Draft, leaf: Leaf): boolean {
  if (leaf.kind === "exists") return true;
  if (leaf.kind === "changed" || leaf.kind === "changed below") return false;
  return isVariable(leaf.target) || (leaf.kind === "on" && isVariable(fixedSources[leaf.fixed]!.source));
}

/** Does an output that is not also a requirement depend on the variable by more than one of its components? */
function needsMore(draft: Draft, output: Output): boolean {
  if (output.kind === "flag") return leavesOf(output.test).some((leaf) => namesVariable(draft, leaf));
  if (output.kind !== "on" || isVariable(output.target)) return output.kind === "on";
  const { relation, source } = draft.fixedSources[output.fixed]!;
  return relation !== undefined && isVariable(source);
}
