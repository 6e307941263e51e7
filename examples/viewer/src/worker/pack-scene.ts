// Takes a loaded scene apart (`packScene`), in parts of at most `OBJECTS`; cubic splines become `PIECES`.
import {
  type AnimationClip,
  type BufferAttribute,
  type BufferGeometry,
  InterpolateDiscrete,
  InterpolateLinear,
  type KeyframeTrack,
  type Material,
  type Object3D,
  type Texture,
} from "three";
import type { GLTF } from "three/addons/loaders/GLTFLoader.js";
import type { AttributeData, ClipData, GeometryData, Json, Part, TrackData } from "../model/parts.ts";
import type { Gltf } from "./check-gltf.ts";

/** How many of what there are in a part. */
const [ATTRIBUTES, GEOMETRIES, OBJECTS] = [500, 250, 250];
/** Cubic splines of glTF cannot be sent: they become straight pieces, so many a second. */
const PIECES = 60;

/** The parts of what was loaded, in the order in which `SceneBuilder` takes them. */
export function* packScene({ scene, animations, parser }: GLTF): Generator<Part> {
  const { objects, above } = objectsIn(scene);
  const geometries = new Map<string, BufferGeometry>();
  const sources = new Map<string, Texture["source"]>();
  for (const object of objects) {
    const { geometry, material } = object as { geometry?: BufferGeometry; material?: Material | Material[] };
    if (geometry !== undefined) geometries.set(geometry.uuid, geometry);
    for (const one of [material ?? []].flat())
      for (const source of sourcesOf(one)) sources.set(source.uuid, source);
  }
  const library = emptyLibrary(geometries.keys());
  const jsons = objects.map((object) => jsonOf(object, library));

  yield {
    kind: "library",
    images: [...sources].map(([uuid, { data }]) => [uuid, data] as const),
    textures: Object.values(library.textures),
    materials: Object.values(library.materials),
    skeletons: Object.values(library.skeletons),
  };
  const attributes = new Map<BufferAttribute, number>();
  const datas = [...geometries.values()].map((geometry) => dataOfGeometry(geometry, attributes));
  for (const part of slices([...attributes.keys()], ATTRIBUTES))
    yield { kind: "attributes", attributes: part.map(dataOfAttribute) };
  for (const part of slices(datas, GEOMETRIES)) yield { kind: "geometries", geometries: part };
  const nodes = objects.map((object) => parser.associations.get(object)?.nodes ?? -1);
  for (const places of slices([...objects.keys()], OBJECTS)) {
    yield {
      kind: "objects",
      objects: places.map((at) => jsons[at]!),
      above: places.map((at) => above[at]!),
      nodes: places.map((at) => nodes[at]!),
      total: objects.length,
    };
  }
  const nodeNames = (parser.json as Gltf).nodes?.map(({ name }) =>
    typeof name === "string" ? name : undefined,
  );
  yield { kind: "end", clips: animations.map(dataOfClip), nodeNames: nodeNames ?? [] };
}

/** What goes along with a part without being copied. */
export function transfersOf(part: Part): Transferable[] {
  if (part.kind === "attributes") return part.attributes.map(({ array }) => array.buffer as ArrayBuffer);
  if (part.kind === "library") return part.images.flatMap(([, image]) => (isBitmap(image) ? [image] : []));
  return [];
}

const isBitmap = (image: unknown): image is ImageBitmap =>
  typeof ImageBitmap !== "undefined" && image instanceof ImageBitmap;

function* slices<Item>(list: readonly Item[], size: number): Generator<readonly Item[]> {
  for (let from = 0; from < list.length; from += size) yield list.slice(from, from + size);
}

/** All objects, level by level, and the place of the parent of each. */
function objectsIn(scene: Object3D): {
  readonly objects: readonly Object3D[];
  readonly above: readonly number[];
} {
  const objects = [scene];
  const above = [-1];
  for (let at = 0; at < objects.length; at++)
    for (const child of objects[at]!.children) {
      objects.push(child);
      above.push(at);
    }
  return { objects, above };
}

/** What `toJSON` of three.js collects, by id. */
type Library = Readonly<Record<"textures" | "materials" | "skeletons", Record<string, Json>>>;

/** @param geometries are not written as JSON, since they are in it already. */
function emptyLibrary(geometries: Iterable<string>): Library {
  return {
    geometries: Object.fromEntries([...geometries].map((uuid) => [uuid, true])),
    materials: {},
    textures: {},
    images: {},
    skeletons: {},
    animations: {},
    nodes: {},
  } as Library;
}

/** One object without what is below it. Position, rotation and scale say where it is: a matrix would say it less exactly. */
function jsonOf(object: Object3D, library: Library): Json {
  const { children, position, quaternion, scale } = object;
  object.children = [];
  const { matrix, ...json } = object.toJSON(library as never).object as unknown as Json;
  object.children = children;
  return {
    ...json,
    position: position.toArray(),
    quaternion: quaternion.toArray(),
    scale: scale.toArray(),
  };
}

function sourcesOf(material: Material): Texture["source"][] {
  const values = Object.values(material) as (Partial<Texture> | null)[];
  return values.flatMap((value) => (value?.isTexture === true ? [(value as Texture).source] : []));
}

/** @param numbers of all attributes so far; those of this geometry are added. */
function dataOfGeometry(geometry: BufferGeometry, numbers: Map<BufferAttribute, number>): GeometryData {
  const numberOf = (one: unknown): number => {
    const attribute = one as BufferAttribute;
    const number = numbers.get(attribute) ?? numbers.size;
    numbers.set(attribute, number);
    return number;
  };
  if (geometry.boundingBox === null) geometry.computeBoundingBox();
  const { min, max } = geometry.boundingBox!;
  return {
    uuid: geometry.uuid,
    index: geometry.index === null ? undefined : numberOf(geometry.index),
    attributes: Object.entries(geometry.attributes).map(([name, one]) => [name, numberOf(one)]),
    morphs: Object.entries(geometry.morphAttributes).map(([name, list = []]) => [name, list.map(numberOf)]),
    areMorphsRelative: geometry.morphTargetsRelative,
    min: min.toArray(),
    max: max.toArray(),
  };
}

/** With a buffer of its own, also if it was a part of a larger one. */
function dataOfAttribute(attribute: BufferAttribute): AttributeData {
  const { array, itemSize, normalized } = attribute.clone();
  return { array: array as AttributeData["array"], itemSize, normalized };
}

function dataOfClip({ name, duration, tracks }: AnimationClip): ClipData {
  return { name, duration, tracks: tracks.map(dataOfTrack) };
}

function dataOfTrack(track: KeyframeTrack): TrackData {
  const interpolation = track.getInterpolation();
  const isStepped = interpolation === InterpolateDiscrete;
  const { times, values } = isStepped || interpolation === InterpolateLinear ? track : inPieces(track);
  return {
    name: track.name,
    type: track.ValueTypeName,
    times: Float32Array.from(times),
    values: Float32Array.from(values),
    isStepped,
  };
}

interface Curve {
  readonly evaluate: (time: number) => ArrayLike<number>;
}

function inPieces(track: KeyframeTrack): Pick<TrackData, "times" | "values"> {
  const [first, last] = [track.times[0]!, track.times.at(-1)!];
  const count = Math.ceil((last - first) * PIECES) + 1;
  const times = Float32Array.from({ length: count }, (_, at) => Math.min(first + at / PIECES, last));
  const curve = (track as unknown as { createInterpolant(): Curve }).createInterpolant();
  const values = Array.from(times, (time) => Array.from(curve.evaluate(time))).flat();
  return { times, values: Float32Array.from(values) };
}
