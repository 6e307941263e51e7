// Small files with what glTF has besides meshes: skins, weights, cubic splines, shared and interleaved buffers, lights, cameras.
import { glbOf } from "./glb.ts";

/** Bytes of a buffer, and views and accessors that lie in it one after the other. */
class BufferMaker {
  readonly bytes: number[] = [];
  readonly bufferViews: object[] = [];
  readonly accessors: object[] = [];

  /** @returns the number of the accessor. */
  add(array: Float32Array | Uint16Array | Uint8Array, type: string, more: object = {}): number {
    while (this.bytes.length % 4 !== 0) this.bytes.push(0);
    this.bufferViews.push({ buffer: 0, byteOffset: this.bytes.length, byteLength: array.byteLength });
    this.bytes.push(...new Uint8Array(array.buffer));
    const componentType = array instanceof Float32Array ? 5126 : array instanceof Uint16Array ? 5123 : 5121;
    const numbers = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4, MAT4: 16 }[type]!;
    const count = array.length / numbers;
    this.accessors.push({ bufferView: this.bufferViews.length - 1, componentType, count, type, ...more });
    return this.accessors.length - 1;
  }
}

const BOUNDS = { min: [0, 0, 0], max: [1, 1, 0] };
const CORNERS = [0, 0, 0, 1, 0, 0, 0, 1, 0];
const IDENTITY = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];

/** A triangle that two bones bend, with a weight, moved by a cubic spline; two primitives that share corners; a light and a camera. */
export function variedGlb(): Uint8Array<ArrayBuffer> {
  const maker = new BufferMaker();
  const position = maker.add(new Float32Array(CORNERS), "VEC3", BOUNDS);
  const morph = maker.add(new Float32Array([0, 0, 1, 0, 0, 0, 0, 0, 0]), "VEC3", {
    min: [0, 0, 0],
    max: [0, 0, 1],
  });
  const joints = maker.add(new Uint8Array([0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0]), "VEC4");
  const weights = maker.add(new Float32Array([1, 0, 0, 0, 0.5, 0.5, 0, 0, 0, 1, 0, 0]), "VEC4");
  const inverses = maker.add(new Float32Array([...IDENTITY, ...IDENTITY]), "MAT4");
  const first = maker.add(new Uint16Array([0, 1, 2]), "SCALAR");
  const second = maker.add(new Uint16Array([2, 1, 0]), "SCALAR");
  const times = maker.add(new Float32Array([0, 1]), "SCALAR", { min: [0], max: [1] });
  // For each key: the tangent before it, its value, and the tangent after it.
  const spline = maker.add(new Float32Array([0, 0, 0, 0, 0, 0, 0, 4, 0, 0, -4, 0, 2, 0, 0, 0, 0, 0]), "VEC3");
  const turns = maker.add(new Float32Array([0, 0, 0, 1, 0, 1, 0, 0]), "VEC4");
  const grow = maker.add(new Float32Array([0, 1]), "SCALAR");
  const target = (node: number, path: string) => ({ node, path });
  const json = {
    asset: { version: "2.0" },
    extensionsUsed: ["KHR_lights_punctual"],
    extensions: { KHR_lights_punctual: { lights: [{ type: "spot", intensity: 3, spot: {} }] } },
    scene: 0,
    scenes: [{ name: "All", nodes: [0, 3, 4, 5] }],
    nodes: [
      { name: "Hip", children: [1], translation: [0, 1, 0] },
      { name: "Knee", translation: [0, -1, 0], extras: { colour: "red" } },
      { name: "not in the scene" },
      { name: "Skin", mesh: 0, skin: 0 },
      { name: "Twins", mesh: 1, rotation: [0, 0.6, 0, 0.8], scale: [-1, 2, 2] },
      { children: [6, 7] },
      { name: "Lamp", extensions: { KHR_lights_punctual: { light: 0 } } },
      { name: "Lamp", camera: 0 },
    ],
    cameras: [{ type: "perspective", perspective: { yfov: 0.7, znear: 0.1, zfar: 50 } }],
    skins: [{ joints: [0, 1], inverseBindMatrices: inverses }],
    meshes: [
      {
        weights: [0.25],
        primitives: [
          {
            attributes: { POSITION: position, JOINTS_0: joints, WEIGHTS_0: weights },
            targets: [{ POSITION: morph }],
            material: 0,
          },
        ],
      },
      {
        primitives: [
          { attributes: { POSITION: position }, indices: first, material: 0 },
          { attributes: { POSITION: position }, indices: second, material: 1 },
        ],
      },
    ],
    materials: [
      { name: "Steel", pbrMetallicRoughness: { baseColorFactor: [0.1, 0.2, 0.3, 1], roughnessFactor: 0.4 } },
      { name: "Glass", alphaMode: "BLEND", doubleSided: true, emissiveFactor: [1, 0, 0] },
    ],
    animations: [
      {
        name: "Jump",
        samplers: [
          { input: times, output: spline, interpolation: "CUBICSPLINE" },
          { input: times, output: turns, interpolation: "STEP" },
          { input: times, output: grow },
        ],
        channels: [
          { sampler: 0, target: target(0, "translation") },
          { sampler: 1, target: target(1, "rotation") },
          { sampler: 2, target: target(3, "weights") },
        ],
      },
    ],
    buffers: [{ byteLength: maker.bytes.length }],
    bufferViews: maker.bufferViews,
    accessors: maker.accessors,
  };
  return glbOf(json, new Uint8Array(maker.bytes));
}
