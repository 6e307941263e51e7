import {
  add,
  ChildOf,
  type Component,
  createWorld,
  Disabled,
  DisabledTree,
  type Entity,
  get,
  has,
  isAlive,
  Parent,
  pack,
  parentOf,
  remove,
  type SpawnTerm,
  set,
  spawn,
  tag,
  type World,
} from "@treeline/core";
import { onWarning } from "@treeline/core/debug";
import { restore, type Snapshot, snapshot } from "@treeline/document/snapshot";
import { changed, destroy, entities, isDescendant, query } from "@treeline/query";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Dice, expectSound } from "../support.ts";
import { type Box, descendants, KITS, type Kit } from "./kits.ts";

// Random edits remove what is required.
beforeAll(() => onWarning(() => {}));
afterAll(() => onWarning(undefined));

const Mark = tag("Mark");

/** The numbers of a box as a list: the least ones, then the greatest ones. */
function listOf(world: World, { WorldBounds }: Kit, entity: Entity): number[] {
  const { min, max } = get(world, entity, WorldBounds) as Box;
  return [...min, ...max];
}

/** Where a box is: at its own place, or at that of the nearest entity above that has one. */
function placeOf(world: World, kit: Kit, entity: Entity): ArrayLike<number> | undefined {
  if (has(world, entity, kit.Placed)) return kit.worldOf(world, entity);
  const parent = parentOf(world, entity);
  return parent === undefined ? undefined : placeOf(world, kit, parent);
}

/** From scratch, by the corners of all boxes. */
function naive(world: World, kit: Kit, entity: Entity): number[] {
  const { axes } = kit;
  const box = [...new Array(axes).fill(Infinity), ...new Array(axes).fill(-Infinity)] as number[];
  for (const one of descendants(world, entity)) {
    const local = get(world, one, kit.Bounds) as Box | undefined;
    if (local === undefined || [...local.min].some((least, axis) => least > local.max[axis]!)) continue;
    const matrix = placeOf(world, kit, one);
    for (let corner = 0; corner < 2 ** axes; corner++) {
      const point = Array.from(
        { length: axes },
        (_, axis) => local[(corner >> axis) & 1 ? "max" : "min"][axis]!,
      );
      for (let axis = 0; axis < axes; axis++) {
        const stride = axes + (axes === 3 ? 1 : 0);
        let sum = matrix === undefined ? point[axis]! : matrix[stride * axes + axis]!;
        if (axes === 2 && matrix !== undefined) sum = matrix[4 + axis]!;
        if (matrix !== undefined)
          for (let step = 0; step < axes; step++) sum += matrix[step * stride + axis]! * point[step]!;
        box[axis] = Math.min(box[axis]!, sum);
        box[axes + axis] = Math.max(box[axes + axis]!, sum);
      }
    }
  }
  return box;
}

function expectNear(given: readonly number[], right: readonly number[], most: number): void {
  const isNear = right.every(
    (one, at) => given[at] === one || Math.abs(given[at]! - one) <= most * Math.max(1, Math.abs(one)),
  );
  if (!isNear) expect(given).toEqual(right);
}

/** Queries leave out disabled entities. */
function isEnabled(world: World, entity: Entity): boolean {
  let next: Entity | undefined = entity;
  if (has(world, entity, Disabled)) return false;
  for (; next !== undefined; next = parentOf(world, next)) if (has(world, next, DisabledTree)) return false;
  return true;
}

class Walk {
  readonly world: World = createWorld();
  readonly kit: Kit;
  /** With fewer entities, more edits meet at the same ones. */
  readonly least: number;
  entities: Entity[] = [];
  readonly dice: Dice;
  saved: { readonly state: Snapshot; readonly entities: Entity[] } | undefined;

  constructor(kit: Kit, seed: number, least: number) {
    this.kit = kit;
    this.least = least;
    this.dice = new Dice(seed);
  }

  randomBox(): object {
    const { dice, kit } = this;
    const min = Array.from({ length: kit.axes }, () => dice.between(-2, 1));
    const isEmpty = dice.below(12) === 0;
    return { min, max: min.map((least) => least + (isEmpty ? -1 : dice.between(0, 3))) };
  }

  terms(): SpawnTerm[] {
    const { dice, kit } = this;
    const terms: unknown[] = [];
    const kind = dice.below(10);
    if (kind < 7) terms.push([kit.Local, kit.randomLocal(dice)], kit.Placed);
    else if (kind < 8) terms.push(kit.Placed);
    if (dice.below(3) > 0) terms.push([kit.Bounds, this.randomBox()]);
    if (dice.below(3) === 0) terms.push(kit.WorldBounds);
    const made = terms.map((one) =>
      Array.isArray(one) ? (one[0] as (value: object) => SpawnTerm)(one[1] as object) : one,
    ) as SpawnTerm[];
    if (this.entities.length > 0 && dice.next() < 0.85) made.push(this.below(dice.pick(this.entities)));
    return made;
  }

  below(parent: Entity): SpawnTerm {
    return this.dice.pick([ChildOf, ChildOf, Parent])(parent);
  }

  toggle(one: Entity, definition: Component): void {
    (has(this.world, one, definition) ? remove : add)(this.world, one, definition as never);
  }

