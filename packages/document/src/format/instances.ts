// What saving and loading instances of prefabs needs of `@treeline/prefab/document` (`InstanceFormat`).
import type { Definition, Entity, SpawnTerm, World } from "@treeline/core";
import type { EntityIndex } from "@treeline/core/internal";
import type { EntityData, Json, PairData } from "./document.ts";
import type { Draft, Selected } from "./entities.ts";

declare const formatBrand: unique symbol;

/**
 * How instances of prefabs are saved and loaded: `prefabs` of `@treeline/prefab/document`. This package knows nothing of them: programs
 * that do not pass it ship none of its code.
 */
export interface InstanceFormat {
  /** Never set. */
  readonly [formatBrand]: true;
}

/** The internal part; left out of the declarations that users get. @internal */
export interface InstanceFormat extends InstanceWork {}

/** What documents call to save and to load instances. */
export interface InstanceWork {
  /** What documents may name in addition. */
  readonly definitions: readonly Definition[];
  /** @param options of `toDocument`; the entities that are given as `root`. @throws TreelineError `bad-value` for those that do not go with it. */
  saver(
    world: World,
    options: {
      readonly roots?: readonly Entity[] | undefined;
      readonly entities?: unknown;
      readonly form?: string | undefined;
    },
  ): InstanceSaver;
  /** @param parent of the roots of the document. */
  loader(world: World, parent: Entity | undefined): InstanceLoader;
}

/** Writes the entities of one document. */
export interface InstanceSaver {
  /** The highest id that was ever given in the prefab whose root this is; `undefined` for others. */
  lastIdOf(root: Entity): number | undefined;
  /** Is it left out, because it follows from the others? A tag, a component, or a pair with a target. */
  isDerived(definition: Definition, target?: Entity): boolean;
  /** Is it a prefab with a document of its own? @throws DocumentError for a prefab without a key. */
  isApart(entity: Entity): boolean;
  /** The key of a prefab; `undefined` for other entities. */
  keyOf(entity: Entity): string | undefined;
  /** The roots of the document, with all that is below them. @throws DocumentError for an instance of a prefab without a key. */
  writeAll(writer: PartWriter, selected: Selected, references: Numbering): EntityData[];
}

/** Writes entities, or some of what they have. */
export interface PartWriter {
  write(index: EntityIndex, isRoot: boolean): EntityData;
  isWanted(definition: Definition): boolean;
  nameOf(definition: Definition): string;
  /** The data of a value that core has copied out. @param wanted the names of fields; all if it is left out. */
  writeValue(definition: Definition, value: unknown, place: () => string, wanted?: readonly string[]): Json;
  writeEntityTags(index: EntityIndex, data: EntityData): void;
  /** The pairs of an entity, by relations. @param wanted which; default: all. */
  pairsOf(index: EntityIndex, wanted?: readonly Definition[]): Map<string, PairData[]>;
  writeUnknown(index: EntityIndex, data: EntityData): void;
  placeOf(index: EntityIndex, ...names: string[]): string;
}

/** Gives entities of a document their ids. */
export interface Numbering {
  at(place: number): { $entity: number };
  number(
    last?: number,
    idAt?: (place: number) => number | undefined,
  ): readonly ({ $entity: number } | undefined)[];
}

type Data = { readonly [name: string]: unknown };

/** Reads the instances of one document. */
export interface InstanceLoader {
  /** The prefab of a reference. @throws DocumentError if there is none. */
  prefabOf(key: unknown, place: () => string): Entity;
  /**
   * What a member of a list is, if it is more than data.
   *
   * @param place that it gets if it is an entity. @param parent the place of its parent; -1 for none.
   */
  entryOf(one: unknown, place: number, parent: number): Entry | undefined;
  /** The root of the instance that an entity is which has the member `prefab`. @throws DocumentError. */
  open(data: Data, place: number, placeOf: () => string): Part;
  /** Reads a member of an entity. @returns false if it has no such member. @throws DocumentError. */
  readMember(
    member: string,
    data: Data,
    part: Part | undefined,
    terms: SpawnTerm[],
    find: FindDefinition,
    placeOf: () => string,
  ): boolean;
  draftOf(
    part: Part,
    parent: number,
    data: Data,
    terms: SpawnTerm[],
    find: FindDefinition,
    placeOf: () => string,
  ): Draft;
  /** All has been read. @throws DocumentError for parts that are below themselves. */
  finish(placeOf: (place: number) => string): void;
}

/** The definition of a name. @returns `undefined` for one that is not known. @throws DocumentError for what is none, and if unknown ones are refused. */
export type FindDefinition = (name: unknown, place: () => string) => Definition | undefined;

/** A member of a list that is more than data. */
export interface Entry {
  /** It is none: a part that the prefab has lost. */
  readonly isGone?: boolean;
  readonly data?: unknown;
  /** The place of the entity inside which the document has it, and where there. */
  readonly above?: number;
  readonly ordinal?: number | string;
  readonly part?: Part;
}

/** An entity of an instance. */
export interface Part {
  /** What is below it: parts, and data. */
  readonly children: readonly unknown[];
}
