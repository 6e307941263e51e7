/** Picks query descriptions of every kind over the vocabulary of a walk, with dice of their own. */
import type { Chooser } from "../choose/terms.ts";
import { aliveEntity, definitionsByEntity, shuffled, storageFor, tagFor } from "../choose/terms.ts";
import type { Command } from "../step/step.ts";
import { carriesValue, isTraversable, relationRulesOf } from "../step/vocabulary.ts";
import type { Twin } from "../twin/rules.ts";
import type { Above, OrderBy, QueryDescription, QueryTerm, Variable } from "./twin.ts";
import { isVariable, variablesIn, watchedIn } from "./twin.ts";
import { isTracked } from "./twin-changes.ts";
import { GROUPINGS } from "./twin-order.ts";
import type { OwnWrites, Writing } from "./writes.ts";
import { numberFields } from "./writes.ts";

const MOST_TERMS = 8;
const DEEPEST = 3;
/** Fields with a total order: no value is NaN. */
const FIELDS: readonly Omit<OrderBy, "desc">[] = [
  { what: "Health", field: "points" },
  { what: "Health", field: "awake" },
  { what: "Clock", field: "ticks" },
  { what: "Mesh", field: "" },
];

export function chooseDescription(chooser: Chooser): QueryDescription {
  const { dice } = chooser;
  const terms: QueryTerm[] = dice.chance(0.25) ? joined(chooser) : [];
  const count = dice.chance(0.1) ? MOST_TERMS : 1 + dice.below(3);
  const open = variablesIn(terms);
  while (terms.length < count) terms.push(topTerm(chooser, open));
  if (dice.chance(0.25)) terms.push(...cascades(chooser).slice(0, MOST_TERMS - terms.length));
  const [first] = open;
  return {
    terms: shuffled(dice, terms.slice(0, MOST_TERMS)),
    ...(first !== undefined && dice.chance(0.4) ? { bound: { [first]: targetFor(chooser) } } : {}),
    ...(dice.chance(0.25) ? orderOrTree(chooser) : {}),
    ...(dice.chance(0.12) ? { groupBy: groupFor(chooser) } : {}),
  };
}

// ---- terms -------------------------------------------------------------------------------------------------------

function topTerm(chooser: Chooser, open: readonly Variable[]): QueryTerm {
  const { dice } = chooser;
  const luck = dice.below(20);
  if (luck < 8) return something(chooser);
  if (luck < 11) return { kind: "maybe", term: maybeTerm(chooser, open) };
  if (luck < 13) return upTerm(chooser);
  if (luck < 14) return changeTerm(chooser);
  if (luck < 15) return onTerm(chooser);
  if (luck < 17) return orTerm(chooser, open, DEEPEST);
  if (dice.chance(0.4)) return noneTerm(chooser, open);
  return {
    kind: "not",
    term: filter(chooser, open, DEEPEST - 1),
  };
}

/** Terms that are allowed in `not`, `or` and `all`. */
function filter(chooser: Chooser, open: readonly Variable[], depth: number): QueryTerm {
  const { dice } = chooser;
  const luck = dice.below(12);
  if (depth > 0 && luck === 0) return { kind: "not", term: filter(chooser, open, depth - 1) };
  if (depth > 0 && luck === 1) return orTerm(chooser, open, depth);
  if (depth > 0 && luck <= 3) return { kind: "all", terms: several(chooser, open, depth) };
  if (luck === 4) return upTerm(chooser);
  if (luck === 5) return onTerm(chooser);
  if (luck === 6) return changeTerm(chooser);
  if (luck === 7 && open.length > 0) return pairWith(chooser, dice.pick(open));
  if (luck === 8 && dice.chance(0.3)) return noneTerm(chooser, open);
  return something(chooser);
}

