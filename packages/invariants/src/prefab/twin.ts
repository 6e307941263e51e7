/**
 * A naive twin of prefabs: objects and lists, no archetypes, no numbers. An entity that was made from a part knows that part, and what it got.
 * Ids of entities are those of the steps; targets of fields and pairs are ids.
 */

export type Value = number | string | true | { readonly [field: string]: number };
export type OnInstantiate = "copy" | "inherit" | "skip";

/** The value of a pair of `Wire`; `via` is an entity, 0 for none. */
export interface Link {
  readonly via: number;
  readonly length: number;
}

/** What instances got of a part. */
export interface Made {
  readonly part: number;
  /** The prefab to which the part belonged. */
  readonly root: number;
  /** What the part was made from itself. */
  readonly from: Made | undefined;
  readonly base: number | undefined;
  readonly values: ReadonlyMap<string, Value>;
  readonly pairs: ReadonlyMap<string, readonly number[]>;
  /** By `linkKey`. */
  readonly links: ReadonlyMap<string, Link>;
  /** Of a prefab: its parts with their parents, parents first and siblings in order. */
  readonly tree: ReadonlyMap<number, number> | undefined;
}

export interface Twin {
  readonly id: number;
  handle: number;
  parent: number | undefined;
  isByValue: boolean;
  children: number[];
  isPrefab: boolean;
  /** Components with values, and tags with `true`. */
  own: Map<string, Value>;
  pairs: Map<string, number[]>;
  /** The values of pairs, by `linkKey`; of pairs that are gone as well. */
  links: Map<string, Link>;
  base: number | undefined;
  made: Made | undefined;
  ownCopies: string[];
  /** Its `PrefabKey`. */
  key: string | undefined;
}

/** Everything. */
export interface State {
  twins: Map<number, Twin>;
  /** "id name" of what was written since it was read last. */
  touched: Set<string>;
}

export const KINDS: { readonly [name: string]: OnInstantiate } = {
  Position: "copy",
  Title: "copy",
  Aim: "copy",
  Fuel: "copy",
  Armed: "copy",
  Lit: "copy",
  Mesh: "inherit",
  Paint: "inherit",
  Heavy: "inherit",
  Notes: "skip",
  Draft: "skip",
};
/** What a component has that is given no value; `Title` and `Paint` have none. */
export const DEFAULTS: { readonly [name: string]: Value } = {
  Position: { x: 0, y: 0 },
  Mesh: { lod: 1, id: 0 },
  Fuel: { litres: 0 },
  Aim: { at: 0 },
  Notes: { length: 0 },
  Armed: true,
  Lit: true,
  Heavy: true,
  Draft: true,
};
export const NAMES: readonly string[] = Object.keys(KINDS);
export const RELATIONS: readonly string[] = ["Near", "Drives", "Wire"];
export const NO_LINK: Link = { via: 0, length: 0 };

export const linkKey = (relation: string, target: number): string => `${relation} ${target}`;

export const KEYS: readonly string[] = ["a", "b", "c"];

export const isExclusive = (relation: string): boolean => relation === "Drives";
export const isEntityField = (name: string): boolean => name === "Aim";

/** A copy that later steps do not change. */
export function copyState({ twins, touched }: State): State {
  const copy = [...twins].map(([id, twin]): [number, Twin] => {
    const { children, own, pairs, links, ownCopies } = twin;
    const copied = new Map([...pairs].map(([relation, targets]) => [relation, [...targets]]));
    return [
      id,
      {
        ...twin,
        children: [...children],
        own: new Map(own),
        pairs: copied,
        links: new Map(links),
        ownCopies: [...ownCopies],
      },
    ];
  });
  return { twins: new Map(copy), touched: new Set(touched) };
}

export function twinOf({ twins }: State, id: number): Twin {
  return twins.get(id)!;
}

export function addTwin(state: State, id: number, parent: number | undefined, isByValue: boolean): Twin {
  const twin: Twin = {
    id,
    handle: 0,
    parent,
    isByValue,
    children: [],
    isPrefab: parent !== undefined && twinOf(state, parent).isPrefab,
    own: new Map(),
    pairs: new Map(),
    links: new Map(),
    base: undefined,
    made: undefined,
    ownCopies: [],
    key: undefined,
  };
  state.twins.set(id, twin);
  if (parent !== undefined) twinOf(state, parent).children.push(id);
  return twin;
}

