import { readFileSync } from "node:fs";
import type { Entity, World } from "@treeline/core";
import { verify } from "@treeline/core/debug";
import { expect } from "vitest";

/** Reads a text of this repository, by its path from the root. */
export function readText(path: string): string {
  return readFileSync(new URL(`../../../${path}`, import.meta.url), "utf8");
}

export function readJson<Content>(path: string): Content {
  return JSON.parse(readText(path)) as Content;
}

/** The largest difference between two lists of numbers, by the largest number of the second one. */
export function difference(actual: ArrayLike<number>, wanted: ArrayLike<number>): number {
  let most = 0;
  let size = 1e-30;
  for (let at = 0; at < wanted.length; at++) {
    most = Math.max(most, Math.abs(actual[at]! - wanted[at]!));
    size = Math.max(size, Math.abs(wanted[at]!));
  }
  return most / size;
}

/** Random numbers that are the same in each run. */
export class Dice {
  private seed: number;

  constructor(seed: number) {
    this.seed = seed;
  }

  /** From 0 to 1, without 1. */
  next(): number {
    this.seed = (Math.imul(this.seed, 1_664_525) + 1_013_904_223) >>> 0;
    return this.seed / 2 ** 32;
  }

  /** A whole number below another. */
  below(count: number): number {
    return Math.floor(this.next() * count);
  }

  between(least: number, most: number): number {
    return least + this.next() * (most - least);
  }

  pick<One>(list: readonly One[]): One {
    return list[this.below(list.length)]!;
  }
}

/** Values of `Local3D`; one axis in four is mirrored. */
export function randomLocal(dice: Dice): { position: number[]; rotation: number[]; scale: number[] } {
  const raw = [0, 0, 0, 0].map(() => dice.between(-1, 1));
  const length = Math.hypot(...raw) || 1;
  return {
    position: [0, 0, 0].map(() => dice.between(-3, 3)),
    rotation: raw.map((one) => one / length),
    scale: [0, 0, 0].map(() => dice.between(0.7, 1.3) * dice.pick([1, 1, 1, -1])),
  };
}

/** Compares the matrix of each entity with the one that it must have. */
export function expectMatrices(
  entities: readonly Entity[],
  actual: (entity: Entity) => ArrayLike<number>,
  wanted: (entity: Entity) => ArrayLike<number>,
  most: number,
): void {
  for (const [place, entity] of entities.entries()) {
    const right = wanted(entity);
    const given = actual(entity);
    if (difference(given, right) > most)
      expect([place, ...Array.from(given)]).toEqual([place, ...Array.from(right)]);
  }
}

export function expectSound(world: World): void {
  expect(verify(world)).toEqual([]);
}
