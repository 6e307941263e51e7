import { createWorld, type Entity, spawn, tag, type World } from "@treeline/core";
import { World3D } from "@treeline/transform/3d";
import { BoxGeometry, Group, MeshBasicMaterial, Object3D, Scene } from "three";
import { expect, it } from "vitest";
import { attachScene, bindObject, importGltf, instances } from "../src/index.ts";

/** An object with options that are all `undefined`. */
function none<Names extends string>(...names: Names[]): { readonly [name in Names]: undefined } {
  return Object.fromEntries(names.map((name) => [name, undefined])) as never;
}

function gltf(): never {
  const scene = new Group();
  return { scene, scenes: [scene], animations: [] } as never;
}

/** By the name of their options: calls that take them. */
const CALLS: readonly [options: string, act: (world: World, ship: Entity, isGiven: boolean) => unknown][] = [
  ["ImportOptions", (world, _, is) => typeof importGltf(world, gltf(), is ? none("with", "transforms") : {})],
  ["SceneOptions", (world, _, is) => attachScene(world, new Scene(), [], is ? none("transforms") : {})],
  [
    "BindOptions",
    (world, ship, is) => {
      attachScene(world, new Scene());
      return bindObject(world, ship, new Object3D(), is ? none("owner") : {});
    },
  ],
  [
    "InstanceOptions",
    (_, __, is) => {
      const options = is ? none("capacity", "attributes") : {};
      return typeof instances(tag("F"), new BoxGeometry(), new MeshBasicMaterial(), options);
    },
  ],
];

it.each(CALLS)("an option that is undefined counts as not given: %s", (_, act) => {
  const [one, other] = [createWorld(), createWorld()];

  expect(act(one, spawn(one, World3D), true)).toEqual(act(other, spawn(other, World3D), false));
});