/** A `not` with variables of its own, or about the entity itself. */
function noneTerm(chooser: Chooser, open: readonly Variable[]): QueryTerm {
  const { dice } = chooser;
  const on = (source: Variable, term: QueryTerm): QueryTerm => ({ kind: "on", source, term });
  const own = on("$c", pairWith(chooser, "$this"));
  const has = on("$c", something(chooser));
  switch (dice.below(8)) {
    case 0:
      return { kind: "none", locals: ["$c"], terms: [on("$this", pairWith(chooser, "$c")), has] };
    case 1:
      return {
        kind: "none",
        locals: ["$c", "$d"],
        terms: [own, on("$d", pairWith(chooser, "$c")), something(chooser)],
      };
    case 2:
      return {
        kind: "none",
        locals: ["$c"],
        terms: [own, { kind: "or", terms: [has, on("$c", something(chooser))] }],
      };
    case 3: {
      const inner: QueryTerm = {
        kind: "none",
        locals: ["$d"],
        terms: [on("$d", pairWith(chooser, "$c")), something(chooser)],
      };
      return { kind: "none", locals: ["$c"], terms: [own, inner] };
    }
    case 4:
      return open.length === 0
        ? { kind: "none", locals: ["$c"], terms: [own, { kind: "not", term: has }] }
        : { kind: "none", locals: ["$c"], terms: [own, on("$c", pairWith(chooser, dice.pick(open)))] };
    case 5:
      return {
        kind: "none",
        locals: ["$c"],
        terms: [upTo(chooser, "$c"), has, on("$this", upTerm(chooser))],
      };
    default:
      return { kind: "none", locals: ["$c"], terms: shuffled(dice, [own, has]) };
  }
}

function upTo(chooser: Chooser, variable: Variable): QueryTerm {
  const { dice, palette } = chooser;
  const plain = palette.relations.filter((one) => !carriesValue(one));
  const what = plain.length === 0 || dice.chance(0.5) ? "ChildOf" : dice.pick(plain);
  return { kind: "upTo", what, variable, relation: upPathFor(chooser) };
}

function several(chooser: Chooser, open: readonly Variable[], depth: number): QueryTerm[] {
  return Array.from({ length: 1 + chooser.dice.below(3) }, () => filter(chooser, open, depth - 1));
}

function orTerm(chooser: Chooser, open: readonly Variable[], depth: number): QueryTerm {
  return { kind: "or", terms: [filter(chooser, open, depth - 1), ...several(chooser, open, depth)] };
}

function maybeTerm(chooser: Chooser, open: readonly Variable[]): QueryTerm {
  const { dice } = chooser;
  const luck = dice.below(8);
  if (luck === 0) return upTerm(chooser);
  if (luck === 1) return onTerm(chooser);
  if (luck === 2 && open.length > 0) return pairWith(chooser, dice.pick(open));
  return something(chooser);
}

/** A tag, a component, a pair, a wildcard or an entity as a tag. */
function something(chooser: Chooser): Extract<QueryTerm, { kind: "has" }> {
  const { dice, palette } = chooser;
  const luck = dice.below(20);
  if (luck < 4) return { kind: "has", what: tagFor(chooser) };
  if (luck < 11) return { kind: "has", what: dice.pick([...palette.components, "Name"]) };
  if (luck === 11) return { kind: "has", what: "Any", target: dice.chance(0.3) ? "Any" : targetFor(chooser) };
  if (luck === 12) {
    const target = aliveEntity(chooser);
    // A component entity as a tag means its definition, with its values.
    return definitionsByEntity(chooser, target) === undefined
      ? { kind: "has", what: "Is", target }
      : { kind: "has", what: "Lit" };
  }
  const what = dice.chance(0.4) ? dice.pick(["ChildOf", storageFor(chooser)]) : dice.pick(palette.relations);
  return { kind: "has", what, target: dice.chance(0.35) ? "Any" : targetFor(chooser) };
}

/** Usually a living entity, now and then one that is destroyed or not spawned yet. */
function targetFor(chooser: Chooser): Twin {
  const { dice, nextTwin } = chooser;
  return dice.chance(0.1) && nextTwin > 1 ? 1 + dice.below(nextTwin - 1) : aliveEntity(chooser);
}

function upTerm(chooser: Chooser): Extract<Above, { kind: "up" | "selfOrUp" }> {
  const { dice } = chooser;
  const { what, target } = something(chooser);
  const kind = dice.pick(["up", "up", "selfOrUp"] as const);
  const relation = upPathFor(chooser);
  return target === undefined || isVariable(target)
    ? { kind, what, relation }
    : { kind, what, target, relation };
}

function upPathFor({ dice, palette }: Chooser): string {
  return dice.chance(0.6) ? "ChildOf" : dice.pick(palette.relations.filter(isTraversable));
}

