/** Who answers a question for changed names after a step, held against what the step has given. */
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

/** Looks, and from now on what happened before is no news. */
export type ReadNames = () => readonly Twin[];

/** Everybody whose name was written since the last look, hidden ones too. */
export function watchNames(real: RealWorld): ReadNames {
  const written = query(real.world, changed(Name), maybe(Disabled));
  return () => collect(written).map(([, entity]) => twinOf(real, entity));
}

/** @throws Error if somebody else answers than those who got a name, or were given one, or a number for it. */
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
  same(found, wanted, () => "whose name was written");
}
