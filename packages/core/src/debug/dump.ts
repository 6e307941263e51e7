import { handleAt } from "../records/entity-index.ts";
import type { TableNumber } from "../storage/table.ts";
import { textOf } from "../world/state/require.ts";
import { depthAt } from "../world/state/targets.ts";
import type { World } from "../world/state/world.ts";
import { typeText } from "./describe.ts";

const ENTITIES_SHOWN = 8;

/**
 * The whole world as text, a line for each table with its type, rows and first entities:
 *
 *   t4  [Position, Name]                     2 rows   Ship, Buoy
 *   t9  [(ChildOf, Ship), Position, Name]    1 row    Cockpit          depth 1
 */
export function dump(world: World): string {
  const { graph } = world;
  const lines: string[][] = [];
  for (const shape of graph.shapes) {
    for (const start of [shape.firstTable, shape.firstEmpty]) {
      for (let table = start; table !== 0; table = graph.tables.next[table]!)
        lines.push(lineOf(world, table));
    }
  }
  const widths = [0, 1, 2, 3].map((part) => Math.max(0, ...lines.map((line) => line[part]!.length)));
  return lines
    .map((line) =>
      line
        .map((text, part) => text.padEnd(widths[part] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

function lineOf(world: World, table: TableNumber): string[] {
  const { graph, entities } = world;
  const count = graph.tables.count[table]!;
  const { i32 } = graph.shapes[graph.tables.shape[table]!]!.lanes;
  const names: string[] = [];
  let depth = 0;
  for (let row = 0; row < Math.min(count, ENTITIES_SHOWN); row++) {
    const index = i32[graph.tables.first[table]! + row]!;
    names.push(textOf(world, handleAt(entities, index)));
    depth = depthAt(world, index);
  }
  if (count > ENTITIES_SHOWN) names.push("...");
  return [
    `t${table}`,
    typeText(world, table),
    `${count} ${count === 1 ? "row" : "rows"}`,
    names.join(", "),
    depth > 0 ? `depth ${depth}` : "",
  ];
}
