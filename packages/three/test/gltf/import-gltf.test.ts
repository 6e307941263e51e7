import {
  ChildOf,
  createWorld,
  type Entity,
  get,
  has,
  isAlive,
  set,
  spawn,
  TreelineError,
} from "@treeline/core";
import { dump } from "@treeline/core/debug";
import { childNamed, lookup, Name, pathOf } from "@treeline/names";
import { children, destroy } from "@treeline/query";
import { Local3D, propagate, World3D } from "@treeline/transform/3d";
import {
  AnimationClip,
  AnimationMixer,
  Mesh,
  NumberKeyframeTrack,
  Object3D,
  PerspectiveCamera,
  Scene,
  type SkinnedMesh,
  Vector3,
} from "three";
import { describe, expect, it } from "vitest";
import { applyClip, attachScene, entityOf, importGltf, objectOf, updateScene } from "../../src/index.ts";
import { expectSound } from "../support.ts";
import { load, Numbers, readJson } from "./support.ts";

const SCENES = [
  "animation-pointer",
  "infinite-skinned-tentacle",
  "interactivity-overview",
  "love-neon-sign",
  "mannequiny",
  "many-cubes",
  "morph-primitives",
  "penguin",
  "rigged-figure",
  "xr-controller",
];

interface File {
  readonly nodes: readonly object[];
  readonly scenes: readonly object[];
}

/** The tree of a file, without meshes and skins: their numbers are in other files. */
function treeOf({ nodes, scenes }: File): object {
  const bare = nodes.map((node) => ({
    ...node,
    mesh: undefined,
    skin: undefined,
    camera: undefined,
    extensions: undefined,
  }));
  return { nodes: bare, scenes: scenes.map((scene) => ({ ...scene, extensions: undefined })) };
}

describe("the files of the repository", () => {
  it.each(SCENES)("have the expected world matrices: %s", async (name) => {
    const gltf = await load(treeOf(readJson<File>(`examples/scene/scenes/${name}.gltf`)));
    const { world: wanted } = readJson<{ world: readonly (readonly number[])[] }>(
      `examples/scene/test/expected/${name}.world.json`,
    );
    const places = new Map([...gltf.parser.associations].map(([object, { nodes }]) => [object, nodes]));
    const world = createWorld();

    const { entities } = importGltf(world, gltf);
    propagate(world);

    let compared = 0;
    for (const [object, entity] of entities) {
      const right = wanted[places.get(object)!];
      if (right === undefined) continue;
      compared++;
      const { matrix } = get(world, entity, World3D)!;
      const size = Math.max(1, ...right.map(Math.abs));
      const error = Math.max(...right.map((one, at) => Math.abs(one - matrix[at]!)));
      if (!(error < 1e-5 * size)) expect(Array.from(matrix)).toEqual(right);
    }
    expect(compared).toBeGreaterThan(0);
    expect(compared).toBe(entities.size - 1);
    expectSound(world);
  });
});

