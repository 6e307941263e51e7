import { describe, expect, it } from "vitest";
import {
  add,
  clear,
  clone,
  type Definition,
  defer,
  markChanged,
  observe,
  pack,
  patch,
  remove,
  type SpawnTerm,
  set,
  type Tag,
} from "../../../../src/index.ts";
import { array, component, f32, f64, i8, relation, withHooks } from "../../../defining.ts";
import { Any, ChildOf, Damage, DisabledTree, Frozen, Likes, Parent } from "../../../definitions.ts";
import { createDice, type Dice, seeds } from "../../../dice.ts";
import { createWorld, type Entity, spawn, spawnMany, type World } from "../../../fixture.ts";
import { indexOf } from "../../../handles.ts";
import { isAlive, verify } from "../../../reading.ts";
import { memories } from "../../../storage/memory/memories.ts";
import { ADDED, CHANGED, clockOf, keepTicks, REMOVED, type TrackKind, tickOf } from "../../../ticks.ts";
import { destroy } from "../../destroy.ts";

const Position = component("Position", { x: f32, y: f32 });
const Shield = component("Shield", { power: i8, parts: array(f64, 3) });
const Label = component<{ text: string }>("Label");
const Hooked = withHooks(component("Hooked", { x: f32 }), { written: () => undefined });
const Near = relation("Near", { symmetric: true });

const COMPONENTS = [Position, Shield, Label, Hooked] as const;
const ALL: readonly (Definition & (Tag | (typeof COMPONENTS)[number]))[] = [...COMPONENTS, Frozen];
const KINDS = [CHANGED, ADDED, REMOVED] as const;
const MOST_ENTITIES = 400;

/** The expected ticks of what is tracked: entity -> its tick, or nothing. */
interface Expectation {
  readonly definition: Definition;
  readonly kind: TrackKind;
  users: number;
  readonly ticks: Map<Entity, number>;
}

/** A world, and a naive record of which entities have which components and since when. */
interface Walk {
  readonly world: World;
  readonly dice: Dice;
  readonly has: Map<Entity, Set<Definition>>;
  expectations: Expectation[];
}

function note(walk: Walk, entity: Entity, definition: Definition, deed: "get" | "write" | "lose"): void {
  const { now } = clockOf(walk.world);
  for (const expectation of walk.expectations) {
    if (expectation.definition !== definition) continue;
    const isStamped =
      deed === "get"
        ? expectation.kind !== REMOVED
        : expectation.kind === (deed === "lose" ? REMOVED : CHANGED);
    if (isStamped) expectation.ticks.set(entity, now);
    else if (deed !== "write") expectation.ticks.delete(entity);
  }
}

function get(walk: Walk, entity: Entity, definition: Definition): void {
  walk.has.get(entity)!.add(definition);
  note(walk, entity, definition, "get");
}

function lose(walk: Walk, entity: Entity, definition: Definition): void {
  if (walk.has.get(entity)!.delete(definition)) note(walk, entity, definition, "lose");
}

/** A value is set: on an entity that has the component, or along with it. */
function write(walk: Walk, entity: Entity, definition: Definition): void {
  if (walk.has.get(entity)!.has(definition)) note(walk, entity, definition, "write");
  else get(walk, entity, definition);
}

function spawned(walk: Walk, entity: Entity, definitions: Iterable<Definition>): void {
  walk.has.set(entity, new Set());
  for (const definition of definitions) get(walk, entity, definition);
}

/** Removes destroyed entities. */
function recordDestroyed({ world, has, expectations }: Walk): void {
  for (const entity of [...has.keys()]) {
    if (isAlive(world, entity)) continue;
    has.delete(entity);
    for (const { ticks } of expectations) ticks.delete(entity);
  }
}

function someone({ has, dice }: Walk): Entity {
  return dice.pick([...has.keys()]);
}

