// `importGltf`: entities for the objects of a loader, by columns or one by one.
import { ChildOf, type Definition, type Entity, type SpawnTerm, spawn, type World } from "@treeline/core";
import { spawnSheets } from "@treeline/core/internal";
import { Name } from "@treeline/names";
import { destroy } from "@treeline/query";
import { type AnimationClip, Object3D } from "three";
import { partsOf, pivotWay } from "../base/pivot.ts";
import { refuse } from "../base/refuse.ts";
import { type Transforms, transformsIn } from "../base/transforms.ts";
import { type Binding, BoundObject, boundTo, lastEntities } from "../objects/binding.ts";
import { decompose } from "../scene/matrices.ts";
import { type Clip, clipFor } from "./clip.ts";
import { type LoadedParser, namesOf, type Placed } from "./names.ts";

/** What `importGltf` reads of the result of `GLTFLoader`. */
export interface LoadedGltf {
  readonly scene: Object3D;
  readonly animations?: readonly AnimationClip[];
  /** Tells the names of nodes. Without it they are those of the objects, and `userData.name` where that is the same but for characters. */
  readonly parser?: LoadedParser;
}

export interface ImportOptions {
  /** Terms of the root in addition: `[ChildOf(hangar), Name("Ship")]`. */
  readonly with?: readonly SpawnTerm[] | undefined;
  /** The transforms of the world, as for `attachScene`. */
  readonly transforms?: Transforms | undefined;
}

export interface ImportedGltf {
  /** The entity of the scene of the file. It has no name, unless you give it one. */
  readonly root: Entity;
  /** Each object of the file and its entity, parents first, siblings in order. */
  readonly entities: ReadonlyMap<Object3D, Entity>;
  /** The animations of the file, for `applyClip`. */
  readonly clips: readonly Clip[];
}

/**
 * Makes entities of what `GLTFLoader` has loaded: one for each object, with its name, `Local3D`, `World3D`, and the object bound to it, so
 * that meshes, cameras, lights, bones and skins follow their entities. The objects are taken out of the scene of the file; `updateScene`
 * puts them into the attached one.
 *
 * The name is that of the node in the file, whatever its custom properties are; siblings of the same name get numbers that no node of the
 * file has: "Wheel", "Wheel (2)". An object with a `pivot` turns about that, also in clips: the position of its `Local3D` is what follows.
 *
 * @cost three to five microseconds for each object by columns, the less the more objects share a parent; two to three times as much
 *   while a scene is attached, whose monitors look at each.
 * @throws TreelineError `bad-value` for what has no scene, if an object is below two others or below itself, and if one shows an entity
 *   already; in checked builds `bad-definition` if the world has transforms in other bits; and as `spawn` for the terms of the root. Nothing has changed then.
 *
 * @example
 * const { root, clips } = importGltf(world, await new GLTFLoader().loadAsync("robot.glb"));
 */
export function importGltf(world: World, gltf: LoadedGltf, options: ImportOptions = {}): ImportedGltf {
  if (!(gltf?.scene instanceof Object3D)) refuse("importGltf takes a world and what GLTFLoader has loaded");
  const placed = placedIn(gltf.scene);
  for (const { object } of placed)
    if (boundTo(world, object) !== undefined)
      refuse(
        `the object ${object.name || object.uuid} shows an entity already; import another clone of the scene`,
      );
  for (const { object } of placed) if (!object.matrixAutoUpdate) decompose(object); // its matrix counts, as in three.js
  const names = namesOf(placed, gltf);
  const transforms = transformsIn(options);
  const root = spawn(world, ...termsOf(transforms, gltf.scene), ...(options.with ?? []));
  const entities = new Map<Object3D, Entity>([[gltf.scene, root]]);
  try {
    const spawned =
      spawnByColumns(world, transforms, root, placed, names) ??
      spawnEach(world, transforms, root, placed, names);
    for (let at = 1; at < placed.length; at++) entities.set(placed[at]!.object, spawned[at - 1]!);
  } catch (error) {
    destroy(world, root);
    throw error;
  }
  gltf.scene.removeFromParent();
  const last = lastEntities(world);
  for (const [object, entity] of entities) {
    last.set(object, entity);
    object.parent = null;
    object.children.length = 0;
  }
  const clips = (gltf.animations ?? []).map((clip) => clipFor(clip, entities, transforms));
  return { root, entities, clips };
}

