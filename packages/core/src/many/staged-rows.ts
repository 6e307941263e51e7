// Columns of entities to be spawned, outside of archetypes (`stageRows`), and their columns for users (`stagedColumns`); `bad-term`.
import { TreelineError } from "../base/error.ts";
import type { Component, Definition, PlainTerm } from "../id/definition.ts";
import { clearRow, repeatRow } from "../storage/copy-rows.ts";
import { type Column, Lanes, planLanes, replaceLanes, viewColumn } from "../storage/lanes.ts";
import { plainMemory } from "../storage/memory.ts";
import { aligned } from "../storage/rows.ts";
import { collectOne, requireField, writeFields } from "../world/state/collected-values.ts";
import { definitionOfTerm, valueOfTerm } from "../world/state/terms.ts";
import { copyValue } from "../world/state/values.ts";
import type { World } from "../world/state/world.ts";

/**
 * Rows of entities that are about to be spawned, one each in the order of spawning, outside of any archetype: while they are filled
 * nothing of the world has changed. Pairs with values have no column here.
 */
export interface StagedRows {
  readonly lanes: Lanes;
  readonly count: number;
  /** Components whose columns were asked for, or that have a list: every entity gets a value of its own. */
  readonly filled: Set<Definition>;
}

/** Stages `count` rows for the components among definitions, with the values of terms. @param terms values are plain. */
export function stageRows(
  world: World,
  definitions: readonly Definition[],
  terms: readonly PlainTerm[],
  count: number,
): StagedRows {
  const own = definitions.filter(({ kind, holds }) => kind === "component" && holds !== "nothing");
  own.sort((one, other) => one.id - other.id); // as in archetypes
  const lanes = new Lanes(planLanes(own.map((definition) => ({ definition, occurrence: 0 }))), plainMemory());
  replaceLanes(lanes, aligned(Math.max(count, 1)));
  const staged: StagedRows = { lanes, count, filled: new Set() };
  clearRow(lanes, 0);
  for (const term of terms) {
    const value = valueOfTerm(term);
    const column = value === undefined ? undefined : stagedColumn(staged, definitionOfTerm(term));
    if (column === undefined) continue;
    if (column.objectSlot >= 0) lanes.objects[column.objectSlot]![0] = value;
    else {
      const { collected } = world;
      const end = collectOne(collected, column.definition, value);
      writeFields(collected, collected.fields, end, collected.count, lanes, column, 0);
    }
  }
  if (count > 1) repeatRow(lanes, 0, count);
  return staged;
}

export function stagedColumn({ lanes }: StagedRows, definition: Definition): Column | undefined {
  return lanes.plan.columns.find((column) => column.definition === definition);
}

/** Makes a list of JavaScript values, one for each row, the column. */
export function stageList({ lanes, filled }: StagedRows, column: Column, list: readonly unknown[]): void {
  lanes.objects[column.objectSlot] = list as unknown[];
  filled.add(column.definition);
}

/** What users get: arrays by field, or the list of values. @throws TreelineError `bad-term`. */
export function stagedColumns<Columns>(staged: StagedRows, what: Component<unknown, Columns>): Columns {
  const column = stagedColumn(staged, what);
  if (column === undefined) {
    const name = (what as Partial<Definition> | undefined)?.name ?? "this";
    throw new TreelineError(
      "bad-term",
      `${name} is not a component with values among the terms; add it to them`,
    );
  }
  staged.filled.add(what);
  return viewColumn(staged, column) as Columns;
}

/** A copy of the value of a component in a row; `undefined` for its default. */
export function stagedValue(world: World, staged: StagedRows, definition: Definition, row: number): unknown {
  const column = staged.filled.has(definition) ? stagedColumn(staged, definition) : undefined;
  return column && copyValue(world, { lanes: staged.lanes, column, row });
}

/** For development builds: whether columns of texts were filled with texts. @throws TreelineError `bad-value`. */
export function requireTexts({ lanes, count, filled }: StagedRows): void {
  for (const { definition, fields } of lanes.plan.columns) {
    for (const [at, field] of fields.entries()) {
      if (field.slot < 0 || !filled.has(definition)) continue;
      for (let row = 0; row < count; row++) requireField(definition, at, lanes.objects[field.slot]![row]);
    }
  }
}
