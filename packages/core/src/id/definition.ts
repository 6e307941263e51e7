import { TreelineError } from "../base/error.ts";
import type { Entity } from "./entity.ts";
import type { ColumnsOf, Field, InitOf, RowOf, Schema } from "./field.ts";
import { PAIR_ACYCLIC, PAIR_DELETES, PAIR_EXCLUSIVE, PAIR_HAS_DATA, PAIR_REFUSES } from "./pair-traits.ts";

declare const anyBrand: unique symbol;

/** The wildcard for the target half of a pair in questions: `ChildOf(Any)`. Never stored. */
export type AnyTarget = number & { readonly [anyBrand]: true };
export const Any: AnyTarget = -1 as AnyTarget;

/** What a relation does to its sources when their target dies. */
export type OnTargetDeath = "remove" | "delete" | "refuse";

/** What a definition stores per row: nothing, one lane per field, or one JavaScript value. */
export type Holds = "nothing" | "fields" | "values";

/** What all definitions have. Made once, at module level; usable in every world. */
export interface Definition {
  /** Process-wide number, from 1. Never written to files. */
  readonly id: number;
  readonly name: string;
  readonly kind: "component" | "tag" | "relation";
  readonly holds: Holds;
  /** Field names and kinds in the order of the schema; empty unless `holds` is "fields". */
  readonly fields: readonly (readonly [name: string, field: Field])[];
  /** Relations: one target at most. */
  readonly exclusive: boolean;
  /** Relations: following targets always ends at a root. Implies exclusive. */
  readonly acyclic: boolean;
  /** Relations: what happens to sources when their target dies. */
  readonly onTargetDeath: OnTargetDeath;
  /** Relations: the same as PAIR_ bits. */
  readonly pairTraits: number;
  /** What the definition asked to be told; set once, by `withHooks`. */
  hooks: object | undefined;
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
  (target: AnyTarget): AnyPair;
}

/** The first half of pairs that carry values. */
export interface DataRelation<S extends Schema> extends Definition {
  readonly kind: "relation";
  (target: Entity, value?: InitOf<S>): Pair<RowOf<S>, ColumnsOf<S>, InitOf<S>>;
  (target: AnyTarget): AnyPair;
}

/** One thing to add, with its value: what calling a definition gives. All calls give the same form. */
export interface Term {
  readonly definition: Definition;
  /** Handle of a pair's target; `Any` in questions; 0 for components. */
  readonly target: number;
  /** `undefined` stands for the defaults. */
  readonly value: unknown;
}

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
/** Relation and any target: for questions and for removing. */
export interface AnyPair extends Term {
  readonly [anyPairBrand]: true;
}

/** The only state of the process: numbers definitions (and worlds, in checked builds). */
let lastNumber = 0;

/** @returns a number never given before in this process. */
export function nextNumber(): number {
  return ++lastNumber;
}

interface Traits {
  readonly kind: Definition["kind"];
  readonly holds: Holds;
  readonly fields: Definition["fields"];
  readonly exclusive: boolean;
  readonly acyclic: boolean;
  readonly onTargetDeath: OnTargetDeath;
}

const NO_FIELDS: Definition["fields"] = [];

function pairTraitsOf({ acyclic, onTargetDeath, holds, exclusive }: Traits): number {
  return (
    (acyclic ? PAIR_ACYCLIC : 0) +
    (onTargetDeath === "delete" ? PAIR_DELETES : 0) +
    (onTargetDeath === "refuse" ? PAIR_REFUSES : 0) +
    (holds === "nothing" ? 0 : PAIR_HAS_DATA) +
    (exclusive ? PAIR_EXCLUSIVE : 0)
  );
}

/** All definitions get their properties here, in one order, so that reading them stays fast. */
function define(call: (first: never, second: never) => Term, name: string, traits: Traits): Definition {
  if (typeof name !== "string" || name === "") {
    throw new TreelineError("bad-definition", "a definition needs a name: a text that is not empty");
  }
  Object.defineProperty(call, "name", { value: name });
  return Object.assign(call, {
    id: nextNumber(),
    kind: traits.kind,
    holds: traits.holds,
    fields: traits.fields,
    exclusive: traits.exclusive,
    acyclic: traits.acyclic,
    onTargetDeath: traits.onTargetDeath,
    pairTraits: pairTraitsOf(traits),
    hooks: undefined,
  }) as unknown as Definition;
}

function fieldsOf(name: string, schema: Schema): Definition["fields"] {
  const fields = Object.entries(schema);
  for (const [field, kind] of fields) {
    if (typeof kind?.kind !== "string" || typeof kind.width !== "number" || typeof kind.length !== "number") {
      throw new TreelineError(
        "bad-definition",
        `${name}.${field} is no field kind; use f32, bool, array(f32, 3) ...`,
      );
    }
  }
  return fields;
}

const PLAIN = { fields: NO_FIELDS, exclusive: false, acyclic: false, onTargetDeath: "remove" } as const;

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
  const definition: Definition = define((value: unknown): Term => ({ definition, target: 0, value }), name, {
    ...PLAIN,
    kind: "component",
    holds,
    fields,
  });
  return definition;
}

/** Defines a tag: an entity has it or not. */
export function tag(name: string): Tag {
  const definition: Definition = define((): Term => ({ definition, target: 0, value: undefined }), name, {
    ...PLAIN,
    kind: "tag",
    holds: "nothing",
  });
  return definition as Tag;
}

/** How a relation behaves. */
export interface RelationOptions {
  /** One target at most; adding another replaces it. Default false. */
  readonly exclusive?: boolean;
  /** Refuse cycles, keep depth. An acyclic relation is exclusive. Default false. */
  readonly acyclic?: boolean;
  /** Sources of a dying target lose the pair (default), die with it, or refuse its death. */
  readonly onTargetDeath?: OnTargetDeath;
}

/**
 * Defines a relation. With `fields`, every pair of it carries values of its own.
 *
 * @throws TreelineError `bad-definition` for an empty name, a bad field, an unknown policy, or `acyclic: true`
 *   together with `exclusive: false`.
 */
export function relation(name: string, options?: RelationOptions): Relation;
export function relation<const S extends Schema>(
  name: string,
  options: RelationOptions & { readonly fields: S },
): DataRelation<S>;
export function relation(
  name: string,
  options: RelationOptions & { readonly fields?: Schema } = {},
): Definition {
  const { acyclic = false, exclusive = acyclic, onTargetDeath = "remove" } = options;
  if (acyclic && !exclusive) {
    throw new TreelineError(
      "bad-definition",
      `${name} is acyclic and so must be exclusive; leave \`exclusive\` out`,
    );
  }
  if (onTargetDeath !== "remove" && onTargetDeath !== "delete" && onTargetDeath !== "refuse") {
    throw new TreelineError("bad-definition", `${name}: onTargetDeath is "remove", "delete" or "refuse"`);
  }
  const fields = options.fields === undefined ? NO_FIELDS : fieldsOf(name, options.fields);
  const holds: Holds = fields.length > 0 ? "fields" : "nothing";
  const definition: Definition = define(
    (target: number, value: unknown): Term => ({ definition, target, value }),
    name,
    { kind: "relation", holds, fields, exclusive, acyclic, onTargetDeath },
  );
  return definition;
}
