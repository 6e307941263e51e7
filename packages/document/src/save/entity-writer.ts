// An entity as plain data, by archetypes (`EntityWriter`, `readerOf`); versions that a document names.
import {
  type Component,
  type Definition,
  type Entity,
  get,
  isAlive,
  pairsOf,
  tagsOf,
  type World,
} from "@treeline/core";
import {
  type ArchetypeView,
  archetypeViewAt,
  ChildOf,
  columnsOf,
  type EntityIndex,
  handleOf,
  Is,
  isInternal,
  Parent,
  rowAt,
  textOf,
} from "@treeline/core/internal";
import { Name } from "@treeline/names";
import { storedOf, versionOf } from "../format/codec.ts";
import { isStructure } from "../format/definitions.ts";
import type { EntityData, Json, PairData, Reference } from "../format/document.ts";
import { put } from "../format/document.ts";
import { refuseDocument } from "../format/error.ts";
import type { InstanceSaver, PartWriter } from "../format/instances.ts";
import { numberToJson, shortestF32 } from "../format/numbers.ts";
import { isTransient } from "../format/transient.ts";
import { Unknown, type UnknownData } from "../format/unknown.ts";
import { isObject, mapReferences, placeIn, valueToJson } from "../format/values.ts";
import type { References } from "./references.ts";

type Fields = Definition["fields"];
type List = ArrayLike<unknown>;

/** Reads one field of a row. */
type ReadField = (row: number) => Json;

/** How the rows of one archetype are read. */
interface Reader {
  /** Components in columns, by name. */
  readonly components: readonly (readonly [name: string, read: ReadField])[];
  readonly names: readonly string[] | undefined;
  /** Names of tags, sorted. */
  readonly tags: readonly string[];
  /** Rows may have values or tags that are not in the columns, or pairs besides the parent. */
  readonly isSimple: boolean;
  readonly hasUnknown: boolean;
}

/** Which components and relations are saved; names and parents always are. Default: all. */
export interface Filter {
  readonly components?: readonly Definition[] | undefined;
  readonly relations?: readonly Definition[] | undefined;
}

/** Writes entities as plain data, by archetypes: what is the same for all rows of one is found once. */
export class EntityWriter implements PartWriter {
  private readonly world: World;
  private readonly references: References;
  private readonly components: ReadonlySet<Definition> | undefined;
  private readonly relations: ReadonlySet<Definition> | undefined;
  readonly saver: InstanceSaver | undefined;
  private readonly readers: (Reader | undefined)[] = [];
  private readonly byName = new Map<string, Definition>();
  readonly versions: Map<string, number> = new Map();
  /** The entity that is being written. */
  private at: EntityIndex = 0;

  constructor(world: World, references: References, filter: Filter, saver?: InstanceSaver) {
    this.world = world;
    this.saver = saver;
    this.references = references;
    this.components = filter.components && new Set(filter.components);
    this.relations = filter.relations && new Set(filter.relations);
  }

  write(index: EntityIndex, isRoot: boolean): EntityData {
    const { world } = this;
    const archetype = archetypeViewAt(world, index);
    this.readers[archetype.number] ??= this.readerOf(archetype);
    const reader = this.readers[archetype.number]!;
    const row = rowAt(world, index);
    this.at = index;
    const data: EntityData = {};
    const name = reader.names?.[row];
    if (name !== undefined) data.name = name;
    if (archetype.hasValueParent && !isRoot) data.storage = "Parent";
    if (reader.components.length > 0) {
      const values: { [name: string]: Json } = {};
      for (const [name, read] of reader.components) put(values, name, read(row));
      data.components = values;
    }
    if (reader.tags.length > 0) data.tags = [...reader.tags];
    if (!reader.isSimple) this.writeOthers(index, archetype, row, data);
    if (reader.hasUnknown) this.writeUnknown(index, data);
    return data;
  }

