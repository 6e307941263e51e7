// A planned change of many entities, made in one order (`Merge`); what is left out where it is refused (`isAllowed`).
import {
  add,
  type Component,
  type Definition,
  type Entity,
  get,
  type Hooks,
  has,
  isAlive,
  parentOf,
  type Relation,
  type SpawnTerm,
  TreelineError,
  targetOf,
  type World,
} from "@treeline/core";
import {
  addHidden,
  allArchetypes,
  destroyAll,
  indexOf,
  isInternal,
  removeMatching,
  spawnTogether,
} from "@treeline/core/internal";
import { childNamed, Name } from "@treeline/names";
import { children } from "@treeline/query";
import {
  copied,
  type Fact,
  factOf,
  isTree,
  ownDefinitions,
  pairFacts,
  pointed,
  termOf,
} from "../publish/facts.ts";
import { definitionIn } from "../spawn/instantiate.ts";
import { storageOf } from "../spawn/storage-of.ts";

/** What an entity takes. */
type Step = readonly [entity: Entity, fact: Fact];

/** By entity and definition, what identifies it among its siblings, or in the world: a name, an alias. */
type Claims = ReadonlyMap<Entity, Map<Definition, Fact>>;

/** An entity that will be spawned. */
interface Arrival {
  readonly parent: Entity;
  readonly storage: Relation;
  /** Asked when all arrivals are known, before anything is changed. */
  readonly termsOf: () => readonly SpawnTerm[];
  terms: readonly SpawnTerm[];
}

/**
 * A change of many entities that is planned to the end, checked as a whole, and made in one order: what is given up, then what is taken; destroyed
 * is last. So what one entity gives up is free for another one: a name, a place, a target.
 *
 * An entity that will be spawned is planned by a number below 0.
 */
export interface Merge {
  readonly world: World;
  /** Throws what is refused; else that is left out: see `isAllowed`. */
  readonly isStrict: boolean;
  /** What each entity gives up. */
  readonly lost: Map<Entity, Fact[]>;
  readonly gained: Step[];
  /** Names that will not be given. */
  readonly unclaimed: Set<unknown>;
  readonly places: Map<Entity, { readonly parent: Entity; readonly storage: Relation | undefined }>;
  readonly arrivals: Arrival[];
  readonly gone: Set<Entity>;
  spawned: readonly Entity[];
  /** An error for which something was left out. */
  refusal: unknown;
  latest: unknown;
  /** What is being changed. */
  at: Entity | undefined;
}

export function newMerge(world: World, isStrict: boolean): Merge {
  return {
    world,
    isStrict,
    lost: new Map(),
    gained: [],
    unclaimed: new Set(),
    places: new Map(),
    arrivals: [],
    gone: new Set(),
    spawned: [],
    refusal: undefined,
    latest: undefined,
    at: undefined,
  };
}

export function lose({ lost }: Merge, entity: Entity, fact: Fact): void {
  const facts = lost.get(entity);
  if (facts === undefined) lost.set(entity, [fact]);
  else facts.push(fact);
}

export function gain(merge: Merge, entity: Entity, fact: Fact): void {
  merge.gained.push([entity, fact]);
}

/** Parents before their children. */
export function place(merge: Merge, entity: Entity, parent: Entity, storage?: Relation): void {
  merge.places.set(entity, { parent, storage });
}

/** @param termsOf of the new entity, but its parent. @returns what it is in the plan. */
export function planSpawn(
  merge: Merge,
  parent: Entity,
  storage: Relation,
  termsOf: () => readonly SpawnTerm[],
): Entity {
  return -merge.arrivals.push({ parent, storage, termsOf, terms: [] }) as Entity;
}

/** The parent that an entity will have. */
export function parentIn({ world, arrivals, places }: Merge, entity: Entity): Entity | undefined {
  return (entity < 0 ? arrivals[-entity - 1]! : places.get(entity))?.parent ?? parentOf(world, entity);
}

