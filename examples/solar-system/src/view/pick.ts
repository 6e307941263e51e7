// Which entity is clicked (`pick`): a dot that nothing hides, or a solid.
import { type Intersection, type Object3D, type PerspectiveCamera, Raycaster, Vector2 } from "three";
import type { Entity, World } from "treeline";
import { entityOf } from "treeline/three";

/** Pixels: how far beside a dot one may click. */
const BESIDE = 8;

/** The entity at a place of the canvas, in pixels: a dot that nothing hides, or else a solid. */
export function pick(
  world: World,
  scene: Object3D,
  camera: PerspectiveCamera,
  canvas: HTMLCanvasElement,
  x: number,
  y: number,
): Entity | undefined {
  const { clientWidth, clientHeight } = canvas;
  const raycaster = new Raycaster();
  raycaster.params.Points.threshold = (BESIDE / clientHeight) * camera.fov * (Math.PI / 180);
  raycaster.setFromCamera(new Vector2((x / clientWidth) * 2 - 1, 1 - (y / clientHeight) * 2), camera);
  const hits = raycaster.intersectObject(scene);
  const shownBy = (hit: Intersection): Entity | undefined => entityOf(world, hit.object, hit.index);
  const solid = hits.find(({ distanceToRay }) => distanceToRay === undefined);
  if (solid === undefined) return nearestDot(hits, shownBy);
  const behind = shownBy(solid);
  const inFront = hits.filter((hit) => hit.distance < solid.distance || shownBy(hit) === behind);
  return nearestDot(inFront, shownBy) ?? behind;
}

function nearestDot(
  hits: readonly Intersection[],
  shownBy: (hit: Intersection) => Entity | undefined,
): Entity | undefined {
  const found = hits.filter(({ distanceToRay }) => distanceToRay !== undefined);
  found.sort((one, other) => weightOf(one) - weightOf(other));
  return found[0] && shownBy(found[0]);
}

/** Large dots, which are drawn last, come before small ones, then those nearer to the ray. */
function weightOf({ object, distanceToRay }: Intersection): number {
  return distanceToRay! - object.renderOrder;
}
