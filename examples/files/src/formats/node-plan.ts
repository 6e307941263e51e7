/** One entity to come, from a scene or a robot. */
export interface PlannedNode {
  readonly name: string;
  /** Place of the parent in the plan, always earlier; -1 for a root. */
  readonly parent: number;
  /** What it is, in the file's words: `MeshInstance3D`, `revolute`. */
  readonly kind: string;
}

/** A file's nodes, and what had to be decided for them. */
export interface NodePlan {
  readonly nodes: readonly PlannedNode[];
  readonly notes: readonly string[];
}