  /** The name of a definition in the document. @throws DocumentError for a second definition of the name. */
  nameOf(definition: Definition): string {
    const { name } = definition;
    const other = this.byName.get(name);
    if (other === definition) return name;
    if (other !== undefined) refuseDocument("", `two definitions are named ${name}; documents go by names`);
    this.byName.set(name, definition);
    this.note(name, versionOf(definition));
    return name;
  }

  private note(name: string, version: number): void {
    const known = this.versions.get(name);
    if (known !== undefined && known !== version) {
      let text = `${name} has version ${version} here and version ${known} there`;
      CHECK: text += `: what an entity kept of an unknown ${name} is of another version`;
      refuseDocument("", text);
    }
    this.versions.set(name, version);
  }

  placeOf(index: EntityIndex, ...names: string[]): string {
    const { world } = this;
    let place = textOf(world, handleOf(world, index));
    for (const name of names) place = placeIn(place, name);
    return place;
  }

  isWanted(definition: Definition): boolean {
    if (isStructure(definition) || isInternal(definition) || definition === Is || isTransient(definition))
      return false;
    if (this.saver?.isDerived(definition)) return false;
    return (definition.kind === "relation" ? this.relations : this.components)?.has(definition) ?? true;
  }

  /** The components and tags in the columns of an archetype, by name. */
  ownOf(archetype: ArchetypeView): Definition[] {
    const own = archetype.definitions.filter((one) => one.kind !== "relation" && this.isWanted(one));
    for (const one of own) this.nameOf(one);
    return own.sort(byName);
  }

  private readerOf(archetype: ArchetypeView): Reader {
    const own = this.ownOf(archetype);
    const components = own
      .filter(({ holds }) => holds !== "nothing")
      .map((one) => [one.name, this.readerFor(one, columnsOf(archetype, one))] as const);
    const tags = own.filter(({ holds }) => holds === "nothing").map(({ name }) => name);
    return {
      components,
      names: columnsOf(archetype, Name) as readonly string[] | undefined,
      tags,
      isSimple: hasOnlyColumns(archetype),
      hasUnknown: archetype.definitions.includes(Unknown),
    };
  }

  /** Reads the values of a component in columns. */
  private readerFor(definition: Definition, columns: unknown): ReadField {
    const place = (): string => this.placeOf(this.at, definition.name);
    if (definition.holds === "values") {
      const list = columns as List;
      const { write } = storedOf(definition).codec ?? {};
      return (row) => valueToJson(write === undefined ? list[row] : write(list[row]), place);
    }
    const lists = columns as { readonly [name: string]: List };
    const fields = definition.fields.map(
      ([name, field]) => [name, this.fieldReader(field, lists[name]!, () => placeIn(place(), name))] as const,
    );
    return (row) => {
      const value = {};
      for (let at = 0; at < fields.length; at++) {
        const [name, read] = fields[at]!;
        put(value, name, read(row));
      }
      return value;
    };
  }

  private fieldReader(
    { kind, isList, length }: Fields[number][1],
    list: List,
    place: () => string,
  ): ReadField {
    const numbers = list as ArrayLike<number>;
    if (isList)
      return (row) => Array.from({ length }, (_, at) => this.writeNumber(kind, numbers[row * length + at]!));
    switch (kind) {
      case "f32":
        return (row) => numberToJson(shortestF32(numbers[row]!));
      case "f64":
        return (row) => numberToJson(numbers[row]!);
      case "bool":
        return (row) => numbers[row] !== 0;
      case "entity":
        return (row) => this.writeEntity(numbers[row] as Entity, place) as Json;
      case "value":
        return (row) => valueToJson(list[row], place);
      default:
        return (row) => numbers[row]!;
    }
  }

  private writeNumber(kind: string, number: number): Json {
    return numberToJson(kind === "f32" ? shortestF32(number) : number);
  }

  /** The reference of a field: `null` for none, for an entity that is not alive, and for one that is dropped. */
  private writeEntity(entity: Entity, place: () => string): Reference | null {
    return (isAlive(this.world, entity) ? this.references.to(entity, place) : undefined) ?? null;
  }

