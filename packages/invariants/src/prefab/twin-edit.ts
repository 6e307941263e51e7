/** How the twin lists and applies what instances have changed, and refreshes them. */

import {
  addPair,
  destroyTwin,
  isAlive,
  isExclusive,
  KINDS,
  type Link,
  linkKey,
  linkOf,
  type Made,
  moveTo,
  NAMES,
  pairsOf,
  prefabRoot,
  RELATIONS,
  readValue,
  removePair,
  type State,
  setOwn,
  subtree,
  twinOf,
  type Value,
} from "./twin.ts";
import {
  copyPart,
  drop,
  givenValue,
  instanceAt,
  type Map1,
  madeOf,
  mapped,
  mappedLink,
  overriding,
  partsOf,
  pointInside,
  rebase,
  take,
  toInstanceOf,
} from "./twin-instance.ts";

export interface Listed {
  readonly kind: "value" | "added" | "removed" | "attached" | "missing" | "moved";
  readonly id: number;
  readonly part?: number;
  readonly name?: string;
  /** Of a pair: `name` is its relation then. */
  readonly target?: number;
  readonly fields?: readonly string[];
}

/** The names of the fields that differ; of a value without fields the empty name. */
function differing(one: Value, other: Value): string[] {
  if (typeof one !== "object" || typeof other !== "object") return one === other ? [] : [""];
  return Object.keys(one).filter((field) => one[field] !== other[field]);
}

/** What an entity of an instance has of its own, the place aside. */
function listOwn(state: State, id: number): Listed[] {
  const { own, made } = twinOf(state, id);
  const { part, values } = made!;
  const toInstance = toInstanceOf(state, id);
  const found: Listed[] = [];
  for (const name of NAMES) {
    if (KINDS[name] === "skip") continue;
    const now = givenValue(state, part, name);
    const before = values.get(name);
    if (own.has(name)) {
      if (now === undefined) {
        if (before === undefined) found.push({ kind: "added", id, name });
        continue;
      }
      const value = readValue(state, id, name)!;
      let fields = differing(value, mapped(state, name, now, toInstance));
      if (before !== undefined) {
        const changed = differing(value, mapped(state, name, before, toInstance));
        fields = fields.filter((field) => changed.includes(field));
      }
      if (fields.length > 0)
        found.push({ kind: "value", id, name, fields: fields.filter((field) => field !== "") });
    } else if (before !== undefined && now !== undefined && readValue(state, id, name) === undefined)
      found.push({ kind: "removed", id, name });
  }
  for (const name of RELATIONS) {
    const targets = pairsOf(state, id, name);
    const now = pairsOf(state, part, name).map(toInstance);
    const before = made!.pairs.get(name)!.map(toInstance);
    for (const target of targets) {
      if (now.includes(target)) {
        const own = linkOf(state, id, name, target);
        const changed = changedLink(
          own,
          linkOf(state, part, name, partTarget(state, id, name, target)),
          toInstance,
        );
        const wasAt = made!.pairs.get(name)!.find((one) => toInstance(one) === target);
        const was =
          wasAt === undefined
            ? undefined
            : changedLink(own, made!.links.get(linkKey(name, wasAt))!, toInstance);
        const fields = changed.filter((field) => was === undefined || was.includes(field));
        if (fields.length > 0) found.push({ kind: "value", id, name, target, fields });
      } else if (!before.includes(target)) found.push({ kind: "added", id, name, target });
    }
    for (const target of new Set(before))
      if (isAlive(state, target) && now.includes(target) && !targets.includes(target))
        found.push({ kind: "removed", id, name, target });
  }
  return found;
}

/** The fields in which the value of a pair differs from the one that a part has. */
function changedLink(own: Link, link: Link, toInstance: Map1): (keyof Link)[] {
  const via = link.via === 0 ? 0 : toInstance(link.via);
  const fields: (keyof Link)[] = [];
  if (own.via !== via) fields.push("via");
  if (own.length !== link.length) fields.push("length");
  return fields;
}

/** Takes a change of a pair back. */
function revertPair(state: State, { kind, id, name, target }: Listed): void {
  if (kind === "added") {
    removePair(state, id, name!, target!);
    return;
  }
  const of = partTarget(state, id, name!, target!);
  rebasePair(state, id, name!, of);
  const link = linkOf(state, twinOf(state, id).made!.part, name!, of);
  addPair(state, id, name!, target!, mappedLink(state, link, toInstanceOf(state, id)));
}

