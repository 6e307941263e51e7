import {
  ChildOf as BareChildOf,
  Disabled as BareDisabled,
  DisabledTree as BareDisabledTree,
  OrderedChildren as BareOrderedChildren,
  Parent as BareParent,
} from "../id/builtins.ts";
import type { Definition, Relation, Tag } from "../id/definition.ts";
import { setBits } from "../storage/bits.ts";
import { bringChanges } from "../world/change/bring.ts";
import { disableBelow, settleDisabled } from "../world/change/disabled.ts";
import { linkLast } from "../world/change/family.ts";
import { bringTree } from "../world/change/pair.ts";
import type { Slots } from "../world/state/world.ts";

/** What users get of a builtin is the definition itself, with what it brings. */
function bringing<D extends Definition>(definition: D, brings: (slots: object) => void): D {
  definition.brings = brings;
  return definition;
}

function bringParent(slots: object): void {
  bringChanges(slots);
  bringTree(slots);
  (slots as Slots).linkLast ??= linkLast;
}

function bringDisabled(slots: object): void {
  const filled = slots as Slots;
  bringChanges(slots);
  filled.setBits ??= setBits;
  filled.settleDisabled ??= settleDisabled;
  filled.disableBelow ??= disableBelow;
}

/**
 * The parent of an entity: one at most, never in a cycle; when a parent dies, its children die with it. The pair is part
 * of the type: children of one parent share tables. In questions it covers children in both storages.
 *
 * @example
 * const cockpit = spawn(world, ChildOf(ship));
 */
export const ChildOf: Relation = /* @__PURE__ */ bringing(BareChildOf, bringTree);
export const Disabled: Tag = /* @__PURE__ */ bringing(BareDisabled, bringDisabled);
export const DisabledTree: Tag = /* @__PURE__ */ bringing(BareDisabledTree, bringDisabled);
export const OrderedChildren: Tag = /* @__PURE__ */ bringing(BareOrderedChildren, bringChanges);
export const Parent: Relation = /* @__PURE__ */ bringing(BareParent, bringParent);
