// Which entities an instance in a document becomes (`Loader`): its tree, and the terms of each (`complete`).
import {
  type Component,
  type Definition,
  type Entity,
  get,
  parentOf,
  type SpawnTerm,
  type World,
} from "@treeline/core";
import { archetypeViewAt, handleOf, Is, indexOf, shown } from "@treeline/core/internal";
import {
  type Draft,
  type Entry,
  type FindDefinition,
  type InstanceLoader,
  isObject,
  type Part,
  placeIn,
  refuseDocument,
} from "@treeline/document/internal";
import { Name } from "@treeline/names";
import { BareIsA, OwnCopies } from "../base/definitions.ts";
import { type InInstance, pointedValue } from "../publish/facts.ts";
import { requireNoLoop } from "../spawn/contained.ts";
import { partsBelow } from "../spawn/copy-rows.ts";
import { partTerms } from "../spawn/part-terms.ts";
import { toInstance } from "../spawn/to-instance.ts";
import { numberOf } from "../state/part-records.ts";
import { prefabsByKey } from "./definitions.ts";
import { Addresses } from "./part-ids.ts";

type Data = { readonly [name: string]: unknown };
type Place = () => string;

/** Ids of roots of instances, from the outermost to the innermost, and of a part. */
const ADDRESS = /^[1-9]\d*(?:\/[1-9]\d*)*$/;
const NOTHING: Data = {};

/** What a document says of an entity of an instance. */
interface Own {
  readonly terms: readonly SpawnTerm[];
  /** What it has not. */
  readonly without: readonly Definition[];
  /** Relations of which it has only its own pairs. */
  readonly relations: readonly Definition[];
  /** It has only its own entity tags. */
  readonly hasEntityTags: boolean;
}

/** An entity of an instance, to be read. */
interface Node extends Part {
  readonly template: Template;
  /** The place of its part. */
  readonly at: number;
  /** By place of the part; `undefined` for those that the instance has not. */
  readonly nodes: (Node | undefined)[];
  /** Of a root: that of the instance to which this one is attached. */
  readonly outer: Node | undefined;
  /** What the document says of it; of the root the entity itself. */
  readonly data: Data;
  readonly children: (Node | Attached)[];
  /** Its place among the entities of the document; -1 until it is read. */
  place: number;
}

/** What was attached to an entity of an instance: a member of the list of children of the root. */
class Attached {
  readonly data: unknown;
  /** Its place in that list. */
  readonly ordinal: number;

  constructor(data: unknown, ordinal: number) {
    this.data = data;
    this.ordinal = ordinal;
  }
}

/** What instances of one prefab are made from. Lists by place of the part: the root first, parents before children. */
interface Template {
  readonly root: Entity;
  readonly parts: readonly number[];
  readonly numbers: readonly number[];
  readonly addresses: readonly string[];
  /** The place of the parent; -1 for the root. */
  readonly parents: readonly number[];
  readonly places: ReadonlyMap<Entity, number>;
  readonly byAddress: ReadonlyMap<string, number>;
}

/** A term that is an object. */
interface Term {
  readonly definition: Definition;
  readonly target: number;
  value: unknown;
}

export class Loader implements InstanceLoader {
  private readonly world: World;
  private readonly parent: Entity | undefined;
  private readonly prefabs: ReadonlyMap<string, Entity>;
  private readonly addresses: Addresses;
  private readonly templates = new Map<Entity, Template>();
  private readonly nodes = new Set<Node>();
  private readonly opened: Node[] = [];
  /** By place. */
  private readonly made = new Map<number, Node>();
  /** By place of an entity in the document: the root of the instance that it belongs to, or was attached to. */
  private readonly within: (Node | undefined)[] = [];

  constructor(world: World, parent: Entity | undefined) {
    this.world = world;
    this.parent = parent;
    this.prefabs = prefabsByKey(world);
    this.addresses = new Addresses(world);
  }

  prefabOf(key: unknown, place: Place): Entity {
    const prefab = typeof key === "string" ? this.prefabs.get(key) : undefined;
    if (prefab !== undefined) return prefab;
    let text = `no prefab has the key ${shown(key)}`;
    CHECK: text += "; load the prefabs first, by loadPrefabs";
    return refuseDocument(place(), text);
  }

