// The rows of a tree (`openRows`), and where keys lead from one (`rowAfterKey`).
import { children, type Entity, roots, type World } from "treeline";

/** A row of an outliner. */
export interface Row {
  readonly entity: Entity;
  /** 1 for roots. */
  readonly level: number;
  readonly children: number;
  /** From 1, among its siblings, and how many these are. */
  readonly place: number;
  readonly siblings: number;
}

/** The rows of a tree in which some entities are open, from top to bottom. */
export function openRows(world: World, open: ReadonlySet<Entity>): Row[] {
  const rows: Row[] = [];
  const waiting: Omit<Row, "children">[] = [];
  const wait = (entities: readonly Entity[], level: number): void => {
    for (let at = entities.length - 1; at >= 0; at--)
      waiting.push({ entity: entities[at]!, level, place: at + 1, siblings: entities.length });
  };
  wait(roots(world), 1);
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const below = children(world, next.entity);
    rows.push({ ...next, children: below.length });
    if (open.has(next.entity)) wait(below, next.level + 1);
  }
  return rows;
}

/**
 * The row to which a key leads from another one, as in the tree pattern of ARIA; `undefined` for keys that move nothing.
 *
 * @param at of the row, or -1 if none is selected.
 * @param page how many rows are in sight.
 */
export function rowAfterKey(rows: readonly Row[], at: number, key: string, page: number): Row | undefined {
  const last = rows.length - 1;
  const row = rows[at];
  const step: Readonly<Record<string, number>> = {
    ArrowDown: at + 1,
    ArrowUp: at - 1,
    PageDown: at + page,
    PageUp: at - page,
    Home: 0,
    End: last,
  };
  if (key in step) return rows[Math.min(Math.max(step[key]!, 0), last)];
  if (key === "ArrowRight" && row !== undefined)
    return rows[at + 1]?.level === row.level + 1 ? rows[at + 1] : row;
  if (key === "ArrowLeft" && row !== undefined)
    return rows.slice(0, at).findLast(({ level }) => level < row.level) ?? row;
  return undefined;
}
