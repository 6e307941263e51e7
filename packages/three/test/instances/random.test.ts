import {
  add,
  array,
  ChildOf,
  component,
  createWorld,
  Disabled,
  DisabledTree,
  type Entity,
  f32,
  get,
  has,
  isAlive,
  isDisabled,
  Parent,
  pack,
  remove,
  set,
  spawn,
  type World,
} from "@treeline/core";
import { restore, snapshot } from "@treeline/document/snapshot";
import { instantiate, prefab, prefabOf } from "@treeline/prefab";
import { destroy, isDescendant } from "@treeline/query";
import { Local3D, World3D } from "@treeline/transform/3d";
import {
  BoxGeometry,
  type InstancedMesh,
  Matrix4,
  MeshBasicMaterial,
  Quaternion,
  Raycaster,
  Scene,
  Vector3,
} from "three";
import { describe, expect, it } from "vitest";
import { attachScene, entityOf, instances, updateScene } from "../../src/index.ts";
import { Dice } from "../dice.ts";
import { expectSound, Ship } from "../support.ts";

const Tint = component("Tint", { color: array(f32, 3, [1, 1, 1]) }, { onInstantiate: "inherit" });
const Heat = component("Heat", { now: 0, most: f32(100) });

/** Those of the geometry. */
const CORNERS = [3.5, 4.5].flatMap((x) =>
  [-1, 1].flatMap((y) => [-1.5, 1.5].map((z) => new Vector3(x, y, z))),
);

/** A world whose ships are instances, and what the graphics card has got of them. */
class Stage {
  readonly world: World = createWorld();
  readonly mesh: InstancedMesh;
  readonly dice: Dice;
  /** By attribute: what would be on the graphics card. */
  private readonly sent = new Map<unknown, Float32Array>();
  private readonly base: Entity;
  private saved: (() => void) | undefined = undefined;
  all: Entity[] = [];

  constructor(seed: number) {
    this.dice = new Dice(seed);
    const geometry = new BoxGeometry(1, 2, 3).translate(4, 0, 0);
    const kind = instances(Ship, geometry, new MeshBasicMaterial(), {
      capacity: 1 + this.dice.below(8),
      attributes: { color: Tint, heat: Heat },
    });
    this.mesh = kind.mesh;
    attachScene(this.world, new Scene(), [kind]);
    this.base = prefab(this.world, Local3D, World3D, Tint, Heat, Ship);
    const many = this.dice.pick([0, 0, 200]); // so many that few of them are sent in ranges
    for (let at = 0; at < many; at++)
      this.all.push(spawn(this.world, Local3D(this.place()), World3D, Tint, Heat, Ship));
  }

  step(): void {
    const { world, dice } = this;
    this.all = this.all.filter((one) => isAlive(world, one));
    const kind = dice.below(23);
    if (this.all.length < 10 || kind < 4) {
      const parent = this.all.length > 0 && dice.below(3) > 0 ? dice.pick(this.all) : undefined;
      const terms = parent === undefined ? [] : [dice.pick([ChildOf, Parent])(parent)];
      const tint = Tint({ color: [dice.next(), dice.next(), dice.next()] });
      const optional = [Ship, Heat({ now: dice.next() })].filter(() => dice.below(5) > 0);
      this.all.push(spawn(world, Local3D(this.place()), World3D, tint, ...optional, ...terms));
      return;
    }
    const one = dice.pick(this.all);
    const other = dice.pick(this.all);
    if (kind < 9) set(world, one, Local3D, this.place());
    else if (kind === 9) set(world, one, Tint, { color: [dice.next(), 0, 0] });
    else if (kind === 10 && has(world, one, Heat)) set(world, one, Heat, { now: dice.next() });
    else if (kind < 13) this.toggle(one, Ship);
    else if (kind === 13) this.toggle(one, Heat);
    else if (kind === 14) this.toggle(one, Disabled);
    else if (kind === 15) this.toggle(one, DisabledTree);
    else if (kind === 16) destroy(world, one);
    else if (kind === 17 && one !== other && !isDescendant(world, other, one))
      add(world, one, ChildOf(other));
    else if (kind === 18 && dice.below(6) === 0) pack(world);
    else if (kind === 20) this.all.push(instantiate(world, this.base, { with: [Local3D(this.place())] }));
    else if (kind === 21) set(world, this.base, Tint, { color: [dice.next(), 1, 0] });
    else if (kind === 22 && prefabOf(world, one) !== undefined)
      remove(world, one, Tint); // it inherits again
    else if (kind === 19 && dice.below(4) === 0) this.saveOrRestore();
  }

  /** Somewhere, turned, mirrored at times; below others it is sheared. */
  private place() {
    const { dice } = this;
    const position = [0, 0, 0].map(() => dice.between(-9, 9));
    const rotation = new Quaternion(dice.next(), dice.next(), dice.next(), 1).normalize().toArray();
    const scale = [0, 0, 0].map(() => dice.between(0.7, 1.3) * dice.pick([1, 1, 1, -1]));
    return { position, rotation, scale };
  }

