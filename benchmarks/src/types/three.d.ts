/** What the benchmarks use of three.js, which has no types. */
declare module "three" {
  export interface Matrix4 {
    readonly elements: number[];
  }
  export class Object3D {
    readonly position: { set(x: number, y: number, z: number): unknown };
    readonly matrixWorld: Matrix4;
    /** Composes `matrix` of position, rotation and scale at every update. */
    matrixAutoUpdate: boolean;
    add(child: Object3D): this;
    updateMatrix(): void;
    updateMatrixWorld(force?: boolean): void;
  }
}