/** The target that the pair of a part has which is meant by one of the instance. */
function partTarget(state: State, id: number, name: string, target: number): number {
  const toInstance = toInstanceOf(state, id);
  return pairsOf(state, twinOf(state, id).made!.part, name).find((one) => toInstance(one) === target)!;
}

/** A pair is compared with whether the part has it now, from now on. */
function rebasePair(
  state: State,
  id: number,
  name: string,
  target: number,
  fields?: readonly string[],
): void {
  const twin = twinOf(state, id);
  const made = twin.made!;
  const targets = made.pairs.get(name)!;
  const isThere = pairsOf(state, made.part, name).includes(target);
  const others = targets.filter((one) => one !== target);
  const pairs = new Map(made.pairs).set(name, isThere ? [...others, target] : others);
  const links = new Map(made.links);
  const key = linkKey(name, target);
  const now = linkOf(state, made.part, name, target);
  const was = targets.includes(target) ? links.get(key)! : now;
  const isMeant = (field: string): boolean => fields === undefined || fields.includes(field);
  links.set(key, {
    via: isMeant("via") ? now.via : was.via,
    length: isMeant("length") ? now.length : was.length,
  });
  twin.made = { ...made, pairs, links };
}

function applyPair(state: State, { kind, id, name, target, fields }: Listed): void {
  const { part } = twinOf(state, id).made!;
  if (kind === "removed") {
    const lost = partTarget(state, id, name!, target!);
    removePair(state, part, name!, lost);
    rebasePair(state, id, name!, lost);
    return;
  }
  const inside = partAlike(state, id, target!);
  const { via, length } = mappedLink(state, linkOf(state, id, name!, target!), (one) =>
    partAlike(state, id, one),
  );
  const isMeant = (field: string): boolean => kind === "added" || fields!.includes(field);
  addPair(state, part, name!, inside, {
    ...(isMeant("via") && { via }),
    ...(isMeant("length") && { length }),
  });
  rebasePair(state, id, name!, inside, kind === "added" ? undefined : fields);
}

export function overridesOf(state: State, instance: number): Listed[] {
  const top = instanceAt(state, instance);
  const list = (id: number, isBelowAttached: boolean): Listed[] => {
    const { made, children } = twinOf(state, id);
    const isOwn = made !== undefined && isAlive(state, made.part) && instanceAt(state, id) === top;
    const own: Listed[] = isOwn ? listOwn(state, id) : isBelowAttached ? [] : [{ kind: "attached", id }];
    return [...own, ...children.flatMap((child) => list(child, !isOwn))];
  };
  const found = list(instance, false);
  const { tree, root } = twinOf(state, instance).made!;
  for (const [part, parent] of tree ?? []) {
    const above = parent === root ? instance : partsOf(state, instance, parent)[0];
    if (!isAlive(state, part) || prefabRoot(state, part) !== root || above === undefined) continue;
    const [entity] = partsOf(state, instance, part);
    if (entity === undefined) found.push({ kind: "missing", id: above, part });
    else if (twinOf(state, entity).parent !== above && twinOf(state, part).parent === parent)
      found.push({ kind: "moved", id: entity, part });
  }
  return found;
}

export function revertOne(state: State, id: number, name: string): void {
  const { part } = twinOf(state, id).made!;
  if (RELATIONS.includes(name)) {
    if (!isAlive(state, part)) return;
    for (const one of listOwn(state, id)) if (one.name === name) revertPair(state, one);
    return;
  }
  if (!isAlive(state, part) || KINDS[name] === "skip") return;
  rebase(state, id, name);
  const now = givenValue(state, part, name);
  const isShared = KINDS[name] === "inherit" && !twinOf(state, part).ownCopies.includes(name);
  setOwn(
    state,
    id,
    name,
    now === undefined || isShared ? undefined : mapped(state, name, now, toInstanceOf(state, id)),
  );
}

export function revertAll(state: State, instance: number, nextId: () => number): void {
  for (const { kind, id, part } of overridesOf(state, instance))
    if (kind === "missing" && partsOf(state, instanceAt(state, instance)!, part!).length === 0)
      returnToPlace(state, bringBack(state, id, part!, nextId), part!);
  for (const override of overridesOf(state, instance)) {
    const { kind, id, name, part, target } = override;
    if (target !== undefined) revertPair(state, override);
    else if (name !== undefined) revertOne(state, id, name);
    else if (kind === "moved") {
      moveTo(state, id, toInstanceOf(state, id)(twinOf(state, part!).parent!), twinOf(state, id).isByValue);
      returnToPlace(state, id, part!);
    }
  }
}

