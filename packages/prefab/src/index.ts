export { Slot } from "./base/definitions.ts";
export { IsA, Prefab, prefab } from "./make/prefab.ts";
export { applyToPrefab, autoOverride, type Override, overridesOf, revert } from "./merge/overrides.ts";
export { refreshInstances } from "./merge/refresh.ts";
export { instancesOf, partOf, prefabOf, slotOf } from "./spawn/find-part.ts";
export { type InstanceOptions, instantiate } from "./spawn/instantiate.ts";
