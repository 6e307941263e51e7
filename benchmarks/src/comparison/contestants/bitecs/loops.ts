/** Shared by both ways to use bitECS: runs that only read. */
import { addEntity, asBuffer, query, removeQuery } from "bitecs";
import { parentsOf } from "../../workloads/inputs.ts";
import type { Subject } from "../../workloads/subject.ts";
import type { Given } from "../../workloads/workloads.ts";
import { addMoving, createStage, placesOf, type Stage } from "./world.ts";

/** Makes one entity the child of another. */
export type Attach = (stage: Stage, child: number, parent: number) => void;

/** Parents, then their children. */
export interface Crowd {
  readonly stage: Stage;
  readonly parents: readonly number[];
  readonly children: readonly number[];
}

/**
 * @param above child -> number of its parent.
 * @param prepare is called when there are parents, but no children yet.
 */
export function gather(
  attach: Attach,
  parentCount: number,
  above: Int32Array,
  prepare?: (stage: Stage, parents: readonly number[]) => void,
): Crowd {
  const stage = createStage(parentCount + above.length);
  const parents = Array.from({ length: parentCount }, () => addEntity(stage.world));
  prepare?.(stage, parents);
  const children = Array.from(above, (parent, at) => {
    const child = addMoving(stage, at);
    attach(stage, child, parents[parent]!);
    return child;
  });
  return { stage, parents, children };
}

export function iterate(attach: Attach, { parents, order }: Given<"iterate">): Subject {
  const { stage, children } = gather(attach, parents, parentsOf(parents, order));
  const { world, Position, Velocity } = stage;
  const moving = [Position, Velocity];
  query(world, moving, asBuffer);
  return {
    run: () => {
      const { x: px, y: py } = Position;
      const { x: vx, y: vy } = Velocity;
      const entities = query(world, moving, asBuffer);
      for (let at = 0, { length } = entities; at < length; at++) {
        const entity = entities[at]!;
        px[entity]! += vx[entity]!;
        py[entity]! += vy[entity]!;
      }
    },
    checksum: () => placesOf(Position, children),
  };
}

export function buildQuery(attach: Attach, { parents }: Given<"query">): Subject {
  const { stage } = gather(attach, parents, parentsOf(parents, "block"));
  const { world, Position, Velocity } = stage;
  const moving = [Position, Velocity];
  let matches = 0;
  return {
    run: () => {
      matches = query(world, moving, asBuffer).length;
      removeQuery(world, moving);
    },
    checksum: () => matches,
  };
}