export function loses({ lost }: Merge, entity: Entity, definition: Definition, target = 0): boolean {
  return lost.get(entity)?.some((one) => one.definition === definition && one.target === target) === true;
}

/** What an entity of the plan has become. */
export function realOf({ spawned }: Merge, entity: Entity): Entity {
  return entity < 0 ? spawned[-entity - 1]! : entity;
}

/**
 * Makes the change.
 * @param whenKnown called when it is known what new entities will be. @throws what hooks refuse; nothing has changed then. What observers throw.
 */
export function runMerge(merge: Merge, whenKnown?: () => void): void {
  const { world, gone, lost, gained, places } = merge;
  readTerms(merge);
  const coming = comingIn(merge);
  requireChecks(merge, coming);
  settleClaims(merge, coming);
  if (gone.size > 0 && [...relationsIn(world)].some(isLimited))
    for (const entity of gone)
      for (const fact of pairFacts(world, entity)) if (isLimited(fact.definition)) lose(merge, entity, fact);
  for (const [entity, facts] of lost)
    for (const [, fact] of requiredFirst(
      facts.map((one): Step => [entity, one]),
      -1,
    ))
      if (isAlive(world, entity)) removeMatching(world, indexOf(entity), fact);
  spawnArrivals(merge, whenKnown);
  take(merge, [...places.keys()], (entity) => move(merge, entity));
  const left = take(merge, requiredFirst(gained), (step) => give(merge, step));
  for (const [entity, fact] of left) giveBack(merge, entity, fact.definition);
  destroyGone(merge);
}

/** What may be refused without an error comes when the entity is there. */
function readTerms(merge: Merge): void {
  for (const [at, arrival] of merge.arrivals.entries())
    arrival.terms = arrival.termsOf().filter((term) => {
      const isLater = !merge.isStrict && isLimited(definitionIn(term) as Definition);
      if (isLater) gain(merge, planned(at), term as unknown as Fact);
      return !isLater;
    });
}

/** The entity of the plan that is spawned at a place. */
function planned(at: number): Entity {
  return (-at - 1) as Entity;
}

/** What has hooks and will be given, or is kept by what moves. What the instance has comes before what is new in it. */
function comingIn(merge: Merge): Step[] {
  const { world, places, gained, arrivals } = merge;
  const found: Step[] = [];
  for (const entity of places.keys())
    for (const definition of ownDefinitions(world, entity))
      if (!loses(merge, entity, definition)) found.push([entity, factOf(world, entity, definition)]);
  const arriving = arrivals.flatMap(({ terms }, at) =>
    terms.map((term): Step => [planned(at), term as unknown as Fact]),
  );
  return [...found, ...gained, ...arriving].filter(([, { definition }]) => definition?.hooks !== undefined);
}

/** Asks hooks before anything is changed. */
function requireChecks(merge: Merge, coming: readonly Step[]): void {
  const { world } = merge;
  for (const [entity, { definition, value }] of coming) {
    const { check, identifies } = definition.hooks as Hooks<unknown>;
    if (check === undefined || identifies !== undefined) continue;
    const isPart = entity > 0 && definition.holds === "fields";
    const whole = isPart
      ? { ...(get(world, entity, definition as Component) as object), ...(value as object) }
      : value;
    check(world, known(entity), whole, known(parentIn(merge, entity)));
  }
}

/** Hooks know no entities of a plan. */
function known(entity: Entity | undefined): Entity | undefined {
  return entity! < 0 ? undefined : entity;
}

