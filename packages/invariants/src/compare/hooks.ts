/** Compares the calls of hooks in a single-verb step with the differences in the twin. */

import { givenBy } from "../observe/expected-events.ts";
import type { HookCall } from "../step/alarm.ts";
import type { RealWorld } from "../step/real-world.ts";
import { handleOf } from "../step/real-world.ts";
import { same } from "../step/same.ts";
import type { Step } from "../step/step.ts";
import type { FieldValue } from "../twin/rules.ts";
import type { NaiveEntity, NaiveWorld } from "../twin/world.ts";

/** @throws Error that says what differs. */
export function compareHooks(
  real: RealWorld,
  naive: NaiveWorld,
  step: Step,
  calls: readonly HookCall[],
): void {
  const actual = calls.map(({ kind, entity, level, before, parent }) =>
    kind === "onSet"
      ? `onSet ${entity}: ${before} to ${level}`
      : `onRemove ${entity}: ${level} below ${parent}`,
  );
  same(actual.sort(), expectedCalls(real, naive, step).sort(), () => "calls of hooks");
}

function expectedCalls(real: RealWorld, naive: NaiveWorld, step: Step): string[] {
  const expected: string[] = [];
  const given = new Set(givenBy(naive, step).map(({ entity, what }) => `${entity} ${what}`));
  for (const [twin, former] of naive.before) {
    const before = levelOf(former);
    const after = levelOf(naive.living.get(twin));
    const handle = handleOf(real, twin);
    if (before !== undefined && after === undefined) {
      const parent = former?.parent === undefined ? undefined : handleOf(real, former.parent);
      expected.push(`onRemove ${handle}: ${before} below ${parent}`);
    }
    const isGiven = before === undefined || given.has(`${twin} Alarm`);
    if (after !== undefined && isGiven) expected.push(`onSet ${handle}: ${before} to ${after}`);
  }
  return expected;
}

function levelOf(record: NaiveEntity | undefined): FieldValue {
  return record?.schemas.get("Alarm")?.level;
}
