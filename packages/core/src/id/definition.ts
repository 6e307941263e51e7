// What a definition is (`define`, `component`, `tag`, `Any`, `Is`), `withPolicy`; what it requires (`addRequired`); bad names (`requireName`).
import { refuseDefinition, shown, TreelineError } from "../base/error.ts";
import { requireOptions } from "../base/options.ts";
import type { Entity } from "./entity.ts";
import {
  type ColumnsOf,
  type Field,
  fieldFrom,
  type InitOf,
  misfitOf,
  NO_DEFAULT,
  NUMBER,
  type Reader,
  type RowOf,
  type Schema,
} from "./field.ts";
import type { WithoutRole, WithoutTarget } from "./type-texts.ts";
import type { Typed } from "./typed.ts";

/** Traits of a relation, stored for each of its pairs so that no lookup of the definition is needed; the last three change. */
export const PAIR_KEEPS_DEPTH = 1; // its record is in the tree of records and has a depth
export const PAIR_DELETES = 2;
export const PAIR_REFUSES = 4;
export const PAIR_HAS_DATA = 8;
export const PAIR_EXCLUSIVE = 16;
export const PAIR_INTERNAL = 32; // wildcards do not see it: an entity used as a tag
export const PAIR_DISABLES = 128; // of ChildOf and what `withDisabledTree` names: a `DisabledTree` at or above its target disables its subjects

export const PAIR_IN_PREFAB = 256; // of ChildOf: its target is a prefab or a part of one, and so are its subjects
/** Subjects get something from the target of such a pair: PAIR_DISABLES or PAIR_IN_PREFAB. */
export const PAIR_SPREADS = 384;

/** The target of a wildcard term: any target. Handles are never negative. */
export const ANY = -1;

/** What happens to the subjects of a pair when its target is destroyed. */
export type OnTargetDestroy = "remove" | "delete" | "refuse";
/** What happens to the entities that have a definition when its component entity is destroyed. */
export type OnDestroy = "remove" | "delete" | "refuse";

/**
 * What an instance of a prefab gets of what the prefab has: a value of its own, that of the prefab until it writes another one, or
 * nothing. See the package `prefab`.
 */
export type OnInstantiate = "copy" | "inherit" | "skip";

declare const definitionBrand: unique symbol;

/** What every definition has. Create definitions once, at module level; every world can use them. */
export interface Definition {
  /** Process-wide number, from 1. Never written to files. */
  readonly id: number;
  readonly name: string;
  readonly kind: "component" | "tag" | "relation";
  /** Never set. */
  readonly [definitionBrand]: true;
}

/** What core sees of a definition; the other packages see it by `seen-inside.ts`. @internal */
export interface Definition extends DefinitionState {}

/** The internal part of a definition. */
export interface DefinitionState {
  /** What it stores per row: nothing, one lane per field, or one JavaScript value. */
  readonly holds: "nothing" | "fields" | "values";
  /**
   * Where a world stores which entities have it: in the types of tables, or as one bit per row. The values of sparse components
   * are in a store of their own, by entity.
   */
  storage: "table" | "bits" | "sparse";
  /** The fields in the order of the schema. If `holds` is "values", one without a name, which holds the whole value. */
  readonly fields: readonly (readonly [name: string, field: Field])[];
  /** Process-wide number of its first field; those of the others follow. */
  readonly firstField: number;
  /** What makes the values of a component that `get` has read before: see `rowReaderOf`. */
  reader: Reader | null | undefined;
  /** Relations: each entity has at most one target. */
  readonly exclusive: boolean;
  /** Relations: cycles of targets are refused. */
  readonly acyclic: boolean;
  /** Relations: walks and queries may follow it. Implies acyclic. */
  readonly traversable: boolean;
  /** Relations: exclusive and traversable, so its pairs have a depth. */
  readonly keepsDepth: boolean;
  /** Relations: every target also has the pair in the other direction. */
  readonly symmetric: boolean;
  /** Relations: in queries every entity has it with itself. */
  readonly reflexive: boolean;
  /** Relations: the most subjects of one target; 0 for no limit. */
  readonly maxSubjects: number;
  /** Relations: what happens to subjects when their target is destroyed. */
  readonly onTargetDestroy: OnTargetDestroy;
  /** What happens to entities that have it when its component entity is destroyed; set once, by `withPolicy`. */
  onDestroy: OnDestroy | undefined;
  /** Relations: the same as PAIR_ bits. */
  readonly pairTraits: number;
  /** What instances of prefabs get. Relations are not inherited. */
  onInstantiate: OnInstantiate;
  /** Core or the package that made it manages it: users can neither see nor remove it. */
  isInternal: boolean;
  /** Of a definition by `inheritedOf`: the one whose values are inherited. */
  standsFor: Definition | undefined;
  /** What `inheritedOf` returns; absent until then. */
  inherited?: Definition;
  /** It has fields, and each field is a single number other than `bool` and `entity`. */
  readonly isFlat: boolean;
  /**
   * Appends to a list what an entity gets as well when it gets this, and is not in the list yet; without what that requires in turn: see
   * `addRequired`.
   */
  requires: ((all: Definition[]) => void) | undefined;
  /** The hooks of the definition; set once, by `withHooks`. */
  hooks: object | undefined;
  /** What it does with the values of sparse storage; `undefined` for other storages. */
  store: object | undefined;
  /** Fills slots of a world with functions that the definition needs; called for each archetype with it that a world creates. */
  installs: ((slots: object, archetype?: { fixedNeeds: number }) => void) | undefined;
  /** Of the terms that `asTag` returns: what an entity means as a tag. Absent from all other definitions. */
  meaning?: (world: object, entity: number) => Term;
  /** How documents store it; absent unless a function of the package `document` has set it. */
  stored?: object;
}

