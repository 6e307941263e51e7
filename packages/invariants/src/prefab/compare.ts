/** Compares everything that can be read of prefabs and instances with the twin. */

import * as core from "@treeline/core";
import { verify } from "@treeline/core/debug";
import * as prefabs from "@treeline/prefab";
import { PrefabKey, prefabAt } from "@treeline/prefab/document";
import * as queries from "@treeline/query";
import { definitionOf, type Real, relationOf } from "./real.ts";
import { TAGS } from "./step.ts";
import {
  isAlive,
  isEntityField,
  KEYS,
  linkOf,
  NAMES,
  pairsOf,
  RELATIONS,
  readValue,
  type State,
  subtree,
  twinOf,
  type Value,
} from "./twin.ts";
import { overridesOf } from "./twin-edit.ts";
import { instanceAt, partsOf } from "./twin-instance.ts";

export class Difference extends Error {}

function expectSame(real: unknown, twin: unknown, about: () => string): void {
  const [one, other] = [JSON.stringify(real), JSON.stringify(twin)];
  if (one !== other) throw new Difference(`${about()}: ${one} instead of ${other}`);
}

/** Queries that live as long as the walk. */
export interface Probes {
  readonly values: readonly {
    readonly name: string;
    readonly query: queries.Query;
    readonly all: queries.Query;
    /** What a monitor of the query keeps, in worlds that are watched. */
    readonly inside: Set<core.Entity> | undefined;
  }[];
  readonly changes: readonly { readonly name: string; readonly query: queries.Query }[];
  /** What each entity read as when the changes were read last. */
  seen: Map<string, string | undefined>;
}

const VALUES = NAMES.filter((name) => !TAGS.includes(name));

export function createProbes({ world }: Real, isWatched: boolean): Probes {
  const { Prefab } = prefabs;
  return {
    values: NAMES.map((name) => {
      const query = queries.query(world, definitionOf(name));
      const all = queries.query(world, definitionOf(name), queries.maybe(Prefab));
      return { name, query, all, inside: isWatched ? watch(query) : undefined };
    }),
    changes: VALUES.map((name) => ({
      name,
      query: queries.query(world, queries.changed(definitionOf(name)), queries.maybe(Prefab)),
    })),
    seen: new Map(),
  };
}

/** What matches, as a monitor tells it. */
function watch(query: queries.Query): Set<core.Entity> {
  const inside = new Set<core.Entity>();
  const change = (verb: "add" | "delete") => (entity: core.Entity) => {
    if (inside.has(entity) === (verb === "add")) throw new Difference(`${verb} was reported twice`);
    inside[verb](entity);
  };
  queries.monitor(query, { entered: change("add"), left: change("delete") });
  return inside;
}

/** Gives the twins that a step has made their handles: by their places in the trees. */
export function matchHandles(
  { world }: Real,
  state: State,
  made: readonly core.Entity[],
  step: number,
): void {
  const roots = [...state.twins.values()].filter(
    ({ id, parent, handle }) =>
      handle === 0 &&
      Math.floor(id / 1000) === step &&
      (parent === undefined || twinOf(state, parent).handle !== 0),
  );
  for (const { id, parent } of roots)
    if (parent === undefined) twinOf(state, id).handle = made[roots.findIndex((one) => one.id === id)]!;
  const match = (id: number): void => {
    const twin = twinOf(state, id);
    const real = queries.children(world, twin.handle as core.Entity);
    expectSame(real.length, twin.children.length, () => `number of children of ${id}`);
    for (const [at, child] of twin.children.entries()) {
      const one = twinOf(state, child);
      if (one.handle === 0) one.handle = real[at]!;
      match(child);
    }
  };
  for (const { id, parent } of [...state.twins.values()]) if (parent === undefined) match(id);
}

const text = (value: unknown): string | undefined =>
  value === undefined ? undefined : JSON.stringify(value);