/** Behind the sibling that is before its part in the prefab, and what was attached there. */
function returnToPlace(state: State, id: number, part: number): void {
  const parts = twinOf(state, twinOf(state, part).parent!).children;
  const { children } = twinOf(state, twinOf(state, id).parent!);
  children.splice(children.indexOf(id), 1);
  const places = children.map((one) => parts.indexOf(twinOf(state, one).made?.part ?? 0));
  const behind = places.findLastIndex((place) => place >= 0 && place < parts.indexOf(part));
  const place = places.findIndex((one, at) => at > behind && one >= 0);
  children.splice(place < 0 ? children.length : place, 0, id);
}

function bringBack(state: State, above: number, part: number, nextId: () => number): number {
  const instance = instanceAt(state, above)!;
  const root = prefabRoot(state, part)!;
  const made: number[] = [];
  const copy = (one: number, parent: number): void => {
    if (partsOf(state, instance, one).length > 0) return;
    const id = nextId();
    made.push(id);
    copyPart(state, one, root, parent, id);
    for (const child of twinOf(state, one).children) copy(child, id);
  };
  copy(part, above);
  for (const id of made) pointInside(state, id);
  return made[0]!;
}

export function applyToPrefab(state: State, id: number, only: string | undefined): void {
  const { part } = twinOf(state, id).made!;
  if (!isAlive(state, part)) return;
  for (const override of listOwn(state, id)) {
    const { kind, name, fields, target } = override;
    if (only !== undefined && name !== only) continue;
    if (target !== undefined) {
      applyPair(state, override);
      continue;
    }
    if (kind === "removed") {
      setOwn(state, part, name!, undefined);
      rebase(state, id, name!);
      continue;
    }
    const value = toPrefab(state, id, name!, readValue(state, id, name!)!);
    const old = readValue(state, part, name!);
    const isByField = kind === "value" && typeof value === "object" && typeof old === "object";
    const some = (fields ?? []).map((field) => [
      field,
      (value as { readonly [field: string]: number })[field],
    ]);
    overriding(state, part, name!);
    setOwn(state, part, name!, isByField ? { ...old, ...(Object.fromEntries(some) as object) } : value);
    if (KINDS[name!] === "inherit" && !twinOf(state, part).ownCopies.includes(name!))
      revertOne(state, id, name!);
    rebase(state, id, name!, kind === "value" ? fields : undefined);
  }
}

/** A value with the parts that entities of the instance were made from. */
function toPrefab(state: State, id: number, name: string, value: Value): Value {
  return mapped(state, name, value, (target) => partAlike(state, id, target));
}

/** The part that an entity of the same instance was made from; other entities are themselves. */
function partAlike(state: State, id: number, target: number): number {
  const inside = instanceAt(state, id);
  if (!isAlive(state, target) || inside === undefined || instanceAt(state, target) !== inside) return target;
  const { part } = twinOf(state, target).made!;
  return isAlive(state, part) ? part : target;
}

// ---- refreshing ----------------------------------------------------------------------------------------------------

export function refresh(state: State, prefab: number, nextId: () => number): void {
  for (const root of prefabsAfter(state, prefab)) if (isAlive(state, root)) refreshOne(state, root, nextId);
}

/** A prefab, and those that contain its instances, in turn: each after those that it follows. */
function prefabsAfter(state: State, prefab: number): Set<number> {
  const met = new Set<number>();
  let order: number[] = [];
  const list = (root: number): void => {
    met.add(root);
    for (const { id, isPrefab, made } of state.twins.values()) {
      const outer = isPrefab && made?.root === root && instanceAt(state, id) !== undefined;
      if (outer && !met.has(prefabRoot(state, id)!)) list(prefabRoot(state, id)!);
    }
    order = [root, ...order];
  };
  list(prefab);
  return new Set(order);
}

