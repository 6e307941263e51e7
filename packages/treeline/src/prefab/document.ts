/** Documents of prefabs and of their instances. */
export * from "@treeline/prefab/document";