export function compare(real: Real, state: State, probes: Probes): void {
  const { world } = real;
  const byHandle = new Map([...state.twins.values()].map(({ id, handle }) => [handle, id]));
  const idOf = (entity: core.Entity | undefined): number =>
    entity === undefined ? 0 : (byHandle.get(entity) ?? -1);
  const broken = verify(world);
  if (broken.length > 0) throw new Difference(`broken invariants: ${broken.join("; ")}`);
  const plain = (name: string, value: unknown): unknown => {
    if (value === undefined || typeof value !== "object" || value === null) return value;
    return isEntityField(name)
      ? { at: idOf((value as { at: core.Entity | undefined }).at) }
      : inOrder(name, value);
  };
  const sorted = (name: string, value: Value | undefined): unknown =>
    value === undefined || typeof value !== "object" ? value : inOrder(name, value);

  for (const {
    id,
    handle,
    parent,
    children,
    isPrefab,
    base,
    made,
    own,
    isByValue,
    key,
  } of state.twins.values()) {
    const entity = handle as core.Entity;
    const about = (what: string) => (): string => `${what} of ${id}`;
    expectSame(core.isAlive(world, entity), true, about("isAlive"));
    expectSame(idOf(core.parentOf(world, entity)), parent ?? 0, about("parent"));
    expectSame(queries.children(world, entity).map(idOf), children, about("children"));
    expectSame(core.has(world, entity, prefabs.Prefab), isPrefab, about("Prefab"));
    const living = isAlive(state, base) ? base : 0;
    expectSame(idOf(core.targetOf(world, entity, prefabs.IsA)), living, about("IsA"));
    expectSame(
      idOf(prefabs.prefabOf(world, entity)),
      made && isAlive(state, made.part) ? made.part : 0,
      about("prefabOf"),
    );
    expectSame(core.get(world, entity, PrefabKey), key, about("PrefabKey"));
    if (parent !== undefined) {
      const relations = core.pairsOf(world, entity).map(({ relation }) => relation.name);
      expectSame(relations.includes("Parent"), isByValue, about("storage of the parent"));
    }
    for (const name of NAMES) {
      const value = readValue(state, id, name);
      expectSame(core.has(world, entity, definitionOf(name)), value !== undefined, about(`has ${name}`));
      if (TAGS.includes(name)) continue;
      expectSame(plain(name, core.get(world, entity, definitionOf(name))), sorted(name, value), about(name));
    }
    const listed = [...core.componentsOf(world, entity), ...core.tagsOf(world, entity)].map((one) =>
      "target" in one ? "?" : one.name,
    );
    const names = listed.filter((name) => NAMES.includes(name)).sort();
    expectSame(names, [...own.keys()].sort(), about("own components"));
    for (const relation of RELATIONS) {
      const targets = core.targetsOf(world, entity, relationOf(relation)).map(idOf).sort();
      expectSame(targets, pairsOf(state, id, relation).sort(), about(relation));
      if (relation !== "Wire") continue;
      for (const { target, value } of core.pairsOf(world, entity, relationOf(relation))) {
        const { via, length } = value as { readonly via: core.Entity | undefined; readonly length: number };
        const link = linkOf(state, id, relation, idOf(target));
        expectSame({ via: idOf(via), length }, link, about(`value of ${relation} ${idOf(target)}`));
      }
    }
  }

  for (const wanted of KEYS) {
    const keyed = [...state.twins.values()].find(({ key, isPrefab }) => key === wanted && isPrefab);
    expectSame(idOf(prefabAt(world, wanted)), keyed?.id ?? 0, () => `prefabAt ${wanted}`);
  }

  for (const { name, query, all, inside } of probes.values) {
    const expected = [...state.twins.values()].filter(({ id }) => readValue(state, id, name) !== undefined);
    const rows = (some: typeof expected): unknown =>
      some
        .map(({ id }) => [id, sorted(name, readValue(state, id, name))] as const)
        .sort((a, b) => a[0] - b[0]);
    const found: [number, unknown][] = [];
    queries.each(query, (...row: unknown[]) => {
      found.push([idOf(row.at(-1) as core.Entity), TAGS.includes(name) ? true : plain(name, row[0])]);
    });
    const outside = expected.filter(({ isPrefab }) => !isPrefab);
    const order = (a: [number, unknown], b: [number, unknown]): number => a[0] - b[0];
    expectSame(found.sort(order), rows(outside), () => `each ${name}`);
    if (inside !== undefined)
      expectSame([...inside].sort(), queries.entities(query).sort(), () => `monitor of ${name}`);
    const every = queries
      .collect(all)
      .map((row): [number, unknown] => [
        idOf((row as readonly unknown[]).at(-1) as core.Entity),
        TAGS.includes(name) ? true : plain(name, (row as readonly unknown[])[0]),
      ]);
    expectSame(every.sort(order), rows(expected), () => `collect ${name} with prefabs`);
  }
  compareChanges(state, probes, idOf);
  compareInstances(world, state, idOf);
}