  entryOf(one: unknown, place: number, parent: number): Entry | undefined {
    const root = this.within[parent];
    if (root === undefined) return undefined;
    this.within[place] = root;
    const above = root.place;
    if (one instanceof Attached) return { data: one.data, above, ordinal: one.ordinal };
    let node = this.nodes.has(one as Node) ? (one as Node) : undefined;
    if (node === undefined) {
      if (!isObject(one) || one.part === undefined) return { data: one };
      node = nodeAt(outerOf(root, one.of), one.part);
      if (node === undefined) return { isGone: true };
    }
    node.place = place;
    this.within[place] = node.nodes[0]!;
    this.made.set(place, node);
    const ordinal = `.parts[${JSON.stringify(node.template.addresses[node.at])}]`;
    return { data: node.data, above, ordinal, part: node };
  }

  open(data: Data, place: number, placeOf: Place): Part {
    const root = this.plan(data, placeOf, this.within[place]);
    root.place = place;
    this.made.set(place, root);
    this.within[place] = root;
    this.opened.push(root);
    return root;
  }

  readMember(
    member: string,
    data: Data,
    part: Part | undefined,
    terms: SpawnTerm[],
    find: FindDefinition,
    placeOf: Place,
  ): boolean {
    switch (member) {
      case "autoOverride":
        terms.push(
          OwnCopies(definitionsIn(data.autoOverride, find, () => placeIn(placeOf(), member))) as SpawnTerm,
        );
        return true;
      case "prefab":
      case "parts":
        return part !== undefined && (part as Node).at === 0;
      case "missing":
        return part !== undefined && (part as Node).at > 0;
      case "without":
        return part !== undefined;
      case "below":
        if (typeof data.below !== "string" || !ADDRESS.test(data.below))
          refuseDocument(
            placeIn(placeOf(), "below"),
            `expects the address of a part, not ${shown(data.below)}`,
          );
        return true;
      default:
        return false;
    }
  }

  draftOf(
    part: Part,
    parent: number,
    data: Data,
    terms: SpawnTerm[],
    find: FindDefinition,
    placeOf: Place,
  ): Draft {
    const node = part as Node;
    const { storage } = data;
    const own: Own = {
      terms,
      without: [
        ...(data.name === null ? [Name] : []),
        ...(data.without === undefined
          ? []
          : definitionsIn(data.without, find, () => placeIn(placeOf(), "without"))),
      ],
      relations: definitionsIn(Object.keys(data.pairs ?? {}), find, () => placeIn(placeOf(), "pairs")),
      hasEntityTags: data.entityTags !== undefined,
    };
    const isValueParent =
      node.at > 0 && archetypeViewAt(this.world, node.template.parts[node.at]!).hasValueParent;
    return {
      parent,
      isValueParent: storage === undefined ? isValueParent : storage === "Parent",
      terms,
      complete: (spawned) => this.complete(node, own, spawned),
    };
  }

  /**
   * For an entity of the document that was made from a part of a prefab: that part, and its address in a prefab that this is the document of.
   *
   * @param idAt the id of the entity at a place.
   */
  partAt(place: number, idAt: (place: number) => number): { part: Entity; address: string } | undefined {
    const node = this.made.get(place);
    if (node === undefined) return undefined;
    const { at, nodes, template } = node;
    const id = `${idAt(nodes[0]!.place)}`;
    return {
      part: handleOf(this.world, template.parts[at]!),
      address: at === 0 ? id : `${id}/${template.addresses[at]}`,
    };
  }

  /** Is an entity of the document a part of an instance in it, below its root? */
  isBelowInstance(place: number): boolean {
    return (this.made.get(place)?.at ?? 0) > 0;
  }

  finish(placeOf: (place: number) => string): void {
    for (const { nodes, place, template } of this.opened) {
      for (const [at, node] of nodes.entries())
        if (node?.place === -1)
          refuseDocument(
            placeOf(place),
            `the part ${JSON.stringify(template.addresses[at])} would be below itself`,
          );
    }
  }