/** Two wheels of one name below a car, a camera, and an unnamed node. */
function loadCar(): ReturnType<typeof load> {
  const numbers = new Numbers();
  const position = numbers.accessor([0, 0, 0, 1, 0, 0, 0, 1, 0], "VEC3", 3);
  const times = numbers.accessor([0, 1, 2], "SCALAR", 1);
  const far = numbers.accessor([0, 0, 0, 10, 0, 0, 10, 20, 0], "VEC3", 3);
  const half = Math.SQRT1_2;
  const turns = numbers.accessor([0, 0, 0, 1, 0, 0, half, half, 0, 0, 1, 0], "VEC4", 4);
  const zero = [0, 0, 0];
  const spline = numbers.accessor(
    [zero, [1, 1, 1], zero, zero, [2, 2, 2], zero, zero, [3, 3, 3], zero].flat(),
    "VEC3",
    3,
  );
  const weights = numbers.accessor([0, 0.5, 1], "SCALAR", 1);
  const target = numbers.accessor([0, 0, 1, 0, 0, 1, 0, 0, 1], "VEC3", 3);
  const file = {
    scenes: [{ nodes: [0, 4] }],
    nodes: [
      { name: "Car", children: [1, 2, 3], translation: [1, 2, 3] },
      { name: "Wheel", mesh: 0, translation: [1, 0, 0] },
      { name: "Wheel", mesh: 0, translation: [-1, 0, 0] },
      { camera: 0 },
      { name: "Flag of x", matrix: [0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, 7, 8, 9, 1] },
    ],
    cameras: [{ type: "perspective", perspective: { yfov: 1, znear: 1 } }],
    meshes: [
      { primitives: [{ attributes: { POSITION: position }, targets: [{ POSITION: target }] }], weights: [0] },
    ],
    animations: [
      {
        name: "Drive",
        channels: [
          { sampler: 0, target: { node: 0, path: "translation" } },
          { sampler: 1, target: { node: 0, path: "rotation" } },
          { sampler: 2, target: { node: 1, path: "scale" } },
          { sampler: 3, target: { node: 4, path: "translation" } },
          { sampler: 4, target: { node: 1, path: "weights" } },
        ],
        samplers: [
          { input: times, output: far },
          { input: times, output: turns },
          { input: times, output: spline, interpolation: "CUBICSPLINE" },
          { input: times, output: far, interpolation: "STEP" },
          { input: times, output: weights },
        ],
      },
    ],
    ...numbers.members,
  };
  return load(file, numbers);
}

describe("importGltf", () => {
  it("makes an entity of each object, with its name, parent and place", async () => {
    const world = createWorld();
    const hangar = spawn(world, Name("Hangar"));
    const gltf = await loadCar();

    const { root, entities } = importGltf(world, gltf, { with: [ChildOf(hangar), Name("Model")] });

    expect(lookup(world, "Hangar::Model")).toBe(root);
    const car = childNamed(world, root, "Car")!;
    expect(children(world, car).map((one) => get(world, one, Name))).toEqual([
      "Wheel",
      "Wheel (2)",
      undefined,
    ]);
    expect(Array.from(get(world, car, Local3D)!.position)).toEqual([1, 2, 3]);
    const flag = childNamed(world, root, "Flag of x")!;
    expect(get(world, flag, Local3D)!.rotation[2]).toBeCloseTo(Math.SQRT1_2);
    expect(entities.get(gltf.scene)).toBe(root);
    expect(entities.size).toBe(6);
    expectSound(world);
  });

  it("lets the objects of the loader show the entities, in the attached scene", async () => {
    const world = createWorld();
    const scene = new Scene();
    attachScene(world, scene);
    const { root } = importGltf(world, await loadCar());
    updateScene(world);

    const [, wheel] = children(world, childNamed(world, root, "Car")!);
    const object = objectOf(world, wheel!)!;
    expect(object).toBeInstanceOf(Mesh);
    expect(object.getWorldPosition(new Vector3()).toArray()).toEqual([0, 2, 3]);
    expect(entityOf(world, object)).toBe(wheel);
    let [meshes, cameras] = [0, 0];
    scene.traverse((one) => {
      if (one instanceof Mesh) meshes++;
      if (one instanceof PerspectiveCamera) cameras++;
    });
    expect([meshes, cameras]).toEqual([2, 1]);

    destroy(world, root);
    updateScene(world);
    expect(scene.children[0]!.children).toEqual([]);
  });

  it("refuses what is no file, and objects that show entities, and changes nothing", async () => {
    const world = createWorld();
    const gltf = await loadCar();
    importGltf(world, gltf);
    const before = dump(world);

    expect(() => importGltf(world, {} as never)).toThrow(TreelineError);
    expect(() => importGltf(world, { scene: new Object3D().add(gltf.scene) })).toThrow(
      "shows an entity already",
    );
    expect(dump(world)).toEqual(before);
  });

  it("refuses an object that is below two others, and tells its place", () => {
    const world = createWorld();
    const [scene, one, two, shared] = [new Object3D(), new Object3D(), new Object3D(), new Object3D()];
    shared.name = "Wheel";
    scene.add(one, two.add(shared));
    one.children.push(new Object3D(), shared);
    const before = dump(world);

    expect(() => importGltf(world, { scene })).toThrow(
      "scene.children[1].children[0] is Wheel, which has a place in the scene already",
    );

    expect(dump(world)).toEqual(before);
    expect([scene.children.length, two.children.length]).toEqual([2, 1]);
  });

  it("refuses an object that is below itself", () => {
    const world = createWorld();
    const [scene, loop] = [new Object3D(), new Object3D()];
    loop.name = "Loop";
    const inner = new Object3D();
    scene.add(loop.add(inner));
    inner.children.push(loop);
    const before = dump(world);

    expect(() => importGltf(world, { scene })).toThrow("scene.children[0].children[0].children[0] is Loop");

    expect(dump(world)).toEqual(before);
  });

  it("takes the scene of the file out of the object that it was in", async () => {
    const world = createWorld();
    const gltf = await loadCar();
    const other = new Scene().add(gltf.scene);

    importGltf(world, gltf);

    expect([other.children, gltf.scene.parent]).toEqual([[], null]);
  });

  it("leaves nothing if the terms of the root are refused", async () => {
    const world = createWorld();
    spawn(world, Name("Model"));
    const gltf = await loadCar();
    const before = dump(world);

    expect(() => importGltf(world, gltf, { with: [Name("Model")] })).toThrow("is taken");

    expect(dump(world)).toEqual(before);
    expect(importGltf(world, gltf).entities.size).toBe(6);
  });

  it("reads a chain of 3,000 objects", () => {
    const world = createWorld();
    const scene = new Object3D();
    let last = scene;
    for (let depth = 0; depth < 3_000; depth++) {
      const next = new Object3D();
      next.name = "Link";
      last.add(next);
      last = next;
    }

    const { entities } = importGltf(world, { scene });

    expect(pathOf(world, entities.get(last)!).length).toBeGreaterThan(3_000);
  });
});

