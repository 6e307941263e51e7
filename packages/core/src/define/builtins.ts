import {
  Disabled as BareDisabled,
  DisabledTree as BareDisabledTree,
  OrderedChildren as BareOrderedChildren,
  Parent as BareParent,
} from "../id/builtins.ts";
import type { Definition, Relation, Tag } from "../id/definition.ts";
import { bringInsert } from "./bring-insert.ts";

/** What users get of a builtin is the definition itself, with what it brings. */
function bringing<D extends Definition>(definition: D): D {
  definition.brings = bringInsert;
  return definition;
}

export const Disabled: Tag = /* @__PURE__ */ bringing(BareDisabled);
export const DisabledTree: Tag = /* @__PURE__ */ bringing(BareDisabledTree);
export const OrderedChildren: Tag = /* @__PURE__ */ bringing(BareOrderedChildren);
export const Parent: Relation = /* @__PURE__ */ bringing(BareParent);
