// Keeps `Prefab` on all below a prefab (`settle`); what an own value takes over of an inherited one (`complete`).
import { archetypeWith, archetypeWithout, roomyTableFor } from "../../graph/graph.ts";
import { CHILD_OF, isInternal, Prefab } from "../../id/builtins.ts";
import { type Definition, PAIR_IN_PREFAB, type PlainTerm, type Term } from "../../id/definition.ts";
import { inheritedOf } from "../../id/inherited.ts";
import { findPair } from "../../id/pair-index.ts";
import { handleAt, isLiving } from "../../records/entity-index.ts";
import { type Archetype, hasDefinition, inherits } from "../../storage/archetype.ts";
import type { ValuePlace } from "../../storage/lanes.ts";
import type { PairNumber } from "../../storage/table.ts";
import { hooksOf } from "../state/hooks.ts";
import { deferCommand, endDeferred } from "../state/lock.ts";
import { notifyChange } from "../state/notify.ts";
import type { Goal } from "../state/plans.ts";
import { parentIndexAt, subjectIndexes } from "../state/targets.ts";
import { archetypeAt, definitionsAt, readValue, valueAt } from "../state/values.ts";
import type { Command, Slots, World } from "../state/world.ts";
import { needsFor, wantPairsOf } from "./goal.ts";
import { installChanges } from "./install.ts";
import { moveEntity, tidyLeft } from "./move-entity.ts";
import { installTree } from "./pair.ts";
import { copyTerms, definitionOfTerm, valueOfTerm } from "./terms.ts";

/** Installs what keeps `Prefab` on all that is below a prefab, and what makes values of instances override inherited ones. */
export function installPrefabs(slots: object): void {
  installChanges(slots);
  installTree(slots);
  (slots as Slots).prefabs ??= { gain, enter, reacted, left, inheritedAt, complete, given };
}

/** A goal with another parent: becomes a part of a prefab, or ceases to be one. @param before the pair of the old parent; 0 for none. */
function gain(world: World, goal: Goal, before: PairNumber, after: PairNumber): void {
  const { graph } = world;
  const { traits } = graph.pairs;
  if (((traits[before]! ^ traits[after]!) & PAIR_IN_PREFAB) === 0) return;
  const isIn = (traits[after]! & PAIR_IN_PREFAB) !== 0;
  goal.archetype = isIn
    ? archetypeWith(graph, goal.archetype, Prefab)
    : archetypeWithout(graph, goal.archetype, Prefab);
  goal.needs |= needsFor(world, Prefab);
}

/** An entity was spawned, or got its row, below a part of a prefab. */
function enter(world: World, index: number): void {
  inTime(world, index, () => {
    const parent = parentIndexAt(world, index);
    if (parent === 0 || !isIn(world, parent) || isIn(world, index)) return;
    setPrefab(world, index, true);
    settle(world, index);
  });
}

/** An entity whose old or new archetype has NEEDS_BUILTIN got that archetype, or other pairs. */
function reacted(world: World, index: number, was: Archetype | undefined, is: Archetype): void {
  inTime(world, index, () => {
    const wasIn = was !== undefined && hasDefinition(was, Prefab);
    if (wasIn !== hasDefinition(is, Prefab)) settle(world, index);
    world.slots.templates?.reacted(world, index, was, is);
  });
}

/** A command that runs functions, one each time, so that an error of one does not stop the others. */
interface Steps extends Command {
  readonly steps: (() => void)[];
}

/**
 * Runs a function that changes rows: at once, or as soon as all rows that are reserved now have been written. What follows from a deferred
 * change runs before the next one, which is to find prefabs as they are then.
 */
function inTime(world: World, index: number, run: () => void): void {
  if (world.deferDepth === 0) {
    run();
    return;
  }
  const entity = handleAt(world.entities, index);
  const step = (): void => {
    if (isLiving(world.entities, entity)) run();
  };
  const { commands } = world;
  const { list, next, isFlushing } = commands;
  const following = (list[next] as Partial<Steps> | undefined)?.steps;
  if (following !== undefined) {
    following.push(step);
    return;
  }
  const steps = [step];
  let done = 0;
  deferCommand(world, 0, () => {
    const now = steps[done++]!;
    if (done < steps.length) commands.next--; // it is the next command again
    now();
  });
  if (!isFlushing || next === 0) return;
  // In the place of the command that is running, before the next one.
  list[--commands.next] = Object.assign(list.pop()!, { steps });
}

