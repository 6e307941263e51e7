import { type Component, type Definition, type Entity, isAlive, set, type World } from "@treeline/core";
import { columnsOf, indexOf, markRow, notifiedWrites, trackOf } from "@treeline/core/internal";
import type { Published } from "../publish/published.ts";
import { type Cells, columnOf, isSame, lengthOf, placeOf, plainValue, readCells } from "../publish/raw.ts";
import { eachLinkedRun } from "./linked.ts";

/** A field of a part whose value is another one than that which was published. */
interface FieldChange {
  readonly field: number;
  /** The place of its first cell among those of the component. */
  readonly from: number;
  readonly length: number;
}

/** The value of one component of a part as it was published, and as it is now. */
export interface ValueChange {
  readonly definition: Definition;
  readonly before: Cells;
  readonly now: Cells;
  readonly fields: readonly FieldChange[];
}

/** What changed in a part, but for its place. */
export interface PartChange {
  readonly changed: readonly ValueChange[];
  readonly added: readonly Definition[];
  readonly removed: readonly Definition[];
}

export function changeOf(before: Published, now: Published): PartChange {
  const changed: ValueChange[] = [];
  for (const [definition, cells] of now.values) {
    const old = before.values.get(definition);
    if (old === undefined) continue;
    const fields = changedFields(definition, old, cells);
    if (fields.length > 0) changed.push({ definition, before: old, now: cells, fields });
  }
  return {
    changed,
    added: [...now.values.keys()].filter((definition) => !before.values.has(definition)),
    removed: [...before.values.keys()].filter((definition) => !now.values.has(definition)),
  };
}

export function changedFields(definition: Definition, before: Cells, now: Cells): FieldChange[] {
  const fields: FieldChange[] = [];
  let from = 0;
  for (let field = 0; field < definition.fields.length; field++) {
    const length = lengthOf(definition, field);
    const end = from + length;
    for (let at = from; at < end; at++) {
      if (isSame(before[at], now[at])) continue;
      fields.push({ field, from, length });
      break;
    }
    from = end;
  }
  return fields;
}

/** Can the values be written without hooks and observers, and do they mean the same in each instance? */
export function isPlain(world: World, { definition, fields }: ValueChange): boolean {
  const { hooks, storage } = definition;
  if (hooks !== undefined || storage !== "table" || notifiedWrites(world, definition) >= 0) return false;
  const kinds = fields.map(({ field }) => definition.fields[field]![1].kind);
  return definition.holds === "fields" && !kinds.includes("entity") && !kinds.includes("value");
}

/**
 * Writes the new values of a part into the rows of its instances, field by field, where the former one is still there. For plain changes.
 * Cost: a comparison of two numbers for each linked row whose archetype has the component.
 */
export function mergeColumns(
  world: World,
  number: number,
  { definition, before, now, fields }: ValueChange,
): void {
  eachLinkedRun(world, (archetype, links, first, end) => {
    const columns = columnsOf(archetype, definition);
    if (columns === undefined) return;
    const track = trackOf(archetype, definition, "changed");
    for (const { field, from, length } of fields) {
      const column = columnOf(columns, definition, field) as Float64Array;
      for (let row = first; row < end; row++) {
        if (links[row] !== number || !hasField(column, row * length, before, from, length)) continue;
        for (let at = 0; at < length; at++) column[row * length + at] = now[from + at] as number;
        if (track !== undefined) markRow(track, row, track.clock.now);
      }
    }
  });
}

function hasField(column: Float64Array, place: number, cells: Cells, from: number, length: number): boolean {
  for (let at = 0; at < length; at++) {
    const own = column[place + at]!;
    const wanted = cells[from + at] as number;
    if (own !== wanted && !(Number.isNaN(own) && Number.isNaN(wanted))) return false;
  }
  return true;
}

/**
 * The same for one entity, through `set`: with hooks and observers.
 * @param inInstance what an entity of the prefab is in the instance.
 */
export function mergeEntity(
  world: World,
  entity: Entity,
  { definition, before, now, fields }: ValueChange,
  inInstance: (target: number) => number,
): void {
  const place = placeOf(world, indexOf(entity), definition);
  if (place === undefined) return;
  const own = mapped(world, definition, readCells(place, definition));
  const seen = mapped(world, definition, before, inInstance);
  const wanted = new Set<number>();
  for (const { field, from, length } of fields) {
    let isKept = true;
    for (let at = from; at < from + length; at++) isKept &&= isSame(own[at], seen[at]);
    if (isKept) wanted.add(field);
  }
  if (wanted.size === 0) return;
  const value = plainValue(definition, mapped(world, definition, now, inInstance), (field) =>
    wanted.has(field),
  );
  set(world, entity, definition as Component<unknown, unknown, unknown>, value);
}

/** The cells with the entities of an instance in place of those of the prefab; those that are not alive are none. */
export function mapped(
  world: World,
  definition: Definition,
  cells: Cells,
  inInstance?: (target: number) => number,
): Cells {
  if (!definition.fields.some(([, { kind }]) => kind === "entity")) return cells;
  const copy = [...cells];
  let from = 0;
  for (const [, { kind, length }] of definition.fields) {
    if (kind === "entity" && copy[from] !== 0) {
      const target = copy[from] as number;
      const other = inInstance === undefined ? target : inInstance(target);
      copy[from] = isAlive(world, other as Entity) ? other : 0;
    }
    from += length;
  }
  return copy;
}
