import {
  add,
  type Component,
  componentsOf,
  type Definition,
  definitions,
  type Entity,
  get,
  type Hooks,
  has,
  isAlive,
  pairsOf,
  parentOf,
  type Relation,
  remove,
  type SpawnTerm,
  TreelineError,
  targetOf,
  type World,
} from "@treeline/core";
import {
  addHidden,
  ChildOf,
  destroyAll,
  indexOf,
  isInternal,
  Parent,
  removeMatching,
  spawnTogether,
} from "@treeline/core/internal";
import { childNamed, Name } from "@treeline/names";
import { children } from "@treeline/query";
import { attach } from "@treeline/query/hierarchy";
import { BareIsA } from "../base/definitions.ts";
import { copied, type Fact, factOf, pointed, termOf } from "../publish/facts.ts";
import { definitionIn } from "../spawn/instantiate.ts";

/** What an entity gives up or takes. */
interface Step {
  readonly entity: Entity;
  readonly fact: Fact;
}

/** An entity that will be spawned. */
interface Arrival {
  readonly parent: Entity;
  readonly storage: Relation;
  /** Asked when all arrivals are known, before anything is changed. */
  readonly termsOf: () => readonly SpawnTerm[];
  terms: readonly SpawnTerm[];
}

/** What identifies an entity among its siblings, or in the world: a name, an alias. */
interface Claim {
  readonly definition: Definition;
  readonly value: unknown;
}

/**
 * A change of many entities that is planned to the end, checked as a whole, and made in one order: what is given up, then what is taken; destroyed
 * is last. So what one entity gives up is free for another one: a name, a place, a target.
 *
 * An entity that will be spawned is planned by a number below 0.
 */
export class Merge {
  private readonly world: World;
  /** Throws what is refused; else that is left out: see `isAllowed`. */
  private readonly isStrict: boolean;
  private readonly lost: Step[] = [];
  private readonly gained: Step[] = [];
  /** Names that will not be given. */
  private readonly unclaimed = new Set<object>();
  /** What has been lost, by entity: made when it is first asked for. */
  private readonly lostBy = new Map<Entity, Fact[]>();
  private indexed = 0;
  private readonly places = new Map<Entity, { readonly parent: Entity; readonly storage?: Relation }>();
  private readonly arrivals: Arrival[] = [];
  private spawned: readonly Entity[] = [];
  readonly gone: Set<Entity> = new Set();
  /** An error for which something was left out. */
  refusal: unknown;
  private latest: unknown;
  /** What is being changed. */
  at: Entity | undefined;

  constructor(world: World, isStrict: boolean) {
    this.world = world;
    this.isStrict = isStrict;
  }

  lose(entity: Entity, fact: Fact): void {
    this.lost.push({ entity, fact });
  }

  gain(entity: Entity, fact: Fact): void {
    this.gained.push({ entity, fact });
  }

  /** Parents before their children. */
  place(entity: Entity, parent: Entity, storage?: Relation): void {
    this.places.set(entity, { parent, ...(storage && { storage }) });
  }

  /** @param termsOf of the new entity, but its parent. @returns what it is in the plan. */
  spawn(parent: Entity, storage: Relation, termsOf: () => readonly SpawnTerm[]): Entity {
    return -this.arrivals.push({ parent, storage, termsOf, terms: [] }) as Entity;
  }

  /** The parent that an entity will have. */
  parentOf(entity: Entity): Entity | undefined {
    if (entity < 0) return this.arrivals[-entity - 1]!.parent;
    return this.places.get(entity)?.parent ?? parentOf(this.world, entity);
  }

  loses(entity: Entity, definition: Definition, target = 0): boolean {
    return (
      this.lostIn(entity)?.some((one) => one.definition === definition && one.target === target) === true
    );
  }

  private lostIn(entity: Entity): readonly Fact[] | undefined {
    for (; this.indexed < this.lost.length; this.indexed++) {
      const one = this.lost[this.indexed]!;
      const facts = this.lostBy.get(one.entity);
      if (facts === undefined) this.lostBy.set(one.entity, [one.fact]);
      else facts.push(one.fact);
    }
    return this.lostBy.get(entity);
  }