/** Who will have which name: where one is taken by what keeps it, an entity keeps its own. Names that others take are given up first. */
function settleClaims(merge: Merge, coming: readonly Step[]): void {
  const { world, places, gone } = merge;
  const claims = new Map<Entity, Map<Definition, Fact>>();
  for (const [entity, fact] of coming) {
    if (identifies(fact.definition) === undefined) continue;
    if (!claims.has(entity)) claims.set(entity, new Map());
    claims.get(entity)!.set(fact.definition, fact);
  }
  for (let isDone = false; !isDone; ) {
    isDone = true;
    for (const [entity, own] of claims) {
      const wanted = own.get(Name);
      const name = wanted?.value as string | undefined;
      const parent = parentIn(merge, entity);
      if (name === undefined || parent === undefined || parent < 0) continue;
      const other = childNamed(world, parent, name);
      if (other === undefined || other === entity || gone.has(other) || loses(merge, other, Name)) continue;
      const its = claims.get(other)?.get(Name);
      if (its !== undefined && (its.value !== name || parentIn(merge, other) !== parent)) continue;
      merge.at = entity;
      const { check } = Name.hooks as Hooks<string>;
      if (isAllowed(() => check!(world, known(entity), name, parent), merge)) continue;
      merge.refusal ??= merge.latest;
      isDone = false;
      merge.unclaimed.add(wanted);
      own.delete(Name);
      if (!places.has(entity)) continue;
      // The one that it has where it goes.
      const kept = factOf(world, entity, Name);
      if (kept.value === name) lose(merge, entity, kept);
      else if (kept.value !== undefined) own.set(Name, kept);
    }
  }
  giveUp(merge, claims);
}

/** What an entity has that another one will have is taken away first. */
function giveUp(merge: Merge, claims: Claims): void {
  const { world, gone, places, unclaimed } = merge;
  /** The roots and the world have one scope: an alias is no name of a root. */
  const keyOf = ({ definition, value }: Fact, parent: Entity | undefined): string =>
    `${identifies(definition) === "world" ? 0 : (parent ?? 0)} ${String(value)}`;
  const taken = new Map<string, Entity>();
  for (const [entity, own] of claims)
    for (const one of own.values()) {
      const key = keyOf(one, parentIn(merge, entity));
      if (!taken.has(key)) taken.set(key, entity);
      else if (entity < 0) {
        unclaimed.add(one);
        gain(merge, entity, { ...one });
      }
    }
  if (taken.size === 0) return;
  for (const entity of new Set([...gone, ...claims.keys()])) {
    if (entity < 0) continue;
    for (const definition of ownDefinitions(world, entity)) {
      if (identifies(definition) === undefined || loses(merge, entity, definition)) continue;
      const fact = factOf(world, entity, definition);
      const own = claims.get(entity)?.get(definition);
      const isKept = own?.value === fact.value;
      const other = taken.get(keyOf(fact, parentOf(world, entity)));
      const isBoth = own !== undefined && !isKept && places.has(entity);
      if (!isBoth && (other === undefined || other === entity)) continue;
      lose(merge, entity, fact);
      if (isKept) gain(merge, entity, fact);
    }
  }
}

function spawnArrivals(merge: Merge, whenKnown: (() => void) | undefined): void {
  const { arrivals, world, unclaimed } = merge;
  spawnTogether(
    world,
    arrivals.length,
    (at, spawned) => {
      if (at === 0) {
        merge.spawned = spawned;
        whenKnown?.();
      }
      const { terms, parent, storage } = arrivals[at]!;
      const own = terms
        .filter((term) => !unclaimed.has(term))
        .map((term) => (typeof term === "object" ? realTerm(merge, term as unknown as Fact) : term));
      return [...own, storage(realOf(merge, parent))];
    },
    (error, at) => {
      merge.at = at === undefined ? undefined : planned(at);
      return error;
    },
    true,
  );
}

/** As `add` takes it, with what was spawned. */
function realTerm(merge: Merge, fact: Fact): SpawnTerm {
  return pointed(fact, (entity) => realOf(merge, entity)) as unknown as SpawnTerm;
}

/** @returns those that are refused; each is tried again after the others. */
function take<One>(merge: Merge, all: readonly One[], attempt: (one: One) => void): readonly One[] {
  let left = all;
  for (let before = -1; before !== left.length; ) {
    before = left.length;
    left = left.filter((one) => !isAllowed(() => attempt(one), merge));
  }
  if (left.length > 0) merge.refusal ??= merge.latest;
  return left;
}

