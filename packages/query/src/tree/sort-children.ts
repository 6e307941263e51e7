import {
  ChildOf,
  type Component,
  defer,
  type Entity,
  get,
  isAlive,
  sourcesOf,
  TreelineError,
  type World,
} from "@treeline/core";
import { replaceChildren, requireAlive } from "@treeline/core/internal";
import { inTurn } from "./in-turn.ts";

/**
 * Sorts the children of a parent, in both storages, once: who is attached later goes last. Equal ones keep their order.
 * Told as `reordered` of the parent if the order changes. Inside a visit it waits for the end of that.
 *
 * With a component, its values are read once and compared; children without it go last, in their order.
 *
 * Cost: sorting the children.
 *
 * @throws TreelineError `dead-entity` if the parent is not alive; `bad-term` for what is no component with values, or no
 *   comparison; `visiting` inside a visit of a strict world; and what the comparison throws. Nothing has changed then.
 *
 * @example
 * sortChildren(world, ship, Weight, (one, other) => one.kilos - other.kilos);
 */
export function sortChildren(
  world: World,
  parent: Entity,
  compare: (one: Entity, other: Entity) => number,
): void;
export function sortChildren<Row>(
  world: World,
  parent: Entity,
  component: Component<Row>,
  compare: (one: Row, other: Row) => number,
): void;
export function sortChildren<Row>(
  world: World,
  parent: Entity,
  by: Component<Row> | ((one: Entity, other: Entity) => number),
  compareRows?: (one: Row, other: Row) => number,
): void {
  requireAlive(world, parent);
  requireComparison(by, compareRows);
  inTurn(world, 0, () => {
    if (!isAlive(world, parent)) return;
    // What the comparison changes must wait.
    defer(world, () => {
      const family = sourcesOf(world, parent, ChildOf);
      const sorted =
        compareRows === undefined
          ? family.sort(by as (one: Entity, other: Entity) => number)
          : sortedByRows(world, family, by as Component<Row>, compareRows);
      replaceChildren(world, parent, sorted);
    });
  });
}

function requireComparison(by: unknown, compareRows: unknown): void {
  const definition = by as { readonly kind?: string; readonly holds?: string; readonly name?: string };
  const isComponent = definition?.kind === "component" && definition.holds !== "nothing";
  const isRight =
    compareRows === undefined
      ? typeof by === "function" && definition.kind === undefined
      : isComponent && typeof compareRows === "function";
  if (isRight) return;
  throw new TreelineError(
    "bad-term",
    "sortChildren takes a comparison of two entities, or a component with values and a comparison of two of them",
  );
}

function sortedByRows<Row>(
  world: World,
  family: readonly Entity[],
  component: Component<Row>,
  compare: (one: Row, other: Row) => number,
): Entity[] {
  const rows = new Map<Entity, Row>();
  const others: Entity[] = [];
  for (const entity of family) {
    const row = get(world, entity, component) as Row | undefined;
    if (row === undefined) others.push(entity);
    else rows.set(entity, row);
  }
  const sorted = [...rows].sort(([, one], [, other]) => compare(one, other)).map(([entity]) => entity);
  return [...sorted, ...others];
}
