import { refuseDefinition, shown, TreelineError } from "../base/error.ts";
import type { Entity } from "./entity.ts";
import { type ColumnsOf, type Field, type InitOf, isField, type RowOf, type Schema } from "./field.ts";

/** What of a relation is needed for each of its pairs without looking at the definition; the last two change. */
export const PAIR_HANGS = 1; // its record hangs in the tree of records and has a depth
export const PAIR_DELETES = 2;
export const PAIR_REFUSES = 4;
export const PAIR_HAS_DATA = 8;
export const PAIR_EXCLUSIVE = 16;
export const PAIR_INTERNAL = 32; // wildcards do not see it: an entity used as a tag
export const PAIR_LISTED = 64; // its sources stand in a list: kept by `sibling-links.ts`
export const PAIR_DISABLES = 128; // of ChildOf: a `DisabledTree` at or above its target disables its sources

/** The target of a wildcard term: any target. No handle is negative. */
export const ANY = -1;

/** What a relation does to its sources when their target dies. */
export type OnTargetDestroy = "remove" | "delete" | "refuse";
/** What happens to those who have a definition when the entity that stands for it dies. */
export type OnDestroy = "remove" | "delete" | "refuse";

/** What a definition stores per row: nothing, one lane per field, or one JavaScript value. */
export type Holds = "nothing" | "fields" | "values";

/** What all definitions have. Made once, at module level; usable in every world. */
export interface Definition {
  /** Process-wide number, from 1. Never written to files. */
  readonly id: number;
  readonly name: string;
  readonly kind: "component" | "tag" | "relation";
  readonly holds: Holds;
  /** Where it is kept who has it: in the types of tables, or as a bit beside each row; set once, by `inBits`. */
  storage: "table" | "bits";
  /** Field names and kinds in the order of the schema; empty unless `holds` is "fields". */
  readonly fields: readonly (readonly [name: string, field: Field])[];
  /** Relations: one target at most. */
  readonly exclusive: boolean;
  /** Relations: following targets always ends; what would close a circle is refused. */
  readonly acyclic: boolean;
  /** Relations: walks and queries may follow it. Implies acyclic. */
  readonly traversable: boolean;
  /** Relations: one target at most, followed by walks: its pairs have a depth. */
  readonly keepsDepth: boolean;
  /** Relations: whoever is a target has the pair the other way round as well. */
  readonly symmetric: boolean;
  /** Relations: in questions everybody has it with themselves. */
  readonly reflexive: boolean;
  /** Relations: so many sources at most for each target; 0 for any number. */
  readonly maxSubjects: number;
  /** Relations: what happens to sources when their target dies. */
  readonly onTargetDestroy: OnTargetDestroy;
  /** What happens to those who have it when the entity that stands for it dies; set once, by `withPolicy`. */
  onDestroy: OnDestroy | undefined;
  /** Relations: the same as PAIR_ bits. */
  readonly pairTraits: number;
  /** Holds fields, all of them of one number. */
  readonly isFlat: boolean;
  /** What the definition asked to be told; set once, by `withHooks`. */
  hooks: object | undefined;
  /** Fills slots of a world with what entities need that have it; called when an archetype with it is made there. */
  installs: ((slots: object) => void) | undefined;
}

/** A definition whose entities carry a value: `Row` is one value, `Columns` all of them, `Init` what may be written. */
export interface Component<Row = unknown, Columns = unknown, Init = unknown> extends Definition {
  readonly kind: "component";
  /** Never there; carries the types. */
  readonly types?: { readonly row: Row; readonly columns: Columns; readonly init: Init };
}

/** A component with fields in columns. Called, it gives a term with a starting value. */
export interface SchemaComponent<S extends Schema> extends Component<RowOf<S>, ColumnsOf<S>, InitOf<S>> {
  (value?: InitOf<S>): ValueTerm;
}

/** A component that keeps one JavaScript value per entity. */
export interface ObjectComponent<Value> extends Component<Value, Value[], Value> {
  (value: Value): ValueTerm;
}

/** A component without values. */
export interface Tag extends Definition {
  readonly kind: "tag";
}

/** The first half of pairs without values. */
export interface Relation extends Definition {
  readonly kind: "relation";
  (target: Entity): Pair;
  (target: Variable): VariablePair;
  (target: AnyRelation): AnyPair;
}

