// Entities of both forms as drafts (`EntityReader`), without recursion; what is kept; places in messages (`STEPS_SHOWN`).
import {
  asTag,
  type Definition,
  type Entity,
  type SpawnTerm,
  TreelineError,
  type World,
} from "@treeline/core";
import { shown } from "@treeline/core/internal";
import { Name } from "@treeline/names";
import { type Json, put, type Reference } from "../format/document.ts";
import type { Draft } from "../format/entities.ts";
import { refuseDocument } from "../format/error.ts";
import type { Entry, FindDefinition, InstanceLoader } from "../format/instances.ts";
import type { Limits } from "../format/limits.ts";
import { Unknown, type UnknownPair } from "../format/unknown.ts";
import { isObject, mapReferences, placeIn } from "../format/values.ts";
import type { Drafts } from "../load/draft.ts";
import type { Known, Names } from "../load/names.ts";
import { fitsField, type OutsideReading, ValueReader } from "../load/read-values.ts";

/** What to do with what a program does not know. */
export type UnknownNames = "refuse" | "keep" | "drop";

/** @throws TreelineError `bad-value`. */
export function requirePolicy(unknown: UnknownNames): void {
  if (!["refuse", "keep", "drop"].includes(unknown))
    throw new TreelineError("bad-value", `unknown is "refuse", "keep" or "drop", not ${shown(unknown)}`);
}

interface ReadOptions extends OutsideReading {
  readonly unknown: UnknownNames;
  readonly limits: Limits;
  /** The data is from a text, so no object is in it twice. */
  readonly isParsed: boolean;
  readonly instances: InstanceLoader | undefined;
}

/** What an entity keeps, while it is read. */
interface Kept {
  readonly versions: Map<string, number>;
  readonly components: Map<string, Json>;
  readonly fields: Map<string, { [name: string]: Json }>;
  readonly tags: string[];
  readonly pairs: UnknownPair[];
  readonly pairFields: UnknownPair[];
}

type Place = () => string;
type Data = { readonly [name: string]: unknown };
/** Called with a value or a target that is not written yet. */
type Callable = (...given: unknown[]) => SpawnTerm;

/** How many steps of a place a message shows. */
const STEPS_SHOWN = 8;

/** Reads the entities of a document in both forms, without recursion over the tree. */
export class EntityReader {
  private readonly names: Names;
  private readonly options: ReadOptions;
  private readonly values: ValueReader;
  private readonly drafts: Draft[] = [];
  private readonly ids = new Map<number, number>();
  /** By place: which entity of its list it is, or how a part is written in a place; and on which level it is, from 1. */
  private readonly ordinals: (number | string)[] = [];
  private readonly levels: number[] = [];
  /** By place: the place of the entity inside which the document has it, -1 for a root. */
  private readonly parents: number[] = [];
  private form: "nested" | "flat" = "nested";
  /** Of the entity that is being read: a list that grows has much more room than it needs. */
  private readonly terms: SpawnTerm[] = [];
  /** The components of that entity. */
  private readonly found: Definition[] = [];
  private kept: Kept | undefined;

  constructor(world: World, names: Names, options: ReadOptions) {
    this.names = names;
    this.options = options;
    this.values = new ValueReader(world, options, options.limits, options.instances);
  }

