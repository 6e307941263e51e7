// Which parent each node has (`parentsOf`); refuses two parents and cycles (`refuseCycle`).
import { SceneError } from "../text/scene-error.ts";
import { type GltfNode, nodeText } from "./gltf-node.ts";

/** Longest chain of nodes that a message shows in full. */
const CHAIN_SHOWN = 8;

/**
 * Checks that the nodes' child lists form trees, and finds the parents.
 *
 * @returns by node index: the parent's node index, -1 for none.
 * @throws SceneError if a node is listed twice, has two parents, or is on a cycle.
 */
export function parentsOf(nodes: readonly GltfNode[]): Int32Array {
  const parents = new Int32Array(nodes.length).fill(-1);
  for (const node of nodes) {
    for (const index of node.children) {
      const child = nodes[index]!;
      const other = parents[index]!;
      if (other === node.index) {
        throw new SceneError(`${nodeText(node)} lists its child ${nodeText(child)} twice`);
      }
      if (other !== -1) {
        const both = `${nodeText(nodes[other]!)} and ${nodeText(node)}`;
        throw new SceneError(`${nodeText(child)} has two parents: ${both}`);
      }
      parents[index] = node.index;
    }
  }
  refuseCycle(nodes, parents);
  return parents;
}

/** With at most one parent each, nodes that never reach a root on the way up are on a cycle or below one. */
function refuseCycle(nodes: readonly GltfNode[], parents: Int32Array): void {
  const passedBy = new Int32Array(nodes.length).fill(-1); // the walk that passed the node, by the index of its first node
  for (let start = 0; start < nodes.length; start++) {
    let at = start;
    while (at !== -1 && passedBy[at] === -1) {
      passedBy[at] = start;
      at = parents[at]!;
    }
    if (at !== -1 && passedBy[at] === start) throw new SceneError(cycleText(nodes, parents, at));
  }
}

function cycleText(nodes: readonly GltfNode[], parents: Int32Array, onCycle: number): string {
  const upwards = [onCycle];
  for (let at = parents[onCycle]!; at !== onCycle; at = parents[at]!) upwards.push(at);

  // The message goes downwards from the lowest index, so it does not depend on where the cycle was found.
  const chain = upwards.reverse();
  let lowest = 0;
  for (let at = 1; at < chain.length; at++) if (chain[at]! < chain[lowest]!) lowest = at;
  const turned = [...chain.slice(lowest), ...chain.slice(0, lowest)];

  const steps = turned.map((index) => nodeText(nodes[index]!));
  const hidden = steps.length - CHAIN_SHOWN;
  if (hidden > 0) steps.splice(CHAIN_SHOWN - 1, hidden, `… ${hidden} more …`);
  return `the nodes form a cycle: ${[...steps, steps[0]].join(" -> ")}`;
}
