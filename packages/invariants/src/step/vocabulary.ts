/**
 * The definitions that walks use, in two forms: as definitions for the real world, as rules for its twin. They include every byte
 * width, an entity field, an array field, fields with defaults, fields of any value, and every policy for destroyed targets.
 */
import {
  array,
  bool,
  ChildOf,
  component,
  Disabled,
  DisabledTree,
  entity,
  f32,
  f64,
  i16,
  OrderedChildren,
  Parent,
  relation,
  type StorageOptions,
  type Tag,
  tag,
  u8,
  u32,
  value,
  withDisabledTree,
  withPolicy,
} from "@treeline/core";
import { Alias, Label, Name } from "@treeline/names";
import { verbs } from "../base/entry-points.ts";
import { type Feature, isOn } from "../base/features.ts";
import type { FieldRules, RelationRules, Rules } from "../twin/rules.ts";
import { Alarm, raised } from "./alarm.ts";
import {
  IS_REQUIRING,
  inEachStorage,
  optionsFor,
  REQUIRES,
  type Storage,
  type Storages,
} from "./storages.ts";

const PLAIN = { exclusive: false, acyclic: false, onTargetDestroy: "remove" } as const;
const TREE = { exclusive: true, acyclic: true, onTargetDestroy: "delete" } as const;

/** What the present walk requires. */
let required: Rules["requires"] = {};

export const rules: Rules = {
  get requires() {
    return required;
  },
  tags: ["Frozen", "Lit", "Doomed", "Sacred", "OrderedChildren", "Disabled", "DisabledTree"],
  schemas: {
    Position: { x: "f32", y: "f32" },
    Health: { points: "i16", shield: "u8", awake: "bool" },
    Clock: { at: "f64", ticks: "u32" },
    Aim: { at: "entity", power: "f32" },
    Matrix: { cells: "four f32" },
    Alarm: { level: "u8" },
    Style: { size: "f32", wide: "bool", at: "f64", inset: "four f32", title: "text", data: "value" },
  },
  objects: ["Mesh", "Tint", "Name", "Alias", "Label"],
  relations: {
    ChildOf: TREE,
    Parent: TREE,
    Likes: PLAIN,
    DockedTo: { ...PLAIN, exclusive: true },
    Follows: { ...PLAIN, exclusive: true, acyclic: true },
    Owns: { ...PLAIN, onTargetDestroy: "delete" },
    Guards: { ...PLAIN, onTargetDestroy: "refuse" },
    Damage: { ...PLAIN, fields: { amount: "f32", by: "entity", level: "u8", note: "value" } },
    Rents: { ...PLAIN, exclusive: true, fields: { price: "f64" } },
    Knows: { ...PLAIN, symmetric: true },
    MarriedTo: { ...PLAIN, exclusive: true, symmetric: true },
    Includes: { ...PLAIN, reflexive: true },
    Needs: { ...PLAIN, acyclic: true },
    Cites: { ...PLAIN, acyclic: true },
    SitsIn: { ...PLAIN, exclusive: true, maxSubjects: 2 },
    Watches: { ...PLAIN, maxSubjects: 3 },
    StoredIn: TREE,
    MemberOf: { ...PLAIN, exclusive: true, acyclic: true },
    StowedIn: { ...PLAIN, exclusive: true, acyclic: true },
    PartOf: { ...PLAIN, acyclic: true },
  },
  defaults: {
    Alarm: { level: 3 },
    Style: { size: 0.1, wide: true, at: 1e10, inset: [1, -0, 0.1, Number.NaN], title: "plain" },
    Tint: 7,
    Rents: { price: -2.5 },
    Damage: { amount: 1, note: null },
  },
  disabling: ["StowedIn", "PartOf"],
  copied: { Alarm: ({ level }) => ({ level: raised(level as number) }) },
  onDestroy: { Doomed: "delete", Sacred: "refuse", Owns: "delete" },
  builtins: ["ChildOf", "Parent", "OrderedChildren", "Disabled", "DisabledTree"],
};