  /** The tree of an instance. */
  private plan(data: Data, place: Place, outer: Node | undefined): Node {
    const prefab = this.prefabOf(data.prefab, () => placeIn(place(), "prefab"));
    if (this.parent !== undefined) requireNoLoop(this.world, this.parent, prefab);
    const template = this.templateOf(prefab);
    const partData = readParts(data.parts, () => placeIn(place(), "parts"));
    const attached = data.children ?? [];
    if (!Array.isArray(attached))
      return refuseDocument(placeIn(place(), "children"), `expects a list, not ${shown(attached)}`);
    const claimed = claimsIn(attached, () => placeIn(place(), "children"));
    const nodes: (Node | undefined)[] = [];
    const root = this.nodeOf(template, 0, data, nodes, outer);
    for (let at = 1; at < template.parts.length; at++) {
      const address = template.addresses[at]!;
      const own = partData.get(address) ?? NOTHING;
      const isClaimed = claimed.has(address);
      const above = nodes[template.parents[at]!];
      if (own.missing === true || (above === undefined && !isClaimed)) {
        nodes[at] = undefined;
        continue;
      }
      const node = this.nodeOf(template, at, own, nodes);
      if (!isClaimed) above!.children.push(node);
    }
    for (const [ordinal, one] of attached.entries()) {
      const { part, of, below } = isObject(one) ? one : NOTHING;
      // What was attached to a part that is gone is attached to the root.
      const above = nodeAt(root, below) ?? root;
      if (part === undefined) above.children.push(new Attached(one, ordinal));
      else {
        const node = nodeAt(outerOf(root, of), part);
        if (node !== undefined) above.children.push(node);
      }
    }
    return root;
  }

  private templateOf(prefab: Entity): Template {
    const { world } = this;
    let template = this.templates.get(prefab);
    if (template === undefined) {
      const parts = partsBelow(world, indexOf(prefab));
      const handles = parts.map((part) => handleOf(world, part));
      const places = new Map(handles.map((part, at) => [part, at]));
      const known = this.addresses.of(prefab);
      const addresses = handles.map((part) => known.get(part)!.address);
      template = {
        root: prefab,
        parts,
        numbers: parts.map((part) => numberOf(world, part)),
        addresses,
        parents: handles.map((part, at) => (at === 0 ? -1 : places.get(parentOf(world, part)!)!)),
        places,
        byAddress: new Map(addresses.map((address, at) => [address, at])),
      };
      this.templates.set(prefab, template);
    }
    return template;
  }

  private nodeOf(
    template: Template,
    at: number,
    data: Data,
    nodes: (Node | undefined)[],
    outer?: Node,
  ): Node {
    const node: Node = { template, at, nodes, outer, data, children: [], place: -1 };
    nodes[at] = node;
    this.nodes.add(node);
    return node;
  }

  /** What an entity has: what it gets of its part, with what the document says of it. */
  private complete(node: Node, own: Own, spawned: readonly Entity[]): SpawnTerm[] {
    const { template, at, nodes } = node;
    const { world } = this;
    const { places } = template;
    const part = template.parts[at]!;
    const inInstance = (target: Entity): Entity | undefined => {
      const place = places.get(target);
      const other = place === undefined ? undefined : nodes[place];
      return other && spawned[other.place];
    };
    /** What the part has points to nothing where the instance has not that part. */
    const inside: InInstance = (target, isInherited) => {
      const own = isInherited === true ? toInstance(world, handleOf(world, part))(target, true) : target;
      return own !== undefined && places.has(own) ? inInstance(own) : own;
    };
    const given = new Map<Definition, Term | undefined>();
    for (const term of own.terms) {
      const isObject = typeof term === "object";
      given.set((isObject ? (term as unknown as Term).definition : term) as Definition, termIn(term));
    }
    const terms: SpawnTerm[] = [];
    for (const term of partTerms(world, part, at === 0, inInstance)) {
      const found = termIn(term);
      const definition = found?.definition ?? (term as unknown as Definition);
      const shared = definition.standsFor;
      const meant = shared ?? definition;
      if (own.without.includes(meant) || own.relations.includes(meant)) continue;
      if (own.hasEntityTags && meant === Is) continue;
      if (found !== undefined && meant.kind === "relation" && places.has(found.target as Entity)) continue; // to a part that is missing
      if (!given.has(meant) || meant.kind === "relation") {
        if (found !== undefined && definition.holds === "fields")
          found.value = pointedValue(meant, found.value, inside);
        terms.push(term);
        continue;
      }
      const written = given.get(meant);
      if (written === undefined || meant.holds !== "fields") continue; // it replaces this one
      const whole =
        shared === undefined ? found!.value : get(world, handleOf(world, part), meant as Component);
      written.value = { ...(pointedValue(meant, whole, inside) as object), ...(written.value as object) };
    }
    if (at === 0) terms.push(BareIsA(template.root));
    return [...terms, ...own.terms];
  }
}