declare const needsValue: unique symbol;

/** A definition that gives entities a value: `Row` is one value, `Columns` all of them, `Init` what may be written. */
export interface Component<Row = unknown, Columns = unknown, Init = unknown>
  extends Definition,
    Typed<Row, Columns, Init> {
  readonly kind: "component";
}

/** A component with fields in columns. Call it to get a term with an initial value. */
export interface SchemaComponent<S extends Schema> extends Component<RowOf<S>, ColumnsOf<S>, InitOf<S>> {
  (value?: InitOf<S>): ValueTerm;
}

/** A component that stores one JavaScript value per entity. It has no default: to add it, call it with a value. */
export interface ObjectComponent<Value> extends Component<Value, Value[], Value> {
  (value: Value): ValueTerm;
  /** For `spawnRows`: the value of each new entity, in their order. */
  each(values: readonly Value[]): ListTerm;
  /** Always absent; `spawn` and `add` do not accept the component alone. */
  readonly [needsValue]: "call it with its value";
}

/** A component that stores one JavaScript value per entity, with a default. */
export interface ValueComponent<Value> extends Component<Value, Value[], Value> {
  (value?: Value): ValueTerm;
}

/** A component without values. */
export interface Tag extends Definition {
  readonly kind: "tag";
}

/**
 * How a world stores a definition: `bits`, `sparse`. It sets the storage of a definition that no world has used. The code comes
 * with the value, so programs without it do not bundle it.
 */
export type ComponentStorage = (definition: Definition) => void;

/** Options of a component or tag. */
export interface StorageOptions {
  /**
   * In tables by default. With `bits` (tags) and `sparse` (tags and components), entities that get or lose it stay in their
   * tables.
   */
  readonly storage?: ComponentStorage | undefined;
  /**
   * What instances of prefabs get: `"copy"`, a value of their own (the default); `"inherit"`, that of the prefab, until one of their
   * own is written; or `"skip"`, nothing. What is stored as bits or sparse is not inherited.
   */
  readonly onInstantiate?: OnInstantiate | undefined;
  /**
   * Components and tags that an entity gets in the same change as this one, with their defaults, if it neither has them nor is given
   * them; what these require in turn, too. One without a default has to be given, or be there. A function that returns the list is
   * called when an entity first gets the component: for components that require one another, and for modules that import one another.
   *
   * The function is called by the verb that gives the component; if it returns something else, that is `bad-definition`, and
   * nothing has changed.
   */
  readonly requires?: RequiredList | (() => RequiredList) | undefined;
}

/** What `requires` takes. */
export type RequiredList = readonly (Component | Tag)[];

