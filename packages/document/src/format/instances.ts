import type { Definition, Entity, SpawnTerm, World } from "@treeline/core";

/**
 * How instances of prefabs are saved and loaded: `prefabs` of `@treeline/prefab/document`. This package knows only where in a document
 * what it needs is written: in `prefab`, `parts`, `without`, `autoOverride` and `below`.
 */
export interface InstanceFormat {
  /** What documents may name in addition. */
  readonly definitions: readonly Definition[];
  /** @param root of the document, if it has one. */
  saver(world: World, root: Entity | undefined): InstanceSaver;
  /** @param parent of the roots of the document. */
  loader(world: World, parent: Entity | undefined): InstanceLoader;
}

/** Tells for one document what is written of each entity. */
export interface InstanceSaver {
  /** The id of an entity of a prefab, which is the same in all its documents; `undefined` for others. */
  idOf(entity: Entity): number | undefined;
  /** The highest id that was ever given in the prefab whose root this is; `undefined` for others. */
  lastIdOf(root: Entity): number | undefined;
  /** Is it left out, because it follows from the others? A tag, a component, or a pair with a target. */
  isDerived(definition: Definition, target?: Entity): boolean;
  /** Is it a prefab with a document of its own? @throws DocumentError for a prefab without a key. */
  isApart(entity: Entity): boolean;
  /** The key of a prefab; `undefined` for other entities. */
  keyOf(entity: Entity): string | undefined;
  /** @returns `undefined` for an entity that is written whole. @throws DocumentError for an instance of a prefab without a key. */
  describe(entity: Entity, isSaved: (entity: Entity) => boolean): SavedPart | undefined;
  /** What a whole entity reads without having it: written as its own. */
  inheritedBy(entity: Entity): readonly Definition[];
  /** What instances of a part get as their own, although they would inherit it. */
  autoOverridesOf(entity: Entity): readonly Definition[];
}

/** What is written of an entity that belongs to an instance. */
export interface SavedPart {
  /** The key of the prefab, for the root of an instance. */
  readonly prefab: string | undefined;
  readonly root: Entity;
  /** The address of the part, and its place in the prefab; "" and 0 for the root. */
  readonly address: string;
  readonly order: number;
  readonly storage: "ChildOf" | "Parent" | undefined;
  /** The names of the fields to write; `undefined`: all. */
  readonly values: ReadonlyMap<Definition, readonly string[] | undefined>;
  readonly relations: readonly Definition[];
  readonly hasEntityTags: boolean;
  readonly without: readonly Definition[];
  /** Of the root: the addresses of the topmost parts that the instance has not, and their places in the prefab. */
  readonly missing: readonly (readonly [address: string, order: number])[];
  /** Its children are not those of the prefab in their order, followed by others. */
  readonly listsParts: boolean;
}

/** Reads instances for one document. */
export interface InstanceLoader {
  /**
   * What an entity with the member `prefab` becomes.
   *
   * @param data has that member. @returns its root. @throws DocumentError.
   */
  open(data: { readonly [name: string]: unknown }, place: () => string): InstanceNode;
  /** @returns `undefined` if no prefab has the key. */
  prefabAt(key: string): Entity | undefined;
  /** The term for `autoOverride`. */
  autoOverride(definitions: readonly Definition[]): SpawnTerm;
}

/** What a document says of an entity of an instance. */
export interface OwnParts {
  readonly terms: readonly SpawnTerm[];
  /** What it has not. */
  readonly without: ReadonlySet<Definition>;
  /** Relations of which it has only its own pairs. */
  readonly relations: ReadonlySet<Definition>;
  /** It has only its own entity tags. */
  readonly hasEntityTags: boolean;
}

/** An entity of an instance, to be read. */
export class InstanceNode {
  /** The address of the part; "" for the root. */
  readonly address: string;
  /** What the document says of it; of the root the entity itself. */
  readonly data: unknown;
  readonly isValueParent: boolean;
  /** The root of the instance; `undefined` for the root itself. */
  readonly root: InstanceNode | undefined;
  /** In order. */
  readonly children: (InstanceNode | AttachedData)[] = [];
  /** Of the root: the other entities of the instance, by their addresses. */
  readonly parts: Map<string, InstanceNode> = new Map();
  /** Its place among the entities of the document, from the moment when it is read. */
  place = -1;
  /** Its terms, without a parent. The handles of all entities of the document are known then. */
  readonly complete: (own: OwnParts, spawned: readonly Entity[]) => SpawnTerm[];

  constructor(
    address: string,
    data: unknown,
    isValueParent: boolean,
    root: InstanceNode | undefined,
    complete: (own: OwnParts, spawned: readonly Entity[]) => SpawnTerm[],
  ) {
    this.address = address;
    this.data = data;
    this.isValueParent = isValueParent;
    this.root = root;
    this.complete = complete;
  }
}

/** What was attached to an entity of an instance: a member of the list of children of the root. */
export class AttachedData {
  readonly data: unknown;
  /** Its place in that list. */
  readonly ordinal: number;
  readonly root: InstanceNode;

  constructor(data: unknown, ordinal: number, root: InstanceNode) {
    this.data = data;
    this.ordinal = ordinal;
    this.root = root;
  }
}
