// From where the camera looks (`Eye`).
import { scrollsAbove } from "@treeline/page-parts";
import { PerspectiveCamera, Vector3 } from "three";

/** A camera that looks at a point from a distance. Dragging turns it, the wheel changes the distance. */
export class Eye {
  readonly camera = new PerspectiveCamera(50, 1, 0.5, 4000);
  readonly point = new Vector3();
  distance = 260;
  private turn = 0.6;
  private rise = 0.45;

  constructor(canvas: HTMLCanvasElement) {
    canvas.addEventListener("pointermove", ({ buttons, movementX, movementY }) => {
      if (buttons !== 1) return;
      this.turn -= movementX * 0.005;
      this.rise = Math.min(1.5, Math.max(-1.5, this.rise + movementY * 0.005));
    });
    canvas.addEventListener(
      "wheel",
      (event) => {
        if (scrollsAbove()) return;
        event.preventDefault();
        this.distance = Math.min(1500, Math.max(8, this.distance * Math.exp(event.deltaY * 0.001)));
      },
      { passive: false },
    );
  }

  /** Looks at a point of the world: numbers 12 to 14 of a matrix are its position. */
  lookAt(matrix: ArrayLike<number>, distance: number): void {
    this.point.set(matrix[12]!, matrix[13]!, matrix[14]!);
    this.distance = distance;
  }

  update(): void {
    const { camera, point, distance, turn, rise } = this;
    const flat = distance * Math.cos(rise);
    camera.position.set(
      point.x + flat * Math.sin(turn),
      point.y + distance * Math.sin(rise),
      point.z + flat * Math.cos(turn),
    );
    camera.lookAt(point);
  }
}