/** Relations that need a feature. */
const NEEDED: Readonly<Record<string, Feature>> = {
  Parent: "parent storage",
  Knows: "symmetric",
  MarriedTo: "symmetric",
  Includes: "reflexive",
  Needs: "graphs",
  Cites: "graphs",
  SitsIn: "limited subjects",
  Watches: "limited subjects",
  StowedIn: "disabled",
  PartOf: "disabled",
  Disabled: "disabled",
  DisabledTree: "disabled",
  OrderedChildren: "siblings",
};

export function isUsable(what: string): boolean {
  const feature = NEEDED[what];
  return feature === undefined || isOn(feature);
}

/** Traversals (`ancestors`, `depthOf`) may follow it. */
export function isTraversable(what: string): boolean {
  return rules.relations[what]?.acyclic === true && what !== "Cites" && what !== "Parent";
}

export function relationRulesOf(what: string): RelationRules | undefined {
  return rules.relations[what];
}

/** Makes the definitions that worlds can store in several ways. */
const MAKERS: Readonly<
  Record<string, (name: string, options: Pick<StorageOptions, "storage" | "requires">) => unknown>
> = {
  Frozen: (name, options) => tag(name, options),
  Lit: (name, options) => tag(name, options),
  Doomed: (name, options) => withPolicy(tag(name, options), { onDestroy: "delete" }),
  Sacred: (name, options) => withPolicy(tag(name, options), { onDestroy: "refuse" }),
  Position: (name, options) => component(name, { x: f32, y: f32 }, options),
  Health: (name, options) => component(name, { points: i16, shield: u8, awake: bool }, options),
  Clock: (name, options) => component(name, { at: f64, ticks: u32 }, options),
  Aim: (name, options) => component(name, { at: entity, power: f32 }, options),
  Matrix: (name, options) => component(name, { cells: array(f32, 4) }, options),
  Style: (name, options) =>
    component(
      name,
      {
        size: f32(0.1),
        wide: true,
        at: 1e10,
        inset: array(f32, 4, [1, -0, 0.1, Number.NaN]),
        title: "plain",
        data: value<unknown>(),
      },
      options,
    ),
  Tint: (name, options) => component(name, value<unknown>(7), options),
  Likes: (name, options) => relation(name, options),
  DockedTo: (name, options) => relation(name, { exclusive: true, ...options }),
  Owns: (name, options) =>
    withPolicy(relation(name, { onTargetDestroy: "delete", ...options }), { onDestroy: "delete" }),
  Guards: (name, options) => relation(name, { onTargetDestroy: "refuse", ...options }),
  Damage: (name, options) =>
    relation(name, {
      fields: { amount: f32(1), by: entity, level: u8, note: value<unknown>(null) },
      ...options,
    }),
  Rents: (name, options) => relation(name, { exclusive: true, fields: { price: f64(-2.5) }, ...options }),
  Includes: (name, options) => relation(name, { reflexive: true, ...options }),
  SitsIn: (name, options) => relation(name, { exclusive: true, maxSubjects: 2, ...options }),
  Watches: (name, options) => relation(name, { maxSubjects: 3, ...options }),
};

const stored: Readonly<Record<string, ReadonlyMap<Storage, unknown>>> = Object.fromEntries(
  Object.entries(MAKERS).map(([what, make]) => [what, inEachStorage(what, make)]),
);

/** The definitions by name; `storeAs` replaces those that worlds can store in several ways. */
const definitions: Record<string, unknown> = {
  OrderedChildren,
  Disabled,
  DisabledTree,
  Alarm,
  Mesh: component<string>("Mesh"),
  Name,
  Alias,
  Label,
  ChildOf,
  Parent,
  Follows: relation("Follows", { acyclic: true }),
  Knows: relation("Knows", { symmetric: true }),
  MarriedTo: relation("MarriedTo", { symmetric: true, exclusive: true }),
  Needs: relation("Needs", { acyclic: true, exclusive: false }),
  Cites: relation("Cites", { acyclic: true, exclusive: false, traversable: false }),
  StoredIn: relation("StoredIn", { traversable: true, onTargetDestroy: "delete" }),
  MemberOf: relation("MemberOf", { traversable: true }),
  StowedIn: withDisabledTree(relation("StowedIn", { traversable: true })),
  PartOf: withDisabledTree(relation("PartOf", { traversable: true, exclusive: false })),
};