/** A relation whose pairs have no values. */
export interface Relation extends Definition {
  readonly kind: "relation";
  /** Each entity has at most one target. */
  readonly exclusive: boolean;
  (target: Entity): Pair;
  (target: Variable): VariablePair;
  (target: AnyRelation): AnyPair;
  (target: Entity): Pair; // again: the last one is what errors name, the first one what a target of type any gets
  /** For `spawnRows`: the target of each new entity, in their order. */
  each(targets: readonly Entity[]): ListTerm;
}

/**
 * The wildcard, for queries and for removing: `ChildOf(Any)` is any parent, `Any(ship)` any pair with the target ship,
 * `Any(Any)` any pair. Never stored.
 */
export interface AnyRelation extends Definition {
  readonly kind: "relation";
  (target: Entity | AnyRelation): AnyPair;
}
/** A relation where a target is expected: its entity is the target. */
export type AnyTarget = AnyRelation;

/** A relation whose pairs have values. `IsExclusive` is `false` if it is known to have many targets. */
export interface DataRelation<S extends Schema, IsExclusive extends boolean = boolean> extends Definition {
  readonly kind: "relation";
  readonly exclusive: IsExclusive;
  (target: Entity, value?: InitOf<S>): Pair<RowOf<S>, ColumnsOf<S>, InitOf<S>>;
  (target: Variable): VariablePair<RowOf<S>, ColumnsOf<S>, InitOf<S>>;
  (target: AnyRelation): AnyPair;
  (target: Entity, value?: InitOf<S>): Pair<RowOf<S>, ColumnsOf<S>, InitOf<S>>; // again, as in Relation
}

/** A relation with many targets, and pairs without values. */
export interface RelationToMany extends Relation {
  readonly exclusive: false;
}

/** A definition with a target and a value: what calling a definition returns. All calls return objects with the same hidden class. */
export interface Term {
  readonly definition: Definition;
  /** Handle of a pair's target; ANY for wildcards; 0 for components. */
  readonly target: number;
  /** `undefined` means the defaults. */
  readonly value: unknown;
}

declare const variableBrand: unique symbol;

/** Placeholder for a target in a query, until the target is set or found. It is below ANY, so it never equals a handle. */
export type Variable = number & { readonly [variableBrand]: true };

declare const valueBrand: unique symbol;
declare const anyPairBrand: unique symbol;

/** A component with its initial value. */
export interface ValueTerm extends Term {
  readonly [valueBrand]?: true;
  readonly [anyPairBrand]?: never;
}
/** A relation and a target. */
export interface Pair<Row = undefined, Columns = undefined, Init = undefined>
  extends Term,
    Typed<Row, Columns, Init> {
  readonly [anyPairBrand]?: never;
  readonly [valueBrand]?: never;
}
/** A relation and a variable: for queries. */
export interface VariablePair<Row = undefined, Columns = undefined, Init = undefined>
  extends Term,
    Typed<Row, Columns, Init> {
  readonly [anyPairBrand]: "variable";
}
/** A relation and any target: for queries and for removing. */
export interface AnyPair extends Term {
  readonly [anyPairBrand]: true;
}

/** An entity as a tag: what `asTag` returns. */
export interface EntityTag extends Term {
  readonly target: Entity;
  readonly [anyPairBrand]: "entity tag";
}

/** What `spawn` and `add` accept: a component or tag, a component with its value, a pair, or an entity as a tag, `asTag(entity)`. */
export type SpawnTerm =
  | (Component & { readonly [needsValue]?: never })
  | Tag
  | ValueTerm
  | Pair<unknown, unknown, unknown>
  | EntityTag
  | WithoutTarget
  | WithoutRole;
/** The same after its checks. */
export type PlainTerm = Component | Tag | ValueTerm | Pair<unknown, unknown, unknown> | EntityTag;

/** For `spawnRows`: a target, or a value, for each new entity. */
export interface ListTerm {
  readonly each: Definition;
  readonly list: readonly unknown[];
}

/** State of the process: numbers definitions (and worlds, in checked builds). `worldState` numbers the states of worlds. */
let lastNumber = 0;
let lastField = 0;

/** @returns a number that was never returned before in this process. */
export function nextNumber(): number {
  return ++lastNumber;
}

/** Whether `component`, `tag` or `relation` returned it. Accepts any value. */
export function isDefinition(what: unknown): what is Definition {
  return typeof what === "function" && typeof (what as Partial<Definition>).kind === "string";
}

