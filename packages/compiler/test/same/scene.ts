import {
  add,
  array,
  bits,
  bool,
  ChildOf,
  component,
  createWorld,
  Disabled,
  type Entity,
  entity,
  entityOf,
  f32,
  f64,
  get,
  i16,
  observe,
  Parent,
  patch,
  relation,
  remove,
  set,
  sparse,
  spawn,
  tag,
  u8,
  value,
  type World,
} from "@treeline/core";
import { instantiate, prefab } from "@treeline/prefab";
import {
  cascade,
  changed,
  destroy,
  entities,
  maybe,
  not,
  on,
  or,
  orderBy,
  page,
  type Query,
  query,
  selfOrUp,
  shard,
  singleton,
  up,
} from "@treeline/query";

/*
 * A world in which values are stored in all ways, and queries with two or three outputs each. All components have the fields `x`, `y`
 * and `m`, so that any callback goes with any query.
 */

const numbers = (kind: typeof f32) => ({ x: kind, y: kind, m: array(kind, 3) });

export const Id = component("Id", { n: f64 });
export const P = component("P", numbers(f32));
export const V = component("V", { x: f64, y: f64, m: array(f64, 4) });
export const I = component("I", { x: i16, y: u8, m: array(u8, 3) });
export const B = component("B", { x: bool, y: bool, m: array(f32, 3) });
export const N = component("N", { x: value<unknown>(0), y: value<unknown>(), m: value<unknown>(0) });
export const E = component("E", { x: f32, y: entity, m: array(f32, 3) });
export const S = component("S", numbers(f32), { storage: sparse });
export const S2 = component("S2", numbers(f32), { storage: sparse });
export const T = component("T", numbers(f32), { onInstantiate: "inherit" });
export const O = component<{ x: number; y: number; m: number[] }>("O");
export const R = relation("R", { fields: numbers(f32) });
export const Enemy = tag("Enemy");
export const Selected = tag("Selected", { storage: bits });

const ALL = { P, V, I, B, N, E, S, S2, T, O } as const;

/** What callbacks of the corpus may name. */
export interface Surroundings {
  readonly dt: number;
  readonly clock: { step: number; none?: { deep: number } };
  readonly world: World;
  readonly log: (...what: unknown[]) => unknown;
  readonly idOf: (entity: unknown) => unknown;
  readonly [verb: string]: unknown;
}

/** A world with its queries. */
export interface Scene {
  readonly world: World;
  /** By name; made when they are first used, since a query for changes lets the world track them. */
  readonly queries: Readonly<Record<string, () => Query>>;
  readonly surroundings: Surroundings;
  /** What callbacks have logged, and what observers were told. */
  readonly told: string[];
  /** Empty unless changes are tracked. */
  readonly watching: readonly (readonly [name: string, Query])[];
}

