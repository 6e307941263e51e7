export { Slot } from "./base/definitions.ts";
export { IsA, Prefab, prefab } from "./make/prefab.ts";
export { instancesOf, partOf, prefabOf, slotOf } from "./spawn/find-part.ts";
export { type InstanceOptions, instantiate } from "./spawn/instantiate.ts";
