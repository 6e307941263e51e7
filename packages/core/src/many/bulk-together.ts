// What is appended by tables when documents load (`Lot`): parents, values, and hooks that take lists (`insertTogetherInBulk`).
import { type Arrivals, closeIfIdle } from "../graph/graph.ts";
import { ChildOf } from "../id/builtins.ts";
import type { Definition } from "../id/definition.ts";
import { indexOf } from "../id/entity.ts";
import { addJoins, type Joins } from "../records/families.ts";
import { type Archetype, columnOf } from "../storage/archetype.ts";
import { clearRow } from "../storage/copy-rows.ts";
import { appendRows } from "../storage/rows.ts";
import type { PairNumber, TableNumber } from "../storage/table.ts";
import { followIfTarget, joinLast, withReserved } from "../world/change/insert.ts";
import { ensurePair } from "../world/change/pair.ts";
import { definitionOfTerm, targetOfTerm, valueOfTerm } from "../world/change/terms.ts";
import { collectOne, writeFields } from "../world/state/collected-values.ts";
import type { AcceptedList } from "../world/state/hooks.ts";
import type { Group } from "../world/state/plans.ts";
import type { World } from "../world/state/world.ts";
import { acceptSpawned, isAppendable, needsMoreBelow } from "./bulk.ts";

/** The entities of one archetype: adjacent rows. */
interface Lot {
  readonly archetype: Archetype;
  count: number;
  table: TableNumber;
  /** The next row. */
  next: number;
}

/**
 * Inserts pending entities by tables, where nothing needs a stage for each: no observers, no pairs but parents, no tags in bits, and
 * hooks only of one component that takes lists, such as names.
 *
 * @param groups of one entity each, parents before children.
 * @returns false, with nothing changed, if something does.
 */
export function insertTogetherInBulk(world: World, groups: readonly Group[]): boolean {
  const { graph } = world;
  const archetypes = new Set<Archetype>();
  for (const { plan } of groups) {
    if (plan.tags.length > 0 || plan.hasPairs) return false;
    archetypes.add(plan.archetype);
  }
  let hooked: Definition | undefined;
  for (const archetype of archetypes) {
    const [own = hooked] = archetype.hooked;
    if (!isAppendable(world, archetype) || (hooked !== undefined && hooked !== own)) return false;
    hooked = own;
  }
  const parents = parentsOf(groups);

  /** Pairs of parents, by the index of the parent. */
  const pairs = new Map<number, PairNumber>();
  const lots: Lot[] = [];
  const lotOf = new Int32Array(groups.length);
  /** Places in `lots`, by number of the archetype. */
  const known = new Map<number, number>();
  let isSimple = true;
  for (let at = 0; at < groups.length && isSimple; at++) {
    const { archetype, parentAt } = groups[at]!.plan;
    if (parentAt >= 0 && !pairs.has(parents[at]!)) {
      const pair = ensurePair(world, ChildOf, parents[at]!);
      pairs.set(parents[at]!, pair);
      isSimple = !needsMoreBelow(world, pair);
    }
    let lot = known.get(archetype.number);
    if (lot === undefined) {
      known.set(archetype.number, (lot = lots.length));
      lots.push({ archetype, count: 0, table: 0, next: 0 });
    }
    lots[lot]!.count++;
    lotOf[at] = lot;
  }
  try {
    if (!isSimple) return false;
    const accepted = hooked && accept(world, groups, parents, hooked);
    const arrivals = lots.map(
      ({ archetype, count }): Arrivals => ({ type: { archetype, pairs: [] }, count }),
    );
    const joins: Joins = new Map();
    for (let at = 0; at < parents.length; at++)
      addJoins(joins, parents[at] === 0 ? 0 : pairs.get(parents[at]!)!, 1);
    withReserved(world, arrivals, [], joins, (tables) => {
      for (let at = 0; at < lots.length; at++) lots[at]!.table = tables[at]!;
      commit(world, groups, lots, lotOf, accepted);
      link(world, groups, lots, lotOf, parents, pairs);
      accepted?.list.written(accepted.indexes);
    });
    return true;
  } finally {
    for (const pair of pairs.values()) if (graph.pairs.relation[pair] !== 0) closeIfIdle(graph, pair);
  }
}

