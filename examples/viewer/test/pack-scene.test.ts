import type {
  BufferGeometry,
  Material,
  Mesh,
  Object3D,
  PerspectiveCamera,
  SkinnedMesh,
  SpotLight,
} from "three";
import type { GLTF } from "three/addons/loaders/GLTFLoader.js";
import { createWorld, findAll, get, lookup, Name, pathOf, type World } from "treeline";
import { applyClip, importGltf, type LoadedGltf, objectOf } from "treeline/three";
import { Local3D } from "treeline/transform/3d";
import { describe, expect, it } from "vitest";
import type { Part } from "../src/model/parts.ts";
import { SceneBuilder } from "../src/model/scene-builder.ts";
import { packScene, transfersOf } from "../src/worker/pack-scene.ts";
import { readGltf } from "../src/worker/read-gltf.ts";
import { variedGlb } from "./files.ts";
import { largeGlb } from "./glb.ts";
import { loadRover } from "./rover.ts";

/** As a worker sends them. */
function partsOf(loaded: GLTF): Part[] {
  return [...packScene(loaded)].map((part) => structuredClone(part, { transfer: transfersOf(part) }));
}

function built(parts: readonly Part[]): LoadedGltf {
  const builder = new SceneBuilder();
  const results = parts.map((part) => builder.take(part));
  expect(results.slice(0, -1).every((result) => result === undefined)).toBe(true);
  expect(builder.progress).toBe(1);
  return results.at(-1)!;
}

const load = (bytes: Uint8Array<ArrayBuffer>): Promise<GLTF> => readGltf([new File([bytes], "scene.glb")]);

interface Opened {
  readonly world: World;
  readonly clips: ReturnType<typeof importGltf>["clips"];
}

function opened(loaded: LoadedGltf): Opened {
  const world = createWorld();
  return { world, clips: importGltf(world, loaded, { with: [Name("File")] }).clips };
}

/** All that the world has of a file, and what its objects show. */
function contentOf({ world }: Opened): unknown[] {
  return findAll(world, "**").map((entity) => {
    const { geometry, material, type, userData } = objectOf(world, entity) as Object3D & Partial<Mesh>;
    const { position, rotation, scale } = get(world, entity, Local3D)!;
    return {
      path: pathOf(world, entity),
      type,
      userData,
      place: [position, rotation, scale].map((numbers) => [...numbers]),
      geometry: geometry && geometryOf(geometry),
      material: material && lookOf(material as Material),
    };
  });
}

function geometryOf({ index, attributes, morphAttributes, morphTargetsRelative }: BufferGeometry): unknown {
  const numbersOf = (one: { array: ArrayLike<number>; normalized: boolean }): unknown[] => [
    one.array.constructor.name,
    one.normalized,
    ...Array.from(one.array),
  ];
  return {
    index: index && numbersOf(index),
    attributes: Object.entries(attributes).map(([name, one]) => [name, one.itemSize, numbersOf(one)]),
    morphs: Object.entries(morphAttributes).map(([name, list]) => [name, list?.map(numbersOf)]),
    morphTargetsRelative,
  };
}

function lookOf(material: Material): unknown {
  const { uuid, metadata, ...json } = material.toJSON() as unknown as Record<string, unknown>;
  return json;
}

describe("a scene that is sent in parts", () => {
  it.each([
    ["the rover", loadRover],
    ["a file with skins, weights, a light and a camera", () => load(variedGlb())],
  ])("is the same as one that is loaded in the page: %s", async (_, loadFile) => {
    const sent = opened(built(partsOf(await loadFile())));

    const direct = opened(await loadFile());
    expect(contentOf(sent)).toEqual(contentOf(direct));
  });

  it("moves in the same way: the rover to the digit", async () => {
    const sent = opened(built(partsOf(await loadRover())));
    const direct = opened(await loadRover());

    for (const [at, clip] of sent.clips.entries())
      for (const time of [0, 0.3, 1.7, clip.duration]) {
        applyClip(sent.world, clip, time);
        applyClip(direct.world, direct.clips[at]!, time);
        expect(contentOf(sent)).toEqual(contentOf(direct));
      }
  });

  it("has cubic splines in pieces, steps, and weights", async () => {
    const sent = opened(built(partsOf(await load(variedGlb()))));
    const direct = opened(await load(variedGlb()));
    const positionIn = ({ world, clips }: Opened, path: string, time: number): readonly number[] => {
      applyClip(world, clips[0]!, time);
      return [...get(world, lookup(world, path)!, Local3D)!.position];
    };

    for (const time of [0, 0.123, 0.5, 0.87, 1]) {
      const [x, y] = positionIn(sent, "File::Hip", time);
      const [trueX, trueY] = positionIn(direct, "File::Hip", time);
      expect(x).toBeCloseTo(trueX!, 3);
      expect(y).toBeCloseTo(trueY!, 3);
    }
    expect(positionIn(sent, "File::Hip", 0.5)[1]).toBeCloseTo(1, 3);
    applyClip(sent.world, sent.clips[0]!, 0.9);
    const knee = lookup(sent.world, "File::Hip::Knee")!;
    expect([...get(sent.world, knee, Local3D)!.rotation]).toEqual([0, 0, 0, 1]);
    const skin = objectOf(sent.world, lookup(sent.world, "File::Skin")!) as Mesh;
    expect(skin.morphTargetInfluences![0]).toBeCloseTo(0.9);
  });

  it("has bones, a lamp and a camera as the file has them", async () => {
    const { world } = opened(built(partsOf(await load(variedGlb()))));
    const object = (path: string): Object3D => objectOf(world, lookup(world, path)!)!;

    const { skeleton } = object("File::Skin") as SkinnedMesh;
    expect(skeleton.bones).toEqual([object("File::Hip"), object("File::Hip::Knee")]);
    expect(skeleton.boneInverses).toHaveLength(2);
    expect(object("File::Hip::Knee").userData).toEqual(expect.objectContaining({ colour: "red" }));
    const lights = findAll(world, "**")
      .map((one) => objectOf(world, one)!)
      .filter(({ type }) => type === "SpotLight");
    expect(lights).toHaveLength(1);
    const [light] = lights as SpotLight[];
    expect([light!.intensity, typeof light!.target]).toEqual([3, "object"]);
    const cameras = findAll(world, "**").map((one) => objectOf(world, one) as PerspectiveCamera);
    expect(cameras.filter(({ isCamera }) => isCamera).map(({ far }) => far)).toEqual([50]);
  });

  it("has what primitives share once, also after it was sent", async () => {
    const parts = partsOf(await load(variedGlb()));
    const counts = parts.flatMap((part) => (part.kind === "attributes" ? part.attributes.length : []));
    const { world } = opened(built(parts));

    expect(counts).toEqual([6]); // corners, a morph, joints, weights, two indices
    const positions = findAll(world, "File::Twins::*").map((one) => {
      return (objectOf(world, one) as Mesh).geometry.getAttribute("position");
    });
    expect(positions).toHaveLength(2);
    expect(positions[0]).toBe(positions[1]);
  });

  it("comes in small parts, parents first", async () => {
    const parts = partsOf(await load(largeGlb(3_000, 300_000)));
    const objects = parts.filter((part) => part.kind === "objects");

    expect(objects).toHaveLength(Math.ceil(3_001 / 250));
    expect(objects.every((part) => part.objects.length <= 250 && part.total === 3_001)).toBe(true);
    const above = objects.flatMap((part) => part.above);
    expect(above.every((parent, at) => parent < at)).toBe(true);
    expect(contentOf(opened(built(parts)))).toHaveLength(3_001);
  });
});