  /** What an entity of the plan has become. */
  readonly real = (entity: Entity): Entity => (entity < 0 ? this.spawned[-entity - 1]! : entity);

  /**
   * Makes the change.
   * @param spawned called when it is known what new entities will be. @throws what hooks refuse; nothing has changed then. What observers throw.
   */
  run(spawned?: () => void): void {
    const { world, gone } = this;
    for (const [place, arrival] of this.arrivals.entries()) this.readTerms(arrival, -place - 1);
    const coming = this.coming();
    this.requireChecks(coming);
    this.settleClaims(coming);
    if (gone.size > 0 && definitions(world).some(isLimited))
      for (const entity of gone)
        for (const { relation, target, value } of pairsOf(world, entity))
          if (isLimited(relation)) this.lose(entity, { definition: relation, target, value });
    for (const { entity, fact } of requiredFirst(this.lost, -1))
      if (isAlive(world, entity)) this.takeAway(entity, fact);
    this.spawnArrivals(spawned);
    this.take([...this.places.keys()], (entity) => this.move(entity));
    const left = this.take(requiredFirst(this.gained), (step) => this.give(step));
    for (const { entity, fact } of left) this.giveBack(entity, fact.definition);
    this.destroyGone();
  }

  private takeAway(entity: Entity, fact: Fact): void {
    const { definition, target } = fact;
    if (target === 0 && isInternal(definition))
      removeMatching(this.world, indexOf(entity), { definition, target });
    else remove(this.world, entity, heldBy(fact) as Component);
  }

  /** What may be refused without an error comes when the entity is there. */
  private readTerms(arrival: Arrival, entity: number): void {
    arrival.terms = arrival.termsOf().filter((term) => {
      const definition = definitionIn(term) as Definition;
      if (this.isStrict || typeof term !== "object" || !(definition.maxSubjects > 0 || definition.acyclic))
        return true;
      this.gain(entity as Entity, term as unknown as Fact);
      return false;
    });
  }

  /** What has hooks and will be given, or is kept by what moves. What the instance has comes before what is new in it. */
  private coming(): Step[] {
    const { world } = this;
    const found: Step[] = [];
    for (const entity of this.places.keys())
      for (const definition of componentsOf(world, entity))
        if (definition.hooks !== undefined && !this.loses(entity, definition))
          found.push({ entity, fact: factOf(world, entity, definition) });
    found.push(...this.gained.filter(({ fact }) => fact.definition.hooks !== undefined));
    for (const [place, { terms }] of this.arrivals.entries())
      for (const term of terms as readonly unknown[] as readonly Fact[])
        if (term.definition?.hooks !== undefined) found.push({ entity: (-place - 1) as Entity, fact: term });
    return found;
  }

  /** Asks hooks before anything is changed. */
  private requireChecks(coming: readonly Step[]): void {
    const { world } = this;
    const real = (entity: Entity | undefined): Entity | undefined => (entity! < 0 ? undefined : entity);
    for (const { entity, fact } of coming) {
      const { definition, value } = fact;
      const { check, identifies: unique } = definition.hooks as Hooks<unknown>;
      if (check === undefined || unique !== undefined) continue;
      const isPart = entity > 0 && definition.holds === "fields";
      const whole = isPart
        ? { ...(get(world, entity, definition as Component) as object), ...(value as object) }
        : value;
      check(world, real(entity), whole, real(this.parentOf(entity)));
    }
  }