/** The indexes of parents, 0 for roots. */
function parentsOf(groups: readonly Group[]): Int32Array {
  const parents = new Int32Array(groups.length);
  for (let at = 0; at < groups.length; at++) {
    const { plan, terms } = groups[at]!;
    if (plan.parentAt >= 0) parents[at] = indexOf(targetOfTerm(terms[plan.parentAt]!));
  }
  return parents;
}

/** What hooks have accepted for the entities with a component. */
interface Accepted {
  readonly definition: Definition;
  readonly list: AcceptedList<unknown>;
  /** Their indexes. */
  readonly indexes: readonly number[];
}

function accept(
  world: World,
  groups: readonly Group[],
  parents: Int32Array,
  definition: Definition,
): Accepted {
  const values: unknown[] = [];
  const above: number[] = [];
  const indexes: number[] = [];
  for (let at = 0; at < groups.length; at++) {
    const term = groups[at]!.terms.find((one) => definitionOfTerm(one) === definition);
    if (term === undefined) continue;
    values.push(valueOfTerm(term));
    above.push(parents[at]!);
    indexes.push(groups[at]!.indexes[0]!);
  }
  const list = acceptSpawned(world, definition, values, Int32Array.from(above));
  return { definition, list, indexes };
}

/** Writes all rows. Nothing here allocates memory that could be refused. */
function commit(
  world: World,
  groups: readonly Group[],
  lots: readonly Lot[],
  lotOf: Int32Array,
  accepted: Accepted | undefined,
): void {
  const { graph, entities } = world;
  for (const lot of lots) {
    lot.next = appendRows(graph, lot.archetype, lot.count);
    lot.archetype.lanes.tracks?.markSpawned(lot.next, lot.next + lot.count);
  }
  let next = 0;
  for (let at = 0; at < groups.length; at++) {
    const { terms, indexes } = groups[at]!;
    const lot = lots[lotOf[at]!]!;
    const { lanes } = lot.archetype;
    const index = indexes[0]!;
    const row = lot.next++;
    entities.table[index] = lot.table;
    entities.row[index] = row;
    lanes.i32[row] = index;
    clearRow(lanes, row);
    for (let place = 0; place < terms.length; place++) {
      const term = terms[place]!;
      const definition = definitionOfTerm(term);
      const replaced = definition === accepted?.definition ? accepted.list.values[next++] : undefined;
      writeTerm(world, lot.archetype, definition, replaced ?? valueOfTerm(term), row);
    }
  }
}

function writeTerm(
  { collected }: World,
  archetype: Archetype,
  definition: Definition,
  value: unknown,
  row: number,
): void {
  if (value === undefined || definition.kind === "relation" || definition.holds === "nothing") return;
  const { lanes } = archetype;
  const column = columnOf(archetype, definition)!;
  if (column.objectSlot >= 0) lanes.objects[column.objectSlot]![row] = value;
  else {
    const end = collectOne(collected, definition, value);
    writeFields(collected, collected.fields, end, collected.count, lanes, column, row);
  }
  lanes.tracks?.written(definition, row);
}

/** Puts entities into their families, and follows entities that are targets already. */
function link(
  world: World,
  groups: readonly Group[],
  lots: readonly Lot[],
  lotOf: Int32Array,
  parents: Int32Array,
  pairs: ReadonlyMap<number, PairNumber>,
): void {
  for (let at = 0; at < groups.length; at++) {
    const { archetype } = groups[at]!.plan;
    const index = groups[at]!.indexes[0]!;
    const pair = parents[at] === 0 ? 0 : pairs.get(parents[at]!)!;
    joinLast(world, archetype, lots[lotOf[at]!]!.table, pair, index);
    followIfTarget(world, archetype, index);
  }
}