function refreshOne(state: State, root: number, nextId: () => number): void {
  const now = new Map(subtree(state, root).map((part) => [part, take(state, part, root)]));
  const spawned: number[] = [];
  for (const { id, made } of [...state.twins.values()])
    if (made?.part === root && made.tree !== undefined && isAlive(state, id))
      refreshTree(state, id, made.tree, now, spawned, nextId);
  for (const { id, made } of [...state.twins.values()]) {
    const after = made?.root === root ? now.get(made.part) : undefined;
    if (after !== undefined) mergeValues(state, id, made!, after);
  }
  for (const { id, made, base } of [...state.twins.values()]) {
    const after = made?.root === root ? now.get(made.part) : undefined;
    if (after === undefined) continue;
    const before = isAlive(state, made!.base) ? made!.base : undefined;
    if (made!.base !== after.base && base === before) twinOf(state, id).base = after.base;
    twinOf(state, id).made = after;
  }
  for (const twin of state.twins.values()) twin.made = renewed(twin.made, now, root);
  for (const id of spawned) pointInside(state, id);
}

function refreshTree(
  state: State,
  instance: number,
  before: ReadonlyMap<number, number>,
  taken: ReadonlyMap<number, Made>,
  spawned: number[],
  nextId: () => number,
): void {
  const { part: root, tree: now } = [...taken.values()][0]! as Made & { tree: ReadonlyMap<number, number> };
  if (JSON.stringify([...before]) === JSON.stringify([...now])) return;
  const own = (part: number): number | undefined =>
    part === root ? instance : partsOf(state, instance, part)[0];
  // Parts that are gone: those that are as they were made, with nothing else below them.
  const removed = new Set<number>();
  for (const part of [...before.keys()].reverse()) {
    const entity = now.has(part) ? undefined : own(part);
    if (entity === undefined) continue;
    const isEmpty = twinOf(state, entity).children.every((child) => removed.has(child));
    if (isEmpty && isUntouched(state, entity)) removed.add(entity);
    else outlivePart(state, entity, instance);
  }
  for (const id of removed) if (isAlive(state, id)) destroyTwin(state, id);
  // New parts.
  for (const [part, parent] of now) {
    const above = own(parent);
    if (before.has(part) || above === undefined || own(part) !== undefined) continue;
    const id = nextId();
    copyPart(state, part, root, above, id);
    spawned.push(id);
  }
  // Parts that were moved, where the instance has left them.
  for (const [part, parent] of now) {
    const former = before.get(part);
    const [entity, above] = [own(part), own(parent)];
    if (former === undefined || former === parent || entity === undefined || above === undefined) continue;
    if (twinOf(state, entity).parent !== own(former) || subtree(state, entity).includes(above)) continue;
    moveTo(state, entity, above, twinOf(state, entity).isByValue);
  }
  for (const parent of new Set(now.values())) {
    const above = own(parent);
    if (above !== undefined) sortSiblings(state, above, partsBelow(before, parent), partsBelow(now, parent));
  }
}

/** What is in an inner instance was made from its prefab from then on. */
function outlivePart(state: State, id: number, instance: number): void {
  let base: number | undefined;
  for (let at: number | undefined = id; at !== undefined && at !== instance; at = twinOf(state, at).parent)
    base = twinOf(state, at).base ?? base;
  const { made } = twinOf(state, id);
  drop(state, id, base === undefined ? undefined : madeOf(made!, base));
}

/** What was made from what is published again: such publications are replaced wherever they are. */
function renewed(made: Made | undefined, now: ReadonlyMap<number, Made>, root: number): Made | undefined {
  if (made === undefined) return undefined;
  const from =
    made.from?.root === root ? (now.get(made.from.part) ?? made.from) : renewed(made.from, now, root);
  return { ...made, from };
}

function partsBelow(tree: ReadonlyMap<number, number>, parent: number): number[] {
  return [...tree.keys()].filter((part) => tree.get(part) === parent);
}

/** Siblings in the former order get the new one; what else is there stays behind the same sibling. */
function sortSiblings(state: State, above: number, before: readonly number[], now: readonly number[]): void {
  const twin = twinOf(state, above);
  const partAt = (id: number): number => twinOf(state, id).made?.part ?? 0;
  const kept = before.filter((part) => now.includes(part));
  if (JSON.stringify(kept) === JSON.stringify(now)) return;
  const present = twin.children.map(partAt).filter((part) => kept.includes(part));
  const former = kept.filter((part) => present.includes(part));
  if (JSON.stringify(present) !== JSON.stringify(former)) return;
  const runs: { part: number; ids: number[] }[] = [{ part: -1, ids: [] }];
  for (const id of twin.children) {
    if (now.includes(partAt(id)) && !runs.some(({ part }) => part === partAt(id)))
      runs.push({ part: partAt(id), ids: [id] });
    else runs.at(-1)!.ids.push(id);
  }
  runs.sort((one, other) => now.indexOf(one.part) - now.indexOf(other.part));
  twin.children = runs.flatMap(({ ids }) => ids);
}

