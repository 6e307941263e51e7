import { shapeWith } from "../graph/edges.ts";
import { roomyTableFor } from "../graph/table-graph.ts";
import { Parent } from "../id/builtins.ts";
import type { Definition, Term } from "../id/definition.ts";
import { type Entity, indexOf } from "../id/entity.ts";
import { handleAt, isLiving } from "../records/entity-index.ts";
import { loosePairOf } from "../records/sibling-links.ts";
import { hasDefinition, type Shape } from "../storage/shape.ts";
import type { PairNumber } from "../storage/table.ts";
import { addOne, addOneAsked } from "./add-one.ts";
import { rememberOrder } from "./adding-order.ts";
import { changeType } from "./change-type.ts";
import {
  checkTerm,
  definitionOfTerm,
  isParental,
  looseTableFor,
  type PlainTerm,
  plainTerms,
  refuseTwice,
  refuseTwoParents,
  type SpawnTerm,
  targetOfTerm,
  unwantPair,
  valueOfTerm,
  wantPair,
  wantPairsOf,
  writeTermValues,
} from "./destination.ts";
import { foresee, hasListeners, tellAll, tellSet } from "./facts.ts";
import { withFollowers } from "./followers.ts";
import { destroyWithTarget } from "./free-entity.ts";
import {
  askHooks,
  type Change,
  givenChange,
  keptChanges,
  NO_CHANGES,
  tellReplaced,
  tellWritten,
  tellWrittenAlone,
} from "./hook-calls.ts";
import { keptTerms } from "./kept-terms.ts";
import { enqueue, insideVisit, mustQueue, whileChanging } from "./lock.ts";
import { moveLoose } from "./move-loose.ts";
import { ensurePair, followTarget } from "./pair.ts";
import { requireAlive } from "./require.ts";
import { isLink, requirePlace, retarget, shapeForParent } from "./retarget.ts";
import { pairAt, parentAt, tableHasPair } from "./targets.ts";
import { liveTerms } from "./term-deaths.ts";
import { readValue, shapeAt, wholeValue } from "./values.ts";
import type { World } from "./world.ts";

/**
 * Adds components, tags and pairs in one move. Of an exclusive relation the pair is replaced: with ChildOf that is a
 * reparent, and everything below the entity goes along without moving. What is there already stays; a value that is
 * given is written all the same.
 *
 * Cost of a reparent: one row, the steps from the new parent to its root if the entity has children, and one record
 * per inner node below it when depths are next looked at. With Parent no row moves.
 *
 * @throws TreelineError `dead-entity` if the entity or a target is not alive; `cycle` if an acyclic relation would close
 *   a circle; `full` if a target takes no more sources; `bad-term` for what cannot be added or is given twice;
 *   `bad-value`; `refused` for a parent of a builtin; `visiting` in a strict world inside a visit, else it waits for the
 *   end of that; and what a `check` hook throws, such as `name-taken`. Nothing has changed then.
 */
export function add(world: World, entity: Entity, ...terms: SpawnTerm[]): void {
  // Lists and terms that go no further than here are never made, where V8 builds this function into its caller.
  const only = terms[0] as Term | null | undefined;
  if (terms.length !== 1) addSeveral(world, entity, listOf(terms));
  else if (typeof only === "object" && only !== null && only.definition === Parent)
    addLoosely(world, entity, only.target, only.value);
  else addOnly(world, entity, terms[0]!);
}

function listOf(terms: readonly SpawnTerm[]): readonly SpawnTerm[] {
  const list: SpawnTerm[] = [];
  for (let at = 0; at < terms.length; at++) list.push(terms[at]!);
  return list;
}

function addLoosely(world: World, entity: Entity, target: number, value: unknown): void {
  if (value === undefined && world.visits === 0 && moveLoose(world, entity, target)) return;
  addOnly(world, entity, { definition: Parent, target, value } as PlainTerm);
}

