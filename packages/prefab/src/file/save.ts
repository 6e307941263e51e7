// What is written of an entity of an instance (`Saver`): what it has changed, its pairs, its place; parts that are missing.
import {
  componentsOf,
  type Definition,
  type Entity,
  has,
  isAlive,
  parentOf,
  type Tag,
  tagsOf,
  targetOf,
  type World,
} from "@treeline/core";
import { archetypeViewAt, handleOf, Is, indexOf, Prefab, textOf } from "@treeline/core/internal";
import type { EntityData } from "@treeline/document";
import {
  type InstanceSaver,
  type Numbering,
  type PartWriter,
  refuseDocument,
  type Selected,
  storedOf,
} from "@treeline/document/internal";
import { children } from "@treeline/query";
import { BareIsA } from "../base/definitions.ts";
import { overridesOf } from "../merge/overrides.ts";
import { changedFields, type Fact, factsOf, type InInstance, isGiven, pointed } from "../publish/facts.ts";
import { childrenIn, madeAs } from "../publish/published.ts";
import { type InstanceAbove, instanceOf, isInstanceRoot, linkedPart } from "../spawn/find-part.ts";
import { toInstance } from "../spawn/to-instance.ts";
import { ownCopiesAt } from "../state/own-copies.ts";
import { keyOf, PrefabKey } from "./definitions.ts";
import { Addresses, idOf, lastIdOf } from "./part-ids.ts";
import { type Descriptions, type SavedPart, writeEntities } from "./write.ts";

/** What is written of a part, while the instance is described. */
type Draft = { -readonly [Member in keyof SavedPart]: SavedPart[Member] } & {
  readonly values: Map<Definition, readonly string[] | undefined>;
};

export class Saver implements InstanceSaver, Descriptions {
  private readonly world: World;
  private readonly addresses: Addresses;
  /** Entities of instances that have been described. */
  private readonly parts = new Map<Entity, Draft>();

  constructor(world: World, root: Entity | undefined) {
    this.world = world;
    this.addresses = new Addresses(world);
    if (root !== undefined && has(world, root, Prefab as Tag)) this.addresses.of(root);
  }

  idOf(entity: Entity): number | undefined {
    if (!has(this.world, entity, Prefab as Tag)) return undefined;
    return idOf(this.world, entity) || undefined;
  }

  lastIdOf(root: Entity): number | undefined {
    if (!has(this.world, root, Prefab as Tag)) return undefined;
    return lastIdOf(this.world, root);
  }

  isDerived(definition: Definition, target?: Entity): boolean {
    if (definition === BareIsA) return target !== undefined && has(this.world, target, Prefab as Tag);
    return definition === Prefab || definition === PrefabKey;
  }

  isApart(entity: Entity): boolean {
    const { world } = this;
    if (!has(world, entity, Prefab as Tag)) return false;
    const parent = parentOf(world, entity);
    if (parent !== undefined && has(world, parent, Prefab as Tag)) return false;
    return keyOf(world, entity) !== undefined || this.refuseKeyless(entity);
  }

  keyOf(entity: Entity): string | undefined {
    return keyOf(this.world, entity);
  }

  inheritedBy(entity: Entity): readonly Definition[] {
    const base = targetOf(this.world, entity, BareIsA);
    if (base !== undefined && !this.isDerived(BareIsA, base)) return []; // the pair is written
    return archetypeViewAt(this.world, indexOf(entity)).definitions.flatMap(({ standsFor }) =>
      standsFor !== undefined && has(this.world, entity, standsFor as Tag) ? [standsFor] : [],
    );
  }

  autoOverridesOf(entity: Entity): readonly Definition[] {
    return ownCopiesAt(this.world, indexOf(entity));
  }

  describe(entity: Entity, isSaved: (entity: Entity) => boolean): SavedPart | undefined {
    if (!this.parts.has(entity) && isInstanceRoot(this.world, entity) && isSaved(entity))
      this.describeInstance(entity, isSaved);
    return this.parts.get(entity);
  }

  writeAll(writer: PartWriter, selected: Selected, references: Numbering): EntityData[] {
    const { world } = this;
    const [first] = selected.indexes;
    const last = first === undefined ? undefined : this.lastIdOf(handleOf(world, first));
    return writeEntities(world, this, last, writer, selected, references);
  }

  private refuseKeyless(prefab: Entity): never {
    let text = `the prefab ${textOf(this.world, prefab)} has no key for documents`;
    CHECK: text += '; give it one: add(world, prefab, PrefabKey("tank"))';
    return refuseDocument(textOf(this.world, prefab), text);
  }