  readAll(data: unknown, form: "nested" | "flat"): Drafts {
    this.form = form;
    /** The lists that are being read, the next place in each, and the place of the parent. */
    const lists = [requireList(data, () => "entities")];
    const next = [0];
    const parents = [-1];
    const seen = new Set<unknown>();
    while (lists.length > 0) {
      const ordinal = next[next.length - 1]!++;
      const list = lists.at(-1)!;
      if (ordinal === list.length) {
        lists.pop();
        next.pop();
        parents.pop();
        continue;
      }
      const one = list[ordinal];
      const place = this.drafts.length;
      const entry = this.options.instances?.entryOf(one, place, parents.at(-1)!);
      if (entry?.isGone) continue;
      if (!this.options.isParsed && seen.size === seen.add(one).size) {
        this.ordinals[place] = ordinal;
        const above = parents.at(-1)!;
        this.refuse(place, above, "this object is in the document twice");
      }
      const children = this.readEntity(
        entry === undefined ? one : entry.data,
        ordinal,
        parents.at(-1)!,
        entry,
      );
      if (children === undefined) continue;
      lists.push(Array.isArray(children) ? children : requireList(children, this.placeOf(place, "children")));
      next.push(0);
      parents.push(place);
    }
    this.options.instances?.finish((place) => this.textOf(place, this.parents[place]!));
    for (const patch of this.values.patches) {
      const place = this.ids.get(patch.entity);
      if (place === undefined)
        refuseDocument(patch.place(), `no entity of the document has the id ${patch.entity}`);
      patch.entity = place;
    }
    const placeOf = (place: number): string => this.textOf(place, this.parents[place]!);
    return { entities: this.drafts, patches: this.values.patches, ids: this.ids, placeOf };
  }

  /** @param tree the place of its parent. @returns its children, unread. */
  private readEntity(data: unknown, ordinal: number, tree: number, entry: Entry | undefined): unknown {
    const place = this.drafts.length;
    const { limits, instances } = this.options;
    const above = entry?.above ?? tree;
    this.ordinals.push(entry?.ordinal ?? ordinal);
    if (place === limits.entities)
      this.refuse(place, above, `the document has more than ${limits.entities} entities, the limit`);
    if (!isObject(data)) return this.refuse(place, above, `expects an entity, not ${shown(data)}`);
    let parent = tree;
    if (data.parent !== undefined) {
      if (this.form === "nested") this.refuse(place, above, "an entity inside its parent has no `parent`");
      const found = this.ids.get(data.parent as number);
      if (found === undefined)
        this.refuse(place, above, `no entity before this one has the id ${shown(data.parent)} of its parent`);
      parent = found;
    }
    const level = parent < 0 ? 1 : this.levels[parent]! + 1;
    this.levels.push(level);
    if (level > limits.depth)
      this.refuse(place, above, `the document has more than ${limits.depth} levels, the limit`);
    const { storage, id, name } = data;
    if (storage !== undefined && storage !== "Parent" && (entry?.part === undefined || storage !== "ChildOf"))
      this.refuse(place, above, `storage is "Parent", or left out, not ${shown(storage)}`);
    this.parents.push(this.form === "flat" ? parent : above);
    let part = entry?.part;
    if (part === undefined && data.prefab !== undefined && this.form === "nested")
      part = instances?.open(data, place, this.placeOf(place));
    const { terms } = this;
    terms.length = 0;
    if (id !== undefined) {
      if (!Number.isSafeInteger(id) || (id as number) < 1)
        this.refuse(place, above, `an id is a whole number from 1, not ${shown(id)}`);
      if (this.ids.has(id as number)) this.refuse(place, above, `another entity has the id ${shown(id)}`);
      this.ids.set(id as number, place);
    }
    if (name !== undefined && (name !== null || part === undefined)) {
      if (!this.values.isSmallText(name)) this.values.text(name, this.placeOf(place, "name"));
      terms.push(Name(name as string));
    }
    let children: unknown;
    this.kept = undefined;
    for (const member of Object.keys(data)) {
      switch (member) {
        case "components":
          this.readComponents(place, data.components, terms);
          break;
        case "tags":
          this.readTags(place, data.tags, terms);
          break;
        case "entityTags":
          this.readEntityTags(place, data.entityTags, terms);
          break;
        case "pairs":
          this.readPairs(place, data.pairs, terms);
          break;
        case "children":
          if (this.form === "flat") this.refuse(place, above, "an entity of the flat form has no children");
          children = data.children;
          break;
        case "id":
        case "parent":
        case "name":
        case "storage":
          break;
        default:
          if (!instances?.readMember(member, data, part, terms, this.find, this.placeOf(place)))
            this.refuse(place, above, `an entity has no member ${shown(member)}`);
      }
    }
    if (this.kept !== undefined) terms.push(Unknown(this.kept));
    if (part !== undefined) {
      this.drafts.push(instances!.draftOf(part, parent, data, terms.slice(), this.find, this.placeOf(place)));
      return part.children;
    }
    if (parent >= 0) terms.push(undefined as never); // a place for it
    this.drafts.push({
      parent,
      isValueParent: storage === "Parent",
      terms: terms.slice(),
    });
    return children;
  }

