// Which components of a part instances get as their own, although they would inherit them (`ownCopiesAt`).
import type { Definition, World } from "@treeline/core";
import { archetypeViewAt, columnsOf, rowAt } from "@treeline/core/internal";
import { OwnCopies } from "../base/definitions.ts";

const NONE: readonly Definition[] = [];

/** The components of a part that instances get as their own, although they would inherit them. */
export function ownCopiesAt(world: World, part: number): readonly Definition[] {
  const values = columnsOf(archetypeViewAt(world, part), OwnCopies) as (readonly Definition[])[] | undefined;
  return values === undefined ? NONE : values[rowAt(world, part)]!;
}
