import { standingFor } from "@treeline/core/internal";
import { holderAbove } from "../../match/ancestors.ts";
import { hasAt, indexIfAlive } from "../../match/pairs.ts";
import { isVariable } from "../../term/operators.ts";
import type { Aside } from "../../term/plan.ts";
import { addSpan, cutByTable, ROWS, type Spans } from "../lists/spans.ts";
import type { Query } from "../state/query-state.ts";
import { engine, type Scene, wayOf } from "../state/scene.ts";
import { gatherRows, hasTargets } from "./collect.ts";
import { dropDisabled, filterSpans } from "./filter.ts";
import { onlyTableOf } from "./sources.ts";

/**
 * Lists what a visit that begins now visits, in its order. Nothing is visited yet, so what the visit does, and what others
 * bind meanwhile, changes nothing of it.
 */
export function gather(query: Query, scene: Scene, spans: Spans): void {
  const { world, plan, part } = query;
  spans.length = 0;
  const table = onlyTableOf(query);
  if (table >= 0) {
    const { archetype, first, end } = query.cursors.tables;
    scene.beginRows(query);
    if (table > 0) addSpan(spans, archetype, first, end, ROWS);
    return;
  }
  scene.begin(query);
  const isDirect = plan.direct >= 0 && query.targets[plan.direct]! > 0; // its sources are all there is to find
  const joins = !isDirect && plan.bonds.length > 0 && mustSolve(query);
  const isHopeless =
    (plan.asides.length > 0 && engine.hasFalseAside!(query, scene)) ||
    (plan.bonds.length > 0 && !isDirect && !joins && !engine.bondsHold!(query));
  scene.isOpen = joins || hasTargets(query);
  // Who asks for changes of ancestors notes them, also if nobody answers: what is now is no news to the next look.
  if (!isHopeless || plan.watched.length > 0) {
    if (joins && (plan.freeWay === undefined || query.bound[0] !== 0))
      engine.gatherJoined!(query, scene, spans);
    else if (joins || plan.traversals.length > 0) engine.gatherStretched!(query, scene, spans);
    else gatherRows(query, scene, spans);
  }
  if (isHopeless) spans.length = 0;
  if (!spans.melts) cutByTable(world, spans, scene.stretches?.positions.rows);
  if (scene.isOpen && plan.tests.length > 0 && spans.length > 0) filterSpans(query, scene, spans, 0);
  dropDisabled(query, scene, spans);
  if (part !== undefined || plan.order !== undefined || plan.groups !== undefined)
    engine.arrange!(query, scene, spans);
}

/** Are there variables to be found? Those that are set are targets like others. */
export function mustSolve(query: Query): boolean {
  const { bonds } = query.plan;
  for (let at = 0; at < query.bound.length; at++) if (query.bound[at] === 0) return true;
  for (let at = 0; at < bonds.length; at++) if (bonds[at]!.source === 0 && bonds[at]!.clause < 0) return true;
  return false;
}

// ---- given entities: brought by terms about those ----------------------------------------------------------------------

/** The index of the entity that has what is asked of a given one, as it is now; 0 if there is none. */
export function lookAside(scene: Scene, aside: Aside, place: number): number {
  const { world, query } = scene;
  const { source, definition, relation, self } = aside;
  const standsFor = (handle: number): number => (isVariable(handle) ? scene.targetOf(handle) : handle);
  const index = indexIfAlive(world, source === 0 ? (standingFor(world, definition) ?? 0) : standsFor(source));
  if (index === 0) return 0;
  const target = standsFor(aside.target);
  if ((relation === undefined || self) && hasAt(world, index, definition, target)) return index;
  if (relation === undefined) return 0;
  const way = { relation, what: { definition, target } };
  return holderAbove(world, index, wayOf(scene, query.plan.traversals.length + place, way));
}

/** Something asked of a given entity does not hold: nobody answers. */
export function hasFalseAside({ plan }: Query, { found }: Scene): boolean {
  const { asides, tests } = plan;
  return tests.some(
    (test) => test.kind === "on" && found[test.aside] === 0 && !isVariable(asides[test.aside]!.source),
  );
}
