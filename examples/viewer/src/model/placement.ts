// Where an entity is, in degrees (`placementOf`), and how that is written (`setPlacement`).
import { Euler, MathUtils, Quaternion } from "three";
import { type Entity, get, set, type World } from "treeline";
import { Local3D } from "treeline/transform/3d";

export type PlacementPart = "position" | "rotation" | "scale";
export type Numbers = readonly [x: number, y: number, z: number];
/** Where an entity is in its parent; rotations are in degrees about x, then y, then z. */
export type Placement = Readonly<Record<PlacementPart, Numbers>>;

const [euler, quaternion] = [new Euler(), new Quaternion()];

export function placementOf(world: World, entity: Entity): Placement | undefined {
  const local = get(world, entity, Local3D);
  if (local === undefined) return undefined;
  euler.setFromQuaternion(quaternion.fromArray(local.rotation as never));
  return {
    position: [...local.position] as never,
    rotation: [euler.x, euler.y, euler.z].map((angle) => MathUtils.radToDeg(angle) + 0) as never, // + 0: no -0
    scale: [...local.scale] as never,
  };
}

/** Moves, turns or scales an entity, and all that is below it. */
export function setPlacement(world: World, entity: Entity, part: PlacementPart, numbers: Numbers): void {
  const [x, y, z] = numbers.map(MathUtils.degToRad) as unknown as Numbers;
  if (part !== "rotation") set(world, entity, Local3D, { [part]: numbers });
  else set(world, entity, Local3D, { rotation: quaternion.setFromEuler(euler.set(x, y, z)).toArray() });
}
