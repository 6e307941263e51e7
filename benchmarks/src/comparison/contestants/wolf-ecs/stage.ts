/** Shared by the parts of wolf-ecs: a world with components, filled as usual. */
import { ECS, types } from "wolf-ecs";
import { attach, type ChildList, createChildList } from "../../workloads/child-list.ts";
import { sumOfPlaces } from "../../workloads/inputs.ts";

/** A component: its values by entity. */
export type Fields = ReturnType<typeof fieldsOf>;

/** To be called while there are no entities. */
export function fieldsOf(ecs: ECS) {
  return ecs.defineComponent({ x: types.f32, y: types.f32 });
}

export type Question = ReturnType<ECS["createQuery"]>;

/** As in the README: the declarations only know the results of `all`, `any` and `not`. */
export function queryFor(ecs: ECS, ...components: readonly object[]): Question {
  return ecs.createQuery(...(components as Parameters<ECS["createQuery"]>));
}

export function countOf({ a: archetypes }: Question): number {
  let count = 0;
  for (let at = 0; at < archetypes.length; at++) count += archetypes[at]!.e.length;
  return count;
}

export interface Stage {
  readonly ecs: ECS;
  readonly position: Fields;
  readonly velocity: Fields;
  readonly list: ChildList;
}

/** Without entities: components may be defined until the first one. */
export function createStage(capacity: number): Stage {
  const ecs = new ECS(capacity);
  const position = fieldsOf(ecs);
  const velocity = fieldsOf(ecs);
  return { ecs, position, velocity, list: createChildList(capacity) };
}

/** The handles by number. */
export interface Settled {
  readonly handles: Int32Array;
  readonly homes: Int32Array;
}

/**
 * Entities as usual.
 *
 * @param parents how many; 0: none, and the entities are roots.
 * @param above entity -> number of its parent.
 */
export function settle(stage: Stage, count: number, parents: number, above: Int32Array): Settled {
  const { ecs, position, velocity, list } = stage;
  const homes = Int32Array.from({ length: parents }, () => ecs.createEntity());
  const handles = Int32Array.from({ length: count }, (_, at) => {
    const entity = ecs.createEntity();
    ecs.addComponent(entity, position).addComponent(entity, velocity);
    position.x[entity] = at % 1024;
    position.y[entity] = 0;
    velocity.x[entity] = 1;
    velocity.y[entity] = 1 + (at % 3);
    if (parents > 0) attach(list, entity, homes[above[at]!]!);
    return entity;
  });
  return { handles, homes };
}

export function placesOf({ x, y }: Fields, handles: Int32Array): number {
  return sumOfPlaces(
    handles.length,
    (at) => x[handles[at]!]!,
    (at) => y[handles[at]!]!,
  );
}
