import {
  add,
  ChildOf,
  createWorld,
  type Entity,
  get,
  Parent,
  type SpawnTerm,
  set,
  spawn,
  type World,
} from "@treeline/core";
import { describe, expect, it } from "vitest";
import { Local3D, Matrix3D, propagate, World3D, worldOf } from "../../src/3d.ts";
import { expectMatrices, expectSound, readJson, readText } from "../support.ts";

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
  "two-scenes",
  "xr-controller",
];
/** What 32 bits allow along 30 levels. */
const CLOSE = 1e-6;

interface Node {
  readonly children?: readonly number[];
  readonly matrix?: readonly number[];
  readonly translation?: readonly number[];
  readonly rotation?: readonly number[];
  readonly scale?: readonly number[];
}

function termOf({ matrix, translation, rotation, scale }: Node): SpawnTerm {
  if (matrix !== undefined) return Matrix3D({ matrix });
  return Local3D({
    ...(translation && { position: translation }),
    ...(rotation && { rotation }),
    ...(scale && { scale }),
  });
}

/** Spawns the nodes of a scene in the order of the file. */
function build(world: World, nodes: readonly Node[], storage: typeof ChildOf): Entity[] {
  const entities = nodes.map((node) => spawn(world, termOf(node), World3D));
  for (const [place, { children = [] }] of nodes.entries())
    for (const child of children) add(world, entities[child]!, storage(entities[place]!));
  return entities;
}

describe.each([
  ["ChildOf", ChildOf],
  ["Parent", Parent],
])("world matrices of scenes, with parents stored by %s", (_, storage) => {
  it.each(SCENES)("are the expected ones: %s", (name) => {
    const { nodes } = readJson<{ nodes: readonly Node[] }>(`examples/scene/scenes/${name}.gltf`);
    const { world: wanted } = readJson<{ world: readonly (readonly number[])[] }>(
      `examples/scene/test/expected/${name}.world.json`,
    );
    const world = createWorld();
    const entities = build(world, nodes, storage);

    const computed = propagate(world);

    expect(computed).toBe(nodes.length);
    const rightOf = (entity: Entity): readonly number[] => wanted[entities.indexOf(entity)]!;
    expectMatrices(entities, (entity) => get(world, entity, World3D)!.matrix, rightOf, CLOSE);
    expectMatrices(entities, (entity) => worldOf(world, entity), rightOf, CLOSE);
    expectSound(world);
  });
});

describe("a robot", () => {
  it("has its links where they belong when all joints are at zero", () => {
    const { world: wanted } = readJson<{ world: { readonly [link: string]: readonly number[] } }>(
      "packages/transform/test/data/anymal-c.world.json",
    );
    const joints = [
      ...readText("packages/transform/test/data/anymal-c.urdf").matchAll(
        /<parent link="([^"]*)"\/>\s*<child link="([^"]*)"\/>\s*<origin rpy="([^"]*)" xyz="([^"]*)"\/>/g,
      ),
    ];
    const world = createWorld();
    const links = new Map<string, Entity>();
    const linkOf = (name: string): Entity => {
      const link = links.get(name) ?? spawn(world, Local3D, World3D);
      links.set(name, link);
      return link;
    };
    for (const [, parent, child, rpy, xyz] of joints) {
      const [roll, pitch, yaw] = numbersIn(rpy!);
      const rotation = [turn(2, yaw!), turn(1, pitch!), turn(0, roll!)].reduce(combine);
      set(world, linkOf(child!), Local3D, { position: numbersIn(xyz!), rotation });
      add(world, linkOf(child!), ChildOf(linkOf(parent!)));
    }

    propagate(world);

    expect([...links.keys()].sort()).toEqual(Object.keys(wanted).sort());
    const names = new Map([...links].map(([name, link]) => [link, name]));
    const rightOf = (link: Entity): readonly number[] => wanted[names.get(link)!]!;
    expectMatrices([...links.values()], (link) => get(world, link, World3D)!.matrix, rightOf, CLOSE);
  });
});

describe("a motion that was captured", () => {
  it("moves all joints to the expected places in each frame", () => {
    const { frames: wanted, parents } = readJson<{
      readonly frames: { readonly [frame: string]: readonly (readonly number[])[] };
      readonly parents: readonly number[];
    }>("packages/transform/test/data/cmu-01-01.world.json");
    const text = readText("packages/transform/test/data/cmu-01-01.bvh");
    const offsets = [...text.matchAll(/OFFSET (.*)/g)].map(([, given]) => numbersIn(given!));
    const channels = [...text.matchAll(/CHANNELS (\d)|End Site/g)].map(([, count]) => Number(count ?? 0));
    const frames = text.slice(text.indexOf("Frame Time")).trim().split("\n").slice(1).map(numbersIn);
    const world = createWorld();
    const joints: Entity[] = [];
    for (const parent of parents) {
      const terms = parent < 0 ? [] : [ChildOf(joints[parent]!)];
      joints.push(spawn(world, Local3D, World3D, ...terms));
    }

    for (const [at, numbers] of frames.entries()) {
      let next = 0;
      for (const [place, joint] of joints.entries()) {
        const position = [...offsets[place]!];
        if (channels[place] === 6) for (let axis = 0; axis < 3; axis++) position[axis]! += numbers[next++]!;
        let rotation = [0, 0, 0, 1];
        if (channels[place]! > 0)
          for (const axis of [2, 1, 0])
            rotation = combine(rotation, turn(axis, (numbers[next++]! * Math.PI) / 180));
        set(world, joint, Local3D, { position, rotation });
      }

      propagate(world);

      const matrices = Object.values(wanted)[at]!;
      const rightOf = (joint: Entity): readonly number[] => matrices[joints.indexOf(joint)]!;
      expectMatrices(joints, (joint) => get(world, joint, World3D)!.matrix, rightOf, CLOSE);
    }
    expect(frames.length).toBe(5);
  });
});

function numbersIn(text: string): number[] {
  return text.trim().split(/\s+/).map(Number);
}

/** The quaternion of a turn about an axis, in radians. */
function turn(axis: number, angle: number): number[] {
  const rotation = [0, 0, 0, Math.cos(angle / 2)];
  rotation[axis] = Math.sin(angle / 2);
  return rotation;
}

/** The quaternion that turns as the second one, and then as the first one. */
function combine([ax, ay, az, aw]: number[], [bx, by, bz, bw]: number[]): number[] {
  return [
    aw! * bx! + ax! * bw! + ay! * bz! - az! * by!,
    aw! * by! - ax! * bz! + ay! * bw! + az! * bx!,
    aw! * bz! + ax! * by! - ay! * bx! + az! * bw!,
    aw! * bw! - ax! * bx! - ay! * by! - az! * bz!,
  ];
}
