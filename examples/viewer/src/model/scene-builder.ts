// Makes the objects of three.js from the parts (`SceneBuilder`): skeletons, targets, tracks.
import {
  AnimationClip,
  type Bone,
  Box3,
  BufferAttribute,
  BufferGeometry,
  InterpolateDiscrete,
  InterpolateLinear,
  type InterpolationModes,
  type KeyframeTrack,
  type Material,
  Matrix4,
  NumberKeyframeTrack,
  type Object3D,
  ObjectLoader,
  QuaternionKeyframeTrack,
  Skeleton,
  type SkinnedMesh,
  Source,
  Sphere,
  Vector3,
  VectorKeyframeTrack,
} from "three";
import type { LoadedGltf } from "treeline/three";
import type { ClipData, GeometryData, Part, TrackData } from "./parts.ts";

type TrackMaker = new (
  name: string,
  times: ArrayLike<number>,
  values: ArrayLike<number>,
  interpolation: InterpolationModes,
) => KeyframeTrack;

/** glTF animates numbers, such as weights, rotations and the rest. */
const TRACKS: Readonly<Record<string, TrackMaker>> = {
  number: NumberKeyframeTrack,
  quaternion: QuaternionKeyframeTrack,
  vector: VectorKeyframeTrack,
};

/** Makes the objects of a scene from the parts that a worker sends. */
export class SceneBuilder {
  private readonly loader = new ObjectLoader();
  private readonly attributes: BufferAttribute[] = [];
  private readonly geometries: Record<string, BufferGeometry> = {};
  private readonly objects: Object3D[] = [];
  /** Object -> its node in the file. */
  private readonly associations = new Map<Object3D, { readonly nodes: number }>();
  private materials: Record<string, Material> = {};
  private skeletons: Extract<Part, { kind: "library" }>["skeletons"] = [];
  /** Between 0 and 1. */
  progress = 0;

  /** @returns the whole scene, after the last part. */
  take(part: Part): LoadedGltf | undefined {
    if (part.kind === "library") this.takeLibrary(part);
    else if (part.kind === "attributes")
      for (const { array, itemSize, normalized } of part.attributes)
        this.attributes.push(new BufferAttribute(array, itemSize, normalized));
    else if (part.kind === "geometries")
      for (const geometry of part.geometries) this.geometries[geometry.uuid] = this.geometryOf(geometry);
    else if (part.kind === "objects") this.takeObjects(part);
    else return this.sceneOf(part);
    return undefined;
  }

  private takeLibrary({ images, textures, materials, skeletons }: Extract<Part, { kind: "library" }>): void {
    const sources = images.map(([uuid, image]) => [
      uuid,
      Object.assign(new Source(image as never), { uuid }),
    ]);
    const made = this.loader.parseTextures(textures, Object.fromEntries(sources));
    this.materials = this.loader.parseMaterials(materials, made);
    this.skeletons = skeletons;
  }

  private geometryOf({
    index,
    attributes,
    morphs,
    areMorphsRelative,
    min,
    max,
  }: GeometryData): BufferGeometry {
    const geometry = new BufferGeometry();
    if (index !== undefined) geometry.setIndex(this.attributes[index]!);
    for (const [name, one] of attributes) geometry.setAttribute(name, this.attributes[one]!);
    for (const [name, list] of morphs)
      geometry.morphAttributes[name as "position"] = list.map((one) => this.attributes[one]!);
    geometry.morphTargetsRelative = areMorphsRelative;
    geometry.boundingBox = new Box3(new Vector3(...min), new Vector3(...max));
    geometry.boundingSphere = geometry.boundingBox.getBoundingSphere(new Sphere());
    return geometry;
  }

  private takeObjects({ objects, above, nodes, total }: Extract<Part, { kind: "objects" }>): void {
    for (const [at, json] of objects.entries()) {
      const object = this.loader.parseObject(json, this.geometries, this.materials, {}) as Object3D;
      this.objects[above[at]!]?.add(object);
      this.objects.push(object);
      if (nodes[at] !== -1) this.associations.set(object, { nodes: nodes[at]! });
    }
    this.progress = this.objects.length / total;
  }

  private sceneOf({ clips, nodeNames }: Extract<Part, { kind: "end" }>): LoadedGltf {
    const byId = new Map(this.objects.map((object) => [object.uuid, object]));
    const skeletons = new Map(this.skeletons.map((json) => [json.uuid, skeletonOf(json as never, byId)]));
    for (const object of this.objects) {
      const { skeleton, bindMatrix, target } = object as unknown as Record<string, unknown>;
      if (typeof skeleton === "string")
        (object as SkinnedMesh).bind(skeletons.get(skeleton)!, bindMatrix as Matrix4);
      if (typeof target === "string") Object.assign(object, { target: byId.get(target) });
    }
    return {
      scene: this.objects[0]!,
      animations: clips.map(clipOf),
      parser: { json: { nodes: nodeNames.map((name) => ({ name })) }, associations: this.associations },
    };
  }
}

function skeletonOf(
  { bones, boneInverses }: { readonly bones: readonly string[]; readonly boneInverses: readonly number[][] },
  byId: ReadonlyMap<string, Object3D>,
): Skeleton {
  const matrices = boneInverses.map((numbers) => new Matrix4().fromArray(numbers));
  return new Skeleton(
    bones.map((uuid) => byId.get(uuid) as Bone),
    matrices,
  );
}

function clipOf({ name, duration, tracks }: ClipData): AnimationClip {
  return new AnimationClip(name, duration, tracks.map(trackOf));
}

function trackOf({ name, type, times, values, isStepped }: TrackData): KeyframeTrack {
  return new TRACKS[type]!(name, times, values, isStepped ? InterpolateDiscrete : InterpolateLinear);
}