function isUntouched(state: State, id: number): boolean {
  const { own, made } = twinOf(state, id);
  if (made === undefined) return false;
  const toInstance = toInstanceOf(state, id);
  for (const name of NAMES) {
    if (KINDS[name] === "skip") continue;
    const before = made.values.get(name);
    if (own.has(name)) {
      if (before === undefined) return false;
      if (differing(readValue(state, id, name)!, mapped(state, name, before, toInstance)).length > 0)
        return false;
    } else if (before !== undefined && KINDS[name] === "copy") return false;
  }
  return RELATIONS.every((relation) => {
    const targets = made.pairs.get(relation) ?? [];
    const wanted = targets.map(toInstance).sort();
    const isSame = (target: number): boolean =>
      changedLink(
        linkOf(state, id, relation, toInstance(target)),
        made.links.get(linkKey(relation, target))!,
        toInstance,
      ).length === 0;
    return (
      JSON.stringify(pairsOf(state, id, relation).sort()) === JSON.stringify(wanted) && targets.every(isSame)
    );
  });
}

/** The merge of three: what is as it was made follows. */
function mergeValues(state: State, id: number, before: Made, after: Made): void {
  const toInstance = toInstanceOf(state, id);
  const { ownCopies } = twinOf(state, after.part);
  for (const name of NAMES) {
    const [was, is] = [before.values.get(name), after.values.get(name)];
    const own = twinOf(state, id).own.has(name) ? readValue(state, id, name)! : undefined;
    if (was !== undefined && is !== undefined) {
      if (own === undefined) continue;
      const changed = differing(was, is);
      const kept = changed.filter(
        (field) => !differing(own, mapped(state, name, was, toInstance)).includes(field),
      );
      if (kept.length === 0) continue;
      const next = mapped(state, name, is, toInstance);
      if (typeof own !== "object" || typeof next !== "object") setOwn(state, id, name, next);
      else
        setOwn(state, id, name, {
          ...own,
          ...Object.fromEntries(kept.map((field) => [field, next[field]!])),
        });
    } else if (is !== undefined) {
      const isShared = KINDS[name] === "inherit" && !ownCopies.includes(name);
      if (!isShared && readValue(state, id, name) === undefined)
        setOwn(state, id, name, mapped(state, name, is, toInstance));
    } else if (was !== undefined && own !== undefined) {
      if (differing(own, mapped(state, name, was, toInstance)).length === 0)
        setOwn(state, id, name, undefined);
    }
  }
  for (const relation of RELATIONS) mergePairs(state, id, relation, before, after);
}

function mergePairs(state: State, id: number, relation: string, before: Made, after: Made): void {
  const toInstance = toInstanceOf(state, id);
  const was = before.pairs.get(relation)!;
  const is = after.pairs.get(relation)!;
  const own = pairsOf(state, id, relation);
  if (isExclusive(relation)) {
    const [former, next] = [was.map(toInstance)[0], is.map(toInstance)[0]];
    if (was[0] === is[0] || own[0] !== (isAlive(state, former) ? former : undefined)) return;
    if (!isAlive(state, next)) removePair(state, id, relation, own[0]!);
    else addPair(state, id, relation, next);
    return;
  }
  const linkIn = (made: Made, target: number): Link => made.links.get(linkKey(relation, target))!;
  for (const target of was) {
    const inside = toInstance(target);
    const isOwn =
      changedLink(linkOf(state, id, relation, inside), linkIn(before, target), toInstance).length > 0;
    if (!is.includes(target) && !isOwn) removePair(state, id, relation, inside);
  }
  for (const target of is) {
    const inside = toInstance(target);
    const next = mappedLink(state, linkIn(after, target), toInstance);
    if (!was.includes(target)) {
      if (!own.includes(inside) || !pairsOf(state, id, relation).includes(inside))
        addPair(state, id, relation, inside, next);
      continue;
    }
    if (!own.includes(inside)) continue;
    const kept = changedLink(linkOf(state, id, relation, inside), linkIn(before, target), toInstance);
    const changed = (["via", "length"] as const).filter(
      (field) => linkIn(before, target)[field] !== linkIn(after, target)[field] && !kept.includes(field),
    );
    if (changed.length > 0)
      addPair(state, id, relation, inside, Object.fromEntries(changed.map((field) => [field, next[field]])));
  }
}