  private readonly find: FindDefinition = (given, here) => {
    const name = this.values.text(given, here);
    const known = this.names.find(name, undefined, here);
    if (known === undefined) this.isKept("definition", name, here);
    return known?.definition;
  };

  /** What the entity that is being read keeps. */
  private keep(): Kept {
    this.kept ??= {
      versions: new Map(),
      components: new Map(),
      fields: new Map(),
      tags: [],
      pairs: [],
      pairFields: [],
    };
    return this.kept;
  }

  private readComponents(place: number, data: unknown, terms: SpawnTerm[]): void {
    const members = isObject(data) ? data : requireObject(data, this.placeOf(place, "components"));
    const { found } = this;
    found.length = 0;
    for (const name of Object.keys(members)) {
      const usual = this.names.numbers.get(name);
      if (usual !== undefined && !found.includes(usual.definition) && this.isUsual(usual, members[name])) {
        found.push(usual.definition);
        terms.push({ definition: usual.definition, target: 0, value: members[name] } as unknown as SpawnTerm);
        continue;
      }
      const at = this.placeOf(place, "components", name);
      const known = this.names.find(name, "components", at);
      if (known === undefined) {
        if (!this.isKept("component", name, at)) continue;
        this.keep().components.set(name, this.keptValue(members[name], at));
        this.keep().versions.set(name, this.names.versionIn(name));
        continue;
      }
      if (found.includes(known.definition))
        refuseDocument(at(), `the entity has ${known.definition.name} already`);
      found.push(known.definition);
      const value = this.values.value(known, members[name], at, (field, given) => {
        const inside = (): string => placeIn(at(), field);
        if (!this.isKept("field", field, inside)) return;
        const fields = this.keep().fields.get(known.definition.name) ?? {};
        this.keep().fields.set(known.definition.name, fields);
        put(fields, field, this.keptValue(given, inside));
      });
      terms.push((known.definition as unknown as Callable)(value));
    }
  }

  /** Is it a value of which nothing has to be read but numbers that fit? A parsed one needs no copy. */
  private isUsual({ fields }: Known, data: unknown): boolean {
    if (!this.options.isParsed || !isObject(data)) return false;
    for (const name in data) {
      const field = fields.get(name);
      if (field === undefined || !fitsField(field, data[name])) return false;
    }
    return true;
  }

  private readTags(place: number, data: unknown, terms: SpawnTerm[]): void {
    const list = requireList(data, this.placeOf(place, "tags"));
    const found = new Set<unknown>();
    for (let at = 0; at < list.length; at++) {
      const here = this.placeOf(place, "tags", at);
      const name = this.values.text(list[at], here);
      const known = this.names.find(name, "tags", here);
      const key = known?.definition ?? name;
      if (found.size === found.add(key).size)
        refuseDocument(here(), `the entity has the tag ${name} already`);
      if (known !== undefined) terms.push(known.definition as unknown as SpawnTerm);
      else if (this.isKept("tag", name, here)) {
        this.keep().tags.push(name);
        this.keep().versions.set(name, this.names.versionIn(name));
      }
    }
  }

  private readEntityTags(place: number, data: unknown, terms: SpawnTerm[]): void {
    const list = requireList(data, this.placeOf(place, "entityTags"));
    for (let at = 0; at < list.length; at++) {
      const term = asTag(0 as Entity);
      if (this.values.reference(list[at], term, "target", this.placeOf(place, "entityTags", at)))
        terms.push(term);
    }
  }