/** An entity and all below it, parents first. */
export function subtree(state: State, id: number): number[] {
  return [id, ...twinOf(state, id).children.flatMap((child) => subtree(state, child))];
}

export function moveTo(state: State, id: number, parent: number | undefined, isByValue: boolean): void {
  const twin = twinOf(state, id);
  const before = twin.parent;
  twin.isByValue = isByValue;
  if (before === parent) return;
  if (before !== undefined) {
    const { children } = twinOf(state, before);
    children.splice(children.indexOf(id), 1);
  }
  twin.parent = parent;
  if (parent !== undefined) twinOf(state, parent).children.push(id);
  const wasIn = before !== undefined && twinOf(state, before).isPrefab;
  const isIn = parent !== undefined && twinOf(state, parent).isPrefab;
  if (wasIn !== isIn) setPrefab(state, id, isIn);
}

export function setPrefab(state: State, id: number, on: boolean): void {
  for (const one of subtree(state, id)) twinOf(state, one).isPrefab = on;
}

/** The topmost entity of the prefab that an entity is a part of. */
export function prefabRoot(state: State, id: number): number | undefined {
  const { isPrefab, parent } = twinOf(state, id);
  if (!isPrefab) return undefined;
  return (parent !== undefined && prefabRoot(state, parent)) || id;
}

export function isAlive(state: State, id: number | undefined): id is number {
  return id !== undefined && state.twins.has(id);
}

export function setOwn(state: State, id: number, name: string, value: Value | undefined): void {
  const { own } = twinOf(state, id);
  if (value === undefined) own.delete(name);
  else own.set(name, value);
  state.touched.add(`${id} ${name}`);
}

/** The value that an entity has or inherits. */
export function readValue(state: State, id: number, name: string): Value | undefined {
  const { own, made } = twinOf(state, id);
  if (own.has(name)) return shown(state, name, own.get(name)!);
  if (KINDS[name] !== "inherit" || made === undefined || !isAlive(state, made.part)) return undefined;
  return readValue(state, made.part, name);
}

/** Nothing points to an entity that is not alive. */
function shown(state: State, name: string, value: Value): Value {
  if (!isEntityField(name)) return value;
  const { at } = value as { readonly at: number };
  return at !== 0 && !isAlive(state, at) ? { at: 0 } : value;
}

export function pairsOf(state: State, id: number, relation: string): number[] {
  return (twinOf(state, id).pairs.get(relation) ?? []).filter((target) => isAlive(state, target));
}

/** The value of a pair; `NO_LINK` for relations without one. */
export function linkOf(state: State, id: number, relation: string, target: number): Link {
  const link = twinOf(state, id).links.get(linkKey(relation, target)) ?? NO_LINK;
  return isAlive(state, link.via) ? link : { ...link, via: 0 };
}

/** @param given some fields of its value: the others stay as they are, or get their defaults. */
export function addPair(
  state: State,
  id: number,
  relation: string,
  target: number,
  given?: Partial<Link>,
): void {
  const present = pairsOf(state, id, relation);
  if (target === 0) return;
  const isThere = present.includes(target);
  const former = isThere ? linkOf(state, id, relation, target) : NO_LINK;
  if (!isThere || given !== undefined)
    twinOf(state, id).links.set(linkKey(relation, target), { ...former, ...given });
  if (isThere) return;
  twinOf(state, id).pairs.set(relation, isExclusive(relation) ? [target] : [...present, target]);
}

export function removePair(state: State, id: number, relation: string, target: number): void {
  twinOf(state, id).pairs.set(
    relation,
    pairsOf(state, id, relation).filter((one) => one !== target),
  );
}

export function destroyTwin(state: State, id: number): void {
  const { parent } = twinOf(state, id);
  if (parent !== undefined) {
    const { children } = twinOf(state, parent);
    children.splice(children.indexOf(id), 1);
  }
  for (const one of subtree(state, id)) state.twins.delete(one);
}