/** One term: the everyday cases by themselves. */
function addOnly(world: World, entity: Entity, term: SpawnTerm): void {
  if (world.visits !== 0 || typeof term === "number") {
    addSeveral(world, entity, [term]);
    return;
  }
  requireAlive(world, entity);
  checkTerm(world, term);
  const definition = definitionOfTerm(term);
  if (definition.kind !== "relation" && !hasListeners(world)) {
    if (definition.hooks === undefined) addOne(world, indexOf(entity), definition, valueOfTerm(term));
    else addOneAsked(world, indexOf(entity), definition, valueOfTerm(term));
  } else if (isLink(term)) retarget(world, indexOf(entity), term as Term);
  else addNow(world, indexOf(entity), [term]);
}

function addSeveral(world: World, entity: Entity, terms: readonly SpawnTerm[]): void {
  const given = plainTerms(world, terms);
  requireAlive(world, entity);
  for (let at = 0; at < given.length; at++) checkAddition(world, given, at);
  if (world.visits !== 0 && mustQueue(world)) {
    queueAddition(world, entity, given);
    return;
  }
  if (given.length === 1 && isLink(given[0]!)) retarget(world, indexOf(entity), given[0] as Term);
  else addNow(world, indexOf(entity), given);
}

function queueAddition(world: World, entity: Entity, terms: readonly PlainTerm[]): void {
  const kept = keptTerms(terms);
  enqueue(world, indexOf(entity), () => addLater(world, entity, kept));
}

/** What waited until the end of a visit. Who died meanwhile gets nothing. */
function addLater(world: World, entity: Entity, terms: readonly PlainTerm[]): void {
  if (!isLiving(world.entities, entity)) return;
  const index = indexOf(entity);
  const live = liveTerms(world, terms);
  if (live === undefined) destroyWithTarget(world, index);
  else if (live.length === 1 && isLink(live[0]!)) retarget(world, index, live[0] as Term);
  else if (live.length > 0) addNow(world, index, live);
}

function checkAddition(world: World, terms: readonly PlainTerm[], at: number): void {
  const term = terms[at]!;
  checkTerm(world, term);
  const definition = definitionOfTerm(term);
  for (let other = 0; other < at; other++) {
    const earlier = definitionOfTerm(terms[other]!);
    if (isParental(definition) && isParental(earlier)) refuseTwoParents(terms);
    if (earlier !== definition) continue;
    const isOther = definition.kind === "relation" && !definition.exclusive;
    if (!isOther || targetOfTerm(terms[other]!) === targetOfTerm(term)) refuseTwice(definition);
  }
}

/** What an entity is about to become. */
interface Addition {
  readonly shape: Shape;
  /** How many pair numbers stand in `graph.wanted`. */
  readonly count: number;
  readonly loose: PairNumber;
  /** New pairs of relations that take many targets, in the order given. */
  readonly added: readonly PairNumber[];
}

function addNow(world: World, index: number, terms: readonly PlainTerm[]): void {
  if (terms.length === 1 && !hasListeners(world)) {
    const [term] = terms as [PlainTerm];
    const definition = definitionOfTerm(term);
    if (definition.kind !== "relation") {
      if (definition.hooks === undefined) addOne(world, index, definition, valueOfTerm(term));
      else addOneAsked(world, index, definition, valueOfTerm(term));
      return;
    }
  }
  // Check everything ...
  for (const term of terms) {
    const definition = definitionOfTerm(term);
    if (definition.kind === "relation") requirePlace(world, index, definition, indexOf(targetOfTerm(term)));
  }
  const changes = hasHooks(world, index, terms) ? askForAddition(world, index, terms) : NO_CHANGES;

  // ... find the destination ...
  const { graph, entities } = world;
  const from = entities.table[index]!;
  const { shape, count, loose, added } = additionOf(world, index, terms);
  const to =
    loose === 0
      ? roomyTableFor(graph, shape, count, 1, from)
      : looseTableFor(world, shape, count, 1, from, loose);

  // ... and only then change.
  const change = (): void => {
    if (to !== from || loose !== loosePairOf(graph.links, index)) {
      changeType(world, index, to, loose);
      for (const term of terms) follow(world, index, term);
      if (added.length > 0) rememberOrder(world, index, added);
    }
    writeTermValues(world, shapeAt(world, index), index, terms);
  };
  if (!hasListeners(world)) {
    change();
    if (changes.length > 0) tellWrittenAlone(world, index, changes);
    return;
  }
  insideVisit(world, () =>
    withFollowers(world, index, to, loose, () => {
      const facts = foresee(world, index, from, to, loose);
      whileChanging(world, () => {
        tellAll(world, facts.removed);
        change();
        tellWritten(world, index, changes);
      });
      tellAll(world, facts.added);
      tellSetTerms(world, index, terms, changes);
    }),
  );
}