/**
 * The wildcard, for questions and for removing: `ChildOf(Any)` is any parent, `Any(ship)` any pair that points at ship,
 * `Any(Any)` any pair. Never stored.
 */
export interface AnyRelation extends Definition {
  readonly kind: "relation";
  (target: Entity | AnyRelation): AnyPair;
}
export type AnyTarget = AnyRelation;

/** The first half of pairs that carry values. */
export interface DataRelation<S extends Schema> extends Definition {
  readonly kind: "relation";
  (target: Entity, value?: InitOf<S>): Pair<RowOf<S>, ColumnsOf<S>, InitOf<S>>;
  (target: Variable): VariablePair<RowOf<S>, ColumnsOf<S>, InitOf<S>>;
  (target: AnyRelation): AnyPair;
}

/** One thing to add, with its value: what calling a definition gives. All calls give the same form. */
export interface Term {
  readonly definition: Definition;
  /** Handle of a pair's target; ANY in questions; 0 for components. */
  readonly target: number;
  /** `undefined` stands for the defaults. */
  readonly value: unknown;
}

declare const variableBrand: unique symbol;

/** Stands for a target in a question, until it is set or found: below ANY, so that no handle is equal to it. */
export type Variable = number & { readonly [variableBrand]: true };

declare const valueBrand: unique symbol;
declare const anyPairBrand: unique symbol;

/** A component with its starting value. */
export interface ValueTerm extends Term {
  readonly [valueBrand]?: true;
  readonly [anyPairBrand]?: never;
}
/** Relation and target together. */
export interface Pair<Row = undefined, Columns = undefined, Init = undefined> extends Term {
  readonly [anyPairBrand]?: never;
  /** Never there; carries the types. */
  readonly types?: { readonly row: Row; readonly columns: Columns; readonly init: Init };
}
/** Relation and a variable: for questions. */
export interface VariablePair<Row = undefined, Columns = undefined, Init = undefined> extends Term {
  readonly [anyPairBrand]: "variable";
  /** Never there; carries the types. */
  readonly types?: { readonly row: Row; readonly columns: Columns; readonly init: Init };
}
/** Relation and any target: for questions and for removing. */
export interface AnyPair extends Term {
  readonly [anyPairBrand]: true;
}

/** What `spawn` and `add` take: a component or tag, a component with its value, a pair, or an entity as a tag. */
export type SpawnTerm = Component | Tag | ValueTerm | Pair<unknown, unknown, unknown> | Entity;
/** The same without entities: see `plainTerms`. */
export type PlainTerm = Component | Tag | ValueTerm | Pair<unknown, unknown, unknown>;

/** State of the process: numbers definitions (and worlds, in checked builds). Else only states of worlds are numbered: see `worldState`. */
let lastNumber = 0;

/** @returns a number never given before in this process. */
export function nextNumber(): number {
  return ++lastNumber;
}

/** Is it what `component`, `tag` or `relation` gave? Takes anything. */
export function isDefinition(what: unknown): what is Definition {
  return typeof what === "function" && typeof (what as Partial<Definition>).kind === "string";
}

export const NO_FIELDS: Definition["fields"] = [];

/** What a definition is unless it says otherwise. */
const PLAIN = {
  kind: "relation",
  holds: "nothing",
  fields: NO_FIELDS as Definition["fields"],
  exclusive: false,
  acyclic: false,
  traversable: false,
  symmetric: false,
  reflexive: false,
  maxSubjects: 0,
  onTargetDestroy: "remove",
} as const;

type Traits = Pick<Definition, keyof typeof PLAIN>;

type Writable<T> = { -readonly [K in keyof T]: T[K] };

/**
 * All definitions get their properties here, in one order, one by one, and with the name that the function was made with. V8
 * turns a function that is given many properties at once, or another name, into a dictionary: each read costs 10 ns then.
 */
function define(call: (first: never, second: never) => Term, given: Partial<Traits>): Definition {
  const definition = call as unknown as Writable<Definition>;
  const traits: Traits = { ...PLAIN, ...given };
  const { holds, fields, exclusive, onTargetDestroy } = traits;
  definition.id = nextNumber();
  definition.kind = traits.kind;
  definition.holds = holds;
  definition.storage = "table";
  definition.fields = fields;
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
    (definition.keepsDepth ? PAIR_HANGS : 0) +
    (onTargetDestroy === "delete" ? PAIR_DELETES : 0) +
    (onTargetDestroy === "refuse" ? PAIR_REFUSES : 0) +
    (holds === "nothing" ? 0 : PAIR_HAS_DATA) +
    (exclusive ? PAIR_EXCLUSIVE : 0);
  definition.hooks = undefined;
  definition.installs = undefined;
  definition.isFlat =
    holds === "fields" &&
    fields.every(([, { isList, kind }]) => !isList && kind !== "bool" && kind !== "entity");
  return definition;
}

