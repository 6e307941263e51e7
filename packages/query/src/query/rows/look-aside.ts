import { standingFor } from "@treeline/core/internal";
import { holderAbove } from "../../match/ancestors.ts";
import { hasAt, indexIfAlive } from "../../match/pairs.ts";
import type { Aside } from "../../term/plan.ts";
import { isVariable } from "../../term/variable.ts";
import type { Query } from "../state/query-state.ts";
import { type Scene, wayOf } from "../state/scene.ts";

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
