/** How the twin makes and unmakes instances, and finds their parts. */

import {
  addPair,
  addTwin,
  DEFAULTS,
  isAlive,
  isEntityField,
  isExclusive,
  KINDS,
  type Link,
  linkKey,
  linkOf,
  type Made,
  pairsOf,
  prefabRoot,
  RELATIONS,
  readValue,
  type State,
  setOwn,
  subtree,
  twinOf,
  type Value,
} from "./twin.ts";

/** What an entity of the prefab is in the instance, 0 if it has not that part; others are themselves. */
export type Map1 = (id: number) => number;

export function mapped(state: State, name: string, value: Value, toInstance: Map1): Value {
  if (!isEntityField(name)) return value;
  const { at } = value as { readonly at: number };
  const target = at === 0 ? 0 : toInstance(at);
  return { at: isAlive(state, target) ? target : 0 };
}

export function mappedLink(state: State, { via, length }: Link, toInstance: Map1): Link {
  const target = via === 0 ? 0 : toInstance(via);
  return { via: isAlive(state, target) ? target : 0, length };
}

/** What instances get of a part now. */
export function take(state: State, part: number, root: number): Made {
  const { made, base } = twinOf(state, part);
  const values = new Map<string, Value>();
  for (const name of Object.keys(KINDS)) {
    const value = givenValue(state, part, name);
    if (KINDS[name] !== "skip" && value !== undefined) values.set(name, value);
  }
  const pairs = new Map(RELATIONS.map((relation) => [relation, pairsOf(state, part, relation)]));
  const links = new Map<string, Link>();
  for (const [relation, targets] of pairs)
    for (const target of targets) links.set(linkKey(relation, target), linkOf(state, part, relation, target));
  if (part !== root) return { part, root, from: made, base, values, pairs, links, tree: undefined };
  const below = subtree(state, root).slice(1);
  const tree = new Map(below.map((one) => [one, twinOf(state, one).parent!]));
  return { part, root, from: made, base: undefined, values, pairs, links, tree };
}

/** What instances get of a component of a part: what that has or inherits, or the default of one that they shall have of their own. */
export function givenValue(state: State, part: number, name: string): Value | undefined {
  const value = readValue(state, part, name);
  return value ?? (twinOf(state, part).ownCopies.includes(name) ? DEFAULTS[name] : undefined);
}

/** What an entity has of a component is compared with what its part has now, from now on. @param fields those that are meant; default: all. */
export function rebase(state: State, id: number, name: string, fields?: readonly string[]): void {
  const twin = twinOf(state, id);
  const { made } = twin;
  if (made === undefined || !isAlive(state, made.part) || KINDS[name] === "skip") return;
  const values = new Map(made.values);
  const was = values.get(name);
  const now = givenValue(state, made.part, name);
  if (now === undefined) values.delete(name);
  else if (fields === undefined || typeof was !== "object" || typeof now !== "object") values.set(name, now);
  else values.set(name, { ...was, ...Object.fromEntries(fields.map((field) => [field, now[field]!])) });
  twin.made = { ...made, values };
}

/** Before an entity gets a value: the one that it inherits until then is what it is compared with. */
export function overriding(state: State, id: number, name: string): void {
  if (!twinOf(state, id).own.has(name) && readValue(state, id, name) !== undefined) rebase(state, id, name);
}

/** Gives an entity what it lacks of a part. */
function give(state: State, id: number, made: Made, toInstance: Map1): void {
  const twin = twinOf(state, id);
  const { ownCopies } = twinOf(state, made.part);
  twin.made = made;
  for (const [name, value] of made.values) {
    const isOwn = KINDS[name] === "copy" || ownCopies.includes(name);
    if (isOwn && !twin.own.has(name)) setOwn(state, id, name, mapped(state, name, value, toInstance));
    else state.touched.add(`${id} ${name}`);
  }
  for (const [relation, targets] of made.pairs) {
    if (isExclusive(relation) && pairsOf(state, id, relation).length > 0) continue;
    for (const target of targets) {
      const other = toInstance(target);
      if (other !== target && targets.includes(other)) continue; // it has that itself
      const isThere = pairsOf(state, id, relation).includes(other);
      if (!isThere)
        addPair(
          state,
          id,
          relation,
          other,
          mappedLink(state, made.links.get(linkKey(relation, target))!, toInstance),
        );
    }
  }
  if (made.base !== undefined) twin.base = made.base;
  for (const name of Object.keys(KINDS)) state.touched.add(`${id} ${name}`);
}

/**
 * Makes an entity an instance.
 * @param storage whether parents are stored by value; default: as in the prefab. @param nextId of the copies of the parts.
 */
export function become(
  state: State,
  id: number,
  base: number,
  storage: boolean | undefined,
  nextId: () => number,
): void {
  const parts = subtree(state, base);
  const copies = new Map([[base, id]]);
  const made = parts.map((part) => take(state, part, base));
  const isByValue = parts.map((part) => storage ?? twinOf(state, part).isByValue);
  for (const [at, part] of parts.entries()) {
    if (at === 0) continue;
    const copy = nextId();
    addTwin(state, copy, copies.get(twinOf(state, part).parent!)!, isByValue[at]!);
    copies.set(part, copy);
  }
  twinOf(state, id).base = base;
  for (const [at, part] of parts.entries())
    give(state, copies.get(part)!, made[at]!, (target) => copies.get(target) ?? target);
}