function cascades(chooser: Chooser): QueryTerm[] {
  const { dice, palette } = chooser;
  const relation = upPathFor(chooser);
  const desc = dice.chance(0.3);
  return shuffled(dice, palette.components)
    .slice(0, dice.chance(0.25) ? 2 : 1)
    .map((what) => ({ kind: "cascade", what, relation, desc }));
}

function onTerm(chooser: Chooser): QueryTerm {
  const { dice, palette } = chooser;
  if (dice.chance(0.2)) return { kind: "singleton", what: dice.pick([...palette.components, "Lit"]) };
  const isUp = dice.chance(0.3);
  return { kind: "on", source: targetFor(chooser), term: isUp ? upTerm(chooser) : something(chooser) };
}

function changeTerm(chooser: Chooser): QueryTerm {
  const { dice } = chooser;
  const change = changeOf(chooser);
  const isOfEntity = change.kind === "changed" || change.kind === "added" || change.kind === "removed";
  if (!isOfEntity || dice.chance(0.6)) return change;
  return { kind: "below", change: change.kind, what: change.what, relation: upPathFor(chooser) };
}

function changeOf(chooser: Chooser): QueryTerm {
  const { dice, palette } = chooser;
  if (dice.chance(0.25)) {
    const others = palette.relations.filter((one) => isTracked(one) && !carriesValue(one));
    const what = others.length === 0 || dice.chance(0.7) ? "ChildOf" : dice.pick(others);
    return { kind: dice.pick(["changed", "changed", "added", "removed"] as const), what };
  }
  const what = dice.pick(palette.components);
  const kind = dice.pick(["changed", "added", "removed", "above"] as const);
  if (kind === "changed") return { kind, what };
  if (kind !== "above") return { kind, what: dice.chance(0.7) ? what : dice.pick(["Lit", "Frozen"]) };
  const relation = upPathFor(chooser);
  return dice.chance(0.3)
    ? { kind: "changedAbove", of: { kind: "cascade", what, relation, desc: false } }
    : {
        kind: "changedAbove",
        of: {
          kind: dice.pick(["up", "selfOrUp"] as const),
          what,
          relation,
        },
      };
}

/** Queries like those of systems in each frame: change terms with few other terms. */
export function chooseWatching(chooser: Chooser): QueryDescription {
  const { dice } = chooser;
  const change = changeTerm(chooser);
  if (dice.chance(0.2)) return { terms: [{ kind: "or", terms: [change, changeTerm(chooser)] }] };
  const terms = dice.chance(0.2) ? [change, topTerm(chooser, [])] : [change];
  const [what] = watchedIn([change]);
  // The iteration itself often writes what is watched.
  return {
    terms: dice.chance(0.6) && carriesValue(what!) ? [{ kind: "has", what: what! }, ...terms] : terms,
  };
}

// ---- variables ---------------------------------------------------------------------------------------------------

/** Terms that bind one or two variables. */
function joined(chooser: Chooser): QueryTerm[] {
  const { dice } = chooser;
  const first = pairWith(chooser, "$a");
  const variableTerm: QueryTerm[] = dice.chance(0.5) ? [{ kind: "variable", variable: "$a" }] : [];
  switch (dice.below(8)) {
    case 6:
      return [upTo(chooser, "$a"), ...variableTerm];
    case 7:
      return [first, upTo(chooser, dice.pick(["$a", "$b"] as const)), ...variableTerm];
    case 0:
      return [first, ...variableTerm];
    case 1:
      return [first, pairWith(chooser, "$a"), ...variableTerm];
    case 2:
      return [first, pairWith(chooser, "$b"), ...variableTerm];
    case 3:
      return [first, { kind: "on", source: "$a", term: something(chooser) }, ...variableTerm];
    case 4:
      return [first, { kind: "on", source: "$a", term: pairWith(chooser, "$b") }, ...variableTerm];
    default:
      return [first, { kind: "on", source: "$b", term: pairWith(chooser, "$a") }, ...variableTerm];
  }
}

function pairWith(chooser: Chooser, target: Variable): Extract<QueryTerm, { kind: "has" }> {
  const { dice, palette } = chooser;
  const what = dice.chance(0.5) ? dice.pick(["ChildOf", storageFor(chooser)]) : dice.pick(palette.relations);
  return { kind: "has", what, target };
}

// ---- order -------------------------------------------------------------------------------------------------------

/** Often one, by a value of the entities themselves. */
function ordersFor(chooser: Chooser): OrderBy[] {
  const { dice } = chooser;
  return Array.from({ length: dice.chance(0.6) ? 1 : 2 + dice.below(2) }, () => orderFor(chooser));
}