  /** Who will have which name: where one is taken by what keeps it, an entity keeps its own. Names that others take are given up first. */
  private settleClaims(coming: readonly Step[]): void {
    const { world } = this;
    const claims = new Map<Entity, Claim[]>();
    const claim = (entity: Entity, one: Claim): void => {
      const others = (claims.get(entity) ?? []).filter(({ definition }) => definition !== one.definition);
      claims.set(entity, [...others, one]);
    };
    for (const { entity, fact } of coming) if (identifies(fact.definition) !== undefined) claim(entity, fact);
    if (claims.size === 0) return;
    for (let isDone = false; !isDone; ) {
      isDone = true;
      for (const entity of claims.keys()) {
        const own = ownIn(claims, entity, Name);
        const name = own?.value as string | undefined;
        const parent = this.parentOf(entity);
        if (name === undefined || parent === undefined || parent < 0) continue;
        const other = childNamed(world, parent, name);
        if (other === undefined || other === entity || this.leavesName(other, claims)) continue;
        this.at = entity;
        const { check } = Name.hooks as Hooks<string>;
        const isFree = this.allows((one) => {
          check!(world, one < 0 ? undefined : one, name, parent);
        }, entity);
        if (isFree) continue;
        this.refusal ??= this.latest;
        isDone = false;
        this.unclaimed.add(own!);
        // The one that it has where it goes.
        const kept = this.places.has(entity) ? get(world, entity, Name) : undefined;
        claims.set(
          entity,
          claims.get(entity)!.filter(({ definition }) => definition !== Name),
        );
        if (kept !== undefined && kept !== name) claim(entity, { definition: Name, value: kept });
        else if (kept !== undefined) this.lose(entity, factOf(world, entity, Name));
      }
    }
    this.giveUp(claims);
  }

  /** Will an entity that has a name not have it, or be elsewhere? */
  private leavesName(entity: Entity, claims: ReadonlyMap<Entity, readonly Claim[]>): boolean {
    if (this.gone.has(entity) || this.loses(entity, Name)) return true;
    const own = ownIn(claims, entity, Name);
    return (
      own !== undefined &&
      (own.value !== get(this.world, entity, Name) || this.parentOf(entity) !== parentOf(this.world, entity))
    );
  }

  /** What an entity has that another one will have is taken away first. */
  private giveUp(claims: ReadonlyMap<Entity, readonly Claim[]>): void {
    const { world } = this;
    /** The roots and the world have one scope: an alias is no name of a root. */
    const keyOf = ({ definition, value }: Claim, parent: Entity | undefined): string =>
      `${identifies(definition) === "world" ? 0 : (parent ?? 0)} ${String(value)}`;
    const taken = new Map<string, Entity>();
    for (const [entity, own] of claims) {
      for (const one of own) {
        const key = keyOf(one, this.parentOf(entity));
        if (!taken.has(key)) taken.set(key, entity);
        else if (entity < 0) {
          this.unclaimed.add(one);
          this.gain(entity, { ...one, target: 0 as Entity });
        }
      }
    }
    for (const entity of new Set([...this.gone, ...claims.keys()])) {
      if (entity < 0 || taken.size === 0) continue;
      for (const definition of componentsOf(world, entity)) {
        if (identifies(definition) === undefined || this.loses(entity, definition)) continue;
        const fact = factOf(world, entity, definition);
        const own = ownIn(claims, entity, definition);
        const isKept = own?.value === fact.value;
        const other = taken.get(keyOf(fact, parentOf(world, entity)));
        const isBoth = own !== undefined && !isKept && this.places.has(entity);
        if (!isBoth && (other === undefined || other === entity)) continue;
        this.lose(entity, fact);
        if (isKept) this.gain(entity, fact);
      }
    }
  }

  private spawnArrivals(whenKnown?: () => void): void {
    const { arrivals, world } = this;
    if (arrivals.length === 0) return;
    spawnTogether(
      world,
      arrivals.length,
      (place, spawned) => {
        if (place === 0) {
          this.spawned = spawned;
          whenKnown?.();
        }
        const { terms, parent, storage } = arrivals[place]!;
        const own = terms
          .filter((term) => !this.unclaimed.has(term))
          .map((term) => (typeof term === "object" ? this.termOf(term as unknown as Fact, false) : term));
        return [...own, storage(this.real(parent))];
      },
      (error, place) => {
        this.at = place === undefined ? undefined : ((-place - 1) as Entity);
        return error;
      },
      true,
    );
  }

  /** As `add` takes it, with what was spawned. */
  private termOf(fact: Fact, isCopied: boolean): SpawnTerm {
    const { definition, target, value } = this.arrivals.length === 0 ? fact : pointed(fact, this.real);
    return termOf(definition, isCopied ? copied(definition, value) : value, target);
  }

  /** @returns those that are refused; each is tried again after the others. */
  private take<One>(all: readonly One[], attempt: (one: One) => void): readonly One[] {
    let left = all;
    for (let before = -1; before !== left.length; ) {
      before = left.length;
      left = left.filter((one) => !this.allows(attempt, one));
    }
    if (left.length > 0) this.refusal ??= this.latest;
    return left;
  }

