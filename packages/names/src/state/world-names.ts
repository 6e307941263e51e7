// The names of a world and their configuration (`Names`); short paths for messages (`shortPath`, `STEPS_SHOWN`).
import type { Relation } from "@treeline/core";
import { type Entity, parentOf, TreelineError, type World } from "@treeline/core";
import { type EntityIndex, handleOf, indexOf, requireAlive, shown } from "@treeline/core/internal";
import {
  createStep,
  DEFAULT_SEPARATOR,
  escaped,
  type Separator,
  type Step,
  separatorFrom,
  stepOfIndex,
} from "../text/step.ts";
import { type freeName, shortened } from "../text/text.ts";
import { createNameIndex, findOther, type NameIndex, nameAt } from "./name-index.ts";

/** What happens when an entity would get a name that a sibling has, by naming or by moving. */
export type Collisions = "error" | "suffix" | "allow";

/** Where a path begins, and what separates its steps. */
export interface PathOptions {
  /**
   * The entity whose children the path begins with; leave it out for that of `withScope`, or else the roots. `undefined` is
   * refused: an entity that a look-up did not find is not the roots.
   */
  readonly from?: Entity | undefined;
  /** Default: the separator of the world, which is `::` unless configured otherwise. */
  readonly separator?: string | undefined;
  /**
   * What paths from the roots begin with, such as `/` in front of `Ship::Gun`: `pathOf` writes it, and calls that read a path know
   * it. A leading separator means the roots as well, unless the prefix is how it begins. Characters as in a separator.
   */
  readonly prefix?: string | undefined;
}

/** Scopes along relations. Only `configureNames` makes it, so that programs without such scopes ship none of it. */
export interface Along {
  /** In order: the first one by which an entity has a target says what contains it. */
  readonly relations: readonly Relation[];
  /** Is an entity destroyed by the change that is being checked, so that its name is free? */
  frees(world: World, index: EntityIndex): boolean;
  /** What contains an entity without a parent; 0 for nothing. */
  above(world: World, index: EntityIndex): EntityIndex;
  /**
   * `scopeAt` for the steps of one way up; 0 also where the way closes a circle: `ChildOf` and other relations together may lead
   * back to where they came from.
   */
  wayUp(): typeof scopeAt;
  /** The path of an entity: where its way up closes a circle, only the index leads to the topmost entity. */
  cutPath(world: World, names: Names, index: EntityIndex, separator: Separator, path: string): string;
}

/** The names of a world and their configuration. */
export interface Names {
  readonly nameIndex: NameIndex;
  /** Aliases, all in scope 0; `undefined` until there is one. */
  aliases: NameIndex | undefined;
  collisions: Collisions;
  /** Adds suffixes. Only `configureNames` sets it, so that other programs do not ship it. */
  freeName: typeof freeName | undefined;
  separator: Separator;
  /** Scopes of entities without a parent, along relations; `undefined` until a world is configured so. */
  along: Along | undefined;
  /** The last separator that was given to a call. */
  given: Separator;
  /** Where a look-up continues when it has found nothing upwards; the last one first. */
  search: readonly Entity[];
  /** Entities that `ensurePath` has spawned inside an iteration, by scope and name. */
  readonly pending: Map<string, Entity>;
  /** Reused by everything that reads paths. */
  readonly step: Step;
  /** The last entity that the last path in text form has found, and where the rest of that path begins if a step is missing. */
  reached: EntityIndex;
  rest: number;
}

export function createNames(): Names {
  return {
    nameIndex: createNameIndex(),
    aliases: undefined,
    collisions: "error",
    freeName: undefined,
    separator: DEFAULT_SEPARATOR,
    along: undefined,
    given: DEFAULT_SEPARATOR,
    search: [],
    pending: new Map(),
    step: createStep(),
    reached: 0,
    rest: 0,
  };
}

/** @throws TreelineError `bad-path` for text that cannot be a separator, or a prefix. */
export function separatorOf(names: Names, options: PathOptions | undefined): Separator {
  const own = names.separator;
  const { separator: text = own.text, prefix } = options ?? {};
  if (prefix === undefined && text === own.text) return own;
  const { given } = names;
  if (text === given.text && (prefix ?? "") === given.prefix && prefix !== "") return given;
  names.given = separatorFrom(text);
  if (prefix !== undefined) names.given = { ...names.given, prefix: separatorFrom(prefix, "a prefix").text };
  return names.given;
}

/**
 * The entity that is given as `from`.
 *
 * @throws TreelineError `dead-entity` if it is given and not alive; `bad-value` if the options are not an object.
 */
export function fromIn(world: World, options: PathOptions | undefined): Entity | undefined {
  if (options === undefined) return undefined;
  if (typeof options !== "object" || options === null) {
    throw new TreelineError("bad-value", `options are an object: { from: entity }, not ${shown(options)}`);
  }
  if (options.from !== undefined) requireAlive(world, options.from, "leave `from` out to begin at the roots");
  return options.from;
}

/** The path step that leads to an entity from its scope. */
export function stepAt({ nameIndex }: Names, index: EntityIndex, separator: Separator): string {
  const name = nameAt(nameIndex, index);
  return name === undefined ? stepOfIndex(index) : escaped(name, separator);
}

/** The index of an entity; 0 for none, as for the roots. */
export function indexFor(entity: Entity | undefined): EntityIndex {
  return entity === undefined ? 0 : indexOf(entity);
}

/** The scope of an entity as the world has it: its parent, or else its target along the first relation by which it has one; or 0. */
export function scopeInWorld(world: World, { along }: Names, index: EntityIndex): EntityIndex {
  return indexFor(parentOf(world, handleOf(world, index))) || (along?.above(world, index) ?? 0);
}

/** The same. The index has the scopes of named entities. */
export function scopeAt(world: World, names: Names, index: EntityIndex): EntityIndex {
  const { nameIndex } = names;
  return nameAt(nameIndex, index) === undefined
    ? scopeInWorld(world, names, index)
    : nameIndex.entries[index * 2]!;
}

/** `scopeAt` for the steps of one way up, which ends. */
export function wayUp({ along }: Names): typeof scopeAt {
  return along?.wayUp() ?? scopeAt;
}

/** Of a longer path, messages show this many steps at each end. */
const STEPS_SHOWN = 6;

/**
 * A path for messages: the middle of many steps, and of a long name, is left out.
 *
 * @returns `undefined` if no entity on the way has a name.
 */
export function shortPath(world: World, names: Names, index: EntityIndex): string | undefined {
  const branch: EntityIndex[] = [];
  let isNamed = false;
  const scopeAbove = wayUp(names);
  for (let at = index; at !== 0; at = scopeAbove(world, names, at)) {
    branch.push(at);
    isNamed ||= nameAt(names.nameIndex, at) !== undefined;
  }
  if (!isNamed) return undefined;
  const more = branch.length - 2 * STEPS_SHOWN;
  if (more > 0) branch.splice(STEPS_SHOWN, more, 0); // in the middle
  const { separator } = names;
  const steps = branch.reverse().map((at) => (at === 0 ? "..." : shortened(stepAt(names, at, separator))));
  return steps.join(separator.text);
}

/** Entities with an alias, and the roots that have it as their name. */
export function rootsByAlias(
  nameIndex: NameIndex,
  aliases: NameIndex | undefined,
): [alias: EntityIndex, root: EntityIndex][] {
  const found: [EntityIndex, EntityIndex][] = [];
  aliases?.names.forEach((alias, index) => {
    const root = alias === "" ? 0 : findOther(nameIndex, 0, alias, index);
    if (root !== 0) found.push([index, root]);
  });
  return found;
}