  /** Describes the root of an instance, and all entities of it that are below it. Those that are left out are missing in the document. */
  private describeInstance(instance: Entity, isSaved: (entity: Entity) => boolean): void {
    const { world } = this;
    const prefab = linkedPart(world, instance)!;
    const key = keyOf(world, prefab) ?? this.refuseKeyless(prefab);
    const addresses = this.addresses.of(prefab);
    /** By part. */
    const present = new Map<Entity, Entity>([[prefab, instance]]);
    const members: Entity[] = [instance];
    const nearAt = new Map<Entity, InstanceAbove>([[instance, { entity: instance, above: undefined }]]);
    const walk = [instance];
    // In the order of `Addresses`: of clones, the same one is the part.
    for (let at = walk.pop(); at !== undefined; at = walk.pop()) {
      const above = nearAt.get(at)!;
      const below = children(world, at).filter(isSaved);
      for (const entity of below) {
        const isRoot = isInstanceRoot(world, entity);
        nearAt.set(entity, isRoot ? { entity, above } : above);
        if (isRoot || instanceOf(world, entity, above) !== instance) continue;
        const part = linkedPart(world, entity)!;
        if (!addresses.has(part) || present.has(part)) continue; // gone from the prefab, or a clone
        present.set(part, entity);
        members.push(entity);
      }
      for (const child of below.reverse()) walk.push(child);
    }
    const inInstance = toInstance(world, instance);
    const partOf = new Map([...present].map(([part, own]) => [own, part]));
    const published = childrenIn(madeAs(world, indexOf(instance))!.tree ?? new Map());
    for (const entity of members) {
      const isRoot = entity === instance;
      const part = linkedPart(world, entity)!;
      const at = addresses.get(part)!;
      const changed = this.changedRelations(entity, part, inInstance);
      const draft: Draft = {
        prefab: isRoot ? key : undefined,
        root: instance,
        address: at.address,
        order: at.order,
        storage: this.storageOf(entity, isRoot ? undefined : part),
        values: new Map(),
        relations: changed.filter((one) => one !== Is),
        hasEntityTags: changed.includes(Is),
        without: [],
        missing: [],
        listsParts: this.listsParts(entity, part, partOf, published.get(part) ?? [], isSaved),
      };
      if (isRoot) draft.missing = this.missingParts(instance, present, addresses);
      // What instances do not get at all is its own.
      for (const definition of [...componentsOf(world, entity), ...tagsOf(world, entity)])
        if (!("target" in definition) && !isGiven(definition, isRoot))
          draft.values.set(definition, undefined);
      this.parts.set(entity, draft);
    }
    for (const { kind, entity, definition, target, fields } of overridesOf(world, instance)) {
      const draft = this.parts.get(entity);
      if (draft === undefined || definition === undefined || target !== undefined) continue;
      if (kind === "removed") draft.without = [...draft.without, definition];
      else {
        // A validator wants whole values.
        const isWhole =
          kind === "added" || fields.length === 0 || storedOf(definition).codec?.schema !== undefined;
        draft.values.set(definition, isWhole ? undefined : fields);
      }
    }
  }

  private storageOf(entity: Entity, part: Entity | undefined): SavedPart["storage"] {
    const { hasValueParent } = archetypeViewAt(this.world, indexOf(entity));
    const expected = part !== undefined && archetypeViewAt(this.world, indexOf(part)).hasValueParent;
    if (hasValueParent === expected) return undefined;
    return hasValueParent ? "Parent" : "ChildOf";
  }

  /**
   * The relations of which an entity has other pairs than its part has now, and than it had when they were published; `Is` for entity
   * tags.
   */
  private changedRelations(entity: Entity, part: Entity, inInstance: InInstance): Definition[] {
    const { world } = this;
    const own = byRelation(factsOf(world, entity, false));
    const now = byRelation(factsOf(world, part, false), inInstance);
    const before = byRelation(madeAs(world, indexOf(entity))!.facts, inInstance);
    return [...new Set([...own.keys(), ...now.keys()])].filter((relation) => {
      const pairs = own.get(relation) ?? [];
      if (relation.onInstantiate === "skip") return pairs.length > 0;
      return !hasSame(pairs, now.get(relation)) && !hasSame(pairs, before.get(relation));
    });
  }

  /** Are the children of an entity others than the children of its part in their order, followed by what was attached? */
  private listsParts(
    entity: Entity,
    part: Entity,
    partOf: ReadonlyMap<Entity, Entity>,
    published: readonly Entity[],
    isSaved: (entity: Entity) => boolean,
  ): boolean {
    const below = children(this.world, entity).filter(isSaved);
    const own = below.map((child) => partOf.get(child)).filter((one) => one !== undefined);
    if (below.some((child, at) => at < own.length && !partOf.has(child))) return true;
    const isIn = new Set(own);
    const isAsIn = (parts: readonly Entity[]): boolean => {
      const expected = parts.filter((one) => isIn.has(one));
      return expected.length === own.length && own.every((one, at) => one === expected[at]);
    };
    return !isAsIn(children(this.world, part)) && !isAsIn(published);
  }

  /** Topmost parts that the instance got and does not have any more. */
  private missingParts(
    instance: Entity,
    present: ReadonlyMap<Entity, Entity>,
    addresses: ReturnType<Addresses["of"]>,
  ): SavedPart["missing"] {
    const { world } = this;
    const { tree } = madeAs(world, indexOf(instance))!;
    const found: [string, number][] = [];
    for (const part of tree?.keys() ?? []) {
      const at = isAlive(world, part) ? addresses.get(part) : undefined;
      if (at === undefined || present.has(part)) continue;
      const parent = parentOf(world, part);
      if (parent === undefined || present.has(parent) || !tree!.has(parent))
        found.push([at.address, at.order]);
    }
    return found;
  }
}

/** The pairs among facts. @param inInstance what an entity of the prefab is in the instance. */
function byRelation(
  facts: readonly Fact[],
  inInstance: InInstance = (target) => target,
): Map<Definition, Fact[]> {
  const found = new Map<Definition, Fact[]>();
  for (const fact of facts) {
    if (fact.target === 0) continue;
    const inside = pointed(fact, inInstance);
    if (inside.target === 0) continue; // to a part that the instance has not
    const list = found.get(fact.definition) ?? [];
    found.set(fact.definition, list);
    list.push(inside);
  }
  return found;
}

function hasSame(own: readonly Fact[], other: readonly Fact[] = []): boolean {
  return (
    own.length === other.length &&
    own.every((one, at) => one.target === other[at]!.target && changedFields(one, other[at]!).length === 0)
  );
}