export const NO_FIELDS: DefinitionState["fields"] = [];

/** The default traits of a definition. */
const DEFAULTS = {
  kind: "relation",
  holds: "nothing",
  fields: NO_FIELDS as DefinitionState["fields"],
  exclusive: false,
  acyclic: false,
  traversable: false,
  symmetric: false,
  reflexive: false,
  maxSubjects: 0,
  onTargetDestroy: "remove",
} as const;

type Traits = Pick<Definition & DefinitionState, keyof typeof DEFAULTS>;

type Writable<T> = { -readonly [K in keyof T]: T[K] };

/**
 * Sets the properties of every definition, in one order, one by one, and keeps the name that the function was created with. V8
 * turns a function into a dictionary if it gets many properties at once, or another name; each read then costs 10 ns.
 */
function define(call: (first: never, second: never) => Term, given: Partial<Traits>): Definition {
  const definition = call as unknown as Writable<Definition> & {
    each: (list: readonly unknown[]) => ListTerm;
  };
  const traits: Traits = { ...DEFAULTS, ...given };
  const { holds, fields, exclusive, onTargetDestroy } = traits;
  definition.id = nextNumber();
  definition.kind = traits.kind;
  definition.holds = holds;
  definition.storage = "table";
  definition.store = undefined;
  definition.fields = fields;
  definition.reader = undefined;
  definition.firstField = lastField;
  lastField += fields.length;
  definition.exclusive = exclusive;
  definition.acyclic = traits.acyclic;
  definition.traversable = traits.traversable;
  definition.keepsDepth = exclusive && traits.traversable;
  definition.symmetric = traits.symmetric;
  definition.reflexive = traits.reflexive;
  definition.maxSubjects = traits.maxSubjects;
  definition.onTargetDestroy = onTargetDestroy;
  definition.onDestroy = undefined;
  definition.pairTraits =
    (definition.keepsDepth ? PAIR_KEEPS_DEPTH : 0) +
    (onTargetDestroy === "delete" ? PAIR_DELETES : 0) +
    (onTargetDestroy === "refuse" ? PAIR_REFUSES : 0) +
    (holds === "nothing" ? 0 : PAIR_HAS_DATA) +
    (exclusive ? PAIR_EXCLUSIVE : 0);
  definition.hooks = undefined;
  definition.requires = undefined;
  definition.installs = undefined;
  definition.onInstantiate = "copy";
  definition.isInternal = false;
  definition.standsFor = undefined;
  definition.each = (list) => ({ each: definition, list });
  definition.isFlat = holds === "fields" && fields.every(([, { rule }]) => rule === NUMBER);
  return definition;
}

/** @throws TreelineError `bad-definition` unless the name is a non-empty string; the message calls the thing `what`. */
export function requireName(name: unknown, what = "a definition"): void {
  if (typeof name !== "string" || name === "") refuseDefinition(`${what} needs a non-empty string as name`);
}

export function fieldsOf(name: string, schema: Schema): DefinitionState["fields"] {
  if (typeof schema !== "object" || schema === null) refuseDefinition(`${name} needs an object of fields`);
  const fields: [string, Field][] = [];
  for (const [field, given] of Object.entries(schema)) {
    CHECK: {
      if (fieldFrom(given) === undefined) refuseField(`${name}.${field}`);
      requireInitial(`${name}.${field}`, fieldFrom(given)!);
    }
    fields.push([field, fieldFrom(given) ?? refuseDefinition(`${name}.${field} is no field`)]);
  }
  return fields;
}

/** For development builds. @throws TreelineError `bad-definition` for a default that the field cannot hold. */
function requireInitial(field: string, { kind, initial }: Field): void {
  const holds = typeof initial === "number" ? misfitOf(kind, initial) : undefined;
  if (holds !== undefined) refuseDefinition(`the default of ${field} cannot be ${initial}: ${holds}`);
}

/** For development builds: with advice. @throws TreelineError `bad-definition`, always. */
function refuseField(field: string): never {
  const advice = "a default such as 0, a kind such as f32, array(f32, 3), or value<T>() for anything else";
  refuseDefinition(`${field} is no field; give ${advice}`);
}

