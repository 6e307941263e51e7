/**
 * Hand-written: one set of arrays for each parent, as in archetype libraries that make parents part of the type of their
 * children. Nothing else: no handles, no checks, no search for the table.
 */
import { treeOf } from "../../../fixtures/trees.ts";
import {
  movesOf,
  parentsOf,
  shuffledParents,
  sumOfCounts,
  sumOfParents,
  sumOfPlaces,
} from "../../workloads/inputs.ts";
import type { Subject, Subjects } from "../../workloads/subject.ts";
import {
  ENTITIES,
  type Given,
  REPARENT_PARENTS,
  SIBLING_PARENTS,
  SIBLINGS,
} from "../../workloads/workloads.ts";

/** All children of one parent, row by row. */
interface Table {
  /** Row -> number of the entity. */
  entities: Int32Array;
  px: Float32Array;
  py: Float32Array;
  vx: Float32Array;
  vy: Float32Array;
  length: number;
}

const FIRST_ROWS = 4;

function createTable(): Table {
  return {
    entities: new Int32Array(FIRST_ROWS),
    px: new Float32Array(FIRST_ROWS),
    py: new Float32Array(FIRST_ROWS),
    vx: new Float32Array(FIRST_ROWS),
    vy: new Float32Array(FIRST_ROWS),
    length: 0,
  };
}

function createTables(count: number): Table[] {
  return Array.from({ length: count }, createTable);
}

function longer(column: Float32Array): Float32Array {
  const copy = new Float32Array(column.length * 2);
  copy.set(column);
  return copy;
}

/** @returns the row. */
function push(table: Table, entity: number, px: number, py: number, vx: number, vy: number): number {
  const row = table.length++;
  if (row === table.entities.length) {
    const copy = new Int32Array(row * 2);
    copy.set(table.entities);
    table.entities = copy;
    table.px = longer(table.px);
    table.py = longer(table.py);
    table.vx = longer(table.vx);
    table.vy = longer(table.vy);
  }
  table.entities[row] = entity;
  table.px[row] = px;
  table.py[row] = py;
  table.vx[row] = vx;
  table.vy[row] = vy;
  return row;
}

export function fillTables(count: number, above: Int32Array): Table[] {
  const tables = createTables(count);
  above.forEach((parent, at) => {
    push(tables[parent]!, at, at % 1024, 0, 1, 1 + (at % 3));
  });
  return tables;
}

/** As `sumOfPlaces` over all rows. */
function placesOf(tables: readonly Table[]): number {
  const px = new Float64Array(ENTITIES);
  const py = new Float64Array(ENTITIES);
  for (const table of tables) {
    for (let row = 0; row < table.length; row++) {
      px[table.entities[row]!] = table.px[row]!;
      py[table.entities[row]!] = table.py[row]!;
    }
  }
  return sumOfPlaces(
    ENTITIES,
    (at) => px[at]!,
    (at) => py[at]!,
  );
}

function iterate({ parents, order }: Given<"iterate">): Subject {
  const tables = fillTables(parents, parentsOf(parents, order));
  return {
    run: () => {
      for (let at = 0; at < tables.length; at++) {
        const { px, py, vx, vy, length } = tables[at]!;
        for (let row = 0; row < length; row++) {
          px[row]! += vx[row]!;
          py[row]! += vy[row]!;
        }
      }
    },
    checksum: () => placesOf(tables),
  };
}

function siblings(): Subject {
  const tables = fillTables(SIBLING_PARENTS, parentsOf(SIBLING_PARENTS, "block", SIBLING_PARENTS * SIBLINGS));
  const order = shuffledParents();
  const sums = new Float64Array(SIBLING_PARENTS);
  return {
    run: () => {
      for (let turn = 0; turn < SIBLING_PARENTS; turn++) {
        const { px, length } = tables[order[turn]!]!;
        let sum = 0;
        for (let row = 0; row < length; row++) sum += px[row]!;
        sums[order[turn]!] = sum;
      }
    },
    checksum: () => sumOfCounts(SIBLING_PARENTS, (at) => sums[at]!),
  };
}

/** A parent's children with Local and World, here under the same names as Position and Velocity. */
interface Level {
  readonly table: Table;
  /** The parent's table and row; undefined for roots. */
  readonly above: Table | undefined;
  readonly rowAbove: number;
}

/** Tables in order of depth. Local is in px and py, World in vx and vy. */
function levelsOf(tree: Int32Array): Level[] {
  const tables: (Table | undefined)[] = new Array<Table | undefined>(tree.length).fill(undefined);
  const roots = createTable();
  /** Node -> its table. */
  const own = new Array<Table>(tree.length);
  const rows = new Int32Array(tree.length);
  tree.forEach((parent, node) => {
    const table = parent < 0 ? roots : (tables[parent] ??= createTable());
    own[node] = table;
    rows[node] = push(table, node, 1 + (node % 3), 1, 0, 0);
  });
  const levels: Level[] = [{ table: roots, above: undefined, rowAbove: 0 }];
  for (let at = 0; at < levels.length; at++) {
    const { entities, length } = levels[at]!.table;
    for (let row = 0; row < length; row++) {
      const parent = entities[row]!;
      const table = tables[parent];
      if (table !== undefined) levels.push({ table, above: own[parent]!, rowAbove: rows[parent]! });
    }
  }
  return levels;
}

