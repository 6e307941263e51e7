// `relation`, `withHooks`: which options combine (`bad-definition` by `refuseDefinition`); what builtins install in worlds.
import { refuseDefinition, shown } from "../base/error.ts";
import { requireOptions } from "../base/options.ts";
import {
  ChildOf as BareChildOf,
  Disabled as BareDisabled,
  DisabledTree as BareDisabledTree,
  OrderedChildren as BareOrderedChildren,
  Parent as BareParent,
} from "../id/builtins.ts";
import type {
  Component,
  ComponentStorage,
  DataRelation,
  Definition,
  OnTargetDestroy,
  Relation,
  RelationToMany,
  Tag,
} from "../id/definition.ts";
import { defineRelation, fieldsOf, isDefinition, NO_FIELDS, setOptions } from "../id/definition.ts";
import type { Schema } from "../id/field.ts";
import { disableBelow, settleDisabled } from "../world/change/disabled.ts";
import { installChanges, installHooks, installRelations } from "../world/change/install.ts";
import { installTree } from "../world/change/pair.ts";
import { disabledReadWork } from "../world/state/disabled-reads.ts";
import type { Hooks, InnerHooks } from "../world/state/hooks.ts";
import type { Slots } from "../world/state/world.ts";
import { installBits } from "./storages.ts";

/** How a relation behaves. */
export interface RelationOptions {
  /** One target at most; adding another replaces it. Default: the same as `acyclic`. */
  readonly exclusive?: boolean | undefined;
  /**
   * Refuse cycles. Implies exclusive, unless `exclusive: false` is given: then each new pair costs a walk over everything
   * that its target leads to. Default: the same as `traversable`.
   */
  readonly acyclic?: boolean | undefined;
  /** Walks (`ancestors(world, e, R)`) and queries may follow it. Implies acyclic. Default: the same as `acyclic`. */
  readonly traversable?: boolean | undefined;
  /** If a has it with b, b has it with a: added, replaced and removed on both sides at once. Default false. */
  readonly symmetric?: boolean | undefined;
  /** Every entity has it with itself, where a target is named; nothing is stored for that. Default false. */
  readonly reflexive?: boolean | undefined;
  /** How many entities may have it with the same target. Default: any number. */
  readonly maxSubjects?: number | undefined;
  /**
   * When the target of a pair is destroyed, its subjects lose the pair (`"remove"`, the default), are destroyed too
   * (`"delete"`), or prevent the destruction (`"refuse"`).
   */
  readonly onTargetDestroy?: OnTargetDestroy | undefined;
  /**
   * In tables by default. With `sparse`, entities that get or lose a pair stay in their tables: for relations with many targets,
   * or whose pairs come and go. Not for acyclic, traversable and symmetric relations.
   */
  readonly storage?: ComponentStorage | undefined;
  /** Whether instances of prefabs get the pairs of the prefab: `"copy"` (the default) or `"skip"`. */
  readonly onInstantiate?: "copy" | "skip" | undefined;
}

/** Options of relations with many targets, as far as their types tell. */
type ToMany =
  | { readonly exclusive?: false; readonly acyclic?: false; readonly traversable?: false }
  | { readonly exclusive: false };

/** Read by checks alone. */
const RELATION_OPTIONS = [
  "exclusive",
  "acyclic",
  "traversable",
  "symmetric",
  "reflexive",
  "maxSubjects",
  "onTargetDestroy",
  "storage",
  "onInstantiate",
  "fields",
] as const;

/** Read by checks alone. */
const HOOKS = [
  "check",
  "checkMoves",
  "acceptList",
  "fileNew",
  "checkAll",
  "written",
  "onSet",
  "onRemove",
  "anyOrder",
  "copy",
  "identifies",
] as const;

/**
 * Defines a relation. With `fields`, each pair of it has its own values.
 *
 * @throws TreelineError `bad-definition` for an empty name, a bad field, an unknown policy or storage, `traversable: true` with
 *   `acyclic: false`, `symmetric` with `acyclic`, with `fields` or with `maxSubjects`, `reflexive` with `fields`, `sparse` storage with
 *   `acyclic` or `symmetric`, a `maxSubjects` that is not a whole number above 0, or an unknown `onInstantiate`.
 */
