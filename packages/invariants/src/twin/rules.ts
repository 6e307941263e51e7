/** What the naive twin is told: definitions by name with their rules, and terms that name them. */

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

export type FieldKind = "f32" | "f64" | "i16" | "u8" | "u32" | "bool" | "entity" | "four f32";

/** `entity` fields hold a twin; `undefined` is an entity field without an entity. */
export type FieldValue = number | boolean | readonly number[] | undefined;

/** The values of one component of one entity, field by field. */
export type Fields = Readonly<Record<string, FieldValue>>;

export type FieldRules = Readonly<Record<string, FieldKind>>;

/** What a death does to those who would point at the dead. */
export type Policy = "remove" | "delete" | "refuse";

export interface RelationRules {
  readonly exclusive: boolean;
  /** Following the relation ends at those without a target. */
  readonly acyclic: boolean;
  readonly onTargetDestroy: Policy;
  /** Whoever is a target has the pair the other way round as well. */
  readonly symmetric?: boolean;
  /** Everybody has it with themselves, in questions that name the target. */
  readonly reflexive?: boolean;
  /** So many sources at most for each target. */
  readonly maxSubjects?: number;
  /** Given: every pair carries these values. */
  readonly fields?: FieldRules;
}

/** How a world deals with names. */
export interface NameRules {
  /** What becomes of who gets, or brings along, a name that a sibling has. */
  readonly collisions: "error" | "suffix" | "allow";
  readonly separator: string;
  /** Where look-ups go that have found nothing up to the roots, the last one first. */
  readonly search: readonly Twin[];
}

/** What definitions there are, by name. `ChildOf`, `Parent` and `Name` must be among them. */
export interface Rules {
  readonly tags: readonly string[];
  /** Components with fields. */
  readonly schemas: Readonly<Record<string, FieldRules>>;
  /** Components that hold one value of any type. */
  readonly objects: readonly string[];
  readonly relations: Readonly<Record<string, RelationRules>>;
  /** Components that are not copied as they are: what a clone gets instead. */
  readonly copied: Readonly<Record<string, (fields: Fields) => Fields>>;
  /** What happens to those who have a definition when the entity that stands for it dies; if not told, "remove". */
  readonly onDestroy: Readonly<Record<string, Policy>>;
  /** Whoever stands for one of these lives as long as the world, and takes no parent. */
  readonly builtins: readonly string[];
}

/**
 * One thing to add: a tag, a component with or without a value, or a pair with or without a value. `Is` with a target
 * stands for an entity used as a tag.
 */
export interface NaiveTerm {
  readonly what: string;
  readonly target?: Twin | "Any";
  /** Fields of a schema component or a pair; the value itself of an object component. */
  readonly value?: unknown;
}

/** Something to ask for or to remove. `Any` as relation or as target stands for all of them. */
export interface NaiveId {
  readonly what: string;
  readonly target?: Twin | "Any";
}
