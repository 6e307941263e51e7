/** Performs commands about lists in the real world. */
import { Name, nameMany } from "@treeline/names";
import { verbs } from "../base/entry-points.ts";
import type { RealWorld } from "../step/real-world.ts";
import { assignTwins, handleOf, idOf, realTerms } from "../step/real-world.ts";
import type { ListCommand, SpawnRows } from "../step/step.ts";
import { definitionOf, fieldsOf } from "../step/vocabulary.ts";
import type { FieldKind, Twin } from "../twin/rules.ts";

export function changeList(real: RealWorld, step: Exclude<ListCommand, { verb: "spawnEach" }>): void {
  const { world } = real;
  const handles = (list: readonly Twin[]) => list.map((twin) => handleOf(real, twin));
  switch (step.verb) {
    case "spawnRows":
      spawnRows(real, step);
      return;
    case "addMany":
      verbs.addMany(world, handles(step.list), ...realTerms(real, step.terms));
      return;
    case "removeMany":
      verbs.removeMany(world, handles(step.list), idOf(real, step.what, step.target));
      return;
    case "reparentMany": {
      const { list, parents, storage } = step;
      const above = typeof parents === "number" ? handleOf(real, parents) : handles(parents);
      verbs.reparentMany(world, handles(list), above, storage && definitionOf(storage));
      return;
    }
    case "destroyMany":
      verbs.destroyMany(world, handles(step.list));
      return;
    case "nameMany":
      nameMany(world, handles(step.list), step.names);
      return;
  }
}

function spawnRows(real: RealWorld, step: SpawnRows): void {
  const { spawned, parents, names, filled } = step;
  const terms = realTerms(real, step.terms);
  if (parents !== undefined) {
    const { each } = definitionOf(parents.what) as { each: (list: readonly unknown[]) => unknown };
    terms.push(each(parents.targets.map((twin) => handleOf(real, twin))));
  }
  if (names !== undefined) terms.push(Name.each(names));
  const fill =
    filled &&
    ((columns: (what: unknown) => unknown, first: number): void => {
      const column = columns(definitionOf(filled.what));
      if ("values" in filled)
        for (const [at, value] of filled.values.entries()) (column as unknown[])[first + at] = value;
      else
        for (const [at, fields] of filled.fields.entries())
          for (const [field, value] of Object.entries(fields)) {
            const kind = fieldsOf(filled.what)![field]!;
            writeCell(real, (column as Readonly<Record<string, unknown[]>>)[field]!, first + at, kind, value);
          }
    });
  assignTwins(real, spawned, verbs.spawnRows(real.world, spawned.length, terms, fill));
}

function writeCell(real: RealWorld, column: unknown[], row: number, kind: FieldKind, value: unknown): void {
  if (kind === "four f32")
    for (const [at, cell] of (value as unknown[]).entries()) column[row * 4 + at] = cell;
  else if (kind === "entity") column[row] = handleOf(real, value as Twin);
  else column[row] = kind === "bool" ? Number(value) : value;
}