function someTerms({ dice }: Walk): Map<Definition, SpawnTerm> {
  const terms = new Map<Definition, SpawnTerm>();
  for (const definition of ALL) if (dice.chance(0.4)) terms.set(definition, termOf(dice, definition));
  return terms;
}

function termOf(dice: Dice, definition: Definition): SpawnTerm {
  const x = dice.below(100);
  if (definition === Frozen) return Frozen;
  if (definition === Label) return Label({ text: `${x}` });
  if (definition === Shield) return dice.chance(0.5) ? Shield : Shield({ power: x, parts: [x, 1, 2] });
  if (definition === Hooked) return Hooked({ x });
  return dice.chance(0.5) ? Position({ x, y: 1 }) : Position;
}

function hasValue(term: SpawnTerm): boolean {
  return typeof term === "object" && (term as { value: unknown }).value !== undefined;
}

/** A place among others: below an entity in one storage or the other, or pairs that need a table of their own. */
function someLinks(walk: Walk): SpawnTerm[] {
  const { dice } = walk;
  if (walk.has.size === 0 || dice.chance(0.3)) return [];
  const target = someone(walk);
  return [
    dice.pick([
      ChildOf(target),
      ChildOf(target),
      Parent(target),
      Likes(target),
      Damage(target, { amount: 1 }),
    ]),
  ];
}

function setSome(walk: Walk, entity: Entity): void {
  const { world, dice } = walk;
  const x = dice.below(100);
  const definition = dice.pick(COMPONENTS);
  if (definition === Position) set(world, entity, Position, dice.pick([{ x }, { x, y: x }, { y: x }, {}]));
  else if (definition === Shield) set(world, entity, Shield, dice.pick([{ power: x }, { parts: [x, x, x] }]));
  else if (definition === Label) set(world, entity, Label, { text: "set" });
  else set(world, entity, Hooked, { x });
  write(walk, entity, definition);
}

function touchSome(walk: Walk, entity: Entity): void {
  const { world, dice } = walk;
  const definition = dice.pick(COMPONENTS);
  const has = walk.has.get(entity)!.has(definition);
  if (dice.chance(0.5)) markChanged(world, entity, definition as typeof Position);
  else patch(world, entity, definition as typeof Position, () => {});
  if (has) write(walk, entity, definition);
}

/** Steps that can also be deferred to the end of an iteration. */
function changeOne(walk: Walk): void {
  const { world, dice } = walk;
  const entity = someone(walk);
  switch (dice.below(8)) {
    case 0:
    case 1: {
      const terms = someTerms(walk);
      add(world, entity, ...terms.values());
      for (const [definition, term] of terms) {
        if (hasValue(term) || !walk.has.get(entity)!.has(definition)) write(walk, entity, definition);
      }
      break;
    }
    case 2:
    case 3: {
      const definition = dice.pick(ALL);
      remove(world, entity, definition);
      lose(walk, entity, definition);
      break;
    }
    case 4:
      setSome(walk, entity);
      break;
    case 5:
      touchSome(walk, entity);
      break;
    case 6: {
      const terms = someTerms(walk);
      spawned(walk, spawn(world, ...terms.values(), ...someLinks(walk)), terms.keys());
      break;
    }
    default:
      spawned(walk, clone(world, entity), walk.has.get(entity)!);
  }
}

/** Steps whose order, links or destructions another part of the same iteration could not predict. */
function changeMany(walk: Walk): void {
  const { world, dice } = walk;
  switch (dice.below(8)) {
    case 0: {
      const terms = someTerms(walk);
      const many = spawnMany(world, dice.below(120), ...terms.values(), ...someLinks(walk));
      for (const entity of many) spawned(walk, entity, terms.keys());
      break;
    }
    case 1:
    case 2: {
      const [entity, parent] = [someone(walk), someone(walk)];
      try {
        add(world, entity, dice.chance(0.7) ? ChildOf(parent) : Parent(parent));
      } catch {
        // A cycle: nothing has changed.
      }
      break;
    }
    case 3: {
      const [one, other] = [someone(walk), someone(walk)];
      if (one !== other) add(world, one, dice.pick([Near(other), Likes(other), Damage(other)]));
      break;
    }
    case 4:
      remove(world, someone(walk), dice.pick([ChildOf(Any), Any(Any)]));
      break;
    case 5: {
      const entity = someone(walk);
      clear(world, entity);
      for (const definition of ALL) lose(walk, entity, definition);
      break;
    }
    case 6:
      // Rarely, for it closes all holes.
      if (dice.chance(0.1)) pack(world);
      break;
    default: {
      const entity = someone(walk);
      if (dice.chance(0.5)) add(world, entity, DisabledTree);
      else remove(world, entity, DisabledTree);
    }
  }
}

