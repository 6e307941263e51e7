// What users of prefab import; its names are a promise.
export { Slot } from "./base/definitions.ts";
export { IsA, Prefab, prefab } from "./make/prefab.ts";
export { applyToPrefab } from "./merge/apply.ts";
export { autoOverride, type Override, overridesOf } from "./merge/overrides.ts";
export { refreshInstances } from "./merge/refresh.ts";
export { revert } from "./merge/revert.ts";
export { instancesOf, partOf, prefabOf, slotOf } from "./spawn/find-part.ts";
export { type InstanceOptions, instantiate } from "./spawn/instantiate.ts";