function move(merge: Merge, entity: Entity): void {
  const { world, places } = merge;
  merge.at = entity;
  const { parent, storage } = places.get(entity)!;
  const above = realOf(merge, parent);
  if (isAlive(world, entity) && isAlive(world, above)) attach(world, entity, above, storage);
}

function attach(world: World, entity: Entity, parent: Entity, storage?: Relation): void {
  add(world, entity, storageOf(world, indexOf(entity), storage)(parent));
}

function give(merge: Merge, [entity, fact]: Step): void {
  const { world, unclaimed } = merge;
  merge.at = entity;
  const real = realOf(merge, entity);
  const target = realOf(merge, fact.target);
  if (unclaimed.has(fact) || !isAlive(world, real) || (target !== 0 && !isAlive(world, target))) return;
  const { definition, value } = fact;
  const { standsFor } = definition;
  if (target !== 0 || !isInternal(definition))
    add(world, real, realTerm(merge, { definition, target, value: copied(definition, value) }));
  else if (standsFor === undefined || !has(world, real, standsFor as Component))
    addHidden(world, real, [termOf(definition, value)]);
}

/** What an entity gave up for something that it cannot have, if nothing else is in its place. */
function giveBack(merge: Merge, entity: Entity, definition: Definition): void {
  const { world, lost } = merge;
  const former = lost.get(entity)?.find((one) => one.definition === definition);
  const isPair = definition.kind === "relation";
  if (former === undefined || !isAlive(world, entity) || (isPair && !definition.exclusive)) return;
  const isThere = isPair
    ? targetOf(world, entity, definition as Relation) !== undefined
    : has(world, entity, definition as Component);
  if (!isThere) isAllowed(() => give(merge, [entity, former]));
}

/** What has found no other place goes below what stays. */
function destroyGone(merge: Merge): void {
  const { world, gone } = merge;
  const alive = [...gone].filter((entity) => isAlive(world, entity));
  for (const entity of alive) {
    for (const child of children(world, entity)) {
      if (gone.has(child)) continue;
      let above = parentOf(world, entity)!;
      while (gone.has(above)) above = parentOf(world, above)!;
      if (isAllowed(() => attach(world, child, above), merge)) continue;
      removeMatching(world, indexOf(child), factOf(world, child, Name));
      attach(world, child, above);
    }
  }
  destroyAll(world, alive.filter((entity) => !gone.has(parentOf(world, entity)!)).map(indexOf));
}

/** What requires others comes after them; with -1 before them. */
function requiredFirst(steps: readonly Step[], sign = 1): readonly Step[] {
  if (!steps.some(([, { definition }]) => definition.requires !== undefined)) return steps;
  const weight = ([, { definition }]: Step): number => {
    const all = [definition];
    for (const one of all) one.requires?.(all);
    return all.length;
  };
  return steps.toSorted((one, other) => sign * (weight(one) - weight(other)));
}

function identifies({ hooks }: Definition): "siblings" | "world" | undefined {
  return (hooks as Hooks<unknown> | undefined)?.identifies;
}

/** The relations whose pairs are facts. */
export function relationsIn(world: World): Set<Definition> {
  const found = new Set<Definition>();
  for (const { definitions, bits } of allArchetypes(world))
    for (const one of [...definitions, ...(bits?.columns ?? []).map(({ definition }) => definition)])
      if (one.kind === "relation" && !isTree(one)) found.add(one);
  return found;
}

/** May a pair of it keep another entity from having one? */
function isLimited(relation: Definition): boolean {
  return relation.maxSubjects > 0 || relation.acyclic;
}

/**
 * What an instance cannot have is left out: a name that is taken, a target that is full, a cycle.
 * @param merge is told of it; a strict one allows none. @returns false in that case.
 */
export function isAllowed(run: () => void, merge?: Merge): boolean {
  try {
    run();
    return true;
  } catch (error) {
    const isRefusal = error instanceof TreelineError && ["name-taken", "full", "cycle"].includes(error.code);
    if (merge?.isStrict === true || !isRefusal) throw error;
    if (merge !== undefined) merge.latest = error;
    return false;
  }
}