function isIn(world: World, index: number): boolean {
  return hasDefinition(archetypeAt(world, index), Prefab);
}

/**
 * After an entity became a part of a prefab, or ceased to be one: so does everything below it.
 *
 * @cost a move of each row that changes; iterative.
 */
function settle(world: World, index: number): void {
  const { pairs } = world.graph;
  const on = hasDefinition(archetypeAt(world, index), Prefab);
  const stack = [index];
  for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
    const pair = findPair(pairs, CHILD_OF, at);
    if (pair === 0 || ((pairs.traits[pair]! & PAIR_IN_PREFAB) !== 0) === on) continue;
    pairs.traits[pair]! ^= PAIR_IN_PREFAB;
    for (const child of subjectIndexes(world, pair)) {
      if (hasDefinition(archetypeAt(world, child), Prefab) !== on) setPrefab(world, child, on);
      stack.push(child);
    }
  }
}

function setPrefab(world: World, index: number, on: boolean): void {
  const { graph, entities } = world;
  const from = entities.table[index]!;
  const was = archetypeAt(world, index);
  const is = on ? archetypeWith(graph, was, Prefab) : archetypeWithout(graph, was, Prefab);
  if (!on) notifyPrefab(world, "removed", index);
  moveEntity(world, index, roomyTableFor(graph, is, wantPairsOf(world, from), 1, from));
  tidyLeft(world, from);
  if (on) notifyPrefab(world, "added", index);
  world.slots.templates?.reacted(world, index, was, is);
}

/** In an iteration of its own: what observers change is changed after what is being done now. */
function notifyPrefab(world: World, kind: "added" | "removed", index: number): void {
  world.deferDepth++;
  notifyChange(world, kind, index, Prefab);
  endDeferred(world, true);
}

/** The archetype of an instance after it has lost an own value: it inherits that of the prefab again, if that has one. */
function left(world: World, index: number, archetype: Archetype, definition: Definition): Archetype {
  const { graph, slots } = world;
  const rest = archetypeWithout(graph, archetype, definition);
  const isShared =
    definition.onInstantiate === "inherit" &&
    rest !== archetype &&
    slots.templates?.shares(world, index, definition) === true;
  return isShared ? archetypeWith(graph, rest, inheritedOf(definition)) : rest;
}

/** Where the value is that an entity inherits; `undefined` if it inherits none, or that is gone. */
function inheritedAt(world: World, index: number, definition: Definition): ValuePlace | undefined {
  if (!inherits(archetypeAt(world, index), definition)) return undefined;
  const owner = world.slots.templates?.ownerOf(world, index, definition) ?? 0;
  return owner === 0 ? undefined : valueAt(world, owner, definition, 0);
}

/** Components and tags alone: pairs and parts come when the iteration ends. */
function given(world: World, index: number, added: readonly PlainTerm[]): void {
  const { templates, pending } = world.slots;
  const terms = [...pending!.given.get(index)!];
  const base = templates?.baseIn(world, terms) ?? 0;
  if (base === 0) return;
  const isNew = templates!.baseIn(world, added) !== 0;
  const own = new Set(terms.map(definitionOfTerm));
  for (const one of definitionsAt(world, base)) {
    const definition = one.standsFor ?? one;
    const { kind, onInstantiate, holds } = definition;
    const isLeft =
      kind === "relation" ||
      (onInstantiate !== "inherit" && (onInstantiate === "skip" || !isNew)) ||
      hooksOf(definition).identifies !== undefined;
    if (isLeft || own.has(definition) || definition === Prefab || isInternal(definition)) continue;
    const value = holds === "nothing" ? undefined : readValue(world, base, definition);
    terms.push({ definition, target: 0, value } as Term as PlainTerm);
  }
  pending!.given.set(index, terms);
}

/**
 * The terms that an entity gets, with the fields that it inherits and that are not given; `undefined` if there are none.
 * @param terms the last ones that `collectValues` has read.
 */
function complete(
  world: World,
  index: number,
  terms: readonly PlainTerm[],
): readonly PlainTerm[] | undefined {
  const archetype = archetypeAt(world, index);
  if (!terms.some((term) => inherits(archetype, definitionOfTerm(term)))) return undefined;
  return copyTerms(world, terms).map((term) => {
    const definition = definitionOfTerm(term);
    if (!inherits(archetype, definition)) return term;
    const value = world.slots.templates!.overriding(world, index, definition, valueOfTerm(term));
    return { definition, target: 0, value } as Term as PlainTerm;
  });
}
