// `asView`: what a view matches after a restore.
import type { Query } from "@treeline/query";
import { viewQuery } from "@treeline/query/internal";

/**
 * Makes a query for changes a view: for what is shown of a world, outside of it. What other queries have read goes back with a
 * restore; a view instead matches, in its next read, every row that was written between the snapshot and the restore, is there again,
 * or was unread: what it has shown of them may be wrong. Entities that are gone are reported by `monitor`.
 *
 * After a restore a query for changes above or below, or one that names `Disabled`, matches all that it matches with changes ignored.
 *
 * @cost at a restore, all rows with what it watches, twice.
 * @returns the query.
 * @throws TreelineError `bad-query` unless it matches `changed` of components, and neither `added`, `removed` nor changes of
 *   relations; `disposed`.
 *
 * @example
 * const moved = asView(query(world, changed(Position)));
 * each(moved, (position, entity) => meshOf(entity).position.set(position.x, position.y, 0));
 */
export function asView<Some extends Query>(query: Some): Some {
  viewQuery(query);
  return query;
}
