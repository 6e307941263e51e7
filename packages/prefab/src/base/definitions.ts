// The bare definitions (`BareIsA`, `Slot`), and the hidden ones: `Link`, `OwnCopies`.
import {
  component,
  type Definition,
  type ObjectComponent,
  type Relation,
  relation,
  type SchemaComponent,
  type Tag,
  tag,
  u32,
  type ValueComponent,
  value,
} from "@treeline/core";
import { hidden, NEEDS_BUILTIN } from "@treeline/core/internal";

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

/** Of an entity without `Prefab` that others are instances of: they are told what it gets and loses. */
export const Base: Tag = /* @__PURE__ */ watched(
  /* @__PURE__ */ hidden(/* @__PURE__ */ tag("Base", { onInstantiate: "skip" })),
);

function watched(definition: Tag): Tag {
  definition.installs = (_, archetype) => {
    if (archetype !== undefined) archetype.fixedNeeds |= NEEDS_BUILTIN;
  };
  return definition;
}

/**
 * Names a part within its prefab, whatever its instances are named: `slotOf(world, instance, "turret")`.
 *
 * @example
 * spawn(world, ChildOf(tank), Slot("turret"));
 */
export const Slot: ValueComponent<string> = /* @__PURE__ */ component("Slot", /* @__PURE__ */ value(""), {
  onInstantiate: "skip",
});
