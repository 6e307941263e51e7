/** Who answers a question for changed names after a step, held against what the step has given. */
import { Disabled } from "@treeline/core";
import { Name } from "@treeline/names";
import { changed, collect, maybe, query } from "@treeline/query";
import { givenBy } from "../observe/promises.ts";
import { differencesOf } from "../step/events.ts";
import type { FastWorld } from "../step/fast-world.ts";
import { twinOf } from "../step/fast-world.ts";
import { same } from "../step/same.ts";
import type { Step } from "../step/step.ts";
import type { Twin } from "../twin/rules.ts";
import type { SlowWorld } from "../twin/world.ts";

/** Looks, and from now on what happened before is no news. */
export type Look = () => readonly Twin[];

/** Everybody whose name was written since the last look, hidden ones too. */
export function lookForNames(fast: FastWorld): Look {
  const written = query(fast.world, changed(Name), maybe(Disabled));
  return () => collect(written).map(([, entity]) => twinOf(fast, entity));
}

/** @throws Error if somebody else answers than those who got a name, or were given one, or a number for it. */
export function compareWrittenNames(slow: SlowWorld, step: Step, isDone: boolean, look: Look): void {
  const expected = new Set<Twin>();
  if (isDone) {
    const given = [...givenBy(slow, step), ...differencesOf(slow).added.values()];
    for (const { entity, what } of given)
      if (what === "Name" && slow.living.has(entity)) expected.add(entity);
  }
  const found = [...look()].sort((one, other) => one - other);
  const wanted = [...expected].sort((one, other) => one - other);
  same(found, wanted, () => "whose name was written");
}
