/** The input of the naive twin: definitions by name with their rules, and terms that name them. */

/** A twin entity: its number is chosen by the caller and never used twice. */
export type Twin = number;

export type Refusal =
  | "bad-name"
  | "bad-order"
  | "bad-path"
  | "bad-term"
  | "cycle"
  | "dead-entity"
  | "full"
  | "name-taken"
  | "refused"
  | "still-a-target";

/** `value`: any value, which is kept as it is; `text`: the same, whose default is a text, so that it takes no others. */
export type FieldKind =
  | "f32"
  | "f64"
  | "i16"
  | "u8"
  | "u32"
  | "bool"
  | "entity"
  | "four f32"
  | "text"
  | "value";

/** `entity` fields contain a twin; `undefined` means no entity. */
export type FieldValue = number | boolean | string | object | null | undefined;

/** The values of one component of one entity, field by field. */
export type Fields = Readonly<Record<string, FieldValue>>;

export type FieldRules = Readonly<Record<string, FieldKind>>;

/** What the destruction of an entity does to entities that refer to it. */
export type Policy = "remove" | "delete" | "refuse";

export interface RelationRules {
  readonly exclusive: boolean;
  /** The relation has no cycles. */
  readonly acyclic: boolean;
  readonly onTargetDestroy: Policy;
  /** A target has the inverse pair as well. */
  readonly symmetric?: boolean;
  /** Every entity has it with itself, in queries that name the target. */
  readonly reflexive?: boolean;
  /** The maximum number of subjects of each target. */
  readonly maxSubjects?: number;
  /** If given, every pair has these values. */
  readonly fields?: FieldRules;
}

/** The settings of a world for names. */
export interface NameRules {
  /** What happens when an entity gets a name that a sibling has, or moves to such a sibling. */
  readonly collisions: "error" | "suffix" | "allow";
  readonly separator: string;
  /** Scopes that lookups try after the roots, the last one first. */
  readonly search: readonly Twin[];
  /** Relations whose targets are scopes of entities without a parent, in order. Default: none. */
  readonly along?: readonly string[];
}

/** The definitions, by name. `ChildOf`, `Parent` and `Name` must be among them. */
export interface Rules {
  readonly tags: readonly string[];
  /** Components with fields. */
  readonly schemas: Readonly<Record<string, FieldRules>>;
  /** Components with one value of any type. */
  readonly objects: readonly string[];
  readonly relations: Readonly<Record<string, RelationRules>>;
  /**
   * What is stored where no value is given, if it is not zero, false or nothing: by definition, the fields that have one, or the
   * value of an object component, which otherwise always needs one.
   */
  readonly defaults: Readonly<Record<string, unknown>>;
  /** What an entity gets as well when it gets a component or tag, with defaults, unless it has it: required components. */
  readonly requires: Readonly<Record<string, readonly string[]>>;
  /** Relations that DisabledTree follows: with ChildOf they are one hierarchy without cycles. */
  readonly disabling: readonly string[];
  /** For components that are not copied unchanged: what a clone gets instead. */
  readonly copied: Readonly<Record<string, (fields: Fields) => Fields>>;
  /** What happens to entities that have a definition when its component entity is destroyed; default "remove". */
  readonly onDestroy: Readonly<Record<string, Policy>>;
  /** The component entity of one of these lives as long as the world, and cannot have a parent. */
  readonly builtins: readonly string[];
}

/**
 * One thing to add: a tag, a component with or without a value, or a pair with or without a value. `Is` with a target means an
 * entity used as a tag.
 */
export interface NaiveTerm {
  readonly what: string;
  readonly target?: Twin | "Any";
  /** Fields of a schema component or a pair; the value itself of an object component. */
  readonly value?: unknown;
}

/** Something to query or to remove. `Any` as relation or as target means all of them. */
export interface NaiveId {
  readonly what: string;
  readonly target?: Twin | "Any";
}
