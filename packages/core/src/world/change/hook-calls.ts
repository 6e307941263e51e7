import type { Definition } from "../../id/definition.ts";
import type { Entity } from "../../id/entity.ts";
import { handleAt } from "../../records/entity-index.ts";
import { columnOf, type Shape } from "../../storage/shape.ts";
import { checkedCopy } from "../state/gathered.ts";
import { type Hooks, hooksOf, type Move } from "../state/hooks.ts";
import { enterVisit, keepError, leaveVisit } from "../state/lock.ts";
import type { Change } from "../state/plans.ts";
import { parentAt } from "../state/targets.ts";
import { tellFact } from "../state/tell.ts";
import { readValue, rowAt, shapeAt, writeValue } from "../state/values.ts";
import type { World } from "../state/world.ts";
import { definitionOfTerm, type PlainTerm, targetOfTerm, valueOfTerm } from "./destination.ts";

/** A value that a verb will write. */
export function givenChange(definition: Definition, value: unknown, before: unknown): Change {
  return { definition, value, isReplaced: false, isGiven: true, before };
}

/** The components with hooks that an entity keeps while it gets another parent. */
export function keptChanges(world: World, { hooked }: Shape, index: number): readonly Change[] {
  const changes = new Array<Change>(hooked.length); // a list that grows by pushes takes more room
  for (let at = 0; at < hooked.length; at++) {
    const definition = hooked[at]!;
    const value = readValue(world, index, definition);
    changes[at] = { definition, value, isReplaced: false, isGiven: false, before: value };
  }
  return changes;
}

/** One component of several entities that are asked about at once: what hooks see, and what comes of it. */
export interface Batch {
  readonly definition: Definition;
  readonly moves: Move[];
  readonly changes: Change[];
}

/**
 * Asks all `check` hooks, with the parent that the entity will have. Who answers with another value has it in
 * `changes`.
 */
export function askHooks(
  world: World,
  entity: Entity | undefined,
  changes: readonly Change[],
  parent: Entity | undefined,
): void {
  const scope = beginChecks(world);
  let isDone = false;
  try {
    for (let at = 0; at < changes.length; at++) {
      const change = changes[at]!;
      const { check } = hooksOf(change.definition);
      if (check !== undefined) takeAnswer(world, change, check(world, entity, change.value, parent));
    }
    isDone = true;
  } finally {
    endChecks(world, scope, isDone);
  }
}

/** Asks the hooks of components that an entity keeps while it gets another parent. @returns what they have let through. */
export function askForParent(world: World, index: number, parent: Entity | undefined): readonly Change[] {
  const calls = keptChanges(world, shapeAt(world, index), index);
  askHooks(world, handleAt(world.entities, index), calls, parent);
  return calls;
}

/** Asks the hooks of several entities: component by component. */
export function askTogether(world: World, batches: Iterable<Batch>): void {
  const scope = beginChecks(world);
  let isDone = false;
  try {
    for (const batch of batches) askBatch(world, hooksOf(batch.definition), batch);
    isDone = true;
  } finally {
    endChecks(world, scope, isDone);
  }
}

function askBatch(world: World, hooks: Hooks<unknown>, { moves, changes }: Batch): void {
  if (hooks.checkMoves !== undefined) {
    const answers = hooks.checkMoves(world, moves);
    if (answers) for (let at = 0; at < changes.length; at++) takeAnswer(world, changes[at]!, answers[at]);
  } else if (hooks.check !== undefined) {
    for (let at = 0; at < moves.length; at++) {
      const { entity, value, parent } = moves[at]!;
      takeAnswer(world, changes[at]!, hooks.check(world, entity, value, parent));
    }
  }
}

/**
 * Nothing may change while hooks are asked. Whoever they tell something and throws, refuses as they do.
 *
 * @returns the scope for births until now: hooks are outside of it.
 */
function beginChecks(world: World): Entity | undefined {
  const { scope } = world;
  enterVisit(world);
  world.checks++;
  world.scope = undefined;
  return scope;
}

function endChecks(world: World, scope: Entity | undefined, isDone: boolean): void {
  world.scope = scope;
  world.checks--;
  leaveVisit(world, isDone);
}

/** @throws TreelineError `bad-value` for an answer that cannot be written. */
function takeAnswer({ gathered }: World, change: Change, answer: unknown): void {
  const { definition } = change;
  if (answer === undefined || (answer === change.value && definition.holds === "values")) return;
  change.value = checkedCopy(gathered, definition, answer);
  change.isReplaced = true;
}

/**
 * Writes what hooks have answered, then tells them what has changed, with the values and the parent that the entity has
 * now. Inside a visit, and while `world.changes` counts the change.
 */
export function tellWritten(world: World, index: number, changes: readonly Change[]): void {
  for (let at = 0; at < changes.length; at++)
    if (changes[at]!.isReplaced) writeAnswer(world, index, changes[at]!);
  const entity = handleAt(world.entities, index);
  const parent = parentAt(world, index);
  const { scope } = world;
  world.scope = undefined;
  for (let at = 0; at < changes.length; at++) {
    const change = changes[at]!;
    const { definition } = change;
    const { written, onSet } = hooksOf(definition);
    const value = definition.holds === "values" ? change.value : readValue(world, index, definition);
    try {
      written?.(world, entity, value, parent);
    } catch (error) {
      keepError(world, error);
    }
    if (onSet === undefined || !(change.isGiven || change.isReplaced)) continue;
    try {
      onSet(world, entity, value, change.before);
    } catch (error) {
      keepError(world, error);
    }
  }
  world.scope = scope;
}

function writeAnswer(world: World, index: number, { definition, value }: Change): void {
  const shape = shapeAt(world, index);
  writeValue(world, shape.lanes, columnOf(shape, definition)!, rowAt(world, index), value);
}

/** For observers: the values that terms have given to an entity, and those that hooks have put in place of others. */
export function tellSetTerms(
  world: World,
  index: number,
  terms: readonly PlainTerm[],
  changes: readonly Change[],
): void {
  for (const term of terms) {
    const definition = definitionOfTerm(term);
    if (valueOfTerm(term) === undefined && !isAnswered(definition, changes)) continue;
    const target = definition.kind === "relation" ? (targetOfTerm(term) as Entity) : undefined;
    tellFact(world, "set", index, definition, target);
  }
}

/** Was it given without a value, and got one by an answer of its hooks? */
function isAnswered(definition: Definition, changes: readonly Change[]): boolean {
  return changes.some((one) => one.definition === definition && one.isGiven && one.isReplaced);
}

/** For listeners: values that entities kept until hooks answered with others. */
export function tellReplaced(world: World, index: number, changes: readonly Change[]): void {
  for (const { definition, isGiven, isReplaced } of changes) {
    if (isReplaced && !isGiven) tellFact(world, "set", index, definition);
  }
}

/** Tells hooks of components that are about to go. Inside a visit. */
export function tellRemoved(world: World, index: number, definitions: readonly Definition[]): void {
  const { scope } = world;
  world.scope = undefined;
  for (let at = 0; at < definitions.length; at++) {
    const definition = definitions[at]!;
    const { onRemove } = hooksOf(definition);
    if (onRemove === undefined) continue;
    const value = readValue(world, index, definition);
    try {
      onRemove(world, handleAt(world.entities, index), value, parentAt(world, index));
    } catch (error) {
      keepError(world, error);
    }
  }
  world.scope = scope;
}
