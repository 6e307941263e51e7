// Checks what editors offer after a dot (`OFFERED`): no internals.
import { rmSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { completionsAfter } from "./completion.ts";
import { programFolder } from "./programs.ts";

const START = `import {
  Any, asTag, type Batch, ChildOf, component, componentsOf, createCommands, createWorld, type Definition, definitions,
  Disabled, type Entity, event, f32, field, type Level, locate, Name, not, OrderedChildren, Parent, page, pairsOf, path,
  query, relation, type Run, sparse, spawn, tag, up, value, type WorldEvent,
} from "treeline";
import { Unknown } from "treeline/document";
import type { Snapshot } from "treeline/document/snapshot";
import { IsA, Prefab, Slot } from "treeline/prefab";
import { prefabs } from "treeline/prefab/document";
import { BoundObject, type Clip } from "treeline/three";
import { Local2D } from "treeline/transform/2d";
import { Local3D, World3D } from "treeline/transform/3d";
const Position = component("Position", { x: f32, y: 0 });
const Velocity = component("Velocity", { x: f32 }, { storage: sparse, requires: [Position] });
const Mesh = component<{ size: number }>("Mesh");
const Title = component("Title", value("untitled"));
const Enemy = tag("Enemy");
const Likes = relation("Likes");
const Owns = relation("Owns", { exclusive: true });
const DockedTo = relation("DockedTo", { fields: { since: f32 } });
const world = createWorld();
const ship = spawn(world);
const positions = query(world, Position);
const some = undefined as unknown;`;

/** What every function has in an editor. */
const OF_FUNCTIONS = [
  "apply",
  "arguments",
  "bind",
  "call",
  "caller",
  "length",
  "prototype",
  "Symbol",
  "toString",
];

/** What an editor offers after a dot, apart from that. */
const OFFERED: readonly (readonly [expression: string, names: string])[] = [
  ["Position", "id kind name"],
  ["Velocity", "id kind name"],
  ["Mesh", "each id kind name"],
  ["Title", "id kind name"],
  ["Enemy", "id kind name"],
  ["Likes", "each exclusive id kind name"],
  ["Owns", "each exclusive id kind name"],
  ["DockedTo", "exclusive id kind name"],
  ["Any", "id kind name"],
  ["ChildOf", "each exclusive id kind name"],
  ["Parent", "each exclusive id kind name"],
  ["Disabled", "id kind name"],
  ["OrderedChildren", "id kind name"],
  ["Name", "each id kind name"],
  ["Local2D", "id kind name"],
  ["Local3D", "id kind name"],
  ["World3D", "id kind name"],
  ["Prefab", "id kind name"],
  ["IsA", "each exclusive id kind name"],
  ["Slot", "id kind name"],
  ["BoundObject", "each id kind name"],
  ["Unknown", "each id kind name"],
  ["(some as Definition)", "id kind name"],
  ["definitions(world)[0]!", "id kind name"],
  ["componentsOf(world, ship)[0]!", "id kind name"],
  ["pairsOf(world, ship)[0]!", "relation target value"],
  ["pairsOf(world, ship)[0]!.relation", "id kind name"],
  ["Position({ x: 1 })", "definition target value"],
  ["Likes(ship)", "definition target value"],
  ["asTag(ship)", "definition target value"],
  ["f32", "name"],
  ["f32(1)", "initial isList kind length width"],
  ['event("Hit")', "kind name"],
  ['field(Position, "x")', "get set"],
  ["locate(world, ship, Position)!", "columns row"],
  ["world", ""],
  ["createCommands(world)", ""],
  ["positions", ""],
  ["page(positions, 0, 10)", ""],
  ["up(Position)", ""],
  ["not(Position)", ""],
  ['path(world, "Ship")', "entity"],
  ["(some as Snapshot)", ""],
  ["prefabs", ""],
  ["(some as Run)", "columns columnsIf end entityAt first"],
  [
    "(some as Batch)",
    "columns columnsIf columnsOf depth entityAt from has hasParents parentColumns parentRows rows rowsOf sourceAt to",
  ],
  ["(some as Level)", "count depth eachBatch"],
  ["(some as WorldEvent)", "definition entity kind newTarget oldTarget target"],
  ["(some as Clip)", "duration name"],
];

let offered: readonly (readonly string[])[] = [];

beforeAll(async () => {
  const folder = programFolder();
  const expressions = OFFERED.map(([expression]) => expression);
  offered = await completionsAfter(folder, START, expressions);
  rmSync(folder, { recursive: true });
});

describe("what an editor offers", () => {
  it.each(OFFERED.map(([expression, names], place) => ({ expression, names, place })))(
    "after $expression is what users may use",
    ({ expression, names, place }) => {
      const isFunction = offered[place]!.includes("call");
      const own = offered[place]!.filter((name) => !isFunction || !OF_FUNCTIONS.includes(name));

      expect(own.sort().join(" "), expression).toBe(names);
    },
  );
});