const names = new Map<unknown, string>();
for (const [name, definition] of Object.entries(definitions)) names.set(definition, name);
for (const [name, variants] of Object.entries(stored)) {
  for (const definition of variants.values()) names.set(definition, name);
}

/** The definitions of walks where some require others, which are made for each walk. */
const requiring = new WeakMap<Storages, Readonly<Record<string, unknown>>>();

/** Chooses the definitions of the world that a walk is about to create: only one walk takes place at a time. */
export function storeAs(storages: Storages): void {
  const isRequiring = storages[IS_REQUIRING] === true;
  required = isRequiring ? REQUIRES : {};
  if (isRequiring) {
    let made = requiring.get(storages);
    if (made === undefined) requiring.set(storages, (made = makeRequiring(storages)));
    Object.assign(definitions, made);
  } else {
    for (const [name, variants] of Object.entries(stored))
      definitions[name] = variants.get(storages[name] ?? "table");
  }
}

function makeRequiring(storages: Storages): Readonly<Record<string, unknown>> {
  const made: Record<string, unknown> = {};
  for (const [name, make] of Object.entries(MAKERS)) {
    const wanted = REQUIRES[name]?.map((what) => made[what] ?? definitionOf(what));
    const options = { ...optionsFor(storages[name]), ...(wanted && { requires: wanted as Tag[] }) };
    made[name] = make(name, options);
    names.set(made[name], name);
  }
  return made;
}
storeAs({});

/** The name of a definition in an event. */
export function nameOfDefinition(definition: unknown): string | undefined {
  return names.get(definition);
}

/** Its process-wide number: changes of one entity are reported in this order. */
export function numberOf(what: string): number {
  return (definitionOf(what) as { readonly id: number }).id;
}

/** The definition itself. Walks refer to definitions by name only, so it has no type here. */
export function definitionOf(what: string): unknown {
  const found = definitions[what];
  if (found === undefined) throw new Error(`no definition of ${what}`);
  return found;
}

/** Do runs and batches have columns of it? Values of sparse components are by entity. */
export function hasColumns(what: string): boolean {
  return (definitions[what] as { readonly storage?: string } | undefined)?.storage !== "sparse";
}

/** A definition as a function: a component of its value, a relation of its target and value. */
export function callableOf(what: string): (...given: unknown[]) => unknown {
  return definitionOf(what) as (...given: unknown[]) => unknown;
}

/** Field kinds of a schema component or of a relation whose pairs carry values; otherwise `undefined`. */
export function fieldsOf(what: string): FieldRules | undefined {
  return rules.schemas[what] ?? rules.relations[what]?.fields;
}

/** May a term go without a value? An object component needs one, unless it has a default. */
export function isValueOptional(what: string): boolean {
  return !isObject(what) || rules.defaults[what] !== undefined;
}

export function isObject(what: string): boolean {
  return rules.objects.includes(what);
}

/** Does a term about it pass a value to callbacks? */
export function carriesValue(what: string): boolean {
  return isObject(what) || fieldsOf(what) !== undefined;
}

type Accesses = readonly (readonly [string, ReturnType<typeof verbs.field>])[];

const accesses = new Map<unknown, Accesses>();

/** How single fields of a component are read and written: the names of the fields with what `field` returns. */
export function accessesOf(what: string): Accesses {
  const definition = definitionOf(what);
  let found = accesses.get(definition);
  if (found === undefined) {
    found = Object.keys(rules.schemas[what] ?? {}).map(
      (name) => [name, verbs.field(definition, name)] as const,
    );
    accesses.set(definition, found);
  }
  return found;
}
