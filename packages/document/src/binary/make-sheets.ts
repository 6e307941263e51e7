// Which sheets are columns of the program (`matchesOf`), and their values with handles (`fillColumns`).
import type { Component, Definition, Entity, World } from "@treeline/core";
import { requireAlive, scopeOf, spawnSheets } from "@treeline/core/internal";
import { Name } from "@treeline/names";
import type { Json } from "../format/document.ts";
import { placeIn, valueFromJson } from "../format/values.ts";
import type { MakeOptions } from "../load/make.ts";
import type { Known, Names } from "../load/names.ts";
import type { ValueReader } from "../load/read-values.ts";
import type { Decoded, Sheet, StoredColumn, StoredDefinition } from "./decode.ts";
import { FIELDS, TAG } from "./kinds.ts";
import { parseJson } from "./to-entities.ts";

type SheetOfRows = Parameters<typeof spawnSheets>[1][number];

/** A component of a sheet that the program knows with the same fields. */
interface Match {
  readonly known: Known;
  readonly stored: StoredDefinition;
  readonly columns: readonly StoredColumn[];
}

/**
 * Makes the entities of a document from its columns, where that is possible: nothing is JSON but JavaScript values, and the program
 * knows the components as they were saved.
 *
 * @returns the handles by place; `undefined`, with nothing changed, if the entities have to be read one by one.
 * @throws TreelineError as `makeEntities`.
 */
export function makeSheets(
  world: World,
  decoded: Decoded,
  names: Names,
  values: ValueReader,
  most: number,
  options: MakeOptions,
): readonly Entity[] | undefined {
  if ((options.with?.length ?? 0) > 0) return undefined;
  const top = options.parent ?? scopeOf(world);
  if (top !== undefined) requireAlive(world, top);
  const count = decoded.parents.length;
  const matched = decoded.sheets.map((sheet) => matchesOf(sheet, decoded.parents, names, most));
  if (!matched.every((one) => one !== undefined)) return undefined;
  const outside: Entity[] = [];
  for (const [at, text] of decoded.outside.entries()) {
    const place = (): string => `outside[${at}]`;
    if (!values.reference(parseJson(text, place), outside, at, place)) outside[at] = 0 as Entity;
  }
  if (values.patches.length > 0) return undefined; // a reference to the document among those to the outside
  const sheets = decoded.sheets.map((sheet, at): SheetOfRows => {
    const matches = matched[at]!;
    const definitions: Definition[] = matches.map(({ known }) => known.definition);
    if (sheet.isNamed) definitions.push(Name);
    return {
      definitions,
      isValueParent: sheet.isValueParent,
      places: sheet.places,
      fill: (columns, list, spawned) => {
        if (sheet.isNamed) list(Name, sheet.names);
        for (const match of matches)
          if (match.stored.holds !== TAG)
            fillColumns(sheet, match, columns(match.known.definition), { values, spawned, outside, count });
      },
    };
  });
  return spawnSheets(world, sheets, decoded.parents, top);
}

/** @returns `undefined` if something of the sheet is no column of the program. */
function matchesOf(sheet: Sheet, parents: Uint32Array, names: Names, most: number): Match[] | undefined {
  if (sheet.others.length > 0 || sheet.names.some((name) => name.length > most)) return undefined;
  if (sheet.isValueParent && sheet.places.some((place) => parents[place] === 0)) return undefined;
  const matches: Match[] = [];
  for (const [at, stored] of sheet.definitions.entries()) {
    const role = stored.holds === TAG ? "tags" : "components";
    const known = names.find(stored.name, role, () =>
      placeIn(`entities[${sheet.places[0]}].${role}`, stored.name),
    );
    if (known === undefined || !isSame(known, stored)) return undefined;
    if (matches.some((one) => one.known.definition === known.definition)) return undefined;
    matches.push({ known, stored, columns: sheet.columns[at]! });
  }
  return matches;
}

function isSame(
  { definition, steps, codec, fields }: Known,
  { holds, fields: stored }: StoredDefinition,
): boolean {
  if ((definition as Component).storage !== "table") return false;
  if (holds !== FIELDS) return holds === TAG || definition.holds === "values";
  if (definition.holds === "values" || steps.length > 0 || codec.schema !== undefined) return false;
  return stored.every(({ name, kind, isList, length }) => {
    const field = fields.get(name);
    return field?.kind === kind && field.isList === isList && field.length === length;
  });
}

interface Filling {
  readonly values: ValueReader;
  readonly spawned: readonly Entity[];
  readonly outside: readonly Entity[];
  readonly count: number;
}

function fillColumns(
  { places }: Sheet,
  { known, stored, columns }: Match,
  into: unknown,
  { values, spawned, outside, count }: Filling,
): void {
  const placeOf = (row: number) => (): string => placeIn(`entities[${places[row]}].components`, stored.name);
  if (stored.holds !== FIELDS) {
    const list = into as unknown[];
    const texts = columns[0] as readonly string[];
    for (let row = 0; row < texts.length; row++) {
      const place = placeOf(row);
      list[row] = values.value(known, parseJson(texts[row]!, place), place, () => {});
    }
    return;
  }
  const lists = into as { readonly [name: string]: unknown[] };
  for (const [at, { name, kind }] of stored.fields.entries()) {
    const list = lists[name]!;
    const column = columns[at]! as ArrayLike<unknown>;
    if (kind === "value") {
      for (let row = 0; row < column.length; row++) {
        const place = (): string => placeIn(placeOf(row)(), name);
        const data: Json = parseJson(column[row] as string, place);
        values.requireLimits(data, place);
        list[row] = valueFromJson(data, place);
      }
    } else if (kind === "entity") {
      for (let row = 0; row < column.length; row++) {
        const number = column[row] as number;
        list[row] = number === 0 ? 0 : number <= count ? spawned[number - 1]! : outside[number - count - 1]!;
      }
    } else (list as unknown as Float64Array).set(column as Float64Array);
  }
}
