/** What observers must receive: after a step, compares the observed events with the differences in the twin. */
import type { Change } from "../step/events.ts";
import { changeKey, changesOf, differencesOf } from "../step/events.ts";
import { same } from "../step/same.ts";
import type { Step } from "../step/step.ts";
import { rowsOf } from "../step/step.ts";
import { carriesValue, numberOf, relationRulesOf, rules } from "../step/vocabulary.ts";
import type { NaiveTerm, Twin } from "../twin/rules.ts";
import type { NaiveWorld } from "../twin/world.ts";
import { resolveId } from "../twin/world.ts";
import type { ObservedEvent } from "./observe.ts";

/** A single verb, which reports each change at most once. */
export function isPlain(step: Step): boolean {
  switch (step.verb) {
    case "burst":
    case "iterate":
    case "within":
    case "record":
    case "applyCommands":
    case "discardCommands":
    case "ensurePath":
    case "place": // it may spawn ancestors
      return false;
    case "changeInside":
      return step.step.verb !== "rename"; // it may be carried out
    case "spawnMany": // each one takes the partner of the one before
    case "spawnRows":
      return step.spawned.length === 1 || !hasSymmetric(step.terms);
    case "addMany":
      return new Set(step.list).size === 1 || !hasSymmetric(step.terms);
    default:
      return true;
  }
}

function hasSymmetric(terms: readonly NaiveTerm[]): boolean {
  return terms.some(({ what }) => relationRulesOf(what)?.symmetric);
}

/** What entities have, as far as events have reported it; kept from the events only. */
export type ObservedState = Set<string>;

/** @throws Error if an addition is reported twice, a removal without an addition, or if the twin differs. */
export function compareObservedState(
  observedState: ObservedState,
  naive: NaiveWorld,
  observed: readonly ObservedEvent[],
): void {
  for (const one of observed) {
    const key = changeKey(one);
    if (one.kind === "added") {
      if (observedState.has(key)) throw new Error(`${key} was added twice`);
      observedState.add(key);
    } else if (one.kind === "removed" && !observedState.delete(key))
      throw new Error(`${key} was removed and never added`);
  }
  const left = new Set(observedState);
  for (const [entity, record] of naive.living) {
    for (const change of changesOf(entity, record)) {
      if (!left.delete(changeKey(change))) throw new Error(`${changeKey(change)} was never reported`);
    }
  }
  if (left.size > 0) throw new Error(`never reported as removed: ${[...left].join(", ")}`);
}

/** Compares the events of a single-verb step; a refused step has none. */
export function compareEvents(
  naive: NaiveWorld,
  step: Step,
  isDone: boolean,
  observed: readonly ObservedEvent[],
): void {
  if (!isDone) {
    same(observed.length, 0, () => "events of a refused step");
    return;
  }
  const { removed, added } = differencesOf(naive);
  compareChanges(observed, "removed", removed);
  compareChanges(observed, "added", added);
  compareValues(naive, step, observed);
  compareRenumbered(naive, step, observed);
  compareOrders(naive, observed);
  for (const one of observed) compareTargets(naive, one);
  compareEventOrder(observed);
  if (step.verb === "destroy") compareDestroyOrder(naive, [step.entity], observed);
  if (step.verb === "destroyMany") compareDestroyOrder(naive, step.list, observed);
}

function compareChanges(
  observed: readonly ObservedEvent[],
  kind: ObservedEvent["kind"],
  expected: ReadonlyMap<string, Change>,
): void {
  const actual = observed.filter((one) => one.kind === kind).map(changeKey);
  same(actual.sort(), [...expected.keys()].sort(), () => `reported as ${kind}`);
}

/** Values that were passed are reported; default values are not. */
function compareValues(naive: NaiveWorld, step: Step, observed: readonly ObservedEvent[]): void {
  const actual = observed.filter(({ kind }) => kind === "set").map(changeKey);
  same(actual.sort(), givenBy(naive, step).map(changeKey).sort(), () => "reported as set");
}

