// What users import for files of prefabs: `loadPrefabs`, `prefabs`, `PrefabKey`.
export { PrefabKey, prefabAt } from "./file/definitions.ts";
export { prefabs } from "./file/format.ts";
export { loadPrefabs, type PrefabOptions } from "./file/library.ts";