function additionOf(world: World, index: number, terms: readonly PlainTerm[]): Addition {
  const { graph, entities } = world;
  const from = entities.table[index]!;
  let shape = shapeAt(world, index);
  let loose = loosePairOf(graph.links, index);
  let count = wantPairsOf(world, from);
  const added: PairNumber[] = [];
  for (const term of terms) {
    const definition = definitionOfTerm(term);
    if (definition.kind !== "relation") {
      shape = shapeWith(graph, shape, definition);
      continue;
    }
    const pair = ensurePair(world, definition, indexOf(targetOfTerm(term)));
    if (isParental(definition)) {
      const old = graph.tables.parentPair[from]!;
      if (old !== 0) count = unwantPair(world, old, count);
      shape = shapeForParent(world, shape, definition === Parent);
      loose = definition === Parent ? pair : 0;
      if (loose === 0) count = wantPair(world, pair, count);
      continue;
    }
    if (tableHasPair(world, from, pair)) continue;
    const old = definition.exclusive ? pairAt(world, index, definition) : 0;
    if (old === 0) shape = shapeWith(graph, shape, definition);
    else count = unwantPair(world, old, count);
    count = wantPair(world, pair, count);
    if (!definition.exclusive) added.push(pair);
  }
  return { shape, count, loose, added };
}

/** For listeners: the values that terms have given to an entity, and those that hooks have put in place of others. */
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
    tellSet(world, index, definition, target);
  }
  tellReplaced(world, index, changes);
}

/** Was it given without a value, and got one by an answer of its hooks? */
function isAnswered(definition: Definition, changes: readonly Change[]): boolean {
  return changes.some((one) => one.definition === definition && one.isGiven && one.isReplaced);
}

function hasHooks(world: World, index: number, terms: readonly PlainTerm[]): boolean {
  return (
    shapeAt(world, index).hooked.length > 0 ||
    terms.some((term) => definitionOfTerm(term).hooks !== undefined)
  );
}

function askForAddition(world: World, index: number, terms: readonly PlainTerm[]): readonly Change[] {
  const now = parentAt(world, index);
  const reparent = terms.find((term) => isParental(definitionOfTerm(term)));
  const parent = reparent === undefined ? now : (targetOfTerm(reparent) as Entity);
  const changes = changesBy(world, index, terms, parent !== now);
  askHooks(world, handleAt(world.entities, index), changes, parent);
  return changes;
}

function follow(world: World, index: number, term: PlainTerm): void {
  const definition = definitionOfTerm(term);
  if (!definition.keepsDepth || isParental(definition)) return;
  followTarget(world, definition, index, pairAt(world, index, definition));
}

/**
 * What hooks are asked about: values that are written, and, if the parent changes, those that are kept.
 */
function changesBy(
  world: World,
  index: number,
  terms: readonly PlainTerm[],
  parentChanges: boolean,
): Change[] {
  const changes: Change[] = [];
  for (const term of terms) {
    const definition = definitionOfTerm(term);
    if (definition.hooks === undefined || !isWritten(world, index, term)) continue;
    const whole = wholeValue(world, index, definition, valueOfTerm(term));
    changes.push(givenChange(definition, whole, readValue(world, index, definition)));
  }
  if (!parentChanges) return changes;
  const kept = keptChanges(world, shapeAt(world, index), index);
  return [
    ...changes,
    ...kept.filter((one) => !changes.some(({ definition }) => definition === one.definition)),
  ];
}

/** A term without value on something that is there already changes nothing. */
function isWritten(world: World, index: number, term: PlainTerm): boolean {
  if (valueOfTerm(term) !== undefined) return true;
  return !hasDefinition(shapeAt(world, index), definitionOfTerm(term));
}