describe("applyClip", () => {
  it("writes what the mixer of three.js writes", async () => {
    const world = createWorld();
    const { clips, entities } = importGltf(world, await loadCar());
    const [clip] = clips;
    const other = await loadCar();
    const mixer = new AnimationMixer(other.scene);
    const action = mixer.clipAction(other.animations[0]!);
    action.clampWhenFinished = true;
    action.play();
    const twins = new Map<Entity, Object3D>();
    const all: Object3D[] = [];
    other.scene.traverse((object) => all.push(object));
    const byUse = (one: Object3D, two: Object3D): boolean => one.name === two.name && one.type === two.type;
    for (const [object, entity] of entities) twins.set(entity, all.find((one) => byUse(one, object))!);

    expect([clip!.name, clip!.duration]).toEqual(["Drive", 2]);
    for (let at = 0; at < 20; at++) {
      const time = at / 10;
      applyClip(world, clip!, time);
      mixer.setTime(time);
      for (const [entity, object] of twins) {
        const { position, rotation, scale } = get(world, entity, Local3D)!;
        expect(Array.from(position)).toEqual(object.position.toArray().map(Math.fround));
        expect(Array.from(scale)).toEqual(object.scale.toArray().map(Math.fround));
        for (const [part, one] of object.quaternion.toArray().entries())
          expect(rotation[part]).toBeCloseTo(one, 5);
      }
      const weights = (objects: Iterable<Object3D>) =>
        [...objects].flatMap((one) =>
          one instanceof Mesh ? (one.morphTargetInfluences ?? []).map(Math.fround) : [],
        );
      expect(weights(entities.keys())).toEqual(weights(all));
    }
  });

  it("leaves out tracks of parts and of what objects hold", () => {
    const world = createWorld();
    const scene = new Object3D();
    const mesh = new Mesh();
    mesh.name = "Face";
    mesh.position.set(1, 2, 3);
    mesh.morphTargetInfluences = [0.25, 0.5];
    scene.add(mesh);
    const tracks = ["Face.position[y]", "Face.morphTargetInfluences[1]", "Face.material.scale"].map(
      (name) => new NumberKeyframeTrack(name, [0, 1], [7, 8]),
    );
    const animations = [new AnimationClip("Talk", 1, tracks)];
    const { clips, entities } = importGltf(world, { scene, animations });

    applyClip(world, clips[0]!, 0.5);

    expect(get(world, entities.get(mesh)!, Local3D)).toMatchObject({
      position: new Float32Array([1, 2, 3]),
      scale: new Float32Array([1, 1, 1]),
    });
    expect(mesh.morphTargetInfluences).toEqual([0.25, 0.5]);
  });

  it("leaves out entities that are destroyed, and refuses times that are none", async () => {
    const world = createWorld();
    const { clips, root } = importGltf(world, await loadCar());
    const car = childNamed(world, root, "Car")!;
    destroy(world, car);

    applyClip(world, clips[0]!, 1);

    expect(isAlive(world, car)).toBe(false);
    expect(Array.from(get(world, childNamed(world, root, "Flag of x")!, Local3D)!.position)).toEqual([
      10, 0, 0,
    ]);
    expect(() => applyClip(world, clips[0]!, Number.NaN)).toThrow(TreelineError);
    expect(has(world, root, Local3D)).toBe(true);
  });
});

