// `toBinary`: which entities are rows of one sheet (`groupRows`), and what is JSON inside (`othersOf`).
import type { Definition, World } from "@treeline/core";
import { archetypeViewAt, columnsOf, requireOptions, rowAt } from "@treeline/core/internal";
import { Name } from "@treeline/names";
import type { EntityData } from "../format/document.ts";
import { Unknown } from "../format/unknown.ts";
import { EntityWriter, hasOnlyColumns } from "../save/entity-writer.ts";
import { type OutsideOptions, References } from "../save/references.ts";
import { givenRoots, type Selection, select } from "../save/select.ts";
import { ByteWriter, requireLittleEndian } from "./bytes.ts";
import { ColumnWriter, type Part, textOfJson } from "./columns.ts";
import { BY_VALUE, ELSEWHERE, FIELDS, KINDS, NAMED, OTHERS, TAG, VALUES } from "./kinds.ts";

/** One of `root`, `entities` and `all`, and what is saved of these entities. */
export interface BinarySaveOptions extends Selection, OutsideOptions {
  /** Components and tags to save. Default: all. Names are always saved. */
  readonly components?: readonly Definition[] | undefined;
  /** Relations to save, besides parents. Default: all. */
  readonly relations?: readonly Definition[] | undefined;
}

/** Entities with the same components in columns. */
interface Rows {
  readonly flags: number;
  readonly definitions: readonly Definition[];
  readonly places: number[];
  readonly parts: Part[];
  /** By row: what is in no column, as JSON. */
  readonly others: (string | undefined)[];
}

/**
 * Makes a binary document of a tree, of some entities or of a whole world: what `toDocument` saves, by columns. The same content makes
 * the same bytes, with whatever handles, and in whichever order it was spawned.
 *
 * Fields are stored as they are in memory. JavaScript values, pairs, and components and tags that are stored as sparse or in bits are
 * stored as JSON inside.
 *
 * @cost some 200 ns for each entity; a selection by `entities` also goes over all entities of the world.
 * @returns bytes for `fromBinary`. `compress` makes them smaller.
 * @throws TreelineError `dead-entity` if an entity is not alive; `bad-value` unless one of `root`, `entities` and `all` is given,
 *   for a `where` that is no function and another `outside`, and on a machine that is not little-endian; `iterating` for an entity
 *   that is pending until an iteration ends; `bad-document` for a JavaScript value that is no plain data and has no codec, and for
 *   a reference to an entity outside that no path leads to alone, or that `outside` refuses.
 *
 * @example
 * writeFileSync("station.tree", toBinary(world, { root: station }));
 */
export function toBinary(world: World, options: BinarySaveOptions): Uint8Array {
  CHECK: requireOptions("toBinary", options, [
    "root",
    "entities",
    "all",
    "where",
    "components",
    "relations",
    "resolve",
    "outside",
  ]);
  return writeBinary(world, options, false);
}

/** @param isHashed for a hash: -0 is written as 0. */
export function writeBinary(world: World, options: BinarySaveOptions, isHashed: boolean): Uint8Array {
  requireLittleEndian();
  const selected = select(world, options, givenRoots(world, options));
  const { indexes, parents } = selected;
  const references = new References(world, selected, options);
  const writer = new EntityWriter(world, references, options);
  const groups = groupRows(world, writer, indexes, parents, isHashed);

  const bytes = new ByteWriter();
  bytes.number(indexes.length);
  const above = new Uint32Array(indexes.length);
  for (let place = 0; place < above.length; place++) above[place] = parents[place]! + 1;
  bytes.lane(above);
  const inColumns = new Map<string, Definition>();
  for (const { definitions } of groups) for (const one of definitions) inColumns.set(one.name, one);
  const names = [...writer.versions.keys()].sort();
  const numbers = new Map(names.map((name, at) => [name, at]));
  bytes.number(names.length);
  for (const name of names) {
    bytes.texts.push(name);
    bytes.number(writer.versions.get(name)!);
    writeDefinition(inColumns.get(name), bytes);
  }
  bytes.number(groups.length);
  const columns = new ColumnWriter(world, selected, references, isHashed);
  for (const { flags, definitions, places, parts, others } of groups) {
    bytes.number(flags | (others.length > 0 ? OTHERS : 0));
    bytes.number(places.length);
    bytes.lane(Uint32Array.from(places));
    bytes.number(definitions.length);
    for (const { name } of definitions) bytes.number(numbers.get(name)!);
    if ((flags & NAMED) !== 0) writeNames(parts, places.length, bytes.texts);
    for (const one of definitions)
      if (one.holds !== "nothing") columns.write(one, parts, places.length, bytes);
    if (others.length > 0) for (let at = 0; at < places.length; at++) bytes.texts.push(others[at] ?? "");
  }
  return bytes.whole(columns.outside);
}