  /** The data of a value that core has copied out. @param wanted the names of fields; all if it is left out. */
  writeValue(definition: Definition, value: unknown, place: () => string, wanted?: readonly string[]): Json {
    if (definition.holds === "values") {
      const { write } = storedOf(definition).codec ?? {};
      return valueToJson(write === undefined ? value : write(value), place);
    }
    const data = {};
    const given = value as { readonly [name: string]: unknown };
    for (const [name, { kind, isList }] of definition.fields) {
      if (wanted?.includes(name) === false) continue;
      const one = given[name];
      let written: unknown;
      if (isList) written = Array.from(one as ArrayLike<number>, (number) => this.writeNumber(kind, number));
      else if (kind === "entity") written = one === undefined ? null : this.writeEntity(one as Entity, place);
      else if (kind === "value") written = valueToJson(one, place);
      else written = typeof one === "number" ? this.writeNumber(kind, one) : one;
      put(data, name, written);
    }
    return data;
  }

  /** What an entity has by row, and its pairs. */
  writeOthers(index: EntityIndex, archetype: ArchetypeView, row: number, data: EntityData): void {
    const { world } = this;
    const entity = handleOf(world, index);
    for (const { definition } of archetype.bits?.columns ?? []) {
      // Rows have a bit for sparse relations, too: that of having any pair.
      if (definition.kind === "relation" || !this.isWanted(definition)) continue;
      if (!archetype.bits!.has(definition, row)) continue;
      const name = this.nameOf(definition);
      if (definition.holds === "nothing") data.tags = [...(data.tags ?? []), name].sort();
      else {
        const value = get(world, entity, definition as Component);
        const place = (): string => this.placeOf(index, name);
        addMember(data, name, this.writeValue(definition, value, place));
      }
    }
    if (this.components === undefined) this.writeEntityTags(index, data);
    const pairs = this.pairsOf(index);
    if (pairs.size > 0) data.pairs = sorted(pairs);
  }

  writeEntityTags(index: EntityIndex, data: EntityData): void {
    const tags = tagsOf(this.world, handleOf(this.world, index));
    const used = tags.flatMap((one) => ("target" in one ? one.target : []));
    if (used.length === 0) return;
    const place = (): string => this.placeOf(index, "entityTags");
    const written = this.inOrder(used, place);
    if (written.length > 0) data.entityTags = written;
  }

  /** The pairs of an entity, by relations. @param wanted which; default: all. */
  pairsOf(index: EntityIndex, wanted?: readonly Definition[]): Map<string, PairData[]> {
    const { world } = this;
    const pairs = new Map<string, PairData[]>();
    for (const { relation, target, value } of pairsOf(world, handleOf(world, index))) {
      if (!this.isWanted(relation) || wanted?.includes(relation) === false) continue;
      if (this.saver === undefined) {
        const refusal = storedOf(relation).refusal?.(world, target);
        if (refusal !== undefined) refuseDocument(this.placeOf(index), refusal);
      } else if (this.saver.isDerived(relation, target)) continue;
      const place = (): string => this.placeOf(index, relation.name);
      const to = this.references.to(target, place);
      if (to === undefined) continue;
      const name = this.nameOf(relation);
      const list = pairs.get(name) ?? [];
      pairs.set(name, list);
      list.push(value === undefined ? to : { to, value: this.writeValue(relation, value, place) });
    }
    return pairs;
  }

  /** References to entities whose order means nothing: first those of the document, in its order. */
  private inOrder(entities: readonly Entity[], place: () => string): Reference[] {
    const keys = new Map<Reference, number | string>();
    for (const entity of entities) {
      const one = this.references.to(entity, place);
      if (one !== undefined) keys.set(one, this.references.orderOf(entity) ?? JSON.stringify(one));
    }
    return [...keys.keys()].sort((one, other) => {
      const [left, right] = [keys.get(one)!, keys.get(other)!];
      if (typeof left !== typeof right) return typeof left === "number" ? -1 : 1;
      return left < right ? -1 : 1;
    });
  }

