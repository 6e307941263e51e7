import {
  type Component,
  type Definition,
  type Entity,
  get,
  parentOf,
  type SpawnTerm,
  type World,
} from "@treeline/core";
import { archetypeViewAt, handleOf, indexOf, shown } from "@treeline/core/internal";
import {
  AttachedData,
  type InstanceLoader,
  InstanceNode,
  isObject,
  type OwnParts,
  placeIn,
  refuseDocument,
} from "@treeline/document/internal";
import { BareIsA, OwnCopies } from "../base/definitions.ts";
import { requireNoLoop } from "../spawn/contained.ts";
import { partsBelow } from "../spawn/copy-rows.ts";
import { partTerms } from "../spawn/part-terms.ts";
import { numberOf } from "../state/part-records.ts";
import { prefabsByKey } from "./definitions.ts";
import { Addresses } from "./part-ids.ts";

type Data = { readonly [name: string]: unknown };
type Place = () => string;

/** Ids of roots of instances, from the outermost to the innermost, and of a part. */
const ADDRESS = /^[1-9]\d*(?:\/[1-9]\d*)*$/;
const NOTHING: Data = {};

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

  constructor(world: World, parent: Entity | undefined) {
    this.world = world;
    this.parent = parent;
    this.prefabs = prefabsByKey(world);
    this.addresses = new Addresses(world);
  }

  prefabAt(key: string): Entity | undefined {
    return this.prefabs.get(key);
  }

  autoOverride(definitions: readonly Definition[]): SpawnTerm {
    return OwnCopies(definitions) as SpawnTerm;
  }

  open(data: Data, place: Place): InstanceNode {
    const prefab = typeof data.prefab === "string" ? this.prefabs.get(data.prefab) : undefined;
    if (prefab === undefined) {
      let text = `no prefab has the key ${shown(data.prefab)}`;
      CHECK: text += "; load the prefabs first, by loadPrefabs";
      return refuseDocument(placeIn(place(), "prefab"), text);
    }
    if (this.parent !== undefined) requireNoLoop(this.world, this.parent, prefab);
    const template = this.templateOf(prefab);
    const partData = readParts(data.parts, () => placeIn(place(), "parts"));
    const attached = data.children ?? [];
    if (!Array.isArray(attached))
      return refuseDocument(placeIn(place(), "children"), `expects a list, not ${shown(attached)}`);
    const claimed = claimsIn(attached, () => placeIn(place(), "children"));
    const nodes: (InstanceNode | undefined)[] = [];
    const root = this.nodeOf(template, 0, data, nodes, undefined);
    for (let at = 1; at < template.parts.length; at++) {
      const address = template.addresses[at]!;
      const own = partData.get(address) ?? NOTHING;
      const isClaimed = claimed.has(address);
      const above = nodes[template.parents[at]!];
      if (own.missing === true || (above === undefined && !isClaimed)) {
        nodes[at] = undefined;
        continue;
      }
      const node = this.nodeOf(template, at, own, nodes, root);
      root.parts.set(address, node);
      if (!isClaimed) above!.children.push(node);
    }
    for (const [ordinal, one] of attached.entries()) {
      if (!isObject(one)) {
        root.children.push(new AttachedData(one, ordinal, root));
        continue;
      }
      const { part, below } = one;
      // What was attached to a part that is gone is attached to the root.
      const above = (typeof below === "string" && root.parts.get(below)) || root;
      if (part === undefined) above.children.push(new AttachedData(one, ordinal, root));
      else {
        const node = root.parts.get(part as string);
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
    nodes: (InstanceNode | undefined)[],
    root: InstanceNode | undefined,
  ): InstanceNode {
    const { world } = this;
    const isValueParent = at > 0 && archetypeViewAt(world, template.parts[at]!).hasValueParent;
    const node = new InstanceNode(template.addresses[at]!, data, isValueParent, root, (own, spawned) =>
      this.complete(template, at, nodes, own, spawned),
    );
    nodes[at] = node;
    return node;
  }

  /** What an entity has: what it gets of its part, with what the document says of it. */
  private complete(
    template: Template,
    at: number,
    nodes: readonly (InstanceNode | undefined)[],
    own: OwnParts,
    spawned: readonly Entity[],
  ): SpawnTerm[] {
    const { world } = this;
    const { places } = template;
    const part = template.parts[at]!;
    const inInstance = (target: Entity): Entity | undefined => {
      const place = places.get(target);
      const node = place === undefined ? undefined : nodes[place];
      return node && spawned[node.place];
    };
    const given = new Map<Definition, Term | undefined>();
    for (const term of own.terms) {
      if (typeof term === "number") continue;
      const isObject = typeof term === "object";
      given.set((isObject ? (term as unknown as Term).definition : term) as Definition, termIn(term));
    }
    const terms: SpawnTerm[] = [];
    for (const term of partTerms(world, part, template.numbers[at]!, at === 0, inInstance)) {
      if (typeof term === "number") {
        if (!own.hasEntityTags && !places.has(term)) terms.push(term);
        continue;
      }
      const found = termIn(term);
      const definition = found?.definition ?? (term as unknown as Definition);
      const shared = definition.standsFor;
      const meant = shared ?? definition;
      if (own.without.has(meant) || own.relations.has(meant)) continue;
      if (found !== undefined && meant.kind === "relation" && places.has(found.target as Entity)) continue; // to a part that is missing
      if (!given.has(meant) || meant.kind === "relation") {
        if (found !== undefined && meant.holds === "fields") dropMissing(found, places);
        terms.push(term);
        continue;
      }
      const written = given.get(meant);
      if (written === undefined || meant.holds !== "fields") continue; // it replaces this one
      const whole =
        shared === undefined ? found!.value : get(world, handleOf(world, part), meant as Component);
      written.value = { ...(whole as object), ...(written.value as object) };
      dropMissing(written, places);
    }
    if (at === 0) terms.push(BareIsA(template.root));
    return [...terms, ...own.terms];
  }
}

function termIn(term: SpawnTerm): Term | undefined {
  return typeof term === "object" ? (term as unknown as Term) : undefined;
}

/** Fields that point to a part that the instance has not point nowhere. */
function dropMissing(term: Term, places: ReadonlyMap<Entity, number>): void {
  const value = term.value as { [name: string]: unknown };
  for (const [name, { kind }] of term.definition.fields)
    if (kind === "entity" && places.has(value?.[name] as Entity)) value[name] = undefined;
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

/** The addresses of parts that have a place of their own among what was attached; not those inside of other instances. */
function claimsIn(attached: readonly unknown[], place: Place): Set<string> {
  const found = new Set<string>();
  for (const lists = [attached]; lists.length > 0; ) {
    for (const one of lists.pop()!) {
      if (!isObject(one)) continue;
      const { part, children } = one;
      if (part !== undefined) {
        if (typeof part !== "string" || !ADDRESS.test(part))
          refuseDocument(place(), `part is the address of a part, not ${shown(part)}`);
        for (const name of Object.keys(one))
          if (name !== "part" && name !== "below")
            refuseDocument(place(), `the place of a part has no member ${shown(name)}`);
        if (found.has(part)) refuseDocument(place(), `the part ${shown(part)} is in two places`);
        found.add(part);
      } else if (Array.isArray(children) && one.prefab === undefined) lists.push(children);
    }
  }
  return found;
}
