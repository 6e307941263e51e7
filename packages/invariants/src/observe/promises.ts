/** What listeners were promised: after a step, what was heard is held against what has become different in the twin. */
import type { Fact } from "../step/events.ts";
import { differencesOf, factKey, factsOf } from "../step/events.ts";
import { same } from "../step/same.ts";
import type { Step } from "../step/step.ts";
import { carriesValue, numberOf, relationRulesOf, rules } from "../step/vocabulary.ts";
import type { SlowTerm, Twin } from "../twin/rules.ts";
import type { SlowWorld } from "../twin/world.ts";
import { meantBy } from "../twin/world.ts";
import type { Heard } from "./observe.ts";

/** A single verb, after which each fact has been told once, if at all. */
export function isPlain(step: Step): boolean {
  switch (step.verb) {
    case "burst":
    case "visit":
    case "within":
    case "ensurePath":
      return false;
    case "meddle":
      return step.step.verb !== "rename"; // that may be done
    case "spawnMany": // one after the other takes the partner of the one before
      return step.born.length === 1 || !step.terms.some(({ what }) => relationRulesOf(what)?.symmetric);
    default:
      return true;
  }
}

/** The facts that were told so far, kept by what was told alone. */
export type Mirror = Set<string>;

/** @throws Error if something was told twice, or was told to go and had never come, or if the twin knows otherwise. */
export function compareMirror(mirror: Mirror, slow: SlowWorld, heard: readonly Heard[]): void {
  for (const one of heard) {
    const key = factKey(one);
    if (one.kind === "added") {
      if (mirror.has(key)) throw new Error(`${key} was added twice`);
      mirror.add(key);
    } else if (one.kind === "removed" && !mirror.delete(key))
      throw new Error(`${key} was removed and never added`);
  }
  const left = new Set(mirror);
  for (const [entity, being] of slow.living) {
    for (const fact of factsOf(entity, being)) {
      if (!left.delete(factKey(fact))) throw new Error(`${factKey(fact)} was never told`);
    }
  }
  if (left.size > 0) throw new Error(`never told to be gone: ${[...left].join(", ")}`);
}

/** The promises about a plain step; if it was refused, nothing is told. */
export function comparePromises(slow: SlowWorld, step: Step, isDone: boolean, heard: readonly Heard[]): void {
  if (!isDone) {
    same(heard.length, 0, () => "events of a refused step");
    return;
  }
  const { removed, added } = differencesOf(slow);
  compareFacts(heard, "removed", removed);
  compareFacts(heard, "added", added);
  compareValues(slow, step, heard);
  compareRenumbered(slow, step, heard);
  compareOrders(slow, heard);
  for (const one of heard) compareEnds(slow, one);
  compareTurns(heard);
  if (step.verb === "destroy") compareDeaths(slow, step.entity, heard);
}

function compareFacts(
  heard: readonly Heard[],
  kind: Heard["kind"],
  expected: ReadonlyMap<string, Fact>,
): void {
  const told = heard.filter((one) => one.kind === kind).map(factKey);
  same(told.sort(), [...expected.keys()].sort(), () => `told as ${kind}`);
}

/** Values that were given are told; blanks are not. */
function compareValues(slow: SlowWorld, step: Step, heard: readonly Heard[]): void {
  const told = heard.filter(({ kind }) => kind === "set").map(factKey);
  same(told.sort(), givenBy(slow, step).map(factKey).sort(), () => "told as set");
}

/** The values that a step that was done has given; the names too that were taken where somebody came. */
export function givenBy(slow: SlowWorld, step: Step): Fact[] {
  const given = givenIn(slow, step);
  return [
    ...given,
    ...renumberedIn(slow, given).map((entity) => ({ entity, what: "Name", target: undefined })),
  ];
}

function givenIn(slow: SlowWorld, step: Step): Fact[] {
  const given: Fact[] = [];
  const give = (entity: Twin, { what, target, value }: SlowTerm): void => {
    if (value !== undefined && carriesValue(what))
      given.push({ entity, what, target: target as Twin | undefined });
  };
  if (step.verb === "spawn" || step.verb === "spawnMany") {
    for (const born of step.born) for (const term of step.terms) give(born, term);
  } else if (step.verb === "add") for (const term of step.terms) give(step.entity, term);
  else if (step.verb === "clone") given.push(...valuesOfClones(slow, step));
  else if (step.verb === "set") give(step.entity, step.term);
  else if (step.verb === "rename" && hasNewName(slow, step)) give(step.entity, { what: "Name", value: "" });
  return given;
}

/** Who was called something, and is called something else now without having been told so. */
function renumberedIn({ before, living }: SlowWorld, given: readonly Fact[]): Twin[] {
  const found: Twin[] = [];
  const isGiven = (twin: Twin): boolean =>
    given.some(({ entity, what }) => entity === twin && what === "Name");
  for (const [twin, former] of before) {
    const [had, has] = [former, living.get(twin)].map((being) => being?.objects.get("Name"));
    if (had !== undefined && has !== undefined && had !== has && !isGiven(twin)) found.push(twin);
  }
  return found;
}

