// Under which heading the index of an entry point lists each of its functions and values; types stand where they are used.

/** Entry point, without the package's name -> heading -> names in the order in which readers meet them. */
const TOPICS = {
  "": {
    Worlds: "createWorld disposeWorld plainMemory webAssemblyMemory reserve pack",
    Entities: `spawn spawnMany spawnRows clone destroy destroyMany destroyWhere release clear isAlive entityAt Disabled DisabledTree
      isDisabled withDisabledTree`,
    Definitions: `component tag relation event f32 f64 i8 i16 i32 u8 u16 u32 bool entity value array bits sparse withHooks withPolicy Any
      asTag definitions definitionNamed entityOf definitionAt`,
    "Components and values": `add addMany remove removeMany removeAll has get read set patch markChanged field locate componentsOf
      tagsOf`,
    Relations: "pairsOf targetOf targetsOf subjectsOf",
    Trees: `ChildOf Parent parentOf children descendants ancestors roots depthOf forEachChild levelOrder postOrder isAncestor isDescendant
      attach attachMany attachNew detach detachChildren reparentMany OrderedChildren insertAt moveBefore moveAfter setChildOrder
      sortChildren replaceChildren`,
    Names: `Name rename nameMany lookup childNamed path pathOf place ensurePath findAll escapeName escapePattern Alias Label labelOf
      findLabelled configureNames withScope withoutScope`,
    Queries: "query bind unbind dispose explain",
    "Terms of queries": `not maybe or all added changed removed up selfOrUp cascade below on singleton variable $this group groupBy groupsOf
      orderBy inOrder page shard`,
    Iteration: "each eachRun Run eachBatch Batch eachLevel Level rows collect entities first count isEmpty",
    "Changes and observers": `observe observeEntity observeChildren observeRoots observeAbove emit monitor monitorGroups defer createCommands
      record applyCommands discardCommands`,
    Errors: "TreelineError",
  },
  debug: { Inspection: "describe dump stats verify advise onWarning" },
  hierarchy: {
    Trees: "attach attachMany attachNew detach remove removeAll sort children descendants ancestors",
  },
  kernels: { Kernels: "runKernel batchKernel canCompile" },
  document: { Format: "withCodec migrations renameFields builtins Unknown" },
  "document/json": { Documents: "toDocument fromDocument writeJson" },
  "document/binary": { Documents: "toBinary fromBinary hashOf compress decompress" },
  "document/snapshot": {
    Snapshots: "snapshot restore bytesOf checksum asView observeRestored withTransient",
    "Rings of snapshots": "snapshotRing keep rollBack",
  },
  prefab: {
    "Prefabs and instances": "prefab Prefab IsA instantiate Slot slotOf partOf prefabOf instancesOf",
    Overrides: "overridesOf autoOverride applyToPrefab revert refreshInstances",
  },
  "prefab/document": { Documents: "prefabs loadPrefabs PrefabKey prefabAt" },
  "transform/2d": {
    Components: "Local2D World2D Bounds2D WorldBounds2D",
    Functions:
      "propagate worldOf setWorld reparentInPlace translateWorld rotateWorld lookAt distance updateBounds boundsOf",
  },
  "transform/3d": {
    Components: "Local3D World3D Matrix3D Bounds3D WorldBounds3D",
    Functions:
      "propagate worldOf setWorld reparentInPlace translateWorld rotateWorld lookAt distance updateBounds boundsOf",
  },
  "transform/3d-f64": {
    Components: "Local3D World3D Matrix3D Bounds3D WorldBounds3D",
    Functions:
      "propagate worldOf setWorld reparentInPlace translateWorld rotateWorld lookAt distance updateBounds boundsOf",
  },
  three: {
    Scenes: "attachScene updateScene pull detachScene objectOf entityOf",
    Objects: "BoundObject bindObject unbindObject instances",
    glTF: "importGltf applyClip",
  },
  compiler: { "Build plugin": "compiler compile reportLine" },
};

/** The headings of an entry point: heading -> names. */
export const topicsOf = (entry) =>
  new Map(Object.entries(TOPICS[entry] ?? {}).map(([topic, names]) => [topic, names.split(/\s+/)]));

/** Functions and values below no heading, and names that are no export. */
export function problemsOfTopics(all) {
  const missing = all
    .filter(({ topic }) => topic === undefined)
    .map(
      ({ name, entries: [{ specifier }] }) =>
        `${name} of ${specifier} has no topic; give it one in tooling/scripts/reference/topics.mjs`,
    );
  const strays = Object.keys(TOPICS).flatMap((place) =>
    [...topicsOf(place).values()]
      .flat()
      .filter(
        (name) => !all.some((one) => one.name === name && one.entries.some((entry) => entry.place === place)),
      )
      .map((name) => `topics.mjs has ${name} for the entry point "${place}", which does not export it`),
  );
  return [...missing, ...strays];
}