  writeUnknown(index: EntityIndex, data: EntityData): void {
    const { world } = this;
    const kept = get(world, handleOf(world, index), Unknown) as UnknownData;
    const place = (name: string) => (): string => this.placeOf(index, name);
    const map =
      (name: string) =>
      (reference: { readonly [name: string]: Json }): Json => {
        const target = reference.$entity as Entity;
        return this.writeEntity(target, place(name)) as Json;
      };
    if (this.components === undefined) {
      for (const [name, value] of kept.components) {
        this.noteKept(kept, name);
        const written = mapReferences(value, map(name), place(name));
        addMember(data, name, written);
      }
      for (const [name, fields] of kept.fields) {
        const value = data.components?.[name];
        if (!isObject(value)) continue;
        const written = mapReferences(fields, map(name), place(name)) as { readonly [name: string]: Json };
        for (const field of Object.keys(written))
          if (!Object.hasOwn(value, field)) put(value, field, written[field]);
      }
      for (const name of kept.tags) {
        this.noteKept(kept, name);
        if (!data.tags?.includes(name)) data.tags = [...(data.tags ?? []), name].sort();
      }
    }
    const pairs = new Map<string, PairData[]>(Object.entries(data.pairs ?? {}));
    for (const { relation, target, value } of this.relations === undefined ? kept.pairs : []) {
      if (typeof target === "number" && !isAlive(world, target)) continue;
      const to = typeof target === "number" ? this.references.to(target, place(relation)) : target;
      if (to === undefined) continue;
      this.noteKept(kept, relation);
      const list = pairs.get(relation) ?? [];
      pairs.set(relation, list);
      list.push(
        value === undefined ? to : { to, value: mapReferences(value, map(relation), place(relation)) },
      );
    }
    for (const { relation, target, value } of this.relations === undefined ? kept.pairFields : []) {
      const list = pairs.get(relation);
      if (list === undefined || !isAlive(world, target as Entity)) continue;
      const to = this.references.to(target as Entity, place(relation));
      const pair = list.find((one) => "to" in one && one.to === to) as { readonly value: Json } | undefined;
      if (pair === undefined || !isObject(pair.value)) continue;
      const written = mapReferences(value!, map(relation), place(relation));
      for (const [field, one] of Object.entries(written as object))
        if (!Object.hasOwn(pair.value, field)) put(pair.value, field, one);
    }
    if (pairs.size > 0) data.pairs = sorted(pairs);
    orderMembers(data);
  }

  private noteKept({ versions }: UnknownData, name: string): void {
    this.note(name, versions.get(name) ?? 1);
  }
}

/** Is all that entities of an archetype have in its columns, but for the parent? */
export function hasOnlyColumns({ bits, definitions }: ArchetypeView): boolean {
  return (
    bits === undefined &&
    definitions.every((one) => one.kind !== "relation" || one === ChildOf || one === Parent)
  );
}

function byName(one: Definition, other: Definition): number {
  return one.name < other.name ? -1 : 1;
}

export function sorted<Value>(members: ReadonlyMap<string, Value>): { [name: string]: Value } {
  const data = {};
  for (const name of [...members.keys()].sort()) put(data, name, members.get(name));
  return data;
}

/** Adds a component; one of the name stays. Components are sorted by name. */
export function addMember(data: EntityData, name: string, value: Json): void {
  data.components = sorted(new Map([[name, value], ...Object.entries(data.components ?? {})]));
  orderMembers(data);
}

/** Puts what was added late where it is in all entities: the same content has the same text. */
export function orderMembers(data: EntityData): void {
  const { components, tags, entityTags, pairs, without } = data;
  for (const [member, value] of Object.entries({ components, tags, entityTags, pairs, without })) {
    delete data[member as "tags"];
    if (value !== undefined) Object.assign(data, { [member]: value });
  }
}
