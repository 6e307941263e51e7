// The box and the sphere around all instances (`InstanceBounds`).
import { Box3, type BufferGeometry, type InstancedMesh, Sphere } from "three";

/**
 * The box and the sphere around all instances, which three.js needs to leave them out and to find them. Moved instances enlarge them;
 * after as many moves as there are instances they are computed again, so that each move costs the same.
 */
export class InstanceBounds {
  private readonly mesh: InstancedMesh;
  private readonly box = new Box3();
  /** The centre and radius of the geometry. */
  private readonly part = new Sphere();
  /** Instances that moved or left since the bounds were computed. */
  private moves = 0;

  constructor(mesh: InstancedMesh, geometry: BufferGeometry) {
    this.mesh = mesh;
    geometry.computeBoundingSphere();
    this.part.copy(geometry.boundingSphere!);
    mesh.boundingBox = this.box;
    mesh.boundingSphere = new Sphere();
  }

  /** Instances `first <= slot < end` have other matrices. */
  enlarge(first: number, end: number): void {
    this.moves += end - first;
    if (this.moves < this.mesh.count) this.include(first, end);
  }

  /** Some instances have left. */
  leave(count: number): void {
    this.moves += count;
  }

  /** Computes the sphere, and all again if much has moved. */
  finish(): void {
    const { mesh, box } = this;
    if (this.moves >= mesh.count) {
      this.moves = 0;
      box.makeEmpty();
      this.include(0, mesh.count);
    }
    box.getBoundingSphere(mesh.boundingSphere!);
  }

  private include(first: number, end: number): void {
    const { min, max } = this.box;
    const { x, y, z } = this.part.center;
    const { radius } = this.part;
    const m = this.mesh.instanceMatrix.array;
    for (let at = first * 16; at < end * 16; at += 16) {
      const px = m[at]! * x + m[at + 4]! * y + m[at + 8]! * z + m[at + 12]!;
      const py = m[at + 1]! * x + m[at + 5]! * y + m[at + 9]! * z + m[at + 13]!;
      const pz = m[at + 2]! * x + m[at + 6]! * y + m[at + 10]! * z + m[at + 14]!;
      const dx = radius * rowLength(m, at);
      const dy = radius * rowLength(m, at + 1);
      const dz = radius * rowLength(m, at + 2);
      if (px - dx < min.x) min.x = px - dx;
      if (py - dy < min.y) min.y = py - dy;
      if (pz - dz < min.z) min.z = pz - dz;
      if (px + dx > max.x) max.x = px + dx;
      if (py + dy > max.y) max.y = py + dy;
      if (pz + dz > max.z) max.z = pz + dz;
    }
  }
}

/** How far a sphere of radius 1 reaches along an axis, also with shear: then the longest column is too short. */
function rowLength(m: ArrayLike<number>, at: number): number {
  return Math.sqrt(m[at]! * m[at]! + m[at + 4]! * m[at + 4]! + m[at + 8]! * m[at + 8]!);
}
