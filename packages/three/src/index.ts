// What users import: `attachScene`, `updateScene`, `bindObject`, `instances`, `objectOf`, `pull`.
export type { Transforms } from "./base/transforms.ts";
export { applyClip, type Clip } from "./gltf/clip.ts";
export { type ImportedGltf, type ImportOptions, importGltf, type LoadedGltf } from "./gltf/import-gltf.ts";
export { type InstanceKind, type InstanceOptions, instances } from "./instances/instances.ts";
export {
  type Binding,
  type BindOptions,
  BoundObject,
  bindObject,
  type Owner,
  unbindObject,
} from "./objects/binding.ts";
export {
  attachScene,
  detachScene,
  entityOf,
  objectOf,
  pull,
  type SceneOptions,
  updateScene,
} from "./scene/attach-scene.ts";
export type { Group, GroupKind, ObjectKind } from "./scene/scene-state.ts";