function thinOut(walk: Walk): void {
  const most = walk.dice.below(MOST_ENTITIES / 2);
  while (walk.has.size > most) {
    destroy(walk.world, someone(walk));
    recordDestroyed(walk);
  }
}

/** Starts or stops tracking something. */
function turnTracking(walk: Walk): void {
  const { world, dice } = walk;
  const definition = dice.pick(ALL);
  const kind = dice.pick<TrackKind>(definition === Frozen ? [ADDED, REMOVED] : KINDS);
  const known = walk.expectations.find(
    (expectation) => expectation.definition === definition && expectation.kind === kind,
  );
  if (known !== undefined && dice.chance(0.5)) {
    keepTicks(world, definition, kind, false);
    known.users--;
    walk.expectations = walk.expectations.filter(({ users }) => users > 0);
    return;
  }
  keepTicks(world, definition, kind, true);
  if (known !== undefined) {
    known.users++;
    return;
  }
  const subjects = kind === REMOVED ? [] : [...walk.has].filter(([, has]) => has.has(definition));
  const ticks = new Map(subjects.map(([entity]) => [entity, clockOf(world).now]));
  walk.expectations.push({ definition, kind, users: 1, ticks });
}

function step(walk: Walk): void {
  const { world, dice } = walk;
  if (walk.has.size === 0) spawned(walk, spawn(world, Position), [Position]);
  if (dice.chance(0.3)) clockOf(world).now++;
  if (walk.has.size > MOST_ENTITIES) thinOut(walk);
  else if (dice.chance(0.04)) turnTracking(walk);
  else if (dice.chance(0.35)) changeMany(walk);
  else if (dice.chance(0.8)) changeOne(walk);
  else {
    defer(world, () => {
      for (let times = dice.below(6); times > 0; times--) changeOne(walk);
    });
  }
}

/** Lists where the ticks of a world differ from the expected ones. */
function wrongIn({ world, has, expectations }: Walk): string[] {
  const wrong: string[] = [];
  for (const { definition, kind, ticks } of expectations) {
    for (const entity of has.keys()) {
      const tick = tickOf(world, entity, definition, kind);
      const expected = ticks.get(entity) ?? 0;
      if (tick !== expected) {
        wrong.push(
          `e${indexOf(entity)}: ${definition.name}, kind ${kind}, has ${tick} instead of ${expected}`,
        );
      }
    }
  }
  return [...wrong, ...verify(world)];
}

describe.each(memories)("random steps on %s memory", (_, createMemory) => {
  it.each([
    ...seeds(1, 4, 2).map((seed) => [seed, "no observer sees", false] as const),
    ...seeds(2, 4, 2).map((seed) => [seed, "observers see", true] as const),
  ])("with seed %i, which %s, keep the ticks of every entity right (I20)", (seed, __, isObserved) => {
    const world = createWorld({ memory: createMemory() });
    const walk: Walk = { world, dice: createDice(seed), has: new Map(), expectations: [] };
    if (isObserved) observe(world, { added: Any, removed: Any, set: Any }, () => undefined);

    for (let steps = 1; steps <= 750; steps++) {
      step(walk);
      if (steps % 15 === 0) expect([steps, wrongIn(walk)]).toEqual([steps, []]);
    }
  });
});