/** The values that a completed step has set, including names that were changed because an entity arrived in a scope. */
export function givenBy(naive: NaiveWorld, step: Step): Change[] {
  const given = givenIn(naive, step);
  return [
    ...given,
    ...renumberedIn(naive, given).map((entity) => ({ entity, what: "Name", target: undefined })),
  ];
}

function givenIn(naive: NaiveWorld, step: Step): Change[] {
  const given: Change[] = [];
  const give = (entity: Twin, { what, target, value }: NaiveTerm): void => {
    if (value !== undefined && carriesValue(what))
      given.push({ entity, what, target: target as Twin | undefined });
  };
  if (step.verb === "spawn" || step.verb === "spawnMany") {
    for (const spawned of step.spawned) for (const term of step.terms) give(spawned, term);
  } else if (step.verb === "spawnRows") {
    for (const [at, terms] of rowsOf(step).entries()) for (const term of terms) give(step.spawned[at]!, term);
  } else if (step.verb === "addMany") {
    for (const entity of new Set(step.list)) for (const term of step.terms) give(entity, term);
  } else if (step.verb === "nameMany") {
    for (const entity of new Set(step.list)) {
      const name = step.names[step.list.indexOf(entity)]!;
      if (hasNewName(naive, { entity, name })) give(entity, { what: "Name", value: name });
    }
  } else if (step.verb === "add") for (const term of step.terms) give(step.entity, term);
  else if (step.verb === "clone") given.push(...valuesOfClones(naive, step));
  else if (step.verb === "set") give(step.entity, step.term);
  else if (step.verb === "patch" && naive.before.has(step.entity)) give(step.entity, step.term);
  else if (step.verb === "rename" && hasNewName(naive, step)) give(step.entity, { what: "Name", value: "" });
  return given;
}

/** Entities whose name has changed although the step did not set it. */
function renumberedIn({ before, living }: NaiveWorld, given: readonly Change[]): Twin[] {
  const found: Twin[] = [];
  const isGiven = (twin: Twin): boolean =>
    given.some(({ entity, what }) => entity === twin && what === "Name");
  for (const [twin, former] of before) {
    const [had, has] = [former, living.get(twin)].map((record) => record?.objects.get("Name"));
    if (had !== undefined && has !== undefined && had !== has && !isGiven(twin)) found.push(twin);
  }
  return found;
}

/**
 * If a move appends a number to a name, the new name is reported after all other events of the move. In a destruction, entities
 * lose one pair after the other, and may move with any of them.
 */
function compareRenumbered(naive: NaiveWorld, step: Step, observed: readonly ObservedEvent[]): void {
  if (step.verb === "destroy" || step.verb === "destroyMany" || step.verb === "destroyWhere") return;
  const given = givenIn(naive, step);
  for (const twin of renumberedIn(naive, given)) {
    const own = observed.filter(({ entity, kind }) => entity === twin && kind !== "reordered");
    const actual = own.findIndex(({ kind, what }) => kind === "set" && what === "Name");
    const isLate = own.slice(actual).every(({ kind }) => kind === "set");
    if (!isLate) throw new Error(`the new name of e${twin} was reported before the other events of its move`);
  }
}

/** A clone reports all of its values as set, except for terms that were passed without a value, and what these require. */
function valuesOfClones(naive: NaiveWorld, step: Extract<Step, { verb: "clone" }>): Change[] {
  const { before, living } = naive;
  const blank = step.terms.filter(({ value }) => value === undefined).map((term) => resolveId(naive, term));
  const spawned = [...before].filter(([, former]) => former === undefined).map(([twin]) => twin);
  const changes = spawned.flatMap((twin) => changesOf(twin, living.get(twin)));
  const isBlank = ({ entity, what, target }: Change): boolean =>
    entity === step.spawned && blank.some((id) => id.what === what && id.target === target);
  const isRequired = ({ entity, what }: Change): boolean => naive.completed.has(`${entity} ${what}`);
  return changes.filter((change) => carriesValue(change.what) && !isBlank(change) && !isRequired(change));
}

