// What readers of scenes and robots return: nodes with parents before children (`PlannedNode`, `NodePlan`).

/** One entity to spawn, from a scene or a robot. */
export interface PlannedNode {
  readonly name: string;
  /** Index of the parent in the plan, always smaller than its own; -1 for a root. */
  readonly parent: number;
  /** Its type, as the file names it: `MeshInstance3D`, `revolute`. */
  readonly kind: string;
}

/** A file's nodes, with notes about what the reader decided. */
export interface NodePlan {
  readonly nodes: readonly PlannedNode[];
  readonly notes: readonly string[];
}
