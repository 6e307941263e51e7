export { type InstanceKind, type InstanceOptions, instances } from "./instances/instances.ts";
export {
  type Binding,
  type BindOptions,
  BoundObject,
  bindObject,
  type Owner,
  unbindObject,
} from "./objects/binding.ts";
export { attachScene, detachScene, entityOf, objectOf, pull, updateScene } from "./scene/attach-scene.ts";
export type { Group, GroupKind, ObjectKind } from "./scene/scene-state.ts";