/** All objects, level by level, the scene first. @throws TreelineError `bad-value` for an object that is met twice. */
function placedIn(scene: Object3D): readonly Placed[] {
  const placed: Placed[] = [{ object: scene, above: -1 }];
  const met = new Set([scene]);
  for (let at = 0; at < placed.length; at++)
    for (const [place, object] of placed[at]!.object.children.entries()) {
      if (met.has(object)) refuseTwice(placed, at, place);
      met.add(object);
      placed.push({ object, above: at });
    }
  return placed;
}

/** @param place which child of the object at `at` is below another one, too. */
function refuseTwice(placed: readonly Placed[], at: number, place: number): never {
  const twice = placed[at]!.object.children[place]!;
  let text = `.children[${place}]`;
  for (let { object, above } = placed[at]!; above >= 0; { object, above } = placed[above]!)
    text = `.children[${placed[above]!.object.children.indexOf(object)}]${text}`;
  refuse(`scene${text} is ${twice.name || twice.uuid}, which has a place in the scene already; clone it`);
}

/** @returns the entities of all but the root; `undefined`, with nothing changed, if observers or the like need them one by one. */
function spawnByColumns(
  world: World,
  { Local3D, World3D }: Transforms,
  root: Entity,
  placed: readonly Placed[],
  names: readonly string[],
): readonly Entity[] | undefined {
  const parents = Uint32Array.from(placed.slice(1), ({ above }) => above); // 0 is the root
  const sheets = [true, false].flatMap((isNamed) => {
    const own = [...placed.keys()].slice(1).filter((at) => (names[at] !== "") === isNamed);
    if (own.length === 0) return [];
    return {
      definitions: [Local3D, World3D, BoundObject, ...(isNamed ? [Name] : [])],
      isValueParent: false,
      places: own.map((at) => at - 1),
      fill: (
        columns: (of: Definition) => unknown,
        list: (of: Definition, values: readonly unknown[]) => void,
      ) => {
        const { position, rotation, scale } = columns(Local3D) as Record<
          "position" | "rotation" | "scale",
          number[]
        >;
        for (let row = 0; row < own.length; row++) {
          const { object } = placed[own[row]!]!;
          pivotWay(object)
            .add(object.position)
            .toArray(position, row * 3);
          object.quaternion.toArray(rotation, row * 4);
          object.scale.toArray(scale, row * 3);
        }
        list(
          BoundObject,
          own.map((at) => bindingOf(placed[at]!.object)),
        );
        if (isNamed)
          list(
            Name,
            own.map((at) => names[at]!),
          );
      },
    };
  });
  return sheets.length === 0 ? [] : spawnSheets(world, sheets, parents, root);
}

function spawnEach(
  world: World,
  transforms: Transforms,
  root: Entity,
  placed: readonly Placed[],
  names: readonly string[],
): readonly Entity[] {
  const all = [root];
  for (let at = 1; at < placed.length; at++) {
    const { object, above } = placed[at]!;
    const name = names[at] === "" ? [] : [Name(names[at]!)];
    all.push(spawn(world, ...termsOf(transforms, object), ChildOf(all[above]!), ...name));
  }
  return all.slice(1);
}

function termsOf({ Local3D, World3D }: Transforms, object: Object3D): SpawnTerm[] {
  return [Local3D(partsOf(object)), World3D, BoundObject(bindingOf(object))];
}

function bindingOf(object: Object3D): Binding {
  return { object, owner: "world" };
}
