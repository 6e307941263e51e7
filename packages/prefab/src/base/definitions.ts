import {
  component,
  type Definition,
  type ObjectComponent,
  type Relation,
  relation,
  type SchemaComponent,
  u32,
  type ValueComponent,
  value,
} from "@treeline/core";
import { hidden } from "@treeline/core/internal";

/** `IsA` without what it installs: see `make/definitions.ts`. */
export const BareIsA: Relation = /* @__PURE__ */ relation("IsA", {
  traversable: true,
  onInstantiate: "skip",
});

/**
 * The number of what an entity was made from, a part of a prefab: see `PartRecords`. On the root of an instance and on each of its parts:
 * four bytes, and no pair, so that all of them share tables.
 */
export const Link: SchemaComponent<{ readonly part: typeof u32 }> = /* @__PURE__ */ hidden(
  /* @__PURE__ */ component("PrefabLink", { part: u32 }, { onInstantiate: "skip" }),
);

/** The components of a prefab part that instances get as their own, although they would inherit them: see `autoOverride`. */
export const OwnCopies: ObjectComponent<readonly Definition[]> = /* @__PURE__ */ hidden(
  /* @__PURE__ */ component("OwnCopies", undefined, { onInstantiate: "skip" }),
);

/**
 * Names a part within its prefab, whatever its instances are named: `slotOf(world, instance, "turret")`.
 *
 * @example
 * spawn(world, ChildOf(tank), Slot("turret"));
 */
export const Slot: ValueComponent<string> = /* @__PURE__ */ component("Slot", value(""), {
  onInstantiate: "skip",
});
