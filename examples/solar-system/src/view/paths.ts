// The ellipses of landmarks, and when they are not drawn (`drawPaths`, `NEAR`).
import {
  BufferAttribute,
  BufferGeometry,
  type Camera,
  LineBasicMaterial,
  LineLoop,
  Object3D,
  Vector3,
} from "three";
import { type Entity, entities, get, parentOf, query, type World } from "treeline";
import { World3D } from "treeline/transform/3d-f64";
import { Landmark, Look } from "../model/bodies.ts";
import { Orbit } from "../model/orbits.ts";

const CORNERS = 256;
/** A path is not drawn for those who are so near to its body, as a part of its size: there one would see its corners. */
const NEAR = 0.03;

/** The ellipses on which the landmarks go round. Each is a line that goes along with the parent of its body. */
export interface Paths {
  readonly object: Object3D;
  readonly update: () => void;
}

export function drawPaths(world: World, camera: Camera): Paths {
  const orbiting = query(world, Orbit, Landmark, Look);
  const object = new Object3D();
  const lines = new Map<Entity, LineLoop>();
  const update = (): void => {
    for (const line of lines.values()) line.visible = false;
    for (const body of entities(orbiting)) {
      let line = lines.get(body);
      if (line === undefined) {
        line = pathOf(world, body);
        lines.set(body, line);
        object.add(line);
      }
      line.matrix.fromArray(get(world, parentOf(world, body)!, World3D)!.matrix);
      line.visible = camera.position.distanceTo(placeAt(world, body)) > NEAR * sizeOf(world, body);
    }
  };
  return { object, update };
}

const place = new Vector3();

function placeAt(world: World, body: Entity): Vector3 {
  return place.fromArray(get(world, body, World3D)!.matrix, 12);
}

/** Half of the longer axis. */
function sizeOf(world: World, body: Entity): number {
  return Math.hypot(...get(world, body, Orbit)!.towards);
}

function pathOf(world: World, body: Entity): LineLoop {
  const { towards, across, eccentricity } = get(world, body, Orbit)!;
  const corners = new Float32Array(CORNERS * 3);
  for (let at = 0; at < corners.length; at++) {
    const angle = (Math.floor(at / 3) / CORNERS) * 2 * Math.PI;
    const axis = at % 3;
    corners[at] = towards[axis]! * (Math.cos(angle) - eccentricity) + across[axis]! * Math.sin(angle);
  }
  const { color } = get(world, body, Look)!;
  const material = new LineBasicMaterial({ color, transparent: true, opacity: 0.35 });
  const line = new LineLoop(
    new BufferGeometry().setAttribute("position", new BufferAttribute(corners, 3)),
    material,
  );
  line.matrixAutoUpdate = false;
  line.frustumCulled = false;
  line.raycast = () => {};
  return line;
}
