// A kind for `attachScene` whose entities are dots (`dots`), relative to the camera; how a ray hits one (`raycast`).
import {
  BufferAttribute,
  BufferGeometry,
  type Camera,
  Color,
  DataTexture,
  type Intersection,
  Points,
  PointsMaterial,
  type Raycaster,
  Vector3,
} from "three";
import { count, type Entity, eachRun, query, type Tag, type World } from "treeline";
import type { Group, GroupKind } from "treeline/three";
import { World3D } from "treeline/transform/3d-f64";
import { Look } from "../model/bodies.ts";

/**
 * A kind for `attachScene`: each entity with a tag is a dot of so many pixels, however far away it is. The numbers that the graphics card
 * gets have 32 bits, so they are relative to the camera, and computed in each frame.
 */
export function dots(what: Tag, pixels: number, camera: Camera): GroupKind {
  const material = new PointsMaterial({ size: pixels, sizeAttenuation: false, vertexColors: true });
  if (pixels > 2) Object.assign(material, { map: disc(), alphaTest: 0.5 });
  const mesh = new Dots(new BufferGeometry(), material);
  mesh.frustumCulled = false;
  mesh.renderOrder = pixels;
  return { mesh, attach: (world) => groupOf(world, what, mesh, camera) };
}

function groupOf(world: World, what: Tag, mesh: Points, camera: Camera): Group {
  const shown = query(world, what, World3D, Look);
  const entities: Entity[] = [];
  const update = (): void => {
    mesh.position.copy(camera.position);
    entities.length = 0;
    const { places, colors } = buffersOf(mesh, count(shown));
    eachRun(shown, (run) => {
      const { matrix } = run.columns(World3D);
      const { color } = run.columns(Look);
      for (let row = run.first; row < run.end; row++) {
        const at = (entities.push(run.entityAt(row)) - 1) * 3;
        places[at] = matrix[row * 16 + 12]! - camera.position.x;
        places[at + 1] = matrix[row * 16 + 13]! - camera.position.y;
        places[at + 2] = matrix[row * 16 + 14]! - camera.position.z;
        colorOf(color[row]!).toArray(colors, at);
      }
    });
    mesh.geometry.setDrawRange(0, entities.length);
  };
  return { object: mesh, entities, update, restored: () => {}, end: () => mesh.removeFromParent() };
}

/** The buffers of a mesh, for at least so many dots. */
function buffersOf({ geometry }: Points, dots: number): { places: Float32Array; colors: Float32Array } {
  const names = ["position", "color"];
  if ((geometry.getAttribute("position")?.count ?? 0) < dots)
    for (const name of names) geometry.setAttribute(name, new BufferAttribute(new Float32Array(dots * 3), 3));
  const [places, colors] = names.map((name) => {
    const attribute = geometry.getAttribute(name) as BufferAttribute | undefined;
    if (attribute !== undefined) attribute.needsUpdate = true;
    return attribute?.array as Float32Array;
  });
  return { places: places!, colors: colors! };
}

const colors = new Map<number, Color>();

function colorOf(code: number): Color {
  const color = colors.get(code) ?? new Color(code);
  colors.set(code, color);
  return color;
}

/** A round spot: dots are squares without it. */
function disc(): DataTexture {
  const side = 16;
  const pixels = new Uint8Array(side * side * 4).fill(255);
  for (let at = 0; at < side * side; at++) {
    const [x, y] = [(at % side) - 7.5, Math.floor(at / side) - 7.5];
    pixels[at * 4 + 3] = Math.hypot(x, y) < 7.5 ? 255 : 0;
  }
  const texture = new DataTexture(pixels, side, side);
  texture.needsUpdate = true;
  return texture;
}

/** A ray hits a dot if the angle between them is small: the threshold of `Points` is an angle here, in radians. */
class Dots extends Points {
  override raycast({ ray, params }: Raycaster, hits: Intersection[]): void {
    const places = this.geometry.getAttribute("position");
    const most = params.Points.threshold;
    const to = new Vector3();
    for (let index = 0; index < this.geometry.drawRange.count; index++) {
      const distance = to.fromBufferAttribute(places, index).length();
      const angle = to.angleTo(ray.direction);
      if (angle > most) continue;
      const point = to.clone().add(this.position);
      hits.push({ object: this, index, distance, distanceToRay: angle, point });
    }
  }
}
