/** What hooks were told in a plain step, held against what has become different in the twin. */

import { givenBy } from "../observe/promises.ts";
import type { HookCall } from "../step/alarm.ts";
import type { FastWorld } from "../step/fast-world.ts";
import { handleOf } from "../step/fast-world.ts";
import { same } from "../step/same.ts";
import type { Step } from "../step/step.ts";
import type { FieldValue } from "../twin/rules.ts";
import type { SlowEntity, SlowWorld } from "../twin/world.ts";

/** @throws Error that says what differs. */
export function compareHooks(fast: FastWorld, slow: SlowWorld, step: Step, calls: readonly HookCall[]): void {
  const told = calls.map(({ kind, entity, level, before, parent }) =>
    kind === "onSet"
      ? `onSet ${entity}: ${before} to ${level}`
      : `onRemove ${entity}: ${level} below ${parent}`,
  );
  same(told.sort(), expectedCalls(fast, slow, step).sort(), () => "calls of hooks");
}

function expectedCalls(fast: FastWorld, slow: SlowWorld, step: Step): string[] {
  const expected: string[] = [];
  const given = new Set(givenBy(slow, step).map(({ entity, what }) => `${entity} ${what}`));
  for (const [twin, former] of slow.before) {
    const before = levelOf(former);
    const after = levelOf(slow.living.get(twin));
    const handle = handleOf(fast, twin);
    if (before !== undefined && after === undefined) {
      const parent = former?.parent === undefined ? undefined : handleOf(fast, former.parent);
      expected.push(`onRemove ${handle}: ${before} below ${parent}`);
    }
    const isGiven = before === undefined || given.has(`${twin} Alarm`);
    if (after !== undefined && isGiven) expected.push(`onSet ${handle}: ${before} to ${after}`);
  }
  return expected;
}

function levelOf(being: SlowEntity | undefined): FieldValue {
  return being?.schemas.get("Alarm")?.level;
}
