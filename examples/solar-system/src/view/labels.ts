// Which names are shown beside landmarks, and where (`labelsIn`).
import { type Camera, Vector3 } from "three";
import { type Entity, entities, get, Name, parentOf, query, type World } from "treeline";
import { World3D } from "treeline/transform/3d-f64";
import { Landmark } from "../model/bodies.ts";

/** Pixels: what is nearer to its parent has no label, unless it is selected. */
const APART = 30;

interface Spot {
  readonly x: number;
  readonly y: number;
}

/** Names beside the landmarks. */
export function labelsIn(
  box: HTMLElement,
  world: World,
  camera: Camera,
): (selected: Entity | undefined) => void {
  const landmarks = query(world, Landmark, World3D);
  const spans = new Map<Entity, HTMLSpanElement>();
  const spanOf = (entity: Entity): HTMLSpanElement => {
    let span = spans.get(entity);
    if (span === undefined) {
      span = box.appendChild(document.createElement("span"));
      span.textContent = get(world, entity, Name)!;
      spans.set(entity, span);
    }
    return span;
  };
  return (selected) => {
    const { clientWidth, clientHeight } = box;
    const spots = new Map<Entity, Spot>();
    for (const entity of entities(landmarks)) {
      const spot = spotOf(world, entity, camera, clientWidth, clientHeight);
      if (spot !== undefined) spots.set(entity, spot);
    }
    for (const entity of entities(landmarks)) {
      const spot = spots.get(entity);
      const span = spanOf(entity);
      span.hidden =
        spot === undefined || (entity !== selected && isBeside(spots.get(parentOf(world, entity)!), spot));
      span.className = entity === selected ? "selected" : "";
      if (spot !== undefined) span.style.translate = `${spot.x + 8}px ${spot.y - 8}px`;
    }
  };
}

function isBeside(one: Spot | undefined, other: Spot): boolean {
  return one !== undefined && Math.hypot(one.x - other.x, one.y - other.y) < APART;
}

const place = new Vector3();

/** Where an entity is seen in a box; `undefined` behind the camera. */
function spotOf(
  world: World,
  entity: Entity,
  camera: Camera,
  width: number,
  height: number,
): Spot | undefined {
  place.fromArray(get(world, entity, World3D)!.matrix, 12).applyMatrix4(camera.matrixWorldInverse);
  if (place.z > 0) return undefined;
  place.applyMatrix4(camera.projectionMatrix);
  return { x: ((place.x + 1) / 2) * width, y: ((1 - place.y) / 2) * height };
}
