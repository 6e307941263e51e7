/** Prefabs: trees that instances are made from, inherit from and follow. */
export * from "@treeline/prefab";