/** The fields, in the order in which the component has them. */
function inOrder(name: string, value: object): unknown {
  const { fields } = definitionOf(name);
  return Object.fromEntries(
    fields.map(([field]) => [field, (value as { readonly [field: string]: unknown })[field]]),
  );
}

/** Whatever reads otherwise than before is found, and nothing for which neither it nor what it inherits from was touched. */
function compareChanges(state: State, probes: Probes, idOf: (entity: core.Entity) => number): void {
  for (const { name, query } of probes.changes) {
    const found = queries
      .entities(query)
      .map(idOf)
      .sort((a, b) => a - b);
    for (const id of state.twins.keys()) {
      const key = `${id} ${name}`;
      const is = text(readValue(state, id, name));
      const hasChanged = is !== undefined && is !== probes.seen.get(key);
      if (hasChanged && !found.includes(id) && !isEntityField(name))
        throw new Difference(`changed(${name}) does not find ${id}: ${found}`);
      if (found.includes(id) && !isTouched(state, id, name))
        throw new Difference(`changed(${name}) finds ${id}, of which nothing has changed`);
      probes.seen.set(key, is);
    }
  }
  state.touched.clear();
}

function isTouched(state: State, id: number, name: string): boolean {
  if (state.touched.has(`${id} ${name}`)) return true;
  const { made, own } = twinOf(state, id);
  return (
    !own.has(name) && made !== undefined && isAlive(state, made.part) && isTouched(state, made.part, name)
  );
}

function compareInstances(
  world: core.World,
  state: State,
  idOf: (entity: core.Entity | undefined) => number,
): void {
  const entityOf = (id: number): core.Entity => twinOf(state, id).handle as core.Entity;
  const subjects = new Map<number, number[]>();
  for (const { id, base } of state.twins.values())
    if (isAlive(state, base)) subjects.set(base, [...(subjects.get(base) ?? []), id]);
  for (const { id, isPrefab, made } of state.twins.values()) {
    const numbers = (list: number[]): number[] => list.sort((a, b) => a - b);
    if (isPrefab)
      expectSame(
        numbers(prefabs.instancesOf(world, entityOf(id)).map(idOf)),
        numbers(subjects.get(id) ?? []),
        () => `instancesOf ${id}`,
      );
    if (made === undefined || instanceAt(state, id) !== id) continue;
    for (const part of isAlive(state, made.root) ? subtree(state, made.root) : []) {
      const wanted = partsOf(state, id, part);
      const found = idOf(prefabs.partOf(world, entityOf(id), entityOf(part)));
      if (wanted.length === 0 ? found !== 0 : !wanted.includes(found))
        throw new Difference(`partOf(${id}, ${part}): ${found} instead of one of [${wanted}]`);
    }
    const listed = prefabs
      .overridesOf(world, entityOf(id))
      .map(({ kind, entity, part, definition, target, fields }) => {
        const other = kind === "missing" ? part : target;
        return [kind, idOf(entity), idOf(other), definition?.name ?? "", ...fields].join(" ");
      });
    const expected = overridesOf(state, id).map(({ kind, id: one, part, name, target, fields = [] }) => {
      const other = kind === "missing" ? part : target;
      return [kind, one, other ?? 0, name ?? "", ...fields].join(" ");
    });
    expectSame(listed.sort(), expected.sort(), () => `overridesOf ${id}`);
  }
}
