// What a document is (`DocumentData`, `EntityData`, `Reference`); the version of the format (`VERSION`); `put` for any name.

/** What every document calls itself. */
export const FORMAT = "treeline";
/** The version of the format itself. Those of components are in `versions`. */
export const VERSION = 1;

/** Plain data: what `JSON.parse` can return. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/**
 * An entity: one of the document by its `id`; one of the world by the names from its root; a prefab by its key; one that the
 * caller's `resolve` knows; or one that was kept for the very world that was saved, with its path if it has one.
 */
export type Reference =
  | { readonly $entity: number }
  | { readonly $path: readonly string[] }
  | { readonly $prefab: string }
  | { readonly $outside: Json }
  | {
      readonly $living: {
        readonly world: string;
        readonly entity: number;
        readonly path?: readonly string[];
      };
    };

/** A pair: its target, and its value if the relation has fields. */
export type PairData = Reference | { readonly to: Reference; readonly value: Json };

/** An entity of a document. */
export interface EntityData {
  /** A whole number from 1 that no other entity of the document has. Only entities that something refers to have one. */
  id?: number;
  /** In the flat form: the id of the parent, which comes before. Roots of the document have none. */
  parent?: number;
  /** Its `Name`. */
  name?: string;
  /** How the parent is stored, unless by `ChildOf`; for a part of an instance, unless as in the prefab. Roots of the document have none. */
  storage?: "Parent" | "ChildOf";
  /** The root of an instance: the key of its prefab. The other members are what it has changed. */
  prefab?: string;
  /** Values by the names of components. Numbers that JSON lacks are texts: "NaN", "Infinity", "-Infinity", "-0". */
  components?: { [name: string]: Json };
  /** Names of tags. */
  tags?: string[];
  /** Entities that it has as tags. */
  entityTags?: Reference[];
  /** Pairs by the names of relations, in the order of adding. */
  pairs?: { [relation: string]: PairData[] };
  /** Of an instance: components and tags of the prefab that it has not. */
  without?: string[];
  /** Of a part of a prefab: components and tags that its instances get as their own, although they would inherit them. */
  autoOverride?: string[];
  /** Of the root of an instance: what it has changed in its parts, by their addresses. */
  parts?: { [address: string]: PartData };
  /** Of what was attached to a part of an instance: the address of that part. */
  below?: string;
  /** Not an entity, but where one is that is described elsewhere: the part of the instance with this address. */
  part?: string;
  /** Of such a part: it is one of an instance around this one, so many times further out. Default: 0, of this one. */
  of?: number;
  /** In the nested form: its children, in order; of the root of an instance, what was attached to it and to its parts. */
  children?: EntityData[];
}

/** What an instance has changed in a part; `missing`: it has removed the part, and all below it that is not elsewhere. */
export interface PartData
  extends Omit<EntityData, "name" | "parent" | "prefab" | "parts" | "below" | "part" | "of" | "children"> {
  /** Its `Name`; `null`: it has none, unlike the part of the prefab. */
  name?: string | null;
  missing?: true;
}

/** A document as plain data: what `writeJson` writes, and `JSON.parse` reads again. */
export interface DocumentData {
  format: typeof FORMAT;
  version: typeof VERSION;
  form: "nested" | "flat";
  /** The version of every component, tag and relation that the document names. */
  versions: { [name: string]: number };
  /** Of a document of a prefab: the highest id that was ever given in it. Ids of parts that are gone are not given again. */
  lastId?: number;
  /** Nested: the roots. Flat: all entities, parents before children, siblings in order. */
  entities: EntityData[];
}

/** Sets a member of plain data; one with the name `__proto__` does not become the prototype. */
export function put(data: object, name: string, value: unknown): void {
  if (name === "__proto__")
    Object.defineProperty(data, name, { value, enumerable: true, configurable: true, writable: true });
  else (data as { [name: string]: unknown })[name] = value;
}