/** @throws TreelineError `bad-definition` unless it is a name for what is so called. */
export function requireName(name: unknown, what = "a definition"): void {
  if (typeof name !== "string" || name === "")
    refuseDefinition(`${what} needs a name: a text that is not empty`);
}

export function fieldsOf(name: string, schema: Schema): Definition["fields"] {
  if (typeof schema !== "object" || schema === null)
    refuseDefinition(`${name} takes its fields as an object, such as { x: f32 }, not ${shown(schema)}`);
  const fields = Object.entries(schema);
  for (const [field, kind] of fields) {
    if (!isField(kind))
      refuseDefinition(`${name}.${field} is no field kind; use f32, bool, array(f32, 3) ...`);
  }
  return fields;
}

/**
 * Defines a component: with a schema, one column per field; without, one JavaScript value per entity.
 *
 * @throws TreelineError `bad-definition` for an empty name or a field that is no field kind.
 */
export function component<Value>(name: string): ObjectComponent<Value>;
export function component<const S extends Schema>(name: string, schema: S): SchemaComponent<S>;
export function component(name: string, schema?: Schema): Definition {
  const fields = schema === undefined ? NO_FIELDS : fieldsOf(name, schema);
  const holds: Holds = schema === undefined ? "values" : fields.length > 0 ? "fields" : "nothing";
  return defineValue(name, { kind: "component", holds, fields });
}

/**
 * Defines a tag: an entity has it or not.
 *
 * @throws TreelineError `bad-definition` for an empty name.
 */
export function tag(name: string): Tag {
  return defineValue(name, { kind: "tag" }) as Tag;
}

function defineValue(name: string, traits: Partial<Traits>): Definition {
  requireName(name);
  const call = { [name]: (value: unknown): Term => ({ definition, target: 0, value }) };
  const definition: Definition = define(call[name]!, traits);
  return definition;
}

/** A relation whose traits need no checking. Cheaper to ship than `relation`. */
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

/** What a term has for a target; the sentinel of wildcards is nobody's handle. */
function targetIn(relation: Definition, target: unknown): number {
  if (typeof target !== "function") return target === ANY ? Number.NaN : (target as number);
  if (target === Any) return ANY;
  throw new TreelineError(
    "bad-term",
    `${relation.name} takes an entity or Any; for a definition as target, pass entityOf(world, definition)`,
  );
}

export const Any: AnyRelation = /* @__PURE__ */ defineRelation("Any", {}) as AnyRelation;

/** An entity used as a tag: the pair (Is, entity). Wildcards do not see it. */
export const Is: Definition = /* @__PURE__ */ internal(/* @__PURE__ */ defineRelation("Is", {}));

function internal(relation: Writable<Definition>): Definition {
  relation.pairTraits |= PAIR_INTERNAL;
  return relation;
}

/** Stores a tag as a bit beside each row, in place of the types of tables. Once, and before it is used. */
export function inBits(tag: Tag): Tag {
  tag.storage = "bits";
  return tag;
}

/**
 * Says, once, what happens to those who have the definition when the entity that stands for it dies: they lose it
 * (default), die as well, or refuse the death while there are any.
 *
 * @throws TreelineError `bad-definition` for an unknown policy, or if the definition has one already.
 */
export function withPolicy<D extends Definition>(
  definition: D,
  policy: { readonly onDestroy: OnDestroy },
): D {
  const onDestroy = policy?.onDestroy;
  if (!isDefinition(definition) || (definition as Definition) === Any)
    refuseDefinition("withPolicy takes a component, a tag or a relation");
  if (definition.onDestroy !== undefined)
    refuseDefinition(`${definition.name} has a policy already; give it once`);
  if (onDestroy !== "remove" && onDestroy !== "delete" && onDestroy !== "refuse")
    refuseDefinition(`${definition.name}: onDestroy is "remove", "delete" or "refuse"`);
  definition.onDestroy = onDestroy;
  return definition;
}