describe("skins", () => {
  it("follow the entities of their bones as those of three.js follow bones", async () => {
    const numbers = new Numbers();
    const file = {
      scenes: [{ nodes: [0, 1] }],
      nodes: [
        { name: "Body", mesh: 0, skin: 0 },
        { name: "Hip", children: [2], translation: [0, 1, 0] },
        { name: "Knee", translation: [0, 1, 0] },
      ],
      meshes: [
        {
          primitives: [
            {
              attributes: {
                POSITION: numbers.accessor([0, 0, 0, 0, 1, 0, 0, 2, 0], "VEC3", 3),
                JOINTS_0: numbers.accessor([0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0], "VEC4", 4, true),
                WEIGHTS_0: numbers.accessor([1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0], "VEC4", 4),
              },
            },
          ],
        },
      ],
      skins: [{ joints: [1, 2] }],
      ...numbers.members,
    };
    const gltf = await load(file, numbers);
    const other = await load(file, numbers);
    const world = createWorld();
    attachScene(world, new Scene());
    const { root, entities } = importGltf(world, gltf);
    const knee = lookup(world, "Hip::Knee", { from: root })!;
    const hip = childNamed(world, root, "Hip")!;
    const skinOf = (objects: Iterable<Object3D>): SkinnedMesh =>
      [...objects].find((one) => "isSkinnedMesh" in one) as SkinnedMesh;
    const all: Object3D[] = [];
    other.scene.traverse((object) => all.push(object));
    const poses = [
      [0, 1, 0],
      [3, 1, 0],
      [0, 5, 2],
    ];

    for (const pose of poses) {
      set(world, hip, Local3D, { position: pose });
      set(world, knee, Local3D, { position: [pose[0]! * 2, 1, 0] });
      updateScene(world);
      all.find(({ name }) => name === "Hip")!.position.fromArray(pose);
      all.find(({ name }) => name === "Knee")!.position.set(pose[0]! * 2, 1, 0);
      other.scene.updateMatrixWorld(true);
      const [own, right] = [skinOf(entities.keys()), skinOf(all)];
      own.skeleton.update();
      right.skeleton.update();
      expect(Array.from(own.skeleton.boneMatrices!)).toEqual(Array.from(right.skeleton.boneMatrices!));
      expect(own.getVertexPosition(2, new Vector3())).toEqual(right.getVertexPosition(2, new Vector3()));
    }
  });
});
