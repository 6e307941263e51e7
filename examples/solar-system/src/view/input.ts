// Keys, and clicks, drags and the wheel on the canvas (`onKeys`, `onPointer`).
import { scrollsAbove } from "@treeline/page-parts";

/** Calls a function for each key that is pressed, by the name of the key. */
export function onKeys(keys: Readonly<Record<string, () => void>>): void {
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const press = keys[event.key.toLowerCase()];
    if (press === undefined) return;
    event.preventDefault(); // a space would scroll
    press();
  });
}

export interface PointerEvents {
  /** Where, in pixels of the element. */
  readonly click: (x: number, y: number) => void;
  /** By how many pixels. */
  readonly drag: (x: number, y: number) => void;
  /** 1 for each notch away. */
  readonly wheel: (by: number) => void;
}

/** Pixels that the pointer may move during a click. */
const STILL = 4;

export function onPointer(element: HTMLElement, events: PointerEvents): void {
  let way = 0;
  element.addEventListener("pointerdown", (event) => {
    way = 0;
    element.setPointerCapture(event.pointerId);
  });
  element.addEventListener("pointermove", (event) => {
    if (!element.hasPointerCapture(event.pointerId)) return;
    way += Math.hypot(event.movementX, event.movementY);
    if (way > STILL) events.drag(event.movementX, event.movementY);
  });
  element.addEventListener("pointerup", (event) => {
    if (way <= STILL) events.click(event.offsetX, event.offsetY);
  });
  element.addEventListener(
    "wheel",
    (event) => {
      if (scrollsAbove()) return;
      event.preventDefault();
      events.wheel(event.deltaY / 100);
    },
    { passive: false },
  );
}
