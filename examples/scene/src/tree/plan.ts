// Which entities a file becomes, with parents and names (`planScene`): a root per scene, or the roots of one.
import { type Gltf, type GltfScene, sceneText } from "../gltf/gltf.ts";
import { type GltfNode, nodeText } from "../gltf/gltf-node.ts";
import { SceneError } from "../text/scene-error.ts";
import { counted, quoted } from "../text/text.ts";
import { distinctNames, type GivenName } from "./sibling-names.ts";

/** One entity to spawn. */
export interface PlannedEntity {
  /** Different from the names of all siblings. */
  readonly name: string;
  /** Index of the parent in the plan, always smaller than its own; -1 for a root of the world. */
  readonly parent: number;
  /** `undefined` for the entity of a scene. */
  readonly node: GltfNode | undefined;
}

/** The entities to spawn, with notes about what was decided. */
export interface Plan {
  /** Level by level, so that siblings are spawned one after the other; siblings in the file's order. */
  readonly entities: readonly PlannedEntity[];
  readonly notes: readonly string[];
}

/** An entity whose name is not decided yet, with the indices of the nodes below it. */
interface Seed extends GivenName {
  readonly node: GltfNode | undefined;
  readonly below: readonly number[];
}

const EXAMPLES = 3; // the most examples that a note names

/** The most entities beside one for each node: scenes that list children can ask for as many copies as they like. */
const MOST_COPIES = 100_000;

/**
 * Decides the entities for a file, their parents and their names. Does not use a world.
 *
 * A file with several scenes gets one root per scene, and "(no scene)" for nodes that are in no scene; otherwise the nodes
 * without a parent are the roots.
 *
 * @param onlyScene use only this scene's nodes; its roots become the world's roots.
 * @throws SceneError if the file has no such scene, or its scenes list so many children that there would be over 100,000 copies.
 */
export function planScene(gltf: Gltf, onlyScene?: number): Plan {
  const notes = [...gltf.tolerated];
  const roots = onlyScene === undefined ? rootsOf(gltf, notes) : rootsOfScene(gltf, onlyScene);

  const entities: PlannedEntity[] = [];
  const groups: { parent: number; seeds: readonly Seed[] }[] = [{ parent: -1, seeds: roots }];
  const renamed: string[] = [];
  let unnamed = 0;
  for (const { parent, seeds } of groups) {
    const names = distinctNames(seeds);
    for (const [at, { own, node, below }] of seeds.entries()) {
      const name = names[at]!;
      if (own !== undefined && own !== name) renamed.push(name);
      if (own === undefined && node !== undefined) unnamed += 1;
      if (below.length > 0) groups.push({ parent: entities.length, seeds: seedsOf(gltf, below) });
      entities.push({ name, parent, node });
    }
    if (entities.length > gltf.nodes.length + gltf.scenes.length + MOST_COPIES) {
      throw new SceneError(
        `the scenes list so many children that more than ${MOST_COPIES} nodes would be copied`,
      );
    }
  }

  if (unnamed > 0) notes.push(`${counted(unnamed, "node")} without a name, called node_<index>`);
  if (renamed.length > 0) {
    const names = counted(renamed.length, "name repeats that of a sibling", "names repeat that of a sibling");
    notes.push(`${names}, numbered as in ${quoted(renamed[0]!)}`);
  }
  return { entities, notes };
}

function rootsOf(gltf: Gltf, notes: string[]): Seed[] {
  const { below, twice } = rootsByScene(gltf);
  if (twice.length > 0) {
    const shown = counted(twice.length, "node is in more than one scene", "nodes are in more than one scene");
    const more = twice.length > EXAMPLES ? `; ${twice.length - EXAMPLES} more` : "";
    notes.push(`${shown} and placed below the first: ${twice.slice(0, EXAMPLES).join("; ")}${more}`);
  }

  const shown = new Set(below.flat());
  const left: number[] = [];
  for (const { index } of gltf.nodes) if (gltf.parents[index] === -1 && !shown.has(index)) left.push(index);
  if (left.length > 0 && gltf.scenes.length > 0) {
    notes.push(counted(left.length, "root node is in no scene", "root nodes are in no scene"));
  }

  if (gltf.scenes.length <= 1) return seedsOf(gltf, [...below.flat(), ...left]);
  const scenes: Seed[] = gltf.scenes.map(({ name, index }) => {
    return { own: name, fallback: `scene_${index}`, node: undefined, below: below[index]! };
  });
  if (left.length > 0) scenes.push({ own: undefined, fallback: "(no scene)", node: undefined, below: left });
  return scenes;
}

/** By scene: the roots that no earlier scene lists; and texts for roots that an earlier scene lists. */
function rootsByScene(gltf: Gltf): { below: number[][]; twice: string[] } {
  const firstScene = new Map<number, GltfScene>();
  const twice: string[] = [];
  const below = gltf.scenes.map((scene) => {
    const own: number[] = [];
    for (const root of scene.roots) {
      const first = firstScene.get(root);
      if (first === undefined) {
        firstScene.set(root, scene);
        own.push(root);
      } else {
        twice.push(`${nodeText(gltf.nodes[root]!)} (${sceneText(first)}, ${sceneText(scene)})`);
      }
    }
    return own;
  });
  return { below, twice };
}

function rootsOfScene(gltf: Gltf, index: number): Seed[] {
  const scene = gltf.scenes[index];
  if (scene === undefined) {
    const count = gltf.scenes.length;
    const has = count === 0 ? "no scenes" : count === 1 ? "only scene 0" : `scenes 0 to ${count - 1}`;
    throw new SceneError(`there is no scene ${index}, the file has ${has}`);
  }
  return seedsOf(gltf, scene.roots);
}

function seedsOf(gltf: Gltf, indexes: readonly number[]): Seed[] {
  return indexes.map((index) => {
    const node = gltf.nodes[index]!;
    return { own: node.name, fallback: `node_${index}`, node, below: node.children };
  });
}
