/** Compares the matches of a query for changed names after a step with the names that the step has set. */
import { Disabled } from "@treeline/core";
import { Name } from "@treeline/names";
import { changed, collect, maybe, query } from "@treeline/query";
import { givenBy } from "../observe/expected-events.ts";
import { differencesOf } from "../step/events.ts";
import type { RealWorld } from "../step/real-world.ts";
import { twinOf } from "../step/real-world.ts";
import { same } from "../step/same.ts";
import type { Step } from "../step/step.ts";
import type { Twin } from "../twin/rules.ts";
import type { NaiveWorld } from "../twin/world.ts";

/** Reads the changes; they are not reported again. */
export type ReadNames = () => readonly Twin[];

/** All entities whose name was written since the last read, including disabled ones. */
export function watchNames(real: RealWorld): ReadNames {
  const written = query(real.world, changed(Name), maybe(Disabled));
  return () => collect(written).map(([, entity]) => twinOf(real, entity));
}

/**
 * @throws Error if the matches are not exactly the entities that got a name, were assigned one, or got a number appended to it.
 */
export function compareWrittenNames(
  naive: NaiveWorld,
  step: Step,
  isDone: boolean,
  readNames: ReadNames,
): void {
  const expected = new Set<Twin>();
  if (isDone) {
    const given = [...givenBy(naive, step), ...differencesOf(naive).added.values()];
    for (const { entity, what } of given)
      if (what === "Name" && naive.living.has(entity)) expected.add(entity);
  }
  const found = [...readNames()].sort((one, other) => one - other);
  const wanted = [...expected].sort((one, other) => one - other);
  same(found, wanted, () => "entities whose name was written");
}
