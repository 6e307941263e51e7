/** Position and Velocity of numbered entities in growing columns: the least that can be called a table. */
export interface HandTable {
  entity: Int32Array;
  px: Float32Array;
  py: Float32Array;
  vx: Float32Array;
  vy: Float32Array;
  length: number;
}

const FIRST_ROWS = 16;

export function createHandTable(): HandTable {
  return {
    entity: new Int32Array(FIRST_ROWS),
    px: new Float32Array(FIRST_ROWS),
    py: new Float32Array(FIRST_ROWS),
    vx: new Float32Array(FIRST_ROWS),
    vy: new Float32Array(FIRST_ROWS),
    length: 0,
  };
}

function longer(column: Float32Array): Float32Array {
  const copy = new Float32Array(column.length * 2);
  copy.set(column);
  return copy;
}

function grow(table: HandTable): void {
  const { entity } = table;
  table.entity = new Int32Array(entity.length * 2);
  table.entity.set(entity);
  table.px = longer(table.px);
  table.py = longer(table.py);
  table.vx = longer(table.vx);
  table.vy = longer(table.vy);
}

/** @returns the row. */
export function pushRow(
  table: HandTable,
  entity: number,
  px: number,
  py: number,
  vx: number,
  vy: number,
): number {
  if (table.length === table.entity.length) grow(table);
  const row = table.length++;
  table.entity[row] = entity;
  table.px[row] = px;
  table.py[row] = py;
  table.vx[row] = vx;
  table.vy[row] = vy;
  return row;
}

/** Moves a row to the end of another table, and the last row into the hole. @returns the new row. */
export function moveRow(from: HandTable, row: number, to: HandTable): number {
  const { entity, px, py, vx, vy } = from;
  const newRow = pushRow(to, entity[row]!, px[row]!, py[row]!, vx[row]!, vy[row]!);
  const last = --from.length;
  entity[row] = entity[last]!;
  px[row] = px[last]!;
  py[row] = py[last]!;
  vx[row] = vx[last]!;
  vy[row] = vy[last]!;
  return newRow;
}