  private allows<One>(attempt: (one: One) => void, one: One): boolean {
    try {
      attempt(one);
      return true;
    } catch (error) {
      if (this.isStrict || !isRefusal(error)) throw error;
      this.latest = error;
      return false;
    }
  }

  private move(entity: Entity): void {
    this.at = entity;
    const { parent, storage } = this.places.get(entity)!;
    const above = this.real(parent);
    if (isAlive(this.world, entity) && isAlive(this.world, above)) attach(this.world, entity, above, storage);
  }

  private give({ entity, fact }: Step): void {
    const { world } = this;
    this.at = entity;
    const real = this.real(entity);
    const target = this.real(fact.target);
    if (this.unclaimed.has(fact) || !isAlive(world, real) || (target !== 0 && !isAlive(world, target)))
      return;
    const { definition } = fact;
    if (fact.target !== 0 || !isInternal(definition)) add(world, real, this.termOf(fact, true));
    else if (definition.standsFor === undefined || !has(world, real, definition.standsFor as Component))
      addHidden(world, real, [termOf(definition, fact.value)]);
  }

  /** What an entity gave up for something that it cannot have, if nothing else is in its place. */
  private giveBack(entity: Entity, definition: Definition): void {
    const { world } = this;
    const former = this.lostIn(entity)?.find((one) => one.definition === definition);
    const isPair = definition.kind === "relation";
    if (former === undefined || !isAlive(world, entity) || (isPair && !definition.exclusive)) return;
    const isThere = isPair
      ? targetOf(world, entity, definition as Relation) !== undefined
      : has(world, entity, definition as Component);
    if (!isThere) isAllowed(() => this.give({ entity, fact: former }));
  }

  /** What has found no other place goes below what stays. */
  private destroyGone(): void {
    const { world } = this;
    const gone = [...this.gone].filter((entity) => isAlive(world, entity));
    for (const entity of gone) {
      for (const child of children(world, entity)) {
        if (this.gone.has(child)) continue;
        let above = parentOf(world, entity)!;
        while (this.gone.has(above)) above = parentOf(world, above)!;
        if (this.allows((one) => attach(world, one, above), child)) continue;
        remove(world, child, Name);
        attach(world, child, above);
      }
    }
    destroyAll(world, gone.filter((entity) => !this.gone.has(parentOf(world, entity)!)).map(indexOf));
  }
}

/** What requires others comes after them; with -1 before them. */
function requiredFirst(steps: readonly Step[], sign = 1): readonly Step[] {
  if (!steps.some(({ fact }) => fact.definition.requires !== undefined)) return steps;
  const weight = ({ fact }: Step): number => {
    const all = [fact.definition];
    for (const one of all) one.requires?.(all);
    return all.length;
  };
  return steps.toSorted((one, other) => sign * (weight(one) - weight(other)));
}

function ownIn(
  claims: ReadonlyMap<Entity, readonly Claim[]>,
  entity: Entity,
  definition: Definition,
): Claim | undefined {
  return claims.get(entity)?.find((one) => one.definition === definition);
}

function identifies(definition: Definition | undefined): "siblings" | "world" | undefined {
  return (definition?.hooks as Hooks<unknown> | undefined)?.identifies;
}

export function isTree(relation: Definition): boolean {
  return relation === ChildOf || relation === Parent || relation === BareIsA;
}

/** May a pair of it keep another entity from having one? */
function isLimited(relation: Definition): boolean {
  return relation.maxSubjects > 0 || (relation.acyclic && !isTree(relation));
}

/** What `remove` takes. */
function heldBy({ definition, target }: Fact): unknown {
  return target === 0 ? definition : termOf(definition, undefined, target);
}

/** What an instance cannot have is left out: a name that is taken, a target that is full, a cycle. @returns false in that case. */
export function isAllowed(run: () => void): boolean {
  try {
    run();
    return true;
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return false;
  }
}

function isRefusal(error: unknown): boolean {
  return error instanceof TreelineError && ["name-taken", "full", "cycle"].includes(error.code);
}
