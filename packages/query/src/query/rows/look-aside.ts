import { standingFor } from "@treeline/core/internal";
import { createWay, holderAbove } from "../../match/ancestors.ts";
import { hasAt, indexIfAlive } from "../../match/pairs.ts";
import type { Aside } from "../../term/plan.ts";
import { isVariable } from "../../term/variable.ts";
import type { Query } from "../state/query-state.ts";
import type { Seen } from "../state/sight.ts";

/** The index of the entity that has what is asked of a given one, as it is now; 0 if there is none. */
export function lookAside(seen: Seen, aside: Aside, place: number): number {
  const { world } = seen;
  const { source, relation, self, definition } = aside;
  const handle =
    source === 0
      ? (standingFor(world, definition) ?? 0)
      : isVariable(source)
        ? seen.targetOf(source)
        : source;
  const index = indexIfAlive(world, handle);
  if (index === 0) return 0;
  const target = isVariable(aside.target) ? seen.targetOf(aside.target) : aside.target;
  if (relation === undefined || self) {
    if (hasAt(world, index, definition, target)) return index;
    if (relation === undefined) return 0;
  }
  let way = seen.asideWays[place];
  if (way === undefined || way.what.target !== target) {
    way = createWay(world, { relation, what: { definition, target } });
    seen.asideWays[place] = way;
  }
  return holderAbove(world, index, way);
}

/** Something asked of a given entity does not hold: nobody answers. */
export function hasFalseAside({ plan }: Query, { truths }: Seen): boolean {
  const { asides, tests } = plan;
  for (let at = 0; at < tests.length; at++) {
    const test = tests[at]!;
    if (test.kind === "on" && !truths[test.aside] && !isVariable(asides[test.aside]!.source)) return true;
  }
  return false;
}
