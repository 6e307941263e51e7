import { dump } from "../../src/debug.ts";
import { valuePairOf } from "../../src/graph/graph.ts";
import type { World } from "../../src/index.ts";
import { familiesIn, membersOf } from "../../src/records/families.ts";

type Lists = { readonly [name: string]: unknown };

/** The first `length` numbers of each typed array in a record, and its plain numbers. */
function numbersIn(record: object, length: number): Lists {
  const seen: { [name: string]: unknown } = {};
  for (const [name, value] of Object.entries(record)) {
    if (ArrayBuffer.isView(value)) seen[name] = [...(value as Int32Array).subarray(0, length)];
    else if (typeof value === "number") seen[name] = value;
    else if (Array.isArray(value) && value.every((one) => typeof one === "number")) seen[name] = [...value];
  }
  return seen;
}

/** Families: of each pair the entity indexes in order, negative for those that store their parent by value; 0 is that of the roots. */
function listsOf({ graph }: World): Lists {
  const lists: { [name: string]: unknown } = {};
  for (let pair = 0; pair < familiesIn(graph.families); pair++) {
    const members = membersOf(graph.families, pair);
    if (members.length === 0) continue;
    lists[`pair ${pair}`] = members.map((index) => (valuePairOf(graph, index) === 0 ? index : -index));
  }
  return lists;
}

/** Everything that a refused call must leave as it was, down to the last row, as plain data. */
export function snapshot(world: World): Lists {
  const { graph, entities, deferDepth } = world;
  return {
    deferDepth,
    // Places are those of `lists`.
    entities: numbersIn({ ...entities, place: 0 }, entities.length),
    tables: numbersIn(graph.tables, graph.tables.length),
    pairs: numbersIn(graph.pairs, graph.pairs.length),
    records: numbersIn({ ...graph.records, round: 0, seenInRound: 0 }, graph.records.nodes),
    archetypes: graph.archetypes
      .filter(({ founded }) => founded)
      .map((archetype) => ({
        erasedType: [...archetype.erasedType],
        rows: archetype.rows,
        tables: [
          archetype.plainTable,
          archetype.filled.first,
          archetype.filled.last,
          archetype.filled.length,
        ],
        emptyTables: [archetype.empty.first, archetype.empty.last, archetype.empty.length],
        holds: archetype.lanes.plan.objects > 0 ? structuredClone(archetype.lanes.objects) : [],
        lanes: [archetype.lanes.i32, archetype.lanes.f64, archetype.lanes.i16, archetype.lanes.i8].map(
          (lane) => [...lane],
        ),
      })),
    ...ordersOf(world),
    drawing: dump(world),
  };
}

/** Of everything, what is in an order: sibling lists, orders of adding and component entities. */
export function ordersOf(world: World): Lists {
  return {
    lists: listsOf(world),
    orders: [...world.orders],
    componentEntities: [...world.componentEntities],
  };
}

/** The non-empty tables of a world as text: `dump` without table numbers. */
export function livingTables(world: World): string[] {
  const lines = dump(world).split("\n");
  const living = lines.filter((line) => !/ 0 rows/.test(line));
  return living.map((line) => line.replace(/^t\d+\s+/, "").replace(/ {2,}/g, "  "));
}
