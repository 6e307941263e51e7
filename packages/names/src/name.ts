import {
  component,
  type Entity,
  get,
  has,
  isAlive,
  type Move,
  type ObjectComponent,
  set,
  TreelineError,
  type World,
  withHooks,
} from "@treeline/core";
import {
  handleAt,
  indexOf,
  nextNumber,
  parentIndexAt,
  shapesWith,
  stateOf,
  textOf,
  waitsFor,
} from "@treeline/core/internal";
import {
  brokenEntries,
  createNameBook,
  fileName,
  findName,
  type NameBook,
  stepAt,
  unfileName,
} from "./name-book.ts";
import { quoted, requireName, SEPARATOR, shortened } from "./path.ts";

const NAMES = nextNumber();

/** Of a longer path, messages show this many steps from the root and to the entity. */
const STEPS_SHOWN = 6;

/**
 * The name of an entity: a string that is not empty. Siblings have different names; roots are siblings of one
 * another. Written by `spawn`, `add`, `set` and `rename`, and read like any component; a string written straight into
 * its column is not found by `lookup`.
 *
 * Cost of a name, and of a reparent of a named entity: a few probes of the world's name book.
 *
 * `spawn`, `add`, `set`, `rename` and, where it takes the parent off, `remove` throw TreelineError `bad-name` for
 * what is no legal name and `name-taken` if a sibling has it, of the old parent or the new one. Nothing has changed
 * then.
 *
 * @example
 * const ship = spawn(world, Name("Ship"));
 * const cockpit = spawn(world, Name("Cockpit"), ChildOf(ship));
 */
export const Name: ObjectComponent<string> = withHooks(component<string>("Name"), {
  check: requireFree,
  checkMoves: requireFreePlaces,
  written: (world, entity, name, parent) => {
    fileName(bookOf(world), indexOf(entity), scopeOf(parent), name);
  },
  onRemove: (world, entity) => unfileName(bookOf(world), indexOf(entity)),
  anyOrder: true, // the book knows every scope by itself
  identifies: true,
});

/**
 * Gives an entity a name, or another one. The same name again changes nothing.
 *
 * @throws TreelineError `dead-entity` if the entity is not alive; `bad-name` for an empty name; `name-taken` if a
 *   sibling has it; `visiting` in a strict world inside a visit if the entity had no name. Nothing has changed then.
 */
export function rename(world: World, entity: Entity, name: string): void {
  const before = get(world, entity, Name);
  const isSame = before !== undefined && before === name;
  if (!isSame || waitsFor(world, indexOf(entity), Name)) set(world, entity, Name, name);
}

/** The book of a world, opened when it is first asked for. */
export function bookOf(world: World): NameBook {
  return stateOf(world, NAMES, openBook);
}

/** From now on messages call entities by their paths. */
function openBook(world: World): NameBook {
  const book = createNameBook();
  const { textOf: plainText } = world;
  world.textOf = (asked, entity) => {
    const isNamed = isAlive(asked, entity) && book.names[indexOf(entity)] !== undefined;
    return isNamed ? shortPath(asked, book, indexOf(entity)) : plainText(asked, entity);
  };
  CHECK: world.laws.push(brokenNames);
  return book;
}

function scopeOf(parent: Entity | undefined): number {
  return parent === undefined ? 0 : indexOf(parent);
}

function requireFree(
  world: World,
  entity: Entity | undefined,
  name: string,
  parent: Entity | undefined,
): void {
  requireName(name);
  const holder = findName(bookOf(world), scopeOf(parent), name);
  if (holder !== 0 && (entity === undefined || holder !== indexOf(entity))) {
    refuseTaken(world, handleAt(world.entities, holder), name, parent);
  }
}

/**
 * Before entities go elsewhere together: neither those who stay nor one another may have their names there. Who goes
 * leaves room for others.
 */
function requireFreePlaces(world: World, moves: readonly Move<string>[]): void {
  const book = bookOf(world);
  const leaving = new Set(moves.map(({ entity }) => indexOf(entity)));
  const holders = new Map<string, Entity>();
  for (const { entity, value: name, parent } of moves) {
    const scope = scopeOf(parent);
    const holder = findName(book, scope, name);
    if (holder !== 0 && !leaving.has(holder)) {
      refuseTaken(world, handleAt(world.entities, holder), name, parent);
    }
    const key = `${scope} ${name}`;
    const other = holders.get(key);
    if (other !== undefined) refuseTaken(world, other, name, parent);
    holders.set(key, entity);
  }
}

function refuseTaken(world: World, holder: Entity, name: string, parent: Entity | undefined): never {
  const scope = parent === undefined ? "the roots" : `the children of ${textOf(world, parent)}`;
  throw new TreelineError(
    "name-taken",
    `${quoted(name)} is taken among ${scope}: ${textOf(world, holder)} (e${indexOf(holder)}) has it; ` +
      "choose another name, or rename that one first",
  );
}

/** A path for people: of many steps, and of a long name, the middle is left out. */
function shortPath(world: World, book: NameBook, index: number): string {
  const line: number[] = [];
  for (let at = index; at !== 0; at = parentIndexAt(world, at)) line.push(at);
  const stepsOf = (indexes: number[]): string[] => indexes.reverse().map((at) => shortened(stepAt(book, at)));
  const steps =
    line.length <= 2 * STEPS_SHOWN
      ? stepsOf(line)
      : [...stepsOf(line.slice(-STEPS_SHOWN)), "...", ...stepsOf(line.slice(0, STEPS_SHOWN))];
  return steps.join(SEPARATOR);
}

/** L15: the name book holds (scope, name) -> e exactly when e is alive, named so, and lives in that scope. */
function brokenNames(world: World): string[] {
  const book = bookOf(world);
  const broken = brokenEntries(book);
  const { tables } = world.graph;
  let named = 0;
  for (const shape of shapesWith(world.graph, Name)) {
    for (let table = shape.firstTable; table !== 0; table = tables.next[table]!) {
      const first = tables.first[table]!;
      for (let row = first; row < first + tables.count[table]!; row++) {
        named++;
        broken.push(...brokenEntryOf(world, book, shape.lanes.i32[row]!));
      }
    }
  }
  book.names.forEach((name, index) => {
    const entity = handleAt(world.entities, index);
    if (name === undefined || (isAlive(world, entity) && has(world, entity, Name))) return;
    broken.push(`e${index} is filed as ${quoted(name)} but is dead or has no name`);
  });
  if (named !== book.size) broken.push(`${named} entities have a name, ${book.size} are filed`);
  return broken.map((text) => `L15: ${text}`);
}

function brokenEntryOf(world: World, book: NameBook, index: number): string[] {
  const name = get(world, handleAt(world.entities, index), Name);
  const filed = book.names[index];
  if (filed === undefined || name !== filed) {
    return [`e${index} is named ${JSON.stringify(name)} and filed as ${JSON.stringify(filed)}`];
  }
  const scope = parentIndexAt(world, index);
  return book.scopes[index] === scope ? [] : [`e${index} lives below e${scope}, not e${book.scopes[index]}`];
}