/** A name that is kept through a move, but for its number, is told after all that the move has to tell. */
function compareRenumbered(slow: SlowWorld, step: Step, heard: readonly Heard[]): void {
  const given = givenIn(slow, step);
  for (const twin of renumberedIn(slow, given)) {
    const own = heard.filter(({ entity, kind }) => entity === twin && kind !== "reordered");
    const told = own.findIndex(({ kind, what }) => kind === "set" && what === "Name");
    const isLate = own.slice(told).every(({ kind }) => kind === "set");
    if (!isLate) throw new Error(`the new name of e${twin} was told before what happened to it`);
  }
}

/** Clones are given what they are born with, unless it was told that they get it without a value. */
function valuesOfClones(slow: SlowWorld, step: Extract<Step, { verb: "clone" }>): Fact[] {
  const { before, living } = slow;
  const blank = step.terms.filter(({ value }) => value === undefined).map((term) => meantBy(slow, term));
  const born = [...before].filter(([, former]) => former === undefined).map(([twin]) => twin);
  const facts = born.flatMap((twin) => factsOf(twin, living.get(twin)));
  const isBlank = ({ entity, what, target }: Fact): boolean =>
    entity === step.born && blank.some((id) => id.what === what && id.target === target);
  return facts.filter((fact) => carriesValue(fact.what) && !isBlank(fact));
}

/** The name it has already is not given once more. */
function hasNewName({ before }: SlowWorld, { entity, name }: Extract<Step, { verb: "rename" }>): boolean {
  return before.get(entity)?.objects.get("Name") !== name;
}

/** Of an exclusive relation, both ends; of others none. */
function compareEnds(slow: SlowWorld, { kind, entity, what, target, oldTarget, newTarget }: Heard): void {
  if (kind === "set" || kind === "reordered") return;
  const isExclusive = target !== undefined && relationRulesOf(what)?.exclusive === true;
  const targetBy = (
    being: SlowWorld["living"] extends Map<Twin, infer B> ? B | undefined : never,
  ): Twin | undefined =>
    what === "ChildOf" ? being?.parent : [...(being?.pairs.get(what)?.keys() ?? [])][0];
  const story = (end: string) => (): string => `${end} target of ${kind} ${what} of e${entity}`;
  same(oldTarget, isExclusive ? targetBy(slow.before.get(entity)) : undefined, story("old"));
  same(newTarget, isExclusive ? targetBy(slow.living.get(entity)) : undefined, story("new"));
}

/** Of each entity: what goes, before what comes; tags and components in order of definition, before pairs. */
function compareTurns(heard: readonly Heard[]): void {
  const last = new Map<Twin, { kind: string; number: number }>();
  for (const { kind, entity, what, target } of heard) {
    if (kind === "set" || kind === "reordered") continue;
    const number = target === undefined ? numberOf(what) : Number.POSITIVE_INFINITY;
    const former = last.get(entity);
    if (former?.kind === "added" && kind === "removed")
      throw new Error(`e${entity} got something before it lost ${what}`);
    const isUnlike = former === undefined || former.kind !== kind;
    if (!isUnlike && former.number > number && kind === "added")
      throw new Error(`${what} of e${entity} was told late`);
    last.set(entity, { kind, number });
  }
}

/** Children whose order has changed are told of once; where others came in between, nobody has promised. */
function compareOrders(slow: SlowWorld, heard: readonly Heard[]): void {
  const told = heard.filter(({ kind }) => kind === "reordered");
  for (const [parent, former] of slow.before) {
    const now = slow.living.get(parent);
    const count = told.filter(({ entity }) => entity === parent).length;
    if (former === undefined || now === undefined) {
      same(count, 0, () => `told as reordered below e${parent}`);
      continue;
    }
    const before = former.children.filter((child) => now.children.includes(child));
    const after = now.children.filter((child) => before.includes(child));
    const isMoved = before.some((child, at) => child !== after[at]);
    const isAtTheEnd = after.every((child, at) => child === now.children[at]);
    if (isMoved || isAtTheEnd) same(count, isMoved ? 1 : 0, () => `told as reordered below e${parent}`);
  }
  for (const { entity } of told)
    if (!slow.before.has(entity)) throw new Error(`e${entity} was told as reordered`);
}

/** Children before parents and siblings in order, if nothing but the tree has led from one death to the other. */
function compareDeaths(slow: SlowWorld, root: Twin, heard: readonly Heard[]): void {
  const order: Twin[] = [];
  const walk = (twin: Twin): void => {
    for (const child of slow.before.get(twin)?.children ?? []) walk(child);
    order.push(twin);
  };
  walk(root);
  const dead = [...slow.before.keys()].filter((twin) => !slow.living.has(twin));
  if (dead.length !== order.length) return;
  const deleting = Object.keys(rules.relations).filter(
    (what) => relationRulesOf(what)?.onTargetDestroy === "delete",
  );
  if (dead.some((twin) => deleting.some((what) => slow.before.get(twin)?.pairs.has(what)))) return;
  const told = heard.filter(({ entity, what }) => what === "ChildOf" && order.includes(entity));
  same(
    told.map(({ entity }) => entity),
    order.filter((twin) => slow.before.get(twin)?.parent !== undefined),
    () => "order of deaths",
  );
}