  step(): void {
    const { world, dice, entities, kit } = this;
    const kind = dice.below(27);
    if (
      entities.length < this.least ||
      (kind < 4 && (this.least === 20 || entities.length < 2 * this.least))
    ) {
      entities.push(spawn(world, ...this.terms()));
      return;
    }
    const one = dice.pick(entities);
    if (kind < 8) {
      if (has(world, one, kit.Local)) set(world, one, kit.Local, kit.randomLocal(dice) as never);
    } else if (kind < 11) {
      const parent = dice.pick(entities);
      if (parent !== one && !isDescendant(world, parent, one)) add(world, one, this.below(parent));
    } else if (kind === 11) {
      const parent = parentOf(world, one);
      if (parent !== undefined) remove(world, one, ChildOf(parent));
    } else if (kind < 14) {
      destroy(world, one);
      this.entities = entities.filter((entity) => isAlive(world, entity));
    } else if (kind < 17) set(world, one, kit.Bounds, this.randomBox() as never);
    else if (kind === 17) remove(world, one, kit.Bounds);
    else if (kind < 20) this.toggle(one, kit.WorldBounds);
    else if (kind === 20) this.toggle(one, kit.Placed);
    else if (kind === 21) this.toggle(one, dice.pick([Mark, Disabled, DisabledTree]) as never);
    else if (kind === 22 && has(world, one, kit.WorldBounds))
      set(world, one, kit.WorldBounds, this.randomBox() as never);
    else if (kind === 23 && dice.below(6) === 0) {
      const { saved } = this;
      if (saved === undefined) this.saved = { state: snapshot(world), entities: [...entities] };
      else {
        restore(world, saved.state);
        this.entities = [...saved.entities];
        this.saved = undefined;
      }
    } else if (kind === 24 && dice.below(5) === 0) pack(world);
    else if (kind === 25) this.entities.push(...this.branch());
  }

  /** Edits of what boxes are made of, of the same few entities. */
  narrowStep(): void {
    const { world, dice, entities, kit } = this;
    const one = dice.pick(entities);
    const kind = entities.length < this.least ? 11 : dice.below(12);
    if (kind < 3) this.toggle(one, kit.Bounds);
    else if (kind < 6) this.toggle(one, kit.WorldBounds);
    else if (kind === 6) this.toggle(one, kit.Placed);
    else if (kind === 7 && has(world, one, kit.Bounds))
      set(world, one, kit.Bounds, this.randomBox() as never);
    else if (kind < 10) {
      const parent = dice.pick(entities);
      if (parent !== one && !isDescendant(world, parent, one)) add(world, one, this.below(parent));
    } else this.step();
  }

  /** A chain of entities, some without anything. */
  branch(): Entity[] {
    const { world, dice, entities } = this;
    const made = [spawn(world, this.below(dice.pick(entities)))];
    for (let length = dice.below(4); length > 0; length--)
      made.push(spawn(world, ...(dice.below(2) === 0 ? [] : [this.kit.Bounds]), this.below(made.at(-1)!)));
    return made;
  }

  boxes(): Entity[] {
    return this.entities.filter((entity) => has(this.world, entity, this.kit.WorldBounds));
  }
}

function walkFrames(walk: Walk, frames: number, edit: () => void): void {
  const { world, kit } = walk;
  const written = query(world, kit.WorldBounds, changed(kit.WorldBounds));
  for (let frame = 0; frame < frames; frame++) {
    edit();
    kit.propagate(world);
    entities(written);
    const before = walk.boxes().map((one) => listOf(world, kit, one).join());
    kit.updateBounds(world);

    const found = new Set(entities(written));
    /** Whose change the query did not see, or saw where there was none. */
    const wrong: Entity[] = [];
    for (const [place, one] of walk.boxes().entries()) {
      const given = listOf(world, kit, one);
      expectNear(given, naive(world, kit, one), 1e-4);
      if (frame % 10 === 3) expectNear([...kit.boundsOf(world, one)], naive(world, kit, one), 1e-5);
      if (isEnabled(world, one) && found.has(one) !== (before[place] !== given.join())) wrong.push(one);
    }
    expect(wrong).toEqual([]);
    expect(kit.updateBounds(world)).toBe(0);
  }
  expectSound(world);
}

const SEEDS = Array.from({ length: 4 * Number(process.env.TREELINE_WALKS ?? 1) }, (_, seed) => seed + 1);

describe.each(KITS)("random trees with random edits in $name", (kit) => {
  it.each(SEEDS)("have the boxes of a computation from scratch after each frame: seed %i", (seed) => {
    const walk = new Walk(kit, seed, 20);
    const steps = walk.dice.pick([1, 1, 3, 10, 40]);

    walkFrames(walk, 120, () => {
      for (let step = 0; step < steps; step++) walk.step();
    });
  });

  it.each(SEEDS)("have them where several edits of one update meet at the same entities: seed %i", (seed) => {
    const walk = new Walk(kit, seed, walkSize(seed));

    walkFrames(walk, 120, () => {
      for (let step = walk.dice.below(6); step >= 0; step--) walk.narrowStep();
    });
  });
});

/** From 3 to 9 entities. */
function walkSize(seed: number): number {
  return 3 + (seed % 7);
}