/**
 * Defines a component: with a schema, one column per field; without, one JavaScript value per entity.
 *
 * A field is a kind (`f32`, `array(u8, 4)`), a kind with a default (`f32(1)`), any JavaScript value (`value<T>()`), or just a
 * default: a number means `f64`, a boolean `bool`, a string `value<string>`. A row has the defaults of the fields
 * that no value is given for. An object component has a default if it is defined by `value(default)`; otherwise each `spawn`
 * and `add` of it needs a value.
 *
 * @throws TreelineError `bad-definition` for an empty name or a field that is none of these, an unknown storage or `onInstantiate`,
 *   for `onInstantiate: "inherit"` with a storage, and for `requires` that names something else than components and tags.
 *
 * @example
 * const Position = component("Position", { x: 0, y: 0 });
 * const Local = component("Local", { rotation: array(f32, 4, [0, 0, 0, 1]), scale: f32(1) });
 * const Mesh = component<Mesh>("Mesh");
 * const Title = component("Title", value("untitled"));
 */
export function component<Value>(
  name: string,
  none?: undefined,
  options?: StorageOptions,
): ObjectComponent<Value>;
export function component<Value>(
  name: string,
  whole: Field<Value, Value[], Value>,
  options?: StorageOptions,
): ValueComponent<Value>;
export function component<const S extends Schema>(
  name: string,
  schema: S,
  options?: StorageOptions,
): SchemaComponent<S>;
export function component(
  name: string,
  schema: Schema | Field = NO_DEFAULT,
  options: StorageOptions = {},
): Definition {
  const isObject = (schema as Partial<Field> | null)?.rule === NO_DEFAULT.rule;
  const fields = fieldsOf(name, isObject ? { "": schema as Field } : (schema as Schema));
  const holds: DefinitionState["holds"] = isObject ? "values" : fields.length > 0 ? "fields" : "nothing";
  return defineValue(name, { kind: "component", holds, fields }, options);
}

/**
 * Defines a tag: a component without a value.
 *
 * @throws TreelineError `bad-definition` for an empty name, an unknown storage or `onInstantiate`, for `onInstantiate: "inherit"`
 *   with a storage, and for `requires` that names something else than components and tags.
 *
 * @example
 * const Enemy = tag("Enemy");
 * const Selected = tag("Selected", { storage: bits });
 * const Bullet = tag("Bullet", { requires: [Velocity] });
 */
export function tag(name: string, options: StorageOptions = {}): Tag {
  return defineValue(name, { kind: "tag" }, options) as Tag;
}

/**
 * Applies a storage, `bits` or `sparse`, and sets what instances of prefabs get. What is inherited is a part of the archetype, which does
 * not know of values stored elsewhere: see decision 0103.
 *
 * @throws TreelineError `bad-definition` for other values, such as the name of a storage.
 */
export function setOptions(definition: Definition, options: StorageOptions): void {
  const { storage, onInstantiate = "copy" } = options;
  const isInherited = onInstantiate === "inherit";
  CHECK: adviseOnOptions(definition, options);
  if (
    (storage && typeof storage !== "function") ||
    (isInherited
      ? storage || definition.kind === "relation"
      : onInstantiate !== "copy" && onInstantiate !== "skip")
  )
    refuseDefinition(`${definition.name}: unknown option`);
  storage?.(definition);
  definition.onInstantiate = onInstantiate;
}

/** For development builds: the same with advice. @throws TreelineError `bad-definition`. */
function adviseOnOptions(
  { name, kind }: Definition,
  { storage, onInstantiate = "copy" }: StorageOptions,
): void {
  if (storage !== undefined && typeof storage !== "function")
    refuseDefinition(
      `${name}: storage is the value \`bits\` or \`sparse\` that core exports, not ${shown(storage)}`,
    );
  if (onInstantiate !== "copy" && onInstantiate !== "inherit" && onInstantiate !== "skip")
    refuseDefinition(`${name}: onInstantiate is "copy", "inherit" or "skip", not ${shown(onInstantiate)}`);
  if (onInstantiate === "inherit" && (storage || kind === "relation"))
    refuseDefinition(
      `${name}: only components and tags in tables are inherited; leave out \`storage\`, or use "copy"`,
    );
}

