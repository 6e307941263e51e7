// Boxes around what is selected or found (`Boxes`), at `MOST` 300.
import { type Box3, BufferAttribute, BufferGeometry, LineBasicMaterial, LineSegments, Vector3 } from "three";

/** More boxes than these say nothing to the eye. */
const MOST = 300;
/** The corners of the 12 edges of a box: bit 0 is x, bit 1 is y, bit 2 is z. */
const EDGES = [0, 1, 1, 3, 3, 2, 2, 0, 4, 5, 5, 7, 7, 6, 6, 4, 0, 4, 1, 5, 2, 6, 3, 7];

/** Boxes around objects, drawn over all else. */
export class Boxes {
  readonly lines: LineSegments<BufferGeometry, LineBasicMaterial>;

  constructor(color: number) {
    const material = new LineBasicMaterial({ color, depthTest: false, transparent: true });
    this.lines = new LineSegments(new BufferGeometry(), material);
    this.lines.frustumCulled = false;
    this.lines.renderOrder = 1;
    this.lines.raycast = () => {};
  }

  /** @param boxes of the world. */
  show(boxes: readonly Box3[]): void {
    const shown = boxes.filter((box) => !box.isEmpty()).slice(0, MOST);
    const corners = new Float32Array(shown.length * EDGES.length * 3);
    const corner = new Vector3();
    for (const [at, { min, max }] of shown.entries())
      for (const [edge, bits] of EDGES.entries()) {
        corner.set(bits & 1 ? max.x : min.x, bits & 2 ? max.y : min.y, bits & 4 ? max.z : min.z);
        corner.toArray(corners, (at * EDGES.length + edge) * 3);
      }
    this.lines.geometry.dispose();
    this.lines.geometry = new BufferGeometry().setAttribute("position", new BufferAttribute(corners, 3));
    this.lines.visible = shown.length > 0;
  }
}
