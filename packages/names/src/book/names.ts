import { type Entity, type ObjectComponent, parentOf, type World } from "@treeline/core";
import { type EntityIndex, entitiesIn, handleOf, hasDefinition, indexOf } from "@treeline/core/internal";
import { DEFAULT_SEPARATOR, type Separator, separatorFrom } from "../text/separator.ts";
import { createStep, escaped, type Step, stepOfIndex } from "../text/step.ts";
import { shortened } from "../text/text.ts";
import { createNameBook, findOther, type NameBook, nameAt, textAt } from "./name-book.ts";

/** What happens when an entity would get a name, or bring it along, that a sibling has. */
export type Collisions = "error" | "suffix" | "allow";

/** Where a path begins, and what separates its steps. */
export interface PathOptions {
  /** Whose children the path begins with: by default those of `withScope`, or else the roots. */
  readonly from?: Entity | undefined;
  /** The world's by default, which is `::` unless it was given another one. */
  readonly separator?: string | undefined;
}

/** All that a world knows of names. */
export interface Names {
  readonly book: NameBook;
  /** Second names, all in scope 0; none until there is one. */
  aliases: NameBook | undefined;
  collisions: Collisions;
  separator: Separator;
  /** Separators that calls have brought along. */
  readonly separators: Map<string, Separator>;
  /** Where a look-up goes when it has found nothing upwards; the last one first. */
  search: readonly Entity[];
  /** Entities that `ensurePath` has promised inside a visit, by scope and name. */
  readonly promised: Map<string, Entity>;
  /** Where paths are read to. */
  readonly step: Step;
  /** Where the last path that led nowhere broke off. */
  readonly gap: Gap;
}

/** A step of a text that is missing. */
export interface Gap {
  /** In whose scope. */
  scope: EntityIndex;
  /** Where in the text. */
  start: number;
}

/** Programs have two or three; who makes up more reads them anew now and then. */
const SEPARATORS_KEPT = 16;

export function createNames(): Names {
  return {
    book: createNameBook(),
    aliases: undefined,
    collisions: "error",
    separator: DEFAULT_SEPARATOR,
    separators: new Map(),
    search: [],
    promised: new Map(),
    step: createStep(),
    gap: { scope: 0, start: 0 },
  };
}

/** @throws TreelineError `bad-path` for what cannot separate. */
export function separatorOf(names: Names, text: string | undefined): Separator {
  if (text === undefined || text === names.separator.text) return names.separator;
  const { separators } = names;
  let known = separators.get(text);
  if (known === undefined) {
    known = separatorFrom(text);
    if (separators.size === SEPARATORS_KEPT) separators.clear();
    separators.set(text, known);
  }
  return known;
}

/** The path step that leads to an entity from its scope. */
export function stepAt({ book }: Names, index: EntityIndex, separator: Separator): string {
  const name = nameAt(book, index);
  return name === undefined ? stepOfIndex(index) : escaped(name, separator);
}

/** The index of the parent of an entity; 0 for roots. */
export function parentIndexAt(world: World, index: EntityIndex): EntityIndex {
  const parent = parentOf(world, handleOf(world, index));
  return parent === undefined ? 0 : indexOf(parent);
}

/** The scope of an entity: its parent's index, or 0. Of those that are filed the book knows it. */
export function scopeAt(world: World, { book }: Names, index: EntityIndex): EntityIndex {
  return textAt(book, index) === 0 ? parentIndexAt(world, index) : book.filed[index * 2]!;
}

/** Of a longer path, messages show this many steps from the root and to the entity. */
const STEPS_SHOWN = 6;

/**
 * A path for people: of many steps, and of a long name, the middle is left out.
 *
 * @returns `undefined` if nobody on the way has a name.
 */
export function shortPath(world: World, names: Names, index: EntityIndex): string | undefined {
  const line: EntityIndex[] = [];
  let isNamed = false;
  for (let at = index; at !== 0; at = parentIndexAt(world, at)) {
    line.push(at);
    isNamed ||= textAt(names.book, at) !== 0;
  }
  if (!isNamed) return undefined;
  const { separator } = names;
  const stepsOf = (indexes: EntityIndex[]): string[] =>
    indexes.reverse().map((at) => shortened(stepAt(names, at, separator)));
  const steps =
    line.length <= 2 * STEPS_SHOWN
      ? stepsOf(line)
      : [...stepsOf(line.slice(-STEPS_SHOWN)), "...", ...stepsOf(line.slice(0, STEPS_SHOWN))];
  return steps.join(separator.text);
}

/** The indexes of all that have a component. */
export function holdersOf(world: World, definition: ObjectComponent<string>): EntityIndex[] {
  return entitiesIn(world, (archetype) => hasDefinition(archetype, definition));
}

/** Entities with an alias, and the roots that have it as their name. */
export function rootsByAlias(book: NameBook, aliases: NameBook): [alias: EntityIndex, root: EntityIndex][] {
  const found: [EntityIndex, EntityIndex][] = [];
  for (let index = 1; index * 2 < aliases.filed.length; index++) {
    const alias = nameAt(aliases, index);
    if (alias === undefined) continue;
    const root = findOther(book, 0, alias, index);
    if (root !== 0) found.push([index, root]);
  }
  return found;
}