/** A copy of one part, as the last child of an entity of an instance; its targets are those of the prefab. */
export function copyPart(state: State, part: number, root: number, parent: number, id: number): void {
  addTwin(state, id, parent, twinOf(state, part).isByValue);
  give(state, id, take(state, part, root), (target) => target);
}

/** Lets fields and pairs of an entity point inside its instance. */
export function pointInside(state: State, id: number): void {
  const { own, pairs } = twinOf(state, id);
  const toInstance = toInstanceOf(state, id);
  for (const [name, value] of own) own.set(name, mapped(state, name, value, toInstance));
  for (const [relation, targets] of pairs) {
    const links = targets.map((target) => mappedLink(state, linkOf(state, id, relation, target), toInstance));
    pairs.set(relation, []);
    for (const [at, target] of targets.entries()) {
      const other = toInstance(target);
      if (other === target || !targets.includes(other)) addPair(state, id, relation, other, links[at]!);
    }
  }
}

/** After the base of an entity has become another one, or none. */
export function follow(state: State, id: number, nextId: () => number): void {
  const twin = twinOf(state, id);
  const { base, made } = twin;
  if (made !== undefined) {
    const isInner = made.part !== made.root;
    if (isInner ? base === undefined || base === made.base : base === made.part) return;
    unlink(state, id);
  }
  if (base !== undefined) become(state, id, base, undefined, nextId);
}

/** An entity is not made from anything any more; of an instance, neither are its parts. Inner instances are instances of their own. */
function unlink(state: State, id: number): void {
  const { part, root } = twinOf(state, id).made!;
  drop(state, id, undefined);
  if (part !== root) return;
  const stack = twinOf(state, id).children.map((child) => ({ child, base: undefined as number | undefined }));
  for (let step = stack.pop(); step !== undefined; step = stack.pop()) {
    const { child } = step;
    const { made, base: own, children } = twinOf(state, child);
    if (made?.part === root) continue; // another instance
    const isPart = made?.root === root;
    const base = step.base ?? (isPart ? own : undefined);
    if (isPart) drop(state, child, base === undefined ? undefined : madeOf(made, base));
    for (const one of children) stack.push({ child: one, base });
  }
}

/** What an entity was made from, in turn, in a prefab. */
export function madeOf(made: Made, root: number): Made | undefined {
  let from = made.from;
  while (from !== undefined && from.root !== root) from = from.from;
  return from;
}

export function drop(state: State, id: number, made: Made | undefined): void {
  twinOf(state, id).made = made;
  for (const name of Object.keys(KINDS)) state.touched.add(`${id} ${name}`);
}

// ---- reading ------------------------------------------------------------------------------------------------------

/** Was an entity made from a part, or from what that was made from? */
function isFrom(state: State, id: number, part: number): boolean {
  const { made } = twinOf(state, id);
  if (made === undefined) return false;
  return made.part === part || (isAlive(state, made.part) && isFrom(state, made.part, part));
}

/**
 * All entities of an instance that were made from a part, in the order of the tree. A part of the prefab is found as itself only, although other parts, or the prefab,
 * may be made from it as well.
 */
export function partsOf(state: State, instance: number, part: number): number[] {
  const { root, tree } = twinOf(state, instance).made ?? {};
  if (part === root) return [instance];
  const isOwn = tree?.has(part) || (isAlive(state, root) && subtree(state, root).includes(part));
  if (!isOwn && isFrom(state, instance, part)) return [instance];
  const found: number[] = [];
  const search = (id: number): void => {
    for (const child of twinOf(state, id).children) {
      if (twinOf(state, child).made?.part === root) continue;
      if (isFrom(state, child, part)) found.push(child);
      search(child);
    }
  };
  if (root !== undefined) search(instance);
  const direct = found.filter((id) => twinOf(state, id).made!.part === part);
  return isOwn || direct.length > 0 ? direct : found;
}

/** The root of the instance to which an entity belongs. */
export function instanceAt(state: State, id: number): number | undefined {
  const { made } = twinOf(state, id);
  for (let at: number | undefined = made && id; at !== undefined; at = twinOf(state, at).parent)
    if (twinOf(state, at).made?.part === made!.root) return at;
  return undefined;
}

export function toInstanceOf(state: State, id: number): Map1 {
  const instance = instanceAt(state, id);
  if (instance === undefined) return (target) => target;
  const { root, tree } = twinOf(state, instance).made!;
  return (target) => {
    if (target === root) return instance;
    const isPart = isAlive(state, target) && prefabRoot(state, target) === root;
    const own = isPart || tree?.has(target) ? partsOf(state, instance, target)[0] : undefined;
    return own ?? (isPart ? 0 : target);
  };
}

/** Would a prefab contain itself, if an instance of `base` were at or below an entity? */
export function isLoop(state: State, at: number, base: number): boolean {
  const outer = prefabRoot(state, at);
  return outer !== undefined && contains(state, prefabRoot(state, base) ?? base, outer);
}

export function contains(state: State, prefab: number, sought: number): boolean {
  const met = new Set([prefab]);
  for (const root of met)
    for (const one of subtree(state, root)) {
      const { base, made } = twinOf(state, one);
      const followed = instanceAt(state, one) === undefined ? undefined : made!.root;
      for (const other of [base, followed])
        if (isAlive(state, other)) met.add(prefabRoot(state, other) ?? other);
    }
  return met.has(sought);
}