/** The definitions of a list of names; those that are not known mean nothing. @throws DocumentError. */
function definitionsIn(names: unknown, find: FindDefinition, place: Place): Definition[] {
  if (!Array.isArray(names)) return refuseDocument(place(), `expects a list, not ${shown(names)}`);
  return names.flatMap((name, at) => find(name, () => placeIn(place(), at)) ?? []);
}

function termIn(term: SpawnTerm): Term | undefined {
  return typeof term === "object" ? (term as unknown as Term) : undefined;
}

/** @throws DocumentError. */
function readParts(data: unknown, place: Place): Map<string, Data> {
  const found = new Map<string, Data>();
  if (data === undefined) return found;
  if (!isObject(data)) return refuseDocument(place(), `expects an object, not ${shown(data)}`);
  for (const address of Object.keys(data)) {
    const one = data[address];
    const inside = (): string => placeIn(place(), address);
    if (!ADDRESS.test(address))
      refuseDocument(inside(), 'the address of a part is its id, or ids with "/" between them');
    if (!isObject(one)) return refuseDocument(inside(), `expects an object, not ${shown(one)}`);
    if (one.missing !== undefined && one.missing !== true)
      refuseDocument(inside(), `missing is true, or left out, not ${shown(one.missing)}`);
    found.set(address, one);
  }
  return found;
}

/** The root of an instance so many times further out. */
function outerOf(root: Node, of: unknown): Node | undefined {
  let found: Node | undefined = root;
  for (let left = typeof of === "number" ? of : 0; left > 0 && found !== undefined; left--)
    found = found.outer;
  return found;
}

/** A part of an instance by its address; `undefined` for one that it has not, and for the root. */
function nodeAt(root: Node | undefined, address: unknown): Node | undefined {
  const at = root?.template.byAddress.get(address as string) ?? 0;
  return at === 0 ? undefined : root!.nodes[at];
}

/** The addresses of parts that have a place of their own among what was attached, also inside of other instances there. */
function claimsIn(attached: readonly unknown[], place: Place): Set<string> {
  const found = new Set<string>();
  for (const lists = [{ list: attached, depth: 0 }]; lists.length > 0; ) {
    const { list, depth } = lists.pop()!;
    for (const one of list) {
      if (!isObject(one)) continue;
      const { part, of = 0, children } = one;
      if (part !== undefined) {
        if (depth > 0 && of !== depth) continue; // of another instance, which looks at it itself
        if (typeof part !== "string" || !ADDRESS.test(part))
          refuseDocument(place(), `part is the address of a part, not ${shown(part)}`);
        for (const name of Object.keys(one))
          if (name !== "part" && name !== "of" && name !== "below")
            refuseDocument(place(), `the place of a part has no member ${shown(name)}`);
        if (!Number.isSafeInteger(of) || (of as number) < 0)
          refuseDocument(place(), `of is a whole number of 0 or more, not ${shown(of)}`);
        if (of !== depth) continue;
        if (found.has(part)) refuseDocument(place(), `the part ${shown(part)} is in two places`);
        found.add(part);
      } else if (Array.isArray(children))
        lists.push({ list: children, depth: one.prefab === undefined ? depth : depth + 1 });
    }
  }
  return found;
}