  private readPairs(place: number, data: unknown, terms: SpawnTerm[]): void {
    const members = requireObject(data, this.placeOf(place, "pairs"));
    const found = new Set<unknown>();
    for (const name of Object.keys(members)) {
      const at = this.placeOf(place, "pairs", name);
      const known = this.names.find(name, "pairs", at);
      if (known !== undefined && found.size === found.add(known.definition).size)
        refuseDocument(at(), `the entity has pairs of ${known.definition.name} already`);
      const isKept = known === undefined && this.isKept("relation", name, at);
      const list = requireList(members[name], at);
      if (known?.definition.exclusive && list.length > 1)
        refuseDocument(at(), `${name} has one target, not ${list.length}`);
      for (let number = 0; number < list.length; number++) {
        const here = (): string => placeIn(at(), number);
        const one = list[number];
        const isLong = isObject(one) && Object.hasOwn(one, "to");
        const target = isLong ? one.to : one;
        if (known === undefined) {
          if (!isKept) continue;
          const value = isLong ? this.keptValue(one.value, here) : undefined;
          const pair = { relation: name, target: target as UnknownPair["target"], value };
          this.readKeptTarget(target, pair, here);
          this.keep().pairs.push(pair);
          this.keep().versions.set(name, this.names.versionIn(name));
          continue;
        }
        const { definition } = known;
        if (isLong && definition.holds === "nothing") refuseDocument(here(), `${name} has no values`);
        const fields: { [name: string]: Json } = {};
        const value = isLong
          ? this.values.value(
              known,
              one.value,
              () => placeIn(here(), "value"),
              (field, given) => {
                const inside = (): string => placeIn(here(), field);
                if (this.isKept("field", field, inside)) put(fields, field, this.keptValue(given, inside));
              },
            )
          : undefined;
        const term = { definition, target: 0, value };
        if (!this.values.reference(target, term, "target", here)) continue;
        terms.push(term as unknown as SpawnTerm);
        if (Object.keys(fields).length > 0) {
          const pair = { relation: definition.name, target: target as Reference, value: fields };
          this.values.reference(target, pair, "target", here);
          this.keep().pairFields.push(pair);
        }
      }
    }
  }

  private readKeptTarget(target: unknown, pair: object, place: Place): void {
    if (isObject(target) && Object.hasOwn(target, "$entity"))
      this.values.reference(target, pair, "target", place);
    else this.values.requireLimits(target, place);
  }

  /** A copy of data that is kept, in which references to entities of the document will have their handles. */
  private keptValue(data: unknown, place: Place): Json {
    this.values.requireLimits(data, place);
    return mapReferences(
      data as Json,
      (reference) => {
        const kept = { $entity: 0 };
        return this.values.reference(reference, kept, "$entity", place) ? kept : null;
      },
      place,
    );
  }

  /** @throws DocumentError if what is unknown is refused. */
  private isKept(what: string, name: string, place: Place): boolean {
    this.values.text(name, place);
    if (this.options.unknown === "refuse") {
      let text = `no ${what} named ${JSON.stringify(name)} is known`;
      CHECK: text += '; list it in `definitions`, or pass unknown: "keep" or "drop"';
      refuseDocument(place(), text);
    }
    return this.options.unknown === "keep";
  }

  private refuse(place: number, above: number, message: string): never {
    return refuseDocument(this.textOf(place, above), message);
  }

  private placeOf(place: number, ...members: (string | number)[]): Place {
    return () => {
      let text = this.textOf(place, this.parents[place] ?? -1);
      for (const member of members) text = placeIn(text, member);
      return text;
    };
  }

  private textOf(place: number, above: number): string {
    if (this.form === "flat") return `entities[${this.ordinals[place]}]`;
    let text = "";

    let at = place;
    let parent = above;
    for (let steps = 0; parent >= 0; steps++) {
      if (steps === STEPS_SHOWN) return `...${text}`;
      const ordinal = this.ordinals[at]!;
      text = (typeof ordinal === "number" ? `.children[${ordinal}]` : ordinal) + text;
      at = parent;
      parent = this.parents[at]!;
    }
    return `entities[${this.ordinals[at]}]${text}`;
  }
}

function requireList(data: unknown, place: Place): readonly unknown[] {
  return Array.isArray(data) ? data : refuseDocument(place(), `expects a list, not ${shown(data)}`);
}

function requireObject(data: unknown, place: Place): Data {
  return isObject(data) ? data : refuseDocument(place(), `expects an object, not ${shown(data)}`);
}
