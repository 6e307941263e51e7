/**
 * The naive twin of a world: maps of maps, every rule written down the plain way, nothing kept that could be
 * worked out. It is meant to be believed by reading, and the walks hold the real world against it.
 *
 * A verb returns the code of its refusal, or `undefined` when it was done. A refused verb changes nothing.
 */

/** A twin entity: its number is chosen by the caller and never used twice. */
export type Twin = number;

export type Refusal = "bad-name" | "cycle" | "dead-entity" | "name-taken" | "refused" | "still-a-target";

export type FieldKind = "f32" | "f64" | "i16" | "u8" | "u32" | "bool" | "entity" | "four f32";

/** `entity` fields hold a twin; `undefined` is an entity field without an entity. */
export type FieldValue = number | boolean | readonly number[] | undefined;

/** The values of one component of one entity, field by field. */
export type Fields = Readonly<Record<string, FieldValue>>;

export type FieldRules = Readonly<Record<string, FieldKind>>;

export interface RelationRules {
  readonly exclusive: boolean;
  /** Following the relation ends at a root. Implies exclusive. */
  readonly acyclic: boolean;
  readonly onTargetDeath: "remove" | "delete" | "refuse";
  /** Given: every pair carries these values. */
  readonly fields?: FieldRules;
}

/** What definitions there are, by name. `ChildOf` and `Name` must be among them. */
export interface Rules {
  readonly tags: readonly string[];
  /** Components with fields. */
  readonly schemas: Readonly<Record<string, FieldRules>>;
  /** Components that hold one value of any type. */
  readonly objects: readonly string[];
  readonly relations: Readonly<Record<string, RelationRules>>;
}

/** One thing to add: a tag, a component with or without a value, or a pair with or without a value. */
export interface SlowTerm {
  readonly what: string;
  readonly target?: Twin;
  /** Fields of a schema component or a pair; the value itself of an object component. */
  readonly value?: unknown;
}

interface SlowEntity {
  readonly tags: Set<string>;
  readonly schemas: Map<string, Fields>;
  readonly objects: Map<string, unknown>;
  /** Relation -> target -> values; a pair without values has empty ones. */
  readonly pairs: Map<string, Map<Twin, Fields>>;
  /** Grows with every attach; siblings are ordered by it. */
  place: number;
}

export interface SlowWorld {
  readonly rules: Rules;
  readonly living: Map<Twin, SlowEntity>;
  nextPlace: number;
}

export function createSlowWorld(rules: Rules): SlowWorld {
  return { rules, living: new Map(), nextPlace: 0 };
}

// ---- verbs -------------------------------------------------------------------------------------------------------

/** Births, all with the same terms. */
export function spawn(
  world: SlowWorld,
  newborns: readonly Twin[],
  terms: readonly SlowTerm[],
): Refusal | undefined {
  if (terms.some((term) => targetIsDead(world, term))) return "dead-entity";
  const name = nameIn(terms);
  if (name === "") return "bad-name";
  if (name !== undefined) {
    if (newborns.length > 1) return "name-taken";
    if (isTaken(world, name, parentIn(terms), undefined)) return "name-taken";
  }

  for (const newborn of newborns) {
    const place = world.nextPlace++;
    world.living.set(newborn, {
      tags: new Set(),
      schemas: new Map(),
      objects: new Map(),
      pairs: new Map(),
      place,
    });
    for (const term of terms) put(world, newborn, term);
  }
  return undefined;
}

/** Adds what is missing; what is there is written where the term has a value. */
export function add(world: SlowWorld, entity: Twin, terms: readonly SlowTerm[]): Refusal | undefined {
  if (!isAlive(world, entity)) return "dead-entity";
  for (const term of terms) {
    if (targetIsDead(world, term)) return "dead-entity";
    if (closesCycle(world, entity, term)) return "cycle";
  }
  const name = nameIn(terms) ?? nameOf(world, entity);
  const parent = terms.some(isChildOf) ? parentIn(terms) : parentOf(world, entity);
  if (name === "") return "bad-name";
  if (name !== undefined && isTaken(world, name, parent, entity)) return "name-taken";

  for (const term of terms) put(world, entity, term);
  return undefined;
}

/** Takes a tag, a component or a pair off. With target "Any": all pairs of the relation. Absent: does nothing. */
export function remove(
  world: SlowWorld,
  entity: Twin,
  what: string,
  target?: Twin | "Any",
): Refusal | undefined {
  if (!isAlive(world, entity)) return "dead-entity";
  const parent = parentOf(world, entity);
  const unparents = what === "ChildOf" && parent !== undefined && (target === "Any" || target === parent);
  if (unparents) {
    const name = nameOf(world, entity);
    if (name !== undefined && isTaken(world, name, undefined, entity)) return "name-taken";
  }

  const being = beingOf(world, entity);
  being.tags.delete(what);
  being.schemas.delete(what);
  being.objects.delete(what);
  for (const held of targetsOf(world, entity, what)) {
    if (target === "Any" || target === held) dropPair(being, what, held);
  }
  if (unparents) being.place = world.nextPlace++;
  return undefined;
}