  private toggle(one: Entity, what: typeof Ship | typeof Heat): void {
    const { world } = this;
    if (has(world, one, what)) remove(world, one, what);
    else add(world, one, what as typeof Ship);
  }

  private saveOrRestore(): void {
    if (this.saved === undefined) {
      const state = snapshot(this.world);
      const all = [...this.all];
      this.saved = () => {
        restore(this.world, state);
        this.all = all;
      };
    } else {
      this.saved();
      this.saved = undefined;
    }
  }

  /** Sends attributes as the renderer of three.js does. */
  private draw(): void {
    const { instanceMatrix, instanceColor, geometry } = this.mesh;
    for (const attribute of [instanceMatrix, instanceColor!, geometry.getAttribute("heat")]) {
      const one = attribute as typeof instanceMatrix;
      const known = this.sent.get(one);
      if (known === undefined || one.updateRanges.length === 0)
        this.sent.set(one, Float32Array.from(one.array));
      else
        for (const { start, count } of one.updateRanges)
          known.set(one.array.subarray(start, start + count), start);
      one.clearUpdateRanges();
      one.onUploadCallback();
    }
  }

  compare(isDrawn: boolean): void {
    const { world, mesh } = this;
    updateScene(world);
    if (isDrawn) this.draw();
    const right = this.all.filter(
      (one) =>
        isAlive(world, one) && has(world, one, Ship) && has(world, one, Heat) && !isDisabled(world, one),
    );
    expect(mesh.count).toBe(right.length);
    const shown = Array.from({ length: mesh.count }, (_, slot) => entityOf(world, mesh, slot)!);
    expect(new Set(shown)).toEqual(new Set(right));
    expect(entityOf(world, mesh, mesh.count)).toBeUndefined();
    const matrices = this.sent.get(mesh.instanceMatrix)!;
    const colors = this.sent.get(mesh.instanceColor)!;
    const heats = this.sent.get(mesh.geometry.getAttribute("heat"))!;
    const box = mesh.boundingBox!.clone().expandByScalar(1e-3);
    const ball = mesh.boundingSphere!.clone();
    ball.radius += 1e-3;
    /** What is wrong, by slot: one assertion for all instances, since assertions take most of the time. */
    const wrong: string[] = [];
    const check = (slot: number, what: string, list: ArrayLike<number>, right: ArrayLike<number>): void => {
      for (let at = 0; at < right.length; at++)
        if (list[slot * right.length + at] !== right[at]) wrong.push(`${what} of slot ${slot}`);
    };
    for (const [slot, entity] of shown.entries()) {
      const { matrix } = get(world, entity, World3D)!;
      check(slot, "the matrix", mesh.instanceMatrix.array, matrix);
      const place = new Matrix4().fromArray(matrix);
      for (const corner of CORNERS) {
        const point = corner.clone().applyMatrix4(place);
        if (!box.containsPoint(point) || !ball.containsPoint(point)) wrong.push(`the bounds at slot ${slot}`);
      }
      if (!isDrawn) continue;
      check(slot, "the matrix that was sent", matrices, matrix);
      check(slot, "the colour that was sent", colors, get(world, entity, Tint)!.color);
      const { now, most } = get(world, entity, Heat)!;
      check(slot, "the heat that was sent", heats, Float32Array.of(now, most));
    }
    expect(wrong).toEqual([]);
    expect(mesh.boundingBox!.getCenter(new Vector3()).toArray().every(Number.isFinite)).toBe(true);
    if (shown.length > 0) this.shoot(this.dice.pick(shown));
  }

  /** A ray through the middle of an entity hits it. */
  private shoot(entity: Entity): void {
    const { world, mesh, dice } = this;
    const matrix = new Matrix4().fromArray(get(world, entity, World3D)!.matrix);
    const direction = new Vector3(dice.next(), dice.next(), dice.next() - 2).normalize();
    const from = new Vector3(4, 0, 0).applyMatrix4(matrix).addScaledVector(direction, -300);
    const hits = new Raycaster(from, direction).intersectObject(mesh);
    expect(hits.map(({ object, instanceId }) => entityOf(world, object, instanceId))).toContain(entity);
  }
}

describe("instances after random edits", () => {
  it.each(Array.from({ length: 5 * Number(process.env.TREELINE_WALKS ?? 1) }, (_, seed) => seed + 1))(
    "are those of the world, on the graphics card as well: seed %i",
    (seed) => {
      const one = new Stage(seed);
      const steps = one.dice.pick([1, 3, 10, 40]);

      for (let frame = 0; frame < 60; frame++) {
        for (let step = 0; step < steps; step++) one.step();
        one.compare(one.dice.below(3) > 0);
      }
      expectSound(one.world);
    },
  );
});