/** A name that is equal to the current one is not set again. */
function hasNewName({ before }: NaiveWorld, { entity, name }: { entity: Twin; name: string }): boolean {
  return before.get(entity)?.objects.get("Name") !== name;
}

/** Events of exclusive relations have both targets; others have none. */
function compareTargets(
  naive: NaiveWorld,
  { kind, entity, what, target, oldTarget, newTarget }: ObservedEvent,
): void {
  if (kind === "set" || kind === "reordered") return;
  const isExclusive = target !== undefined && relationRulesOf(what)?.exclusive === true;
  const targetBy = (
    record: NaiveWorld["living"] extends Map<Twin, infer B> ? B | undefined : never,
  ): Twin | undefined =>
    what === "ChildOf" ? record?.parent : [...(record?.pairs.get(what)?.keys() ?? [])][0];
  const label = (end: string) => (): string => `${end} target of ${kind} ${what} of e${entity}`;
  same(oldTarget, isExclusive ? targetBy(naive.before.get(entity)) : undefined, label("old"));
  same(newTarget, isExclusive ? targetBy(naive.living.get(entity)) : undefined, label("new"));
}

/** For each entity, removals come before additions; tags and components come in the order of definition, before pairs. */
function compareEventOrder(observed: readonly ObservedEvent[]): void {
  const last = new Map<Twin, { kind: string; number: number }>();
  for (const { kind, entity, what, target } of observed) {
    if (kind === "set" || kind === "reordered") continue;
    const number = target === undefined ? numberOf(what) : Number.POSITIVE_INFINITY;
    const former = last.get(entity);
    if (former?.kind === "added" && kind === "removed")
      throw new Error(`e${entity} was given something before it lost ${what}`);
    const isUnlike = former === undefined || former.kind !== kind;
    if (!isUnlike && former.number > number && kind === "added")
      throw new Error(`${what} of e${entity} was reported late`);
    last.set(entity, { kind, number });
  }
}

/** Children whose order has changed are reported once; if other children arrived between them, either is correct. */
function compareOrders(naive: NaiveWorld, observed: readonly ObservedEvent[]): void {
  const actual = observed.filter(({ kind }) => kind === "reordered");
  for (const [parent, former] of naive.before) {
    const now = naive.living.get(parent);
    const count = actual.filter(({ entity }) => entity === parent).length;
    if (former === undefined || now === undefined) {
      same(count, 0, () => `reported as reordered below e${parent}`);
      continue;
    }
    const before = former.children.filter((child) => now.children.includes(child));
    const after = now.children.filter((child) => before.includes(child));
    const isMoved = before.some((child, at) => child !== after[at]);
    const isAtTheEnd = after.every((child, at) => child === now.children[at]);
    if (isMoved || isAtTheEnd) same(count, isMoved ? 1 : 0, () => `reported as reordered below e${parent}`);
  }
  for (const { entity } of actual)
    if (!naive.before.has(entity)) throw new Error(`e${entity} was reported as reordered`);
}

/** Children come before parents and siblings in order, if only the tree has caused the destructions; several in their order. */
function compareDestroyOrder(
  naive: NaiveWorld,
  roots: readonly Twin[],
  observed: readonly ObservedEvent[],
): void {
  const order: Twin[] = [];
  const walk = (twin: Twin): void => {
    if (order.includes(twin) || !naive.before.has(twin)) return;
    for (const child of naive.before.get(twin)?.children ?? []) walk(child);
    order.push(twin);
  };
  for (const root of roots) walk(root);
  const destroyed = [...naive.before.keys()].filter((twin) => !naive.living.has(twin));
  if (destroyed.length !== order.length) return;
  const deleting = Object.keys(rules.relations).filter(
    (what) => relationRulesOf(what)?.onTargetDestroy === "delete",
  );
  if (destroyed.some((twin) => deleting.some((what) => naive.before.get(twin)?.pairs.has(what)))) return;
  const actual = observed.filter(({ entity, what }) => what === "ChildOf" && order.includes(entity));
  same(
    actual.map(({ entity }) => entity),
    order.filter((twin) => naive.before.get(twin)?.parent !== undefined),
    () => "order of destruction",
  );
}
