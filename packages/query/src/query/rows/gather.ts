import { addSpan, ROWS, type Spans } from "../lists/spans.ts";
import { engine } from "../state/engine.ts";
import { isBound, type Query } from "../state/query-state.ts";
import type { Seen } from "../state/sight.ts";
import { gatherRows } from "./collect.ts";
import { dropDisabled } from "./drop-disabled.ts";
import { onlyTableOf } from "./sources.ts";

/**
 * Lists what a visit that begins now visits, in its order. Nothing is visited yet, so what the visit does, and what others
 * bind meanwhile, changes nothing of it.
 */
export function gather(query: Query, seen: Seen, spans: Spans): void {
  const { plan } = query;
  spans.length = 0;
  seen.begin(query);
  if (isDirect(query)) {
    const table = onlyTableOf(query);
    const { archetype, first, end } = query.cursors.tables;
    if (table < 0) gatherRows(query, seen, spans);
    else if (table > 0) addSpan(spans, archetype, first, end, ROWS);
    if (table !== 0) dropDisabled(query, seen, spans);
    return;
  }
  const joins = plan.bonds.length > 0 && mustSolve(query);
  const isHopeless =
    (plan.asides.length > 0 && engine.hasFalseAside!(query, seen)) ||
    (plan.bonds.length > 0 && !joins && !engine.bondsHold!(query));
  if (isHopeless) {
    if (plan.watched.length > 0) engine.noteCurrentHolders!(query);
    return;
  }
  if (joins) {
    if (plan.freeWay === undefined || query.bound[0] !== 0) engine.gatherJoined!(query, seen, spans);
    else engine.gatherStretched!(query, seen, spans);
  } else if (plan.traversals.length > 0) engine.gatherStretched!(query, seen, spans);
  else gatherRows(query, seen, spans);
  dropDisabled(query, seen, spans);
  if (query.part !== undefined || plan.order !== undefined || plan.groups !== undefined)
    engine.arrange!(query, seen, spans);
}

/** About one target that is set: its sources are all there is to find. */
function isDirect({ plan, targets, part }: Query): boolean {
  return plan.direct >= 0 && part === undefined && targets[plan.direct]! > 0;
}

/** Are there variables to be found? Those that are set are targets like others. */
export function mustSolve(query: Query): boolean {
  const { bonds } = query.plan;
  if (!isBound(query)) return true;
  for (let at = 0; at < bonds.length; at++) if (bonds[at]!.source === 0 && bonds[at]!.clause < 0) return true;
  return false;
}