export function relation(name: string, options?: RelationOptions & ToMany): RelationToMany;
export function relation(name: string, options?: RelationOptions): Relation;
export function relation<const S extends Schema>(
  name: string,
  options: RelationOptions & ToMany & { readonly fields: S },
): DataRelation<S, false>;
export function relation<const S extends Schema>(
  name: string,
  options: RelationOptions & { readonly fields: S },
): DataRelation<S>;
export function relation(
  name: string,
  options: RelationOptions & { readonly fields?: Schema } = {},
): Definition {
  if (typeof options !== "object" || options === null)
    refuseDefinition(`${name} takes its options as an object, not ${shown(options)}`);
  CHECK: requireOptions(name, options, RELATION_OPTIONS, "bad-definition");
  const { symmetric = false, reflexive = false, maxSubjects = 0, onTargetDestroy = "remove" } = options;
  const acyclic = options.acyclic ?? options.traversable ?? false;
  const { exclusive = acyclic, traversable = acyclic } = options;
  const fields = options.fields === undefined ? NO_FIELDS : fieldsOf(name, options.fields);
  const refuse = (why: string): never => refuseDefinition(`${name}: ${why}`);
  if (traversable && !acyclic) {
    let text = "a traversable relation is acyclic";
    CHECK: text += "; leave out `acyclic: false` or `traversable`";
    refuse(text);
  }
  if (symmetric && (acyclic || fields.length > 0 || options.maxSubjects !== undefined)) {
    let text = "symmetric excludes acyclic, fields and maxSubjects";
    CHECK: text = "a symmetric relation is not acyclic, has no fields and no `maxSubjects`";
    refuse(text);
  }
  if (reflexive && fields.length > 0) {
    let text = "a reflexive relation has no fields";
    CHECK: text += ": a pair with itself is not stored";
    refuse(text);
  }
  if (options.maxSubjects !== undefined && (!Number.isInteger(maxSubjects) || maxSubjects < 1)) {
    let text = "maxSubjects is a whole number above 0";
    CHECK: text += `, not ${shown(maxSubjects)}`;
    refuse(text);
  }
  if (onTargetDestroy !== "remove" && onTargetDestroy !== "delete" && onTargetDestroy !== "refuse") {
    refuse('onTargetDestroy is "remove", "delete" or "refuse"');
  }
  const holds = fields.length > 0 ? "fields" : "nothing";
  const traits = { exclusive, acyclic, traversable, symmetric, reflexive, maxSubjects, onTargetDestroy };
  const definition = installing(defineRelation(name, { holds, fields, ...traits }), installRelations);
  setOptions(definition, options);
  return definition;
}

/**
 * Attaches hooks to a component, once and before the component is used.
 *
 * @throws TreelineError `bad-definition` if it has hooks already, or if `identifies` is neither `"siblings"` nor `"world"`.
 */
export function withHooks<Row, C extends Component<Row>>(
  definition: C & Component<Row>,
  hooks: Hooks<Row>,
): C {
  if (!isDefinition(definition) || (definition as Definition).kind !== "component" || !hooks)
    refuseDefinition("withHooks takes a component, and an object of hooks");
  let text = `${definition.name} has hooks already`;
  CHECK: text += "; pass all of them in one call";
  if (definition.hooks !== undefined) refuseDefinition(text);
  CHECK: requireOptions(`withHooks(${definition.name})`, hooks as InnerHooks<Row>, HOOKS, "bad-definition");
  const { identifies } = hooks;
  if (identifies !== undefined && identifies !== "siblings" && identifies !== "world") {
    refuseDefinition(
      `identifies is "siblings" or "world", not ${shown(identifies)}; leave it out for values that clones share`,
    );
  }
  definition.hooks = hooks;
  const { installs } = definition as Definition;
  // A call of its own only where there are two: definitions install at each new pair.
  return installing(
    definition,
    installs === undefined
      ? installHooks
      : (slots) => {
          installs(slots);
          installHooks(slots);
        },
  );
}

/** The definition itself, with what it installs. */
function installing<D extends Definition>(definition: D, installs: (slots: object) => void): D {
  definition.installs = installs;
  return definition;
}

function installParent(slots: object): void {
  installChanges(slots);
  installTree(slots);
}

function installDisabled(slots: object): void {
  installBits(slots);
  const filled = slots as Slots;
  filled.disabledReads ??= disabledReadWork;
  filled.settleDisabled ??= settleDisabled;
  filled.disableBelow ??= disableBelow;
}

/**
 * The parent of an entity: one at most, never in a cycle; when a parent is destroyed, its children are destroyed too. The
 * pair is part of the type: children of one parent share tables. In queries it matches children in both storages.
 *
 * @example
 * const cockpit = spawn(world, ChildOf(ship));
 */
export const ChildOf: Relation = /* @__PURE__ */ installing(BareChildOf, installTree);

/**
 * The same parent, stored by value: children of many parents share a table. For small, deep, structured trees. An entity has
 * its parent in one of the two storages; adding the other one with the same parent moves the entity to that storage and
 * keeps its place among its siblings. In queries it matches this storage alone.
 *
 * @example
 * const bone = spawn(world, Parent(skeleton));
 */
export const Parent: Relation = /* @__PURE__ */ installing(BareParent, installParent);

/**
 * Has no effect any more: the children of every entity are in a list, in their order. It stays for programs and documents that
 * name it.
 */
export const OrderedChildren: Tag = BareOrderedChildren;

/**
 * Excludes an entity from all queries that name neither `Disabled` nor `DisabledTree`. Adding and removing it moves no row:
 * it is stored as one bit per row.
 */
export const Disabled: Tag = /* @__PURE__ */ installing(BareDisabled, installDisabled);

/**
 * Disables an entity and everything below it, along ChildOf and relations of `withDisabledTree`; an entity with `Disabled` stays
 * disabled when this tag is removed above it.
 */
export const DisabledTree: Tag = /* @__PURE__ */ installing(BareDisabledTree, installDisabled);
