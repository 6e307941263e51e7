/** What the subjects of gates share: sizes, crowds and what is read of them for checksums. By the public interface only. */
import type { Entity, World } from "@treeline/core";
import { children } from "@treeline/query";
import type { Below } from "../../comparison/contestants/treeline/loops.ts";
import { diceOf, shuffled } from "../../fixtures/dice.ts";
import { checksumOf } from "../../measure/proof.ts";

/** Where a subject is made. */
export interface Stage {
  readonly below: Below;
  /** Entities of the world; what `scaled` gives goes with it. */
  readonly entities: number;
}

/** A count of a world of 100,000 entities, for as many as there are: at least 1. */
export function scaled({ entities }: Stage, count: number): number {
  return Math.max(1, Math.round((count * entities) / 100_000));
}

export type Order = "in order" | "shuffled";

/** The numbers from 0 to below `count`, in the order of their turns. */
export function turnsOf(count: number, order: Order): Int32Array {
  return order === "shuffled"
    ? shuffled(count, diceOf(15))
    : Int32Array.from({ length: count }, (_, at) => at);
}

export function numbersOf(entities: readonly Entity[]): (entity: Entity) => number {
  const numbers = new Map(entities.map((entity, at) => [entity, at]));
  return (entity) => {
    const number = numbers.get(entity);
    if (number === undefined) throw new Error("an unknown entity was read");
    return number;
  };
}

/** Of the children of each parent, in sibling order: which they are, and where each stands. */
export function sumOfFamilies(
  world: World,
  parents: readonly Entity[],
  numberOf: (child: Entity) => number,
): number {
  return checksumOf(parents.length, (at) => {
    const family = children(world, parents[at]!);
    return 1 + family.length + checksumOf(family.length, (place) => (1 + numberOf(family[place]!)) % 8_191);
  });
}