/** Usually by a component that entities of the walk have. */
function orderFor(chooser: Chooser): OrderBy {
  const { dice, palette } = chooser;
  const desc = dice.chance(0.5);
  const usual = FIELDS.filter(({ what }) => palette.components.includes(what));
  return {
    ...dice.pick(usual.length > 0 ? usual : FIELDS),
    desc,
    ...(dice.chance(0.4) ? { compares: true } : {}),
    ...(dice.chance(0.35)
      ? { above: { kind: dice.pick(["up", "up", "selfOrUp"] as const), relation: upPathFor(chooser) } }
      : {}),
  };
}

/** By a value, or along the trees of a relation. */
function orderOrTree(chooser: Chooser): Pick<QueryDescription, "orderBy" | "inOrder"> {
  const { dice, palette } = chooser;
  if (dice.chance(0.5)) return { orderBy: ordersFor(chooser) };
  const others = palette.relations.filter(
    (what) => isTraversable(what) && relationRulesOf(what)?.exclusive === true,
  );
  return { inOrder: others.length === 0 || dice.chance(0.7) ? "ChildOf" : dice.pick(others) };
}

/** By targets, or by the key that a function returns. */
function groupFor(chooser: Chooser): string {
  const { dice } = chooser;
  return dice.chance(0.5) ? exclusiveFor(chooser) : dice.pick(GROUPINGS);
}

function exclusiveFor({ dice, palette }: Chooser): string {
  return dice.pick(palette.relations.filter((what) => relationRulesOf(what)?.exclusive === true));
}

/** Ordered by a value, and sometimes grouped. */
export function chooseOrdered(chooser: Chooser): QueryDescription {
  const orderBy = ordersFor(chooser);
  const terms = [
    chooser.dice.chance(0.7) ? ({ kind: "has", what: orderBy[0]!.what } as const) : something(chooser),
  ];
  return { terms, orderBy, ...(chooser.dice.chance(0.3) ? { groupBy: groupFor(chooser) } : {}) };
}

/** What `monitor` supports: what entities have, and what they do not have. */
export function chooseMonitored(chooser: Chooser): QueryDescription {
  const terms = Array.from({ length: 1 + chooser.dice.below(3) }, (): QueryTerm => {
    const term = something(chooser);
    return chooser.dice.chance(0.3) ? { kind: "not", term } : term;
  });
  return { terms };
}

/** The same in groups. What decides the key is named in a term. */
export function chooseMonitoredGroups(chooser: Chooser): QueryDescription {
  const { terms } = chooseMonitored(chooser);
  const groupBy = groupFor(chooser);
  const light: QueryTerm = { kind: "maybe", term: { kind: "has", what: "Lit" } };
  return { terms: groupBy === "by light" ? [...terms, light] : terms, groupBy };
}

/** A value that a read itself writes to its matches. */
export function chooseWritten(
  { dice, palette }: Chooser,
  { terms }: QueryDescription,
): OwnWrites | undefined {
  const plain = terms.flatMap((term) =>
    term.kind === "has" && term.target === undefined ? [term.what] : [],
  );
  const what = dice.pick(plain.length > 0 ? plain : [...watchedIn(terms), ...palette.components]);
  const fields = numberFields(what);
  return fields.length === 0 ? undefined : { what, field: dice.pick(fields), value: dice.below(100) };
}

/** A small change of a living entity whose effect is the same at any time, without side effects. */
export function chooseSmall(chooser: Chooser): Command {
  const { dice } = chooser;
  const entity = aliveEntity(chooser);
  const what = dice.pick(["Lit", "Frozen", "Disabled"] as const);
  return dice.chance(0.6) ? { verb: "add", entity, terms: [{ what }] } : { verb: "remove", entity, what };
}

/** A value for one field; if components are watched, of one of these. */
export function chooseWriting(chooser: Chooser, watched: readonly string[] = []): Writing | undefined {
  const { dice, palette } = chooser;
  const what = dice.pick(watched.length > 0 ? watched : palette.components);
  const fields = numberFields(what);
  if (fields.length === 0) return undefined;
  const method = dice.pick(["each", "eachRun", "patch", "mark"] as const);
  return { method, what, field: dice.pick(fields), value: dice.below(100), twin: aliveEntity(chooser) };
}