/** Writes a value, adding its component or pair first if it is missing. Fields not given keep their values. */
export function set(world: SlowWorld, entity: Twin, term: SlowTerm): Refusal | undefined {
  return add(world, entity, [term]);
}

/** The death of one entity that no other points at. Of the dead: nothing happens. */
export function release(world: SlowWorld, entity: Twin): Refusal | undefined {
  if (!isAlive(world, entity)) return undefined;
  for (const other of world.living.keys()) {
    if (other !== entity && pointsAt(world, other, entity)) return "still-a-target";
  }

  world.living.delete(entity);
  return undefined;
}

/** The death of an entity and of everything that dies with it. The dead may be destroyed again: nothing happens. */
export function destroy(world: SlowWorld, entity: Twin): Refusal | undefined {
  if (!isAlive(world, entity)) return undefined;
  const dying = new Set<Twin>([entity]);
  for (const dead of dying) {
    for (const other of world.living.keys()) {
      if (pointsAt(world, other, dead, "delete")) dying.add(other); // a set being walked visits what is added
    }
  }
  for (const dead of dying) {
    for (const other of world.living.keys()) {
      if (!dying.has(other) && pointsAt(world, other, dead, "refuse")) return "refused";
    }
  }

  for (const dead of dying) world.living.delete(dead);
  for (const survivor of world.living.values()) {
    for (const [relation, targets] of [...survivor.pairs]) {
      for (const target of [...targets.keys()]) if (dying.has(target)) dropPair(survivor, relation, target);
    }
  }
  return undefined;
}

// ---- questions ---------------------------------------------------------------------------------------------------

export function isAlive(world: SlowWorld, entity: Twin): boolean {
  return world.living.has(entity);
}

/** Has the tag, the component or the pair; with target "Any": at least one pair of the relation. */
export function has(world: SlowWorld, entity: Twin, what: string, target?: Twin | "Any"): boolean {
  const being = beingOf(world, entity);
  if (target === "Any") return being.pairs.has(what);
  if (target !== undefined) return being.pairs.get(what)?.has(target) === true;
  return being.tags.has(what) || being.schemas.has(what) || being.objects.has(what);
}

/** Fields of a schema component or a pair (entity fields whose entity is dead read `undefined`), or an object. */
export function get(world: SlowWorld, entity: Twin, what: string, target?: Twin): unknown {
  const being = beingOf(world, entity);
  if (being.objects.has(what)) return being.objects.get(what);
  const fields = target === undefined ? being.schemas.get(what) : being.pairs.get(what)?.get(target);
  if (fields === undefined) return undefined;
  const rules = fieldRulesOf(world, what);
  const seen: Record<string, FieldValue> = {};
  for (const [field, value] of Object.entries(fields)) {
    const isDead = rules[field] === "entity" && value !== undefined && !isAlive(world, value as Twin);
    seen[field] = isDead ? undefined : value;
  }
  return seen;
}

export function targetsOf(world: SlowWorld, entity: Twin, relation: string): Twin[] {
  return [...(beingOf(world, entity).pairs.get(relation)?.keys() ?? [])];
}

export function parentOf(world: SlowWorld, entity: Twin): Twin | undefined {
  return targetsOf(world, entity, "ChildOf")[0];
}

export function nameOf(world: SlowWorld, entity: Twin): string | undefined {
  return beingOf(world, entity).objects.get("Name") as string | undefined;
}

/** In sibling order; `undefined` asks for the roots. */
export function childrenOf(world: SlowWorld, parent: Twin | undefined): Twin[] {
  return familiesOf(world).get(parent) ?? [];
}

/** All parents with their children in sibling order; `undefined` is the parent of the roots. */
export function familiesOf(world: SlowWorld): Map<Twin | undefined, Twin[]> {
  const families = new Map<Twin | undefined, Twin[]>();
  const all = [...world.living].sort(([, one], [, other]) => one.place - other.place);
  for (const [entity] of all) {
    const parent = parentOf(world, entity);
    const family = families.get(parent);
    if (family === undefined) families.set(parent, [entity]);
    else family.push(entity);
  }
  return families;
}

/** Nearest first. */
export function ancestorsOf(world: SlowWorld, entity: Twin): Twin[] {
  const found: Twin[] = [];
  for (let at = parentOf(world, entity); at !== undefined; at = parentOf(world, at)) found.push(at);
  return found;
}

