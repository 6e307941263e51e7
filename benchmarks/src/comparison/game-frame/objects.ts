/** The game frame's product for libraries with an object for each matrix and each position. */

export interface FrameSpace {
  x: number;
  y: number;
  z: number;
}

export function placeObjectRoot(world: Float32Array, basis: Float32Array, { x, y, z }: FrameSpace): void {
  for (let number = 0; number < 9; number++) world[number] = basis[number]!;
  world[9] = x;
  world[10] = y;
  world[11] = z;
}

/** As `multiplyFrame`. */
export function placeObject(
  world: Float32Array,
  above: Float32Array,
  basis: Float32Array,
  { x, y, z }: FrameSpace,
): void {
  const a0 = above[0]!;
  const a1 = above[1]!;
  const a2 = above[2]!;
  const a3 = above[3]!;
  const a4 = above[4]!;
  const a5 = above[5]!;
  const a6 = above[6]!;
  const a7 = above[7]!;
  const a8 = above[8]!;
  for (let column = 0; column < 9; column += 3) {
    const cx = basis[column]!;
    const cy = basis[column + 1]!;
    const cz = basis[column + 2]!;
    world[column] = a0 * cx + a3 * cy + a6 * cz;
    world[column + 1] = a1 * cx + a4 * cy + a7 * cz;
    world[column + 2] = a2 * cx + a5 * cy + a8 * cz;
  }
  world[9] = a0 * x + a3 * y + a6 * z + above[9]!;
  world[10] = a1 * x + a4 * y + a7 * z + above[10]!;
  world[11] = a2 * x + a5 * y + a8 * z + above[11]!;
}