function cascade({ tree: name }: Given<"cascade">): Subject {
  const tree = treeOf(name);
  const levels = levelsOf(tree);
  return {
    run: () => {
      for (let at = 0; at < levels.length; at++) {
        const { table, above, rowAbove } = levels[at]!;
        const { px: lx, py: ly, vx: wx, vy: wy, length } = table;
        const x = above === undefined ? 0 : above.vx[rowAbove]!;
        const y = above === undefined ? 0 : above.vy[rowAbove]!;
        for (let row = 0; row < length; row++) {
          wx[row] = x + lx[row]!;
          wy[row] = y + ly[row]!;
        }
      }
    },
    checksum: () => {
      const wx = new Float64Array(tree.length);
      const wy = new Float64Array(tree.length);
      for (const { table } of levels) {
        for (let row = 0; row < table.length; row++) {
          wx[table.entities[row]!] = table.vx[row]!;
          wy[table.entities[row]!] = table.vy[row]!;
        }
      }
      return sumOfPlaces(
        tree.length,
        (at) => wx[at]!,
        (at) => wy[at]!,
      );
    },
  };
}

/** The first child of a parent creates its table. */
function spawn({ parents }: Given<"spawn">): Subject {
  const above = parentsOf(Math.max(parents, 1), "block");
  let tables: (Table | undefined)[] = [];
  return {
    before: () => {
      tables = new Array<Table | undefined>(Math.max(parents, 1)).fill(undefined);
    },
    run: () => {
      for (let at = 0; at < ENTITIES; at++) {
        const table = (tables[above[at]!] ??= createTable());
        push(table, at, at % 1024, 0, 1, 1 + (at % 3));
      }
    },
    checksum: () =>
      placesOf(tables.map((table) => table!)) + sumOfCounts(parents, (at) => tables[at]!.length),
  };
}

function reparent({ order }: Given<"reparent">): Subject {
  const { movers, goals } = movesOf(order);
  /** Entity -> number of its table, and its row there. */
  const homes = parentsOf(REPARENT_PARENTS, "block");
  const rows = new Int32Array(ENTITIES);
  const tables = fillTables(REPARENT_PARENTS, homes);
  for (const { entities, length } of tables) {
    for (let row = 0; row < length; row++) rows[entities[row]!] = row;
  }
  const move = (entity: number, goal: number): void => {
    const table = tables[homes[entity]!]!;
    const { entities, px, py, vx, vy } = table;
    const row = rows[entity]!;
    rows[entity] = push(tables[goal]!, entity, px[row]!, py[row]!, vx[row]!, vy[row]!);
    homes[entity] = goal;
    // The last row fills the vacated place.
    const last = --table.length;
    if (row === last) return;
    const filler = entities[last]!;
    entities[row] = filler;
    px[row] = px[last]!;
    py[row] = py[last]!;
    vx[row] = vx[last]!;
    vy[row] = vy[last]!;
    rows[filler] = row;
  };
  let round = 0;
  return {
    run: () => {
      const goal = goals[round++ % goals.length]!;
      for (let turn = 0; turn < movers.length; turn++) {
        const mover = movers[turn]!;
        if (homes[mover] !== goal[mover]) move(mover, goal[mover]!);
      }
    },
    checksum: () =>
      sumOfParents(ENTITIES, (at) => homes[at]!) + sumOfCounts(REPARENT_PARENTS, (at) => tables[at]!.length),
  };
}

/** It is enough to drop a table: its entities are destroyed with it. */
function destroy({ tree: name }: Given<"destroy">): Subject | undefined {
  if (name === "leaves") return undefined;
  const tree = treeOf(name);
  let tables: (Table | undefined)[] = [];
  let isAlive = new Uint8Array(0);
  let roots: Table;
  return {
    before: () => {
      tables = new Array<Table | undefined>(tree.length).fill(undefined);
      isAlive = new Uint8Array(tree.length).fill(1);
      roots = createTable();
      tree.forEach((parent, node) => {
        push(parent < 0 ? roots : (tables[parent] ??= createTable()), node, 1, 1, 0, 0);
      });
    },
    run: () => {
      const deleted = [roots];
      for (let at = 0; at < deleted.length; at++) {
        const { entities, length } = deleted[at]!;
        for (let row = 0; row < length; row++) {
          const entity = entities[row]!;
          isAlive[entity] = 0;
          const below = tables[entity];
          if (below === undefined) continue;
          deleted.push(below);
          tables[entity] = undefined;
        }
      }
      roots.length = 0;
    },
    checksum: () => 1 + isAlive.reduce((sum, alive) => sum + alive, 0),
  };
}

/** Checks each table for both components. */
function buildQuery({ parents }: Given<"query">): Subject {
  const POSITION = 1;
  const VELOCITY = 2;
  const kinds = fillTables(parents, parentsOf(parents, "block")).map((table) => ({
    table,
    has: POSITION | VELOCITY,
  }));
  const wanted = POSITION | VELOCITY;
  let matches = 0;
  return {
    run: () => {
      const found: Table[] = [];
      for (let at = 0; at < kinds.length; at++) {
        const { table, has } = kinds[at]!;
        if ((has & wanted) === wanted) found.push(table);
      }
      matches = 0;
      for (let at = 0; at < found.length; at++) matches += found[at]!.length;
    },
    checksum: () => matches,
  };
}

export const subjects: Subjects = { iterate, siblings, cascade, spawn, reparent, destroy, query: buildQuery };