/** Pre-order, siblings in order. */
export function descendantsOf(world: SlowWorld, entity: Twin): Twin[] {
  return childrenOf(world, entity).flatMap((child) => [child, ...descendantsOf(world, child)]);
}

// ---- rules -------------------------------------------------------------------------------------------------------

function beingOf(world: SlowWorld, entity: Twin): SlowEntity {
  const being = world.living.get(entity);
  if (being === undefined) throw new Error(`twin ${entity} is dead`);
  return being;
}

function targetIsDead(world: SlowWorld, term: SlowTerm): boolean {
  return term.target !== undefined && !isAlive(world, term.target);
}

function isChildOf(term: SlowTerm): boolean {
  return term.what === "ChildOf";
}

function parentIn(terms: readonly SlowTerm[]): Twin | undefined {
  return terms.find(isChildOf)?.target;
}

function nameIn(terms: readonly SlowTerm[]): string | undefined {
  return terms.find((term) => term.what === "Name")?.value as string | undefined;
}

function isTaken(
  world: SlowWorld,
  name: string,
  parent: Twin | undefined,
  except: Twin | undefined,
): boolean {
  return childrenOf(world, parent).some((sibling) => sibling !== except && nameOf(world, sibling) === name);
}

/** Would the term make the entity its own ancestor along an acyclic relation? */
function closesCycle(world: SlowWorld, entity: Twin, term: SlowTerm): boolean {
  if (world.rules.relations[term.what]?.acyclic !== true) return false;
  for (let at = term.target; at !== undefined; at = targetsOf(world, at, term.what)[0]) {
    if (at === entity) return true;
  }
  return false;
}

/** With a policy: only pairs of relations that have that policy count. */
function pointsAt(
  world: SlowWorld,
  source: Twin,
  target: Twin,
  policy?: RelationRules["onTargetDeath"],
): boolean {
  for (const [relation, targets] of beingOf(world, source).pairs) {
    const counts = policy === undefined || world.rules.relations[relation]?.onTargetDeath === policy;
    if (counts && targets.has(target)) return true;
  }
  return false;
}

function put(world: SlowWorld, entity: Twin, term: SlowTerm): void {
  const { tags, schemas, objects, relations } = world.rules;
  const being = beingOf(world, entity);
  const { what, target, value } = term;
  if (tags.includes(what)) being.tags.add(what);
  else if (objects.includes(what)) being.objects.set(what, value);
  else if (schemas[what] !== undefined)
    being.schemas.set(what, mixed(world, what, being.schemas.get(what), value));
  else if (relations[what] !== undefined) putPair(world, being, relations[what], what, target!, value);
  else throw new Error(`no rule for ${what}`);
}

function putPair(
  world: SlowWorld,
  being: SlowEntity,
  rules: RelationRules,
  what: string,
  target: Twin,
  value: unknown,
): void {
  const targets = being.pairs.get(what) ?? new Map<Twin, Fields>();
  const isNew = !targets.has(target);
  if (isNew && (rules.exclusive || rules.acyclic)) targets.clear();
  if (isNew && what === "ChildOf") being.place = world.nextPlace++;
  targets.set(target, mixed(world, what, targets.get(target), value));
  being.pairs.set(what, targets);
}

function dropPair(being: SlowEntity, relation: string, target: Twin): void {
  const targets = being.pairs.get(relation);
  targets?.delete(target);
  if (targets?.size === 0) being.pairs.delete(relation);
}

function fieldRulesOf(world: SlowWorld, what: string): FieldRules {
  return world.rules.schemas[what] ?? world.rules.relations[what]?.fields ?? {};
}

/** The given fields, rounded as their kinds do; the others as they were, or blank if there was nothing. */
function mixed(world: SlowWorld, what: string, before: Fields | undefined, given: unknown): Fields {
  const after: Record<string, FieldValue> = {};
  for (const [field, kind] of Object.entries(fieldRulesOf(world, what))) {
    after[field] = before === undefined ? blankOf(kind) : before[field];
    if (given !== undefined && Object.hasOwn(given as Fields, field)) {
      after[field] = rounded(kind, (given as Fields)[field]);
    }
  }
  return after;
}

function blankOf(kind: FieldKind): FieldValue {
  if (kind === "bool") return false;
  if (kind === "entity") return undefined;
  return kind === "four f32" ? [0, 0, 0, 0] : 0;
}

function rounded(kind: FieldKind, value: FieldValue): FieldValue {
  if (kind === "f32") return Math.fround(value as number);
  if (kind === "four f32") return (value as readonly number[]).map(Math.fround);
  return value; // walks give whole numbers within range to the other kinds
}
