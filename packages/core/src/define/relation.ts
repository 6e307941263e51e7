import { shown, TreelineError } from "../base/error.ts";
import {
  type DataRelation,
  type Definition,
  defineRelation,
  fieldsOf,
  NO_FIELDS,
  type OnTargetDeath,
  type Relation,
} from "../id/definition.ts";
import type { Schema } from "../id/field.ts";
import { bringRelations } from "../world/change/bring.ts";

/** How a relation behaves. */
export interface RelationOptions {
  /** One target at most; adding another replaces it. Default: the same as `acyclic`. */
  readonly exclusive?: boolean;
  /**
   * Refuse circles. Exclusive too, unless that is false: then each new pair costs a walk over all that its target
   * leads to. Default: the same as `traversable`.
   */
  readonly acyclic?: boolean;
  /** Walks (`ancestors(world, e, R)`) and queries may follow it. Implies acyclic. Default: the same as `acyclic`. */
  readonly traversable?: boolean;
  /** If a has it with b, b has it with a: added, replaced and removed on both sides at once. Default false. */
  readonly symmetric?: boolean;
  /** Asked for by target, everybody has it with themselves; nothing is stored for that. Default false. */
  readonly reflexive?: boolean;
  /** At most so many entities may have it with the same target. Default: any number. */
  readonly maxSources?: number;
  /** Sources of a dying target lose the pair (default), die with it, or refuse its death. */
  readonly onTargetDeath?: OnTargetDeath;
}

/**
 * Defines a relation. With `fields`, every pair of it carries values of its own.
 *
 * @throws TreelineError `bad-definition` for an empty name, a bad field, an unknown policy, `traversable: true` with
 *   `acyclic: false`, `symmetric` with `acyclic`, with `fields` or with `maxSources`, `reflexive` with `fields`, or a
 *   `maxSources` that is no whole number above 0.
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
  if (typeof options !== "object" || options === null) {
    throw new TreelineError(
      "bad-definition",
      `${name} takes its options as an object, not ${shown(options)}`,
    );
  }
  const { symmetric = false, reflexive = false, maxSources = 0, onTargetDeath = "remove" } = options;
  const acyclic = options.acyclic ?? options.traversable ?? false;
  const { exclusive = acyclic, traversable = acyclic } = options;
  const fields = options.fields === undefined ? NO_FIELDS : fieldsOf(name, options.fields);
  const refuse = (why: string): never => {
    throw new TreelineError("bad-definition", `${name}: ${why}`);
  };
  if (traversable && !acyclic)
    refuse("what can be traversed has no circles; leave `acyclic: false` or `traversable` out");
  if (symmetric && (acyclic || fields.length > 0 || options.maxSources !== undefined)) {
    refuse("a symmetric relation is not acyclic, has no fields and no `maxSources`");
  }
  if (reflexive && fields.length > 0)
    refuse("a reflexive relation has no fields: nothing is stored for oneself");
  if (options.maxSources !== undefined && (!Number.isInteger(maxSources) || maxSources < 1)) {
    refuse(`maxSources is a whole number above 0, not ${shown(maxSources)}`);
  }
  if (onTargetDeath !== "remove" && onTargetDeath !== "delete" && onTargetDeath !== "refuse") {
    refuse('onTargetDeath is "remove", "delete" or "refuse"');
  }
  const definition = defineRelation(name, {
    kind: "relation",
    holds: fields.length > 0 ? "fields" : "nothing",
    fields,
    exclusive,
    acyclic,
    traversable,
    symmetric,
    reflexive,
    maxSources,
    onTargetDeath,
    isHidden: false,
  });
  definition.brings = bringRelations;
  return definition;
}