function defineValue(name: string, traits: Partial<Traits>, options: StorageOptions): Definition {
  requireName(name);
  const call = { [name]: (value: unknown): Term => ({ definition, target: 0, value }) };
  const definition: Definition = define(call[name]!, traits);
  CHECK: requireOptions(name, options, ["storage", "onInstantiate", "requires"], "bad-definition");
  setOptions(definition, options);
  definition.requires = options.requires && requiring(name, options.requires);
  return definition;
}

/**
 * What `requires` of a definition becomes.
 *
 * @param given a list of components and tags, or a function that returns one: then it is read when something first needs it.
 * @throws TreelineError `bad-definition`, as does the function that it returns.
 */
function requiring(name: string, given: unknown): NonNullable<DefinitionState["requires"]> {
  const isLater = typeof given === "function" && !isDefinition(given);
  let list: readonly Definition[] | undefined;
  const requires = (all: Definition[]): void => {
    const read = list ?? [isLater ? given() : given].flat();
    for (const one of read) {
      const isRequirable = isDefinition(one) && one.kind !== "relation";
      CHECK: if (!isRequirable) refuseRequired(name, one);
      if (!isRequirable) refuseDefinition(`${name} requires ${shown(one)}`);
      // What is inherited is there.
      if (!(all.includes(one) || all.includes(one.inherited!))) all.push(one);
    }
    list = read;
  };
  if (!isLater) requires([]);
  return requires;
}

/** For development builds: with advice. @throws TreelineError `bad-definition`, always. */
function refuseRequired(name: string, one: unknown): never {
  const what = isDefinition(one) ? `the relation ${one.name}` : shown(one);
  const later = one === undefined ? "; if it is defined later, pass a function: requires: () => [Other]" : "";
  refuseDefinition(`${name} requires components and tags, not ${what}${later}`);
}

/** Appends what definitions require, be it by way of others, and is not among them, in the order of finding. @throws TreelineError `bad-definition`. */
export function addRequired(all: Definition[]): Definition[] {
  for (const one of all) one.requires?.(all);
  return all;
}

/** Defines a relation without checking its traits. It adds less to a bundle than `relation`. */
export function defineRelation(name: string, traits: Partial<Traits>): Definition {
  requireName(name);
  const call = {
    [name]: (target: unknown, value: unknown): Term => ({
      definition,
      target: targetIn(definition, target),
      value,
    }),
  };
  const definition: Definition = define(call[name]!, traits);
  return definition;
}

/** The target of a term. A number equal to the sentinel ANY is not a handle, so it becomes NaN. */
function targetIn(relation: Definition, target: unknown): number {
  if (typeof target !== "function") return target === ANY ? Number.NaN : (target as number);
  if (target === Any) return ANY;
  let text = `${relation.name} needs an entity or Any`;
  CHECK: text = `${relation.name} needs an entity, Any, or entityOf(world, definition)`;
  throw new TreelineError("bad-term", text);
}

export const Any: AnyRelation = /* @__PURE__ */ defineRelation("Any", {}) as AnyRelation;

/** An entity used as a tag: the pair (Is, entity). Wildcards do not see it. */
export const Is: Definition = /* @__PURE__ */ internal(/* @__PURE__ */ defineRelation("Is", {}));

function internal(relation: Writable<Definition>): Definition {
  relation.pairTraits |= PAIR_INTERNAL;
  return relation;
}

/**
 * Sets, once, what happens to the entities that have the definition when its component entity is destroyed: they lose it
 * (default), they are destroyed as well, or the destruction is refused while there are any.
 *
 * @throws TreelineError `bad-definition` for an unknown policy, or if the definition has one already.
 */
export function withPolicy<D extends Definition>(
  definition: D,
  policy: { readonly onDestroy: OnDestroy },
): D {
  const onDestroy = policy?.onDestroy;
  if (!isDefinition(definition) || (definition as Definition) === Any)
    refuseDefinition("withPolicy needs a component, a tag or a relation");
  if (definition.onDestroy !== undefined)
    refuseDefinition(`${definition.name} has a policy already; set it once`);
  if (onDestroy !== "remove" && onDestroy !== "delete" && onDestroy !== "refuse")
    refuseDefinition(`${definition.name}: onDestroy must be "remove", "delete" or "refuse"`);
  definition.onDestroy = onDestroy;
  return definition;
}
