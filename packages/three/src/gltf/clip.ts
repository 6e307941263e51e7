// `applyClip`: which entity each track of an animation leads to, and what is written.
import { type Entity, get, has, isAlive, set, type World } from "@treeline/core";
import { type AnimationClip, type Interpolant, type KeyframeTrack, Object3D, PropertyBinding } from "three";
import { partsOf, pivotWay } from "../base/pivot.ts";
import { refuse } from "../base/refuse.ts";
import type { Parts, Transforms } from "../base/transforms.ts";

/** An animation whose tracks lead to entities. */
export interface Clip {
  readonly name: string;
  /** In seconds. */
  readonly duration: number;
  /** @internal */
  readonly tracks: readonly Track[];
  /** @internal */
  readonly transforms: Transforms;
  /** @internal */
  readonly turned: Map<Object3D, Turned>;
}

interface Track {
  readonly entity: Entity;
  readonly object: Object3D;
  /** A field of `Local3D`, or the weights of morph targets, which belong to the mesh. */
  readonly field: "position" | "rotation" | "scale" | "weights";
  readonly values: Interpolant;
}

/** An entity whose object turns about a pivot: each track changes its position in `Local3D`. */
interface Turned {
  readonly entity: Entity;
  /** The parts that the object itself has, in 64 bits. */
  readonly twin: Object3D;
  /** What the clip last wrote. While `Local3D` is that, the twin is used again: so rounding does not add up. */
  written: number[];
}

const FIELDS: Readonly<Record<string, Track["field"]>> = {
  position: "position",
  quaternion: "rotation",
  scale: "scale",
  morphTargetInfluences: "weights",
};

/** Finds the entities of the tracks, by the names and ids that three.js finds objects by; tracks of other properties, and of parts of these, are left out. */
export function clipFor(
  clip: AnimationClip,
  entities: ReadonlyMap<Object3D, Entity>,
  transforms: Transforms,
): Clip {
  const objects = new Map<string, Object3D>();
  for (const object of entities.keys()) {
    objects.set(object.uuid, object);
    if (object.name !== "" && !objects.has(object.name)) objects.set(object.name, object);
  }
  const tracks = clip.tracks.flatMap((track) => {
    const { nodeName, objectName, propertyName, propertyIndex } = PropertyBinding.parseTrackName(
      track.name,
    ) as ParsedName;
    if (objectName !== undefined || propertyIndex !== undefined) return [];
    const object = objects.get(nodeName);
    const field = FIELDS[propertyName];
    if (object === undefined || field === undefined) return [];
    return [{ entity: entities.get(object)!, object, field, values: interpolantOf(track) }];
  });
  return { name: clip.name, duration: clip.duration, tracks, transforms, turned: new Map() };
}

interface ParsedName {
  readonly nodeName: string;
  /** `material` of `Wheel.material.opacity`. */
  readonly objectName: string | undefined;
  readonly propertyName: string;
  /** `x` of `Wheel.position[x]`. */
  readonly propertyIndex: string | undefined;
}

/** Steps, lines, arcs of quaternions and cubic splines are computed by three.js. */
function interpolantOf(track: KeyframeTrack): Interpolant {
  return (track as unknown as { createInterpolant(): Interpolant }).createInterpolant();
}

/**
 * Writes what a clip is at a time to the `Local3D` of its entities, and weights of morph targets to their meshes. Before its first key and
 * after its last one a track has the values of these. Entities that are destroyed, or have no `Local3D`, are left out.
 *
 * @cost an interpolation and a `set` for each track of the clip.
 * @param time in seconds; use `time % clip.duration` to play it again and again.
 * @throws TreelineError `bad-value` for a time that is not finite. Nothing has changed then.
 *
 * @example
 * applyClip(world, walk, seconds % walk.duration);
 */
export function applyClip(world: World, clip: Clip, time: number): void {
  if (!Number.isFinite(time)) refuse(`the time of a clip is a number of seconds, not ${String(time)}`);
  const { Local3D } = clip.transforms;
  const moved = new Set<Turned>();
  for (const { entity, object, field, values } of clip.tracks) {
    if (!isAlive(world, entity)) continue;
    const now = values.evaluate(time) as ArrayLike<number>;
    if (field === "weights") {
      const { morphTargetInfluences } = object as { morphTargetInfluences?: number[] };
      for (let at = 0; at < (morphTargetInfluences?.length ?? 0); at++) morphTargetInfluences![at] = now[at]!;
    } else if (!has(world, entity, Local3D)) continue;
    else if (!object.pivot) set(world, entity, Local3D, { [field]: now });
    else {
      const one = turnedFor(clip, entity, object);
      if (!moved.has(one)) readTurned(one, get(world, entity, Local3D)!, object);
      moved.add(one);
      one.twin[field === "rotation" ? "quaternion" : field].fromArray(now as number[]);
    }
  }
  for (const one of moved) {
    set(world, one.entity, Local3D, partsOf(one.twin));
    one.written = numbersOf(get(world, one.entity, Local3D)!, one.twin);
  }
}

function turnedFor({ turned }: Clip, entity: Entity, object: Object3D): Turned {
  const one = turned.get(object) ?? { entity, twin: new Object3D(), written: [] };
  turned.set(object, one);
  return one;
}

/** Gives a twin the parts that lead to a local transform, unless they are those that it has. */
function readTurned({ twin, written }: Turned, local: Parts, { pivot }: Object3D): void {
  twin.pivot = pivot!.clone();
  if (numbersOf(local, twin).every((one, at) => one === written[at])) return;
  twin.quaternion.fromArray(local.rotation as never);
  twin.scale.fromArray(local.scale as never);
  twin.position.fromArray(local.position as never).sub(pivotWay(twin));
}

function numbersOf({ position, rotation, scale }: Parts, { pivot }: Object3D): number[] {
  return [...position, ...rotation, ...scale, ...pivot!];
}
