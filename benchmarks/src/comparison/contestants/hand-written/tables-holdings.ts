/** Hand-written: arrays for each parent, and arrays that double when they are full. */
import { createHandTable, pushRow } from "../../../fixtures/hand-table.ts";
import { type Growing, type Held, type Holdings, type Layout, sumOfGrown } from "../../memory/holdings.ts";
import { parentsOf } from "../../workloads/inputs.ts";
import { fillTables } from "./tables.ts";

function settle({ parents, children, queries }: Layout): Held | undefined {
  if (queries > 0) return undefined;
  const tables = fillTables(parents, parentsOf(parents, "block", children));
  return { count: () => tables.reduce((sum, { length }) => sum + length, 0) };
}

function grow(entities: number): Growing {
  const table = createHandTable();
  return {
    run: (stamp) => {
      for (let at = 0; at < entities; at++) {
        pushRow(table, at, at % 1024, 0, 1, 1 + (at % 3));
        stamp();
      }
    },
    checksum: () =>
      sumOfGrown(
        table.length,
        (at) => table.px[at]!,
        (at) => table.vy[at]!,
      ),
  };
}

export const holdings: Holdings = { settle, grow };