/** Always the same, but for handles. */
export function createScene(tracks: boolean): Scene {
  const world = createWorld();
  const told: string[] = [];
  let last = 0;
  const value = (n: number) => ({ x: n * 1.1 - 7, y: (n * 7) % 5, m: [n, n + 0.5, -n] });
  const spawned = (...terms: never[]): Entity => {
    const n = ++last;
    return spawn(world, Id({ n }), ...(terms as unknown as []));
  };
  const some = (what: unknown, n: number): never => {
    const { x, y, m } = value(n);
    if (what === I) return I({ x: n * 3 - 20, y: n, m: [n, 1, 2] }) as never;
    if (what === B) return B({ x: n % 2 === 0, y: n % 3 === 0, m }) as never;
    if (what === E) return E({ x, y: gone, m }) as never; // is read as undefined, though its column has a number
    if (what === V) return V({ x, y, m: [...m, 1] }) as never;
    if (what === N) return N({ x: n % 3 === 0 ? `t${n}` : n, y, m: Object.freeze([n, 2]) }) as never;
    return (what as (given: object) => never)({ x, y, m });
  };
  const kept = spawned();
  const gone = spawned();
  const sets: unknown[][] = [
    [P, V],
    [P, V, I],
    [P, V, B, N],
    [P, E, I],
    [P],
    [V],
    [P, S],
    [P, S, S2, V],
    [P, O],
    [P, V, S],
    [N, B, P],
    [I, S],
  ];
  const parents: Entity[] = [];
  for (let n = 0; n < 40; n++) {
    const terms = sets[(n * 7) % sets.length]!.map((what) => some(what, n));
    if (n % 5 === 1) terms.push(Enemy as never);
    if (n % 3 === 1) terms.push(Selected as never);
    const parent = parents[(n * 5) % 11];
    if (parent !== undefined && n % 4 !== 0)
      terms.push((n % 2 === 0 ? ChildOf(parent) : Parent(parent)) as never);
    if (n % 7 === 2) terms.push(R(kept, value(n)) as never);
    if (n % 11 === 3) terms.push(Disabled as never);
    parents.push(spawned(...terms));
  }
  const template = prefab(world, some(P, 3) as never, some(T, 4) as never, some(V, 5) as never);
  for (let n = 0; n < 4; n++) {
    const made = instantiate(world, template, { with: [Id({ n: ++last })] });
    if (n === 2) set(world, made, T, { x: 100 });
  }
  spawned(some(T, 8), some(P, 9));
  add(world, entityOf(world, V), V({ x: 3, y: 4 }));
  destroy(world, gone);

  const queries: Record<string, () => Query> = {
    "P, V": () => query(world, P, V),
    "V, P": () => query(world, V, P),
    "P, I": () => query(world, P, I),
    "P, B": () => query(world, P, B),
    "B, P": () => query(world, B, P),
    "N, P": () => query(world, N, P),
    "P, E": () => query(world, P, E),
    "S, P": () => query(world, S, P),
    "P, S": () => query(world, P, S),
    "S, S2": () => query(world, S, S2),
    "P, T": () => query(world, P, T),
    "T, V": () => query(world, T, V),
    "P, O": () => query(world, P, O),
    "P, maybe V": () => query(world, P, maybe(V)),
    "P, maybe S": () => query(world, P, maybe(S)),
    "P, maybe T": () => query(world, P, maybe(T)),
    "P, up V": () => query(world, P, up(V)),
    "P, selfOrUp V": () => query(world, P, selfOrUp(V)),
    "P, cascade V": () => query(world, P, cascade(V)),
    "P, cascade P": () => query(world, P, cascade(P)),
    "P, up S": () => query(world, P, up(S)),
    "P, or V I": () => query(world, P, or(V, I)),
    "P, R kept": () => query(world, P, R(kept)),
    "P, on kept": () => query(world, P, on(parents[0]!, V)),
    "P, singleton V": () => query(world, P, singleton(V)),
    "P, V, not Enemy, Selected": () => query(world, P, V, not(Enemy), Selected),
    "P, cascade V, Selected": () => query(world, P, cascade(V), Selected),
    "P, V by x": () => query(world, P, V, orderBy(P, "x")),
    "P, V changed P": () => query(world, P, V, changed(P)),
    "P, V page": () => page(query(world, P, V), 2, 5),
    "P, V shard": () => shard(query(world, P, V), 1, 3),
    "P, V, Disabled": () => query(world, P, V, Disabled),
    "P, P": () => query(world, P, P),
    "P, maybe Selected": () => query(world, P, maybe(Selected)),
    P: () => query(world, P),
    "P, V, I": () => query(world, P, V, I),
  };
  const idOf = (one: unknown): unknown =>
    typeof one === "number" ? (get(world, one as Entity, Id)?.n ?? "none") : one;
  const log = (...what: unknown[]): unknown => {
    told.push(what.map((one) => shown(one)).join(" "));
    return what[0];
  };
  for (const what of [P, V, S, Enemy, Id])
    observe(world, { added: what, removed: what }, ({ kind, entity: one }) => {
      told.push(`${kind} ${what.name} ${idOf(one)}`);
    });
  const watching = tracks
    ? Object.entries(ALL)
        .filter(([name]) => name !== "O")
        .map(([name, what]) => [name, query(world, Id, changed(what as never), maybe(Disabled))] as const)
    : [];
  for (const [, one] of watching) entities(one);
  const verbs = {
    add,
    remove,
    destroy,
    set,
    patch,
    get,
    spawn,
    query,
    entities,
    changed,
    P,
    V,
    I,
    Enemy,
    Selected,
    Id,
  };
  const surroundings: Surroundings = {
    ...verbs,
    dt: 0.25,
    clock: { step: 0.5 },
    world,
    log,
    idOf,
    next: () => Id({ n: 1000 + ++last }),
    kept,
  };
  return { world, queries, surroundings, told, watching };
}

/** A value without objects that differ from world to world. */
function shown(one: unknown): string {
  if (typeof one === "number") return Object.is(one, -0) ? "-0" : String(one);
  if (ArrayBuffer.isView(one)) return `[${[...(one as Float32Array)]}]`;
  if (typeof one === "object" && one !== null) return JSON.stringify(one);
  return String(one);
}

/** All values of all entities, as a text. */
export function valuesOf({ world }: Scene): string {
  const lines: string[] = [];
  for (const one of entities(query(world, Id, maybe(Disabled)))) {
    let line = `${get(world, one, Id)!.n}`;
    for (const [name, what] of Object.entries(ALL)) {
      const value = get(world, one, what as typeof P);
      if (value === undefined) continue;
      const { x, y, m } = value as { readonly x: unknown; readonly y: unknown; readonly m: unknown };
      line += ` ${name}:${shown(x)},${what === (E as unknown) ? y !== undefined : shown(y)},${shown(m)}`;
    }
    lines.push(line);
  }
  return lines.join("\n");
}

/** What queries for changes see, by component. */
export function changesOf({ world, watching }: Scene): string {
  return watching
    .map(([name, one]) => `${name}: ${entities(one).map((matched) => get(world, matched, Id)!.n)}`)
    .join("\n");
}