/** Sorts the entities by what they have. The order is that of the first ones in the document. */
function groupRows(
  world: World,
  writer: EntityWriter,
  indexes: readonly number[],
  parents: readonly number[],
  isHashed: boolean,
): Rows[] {
  const groups = new Map<string, Rows>();
  /** By twice the number of the archetype, and 1 for roots: their parents are not stored. */
  const found: ({ group: Rows; part: Part; hasOthers: boolean } | undefined)[] = [];
  for (let place = 0; place < indexes.length; place++) {
    const index = indexes[place]!;
    const archetype = archetypeViewAt(world, index);
    const isRoot = parents[place] === -1;
    const key = archetype.number * 2 + Number(isRoot);
    let at = found[key];
    if (at === undefined) {
      const isKept = archetype.definitions.includes(Unknown);
      const definitions = isKept ? [] : writer.ownOf(archetype);
      const isNamed = columnsOf(archetype, Name) !== undefined;
      const flags = (isNamed ? NAMED : 0) | (archetype.hasValueParent && !isRoot ? BY_VALUE : 0);
      const signature = JSON.stringify([flags, ...definitions.map(({ name }) => name)]);
      const group = groups.get(signature) ?? { flags, definitions, places: [], parts: [], others: [] };
      groups.set(signature, group);
      const part: Part = { archetype, rows: [], slots: [] };
      group.parts.push(part);
      at = found[key] = { group, part, hasOthers: isKept || !hasOnlyColumns(archetype) };
    }
    const { group, part, hasOthers } = at;
    const slot = group.places.push(place) - 1;
    part.rows.push(rowAt(world, index));
    part.slots.push(slot);
    if (!hasOthers) continue;
    const others = othersOf(writer, index, isRoot, part);
    if (Object.keys(others).length > 0) group.others[slot] = textOfJson(others, isHashed);
  }
  return [...groups.values()];
}

/** What an entity has in no column. If it keeps what is unknown, fields of known components may be among that, so that is everything. */
function othersOf(
  writer: EntityWriter,
  index: number,
  isRoot: boolean,
  { archetype, rows }: Part,
): EntityData {
  if (archetype.definitions.includes(Unknown)) {
    const { name: _, storage: __, ...others } = writer.write(index, isRoot);
    return others;
  }
  const data: EntityData = {};
  writer.writeOthers(index, archetype, rows.at(-1)!, data);
  return data;
}

function writeDefinition(definition: Definition | undefined, bytes: ByteWriter): void {
  const kind =
    definition === undefined
      ? ELSEWHERE
      : definition.holds === "nothing"
        ? TAG
        : definition.holds === "values"
          ? VALUES
          : FIELDS;
  bytes.number(kind);
  if (definition === undefined || kind !== FIELDS) return;
  bytes.number(definition.fields.length);
  for (const [name, { kind, isList, length }] of definition.fields) {
    bytes.texts.push(name);
    bytes.number(KINDS.indexOf(kind));
    bytes.number(isList ? length : 0);
  }
}

function writeNames(parts: readonly Part[], count: number, texts: string[]): void {
  const from = texts.length;
  texts.length += count;
  for (const { archetype, rows, slots } of parts) {
    const names = columnsOf(archetype, Name) as readonly string[];
    for (let at = 0; at < rows.length; at++) texts[from + slots[at]!] = names[rows[at]!]!;
  }
}
