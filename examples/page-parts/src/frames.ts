// When a page gets frames (`eachFrame`): while it is seen; whether the wheel scrolls the page around it (`scrollsAbove`).

/**
 * Calls a function in each frame while the page is seen. A page in a hidden tab has no frames; one in a frame of another page that is
 * scrolled out of sight, or not shown, gets none either.
 *
 * @param draw gets the time in milliseconds, as `requestAnimationFrame` tells it.
 */
export function eachFrame(draw: (time: number) => void): void {
  let asked = 0;
  const frame = (time: number): void => {
    asked = requestAnimationFrame(frame);
    draw(time);
  };
  new IntersectionObserver((entries) => {
    const isSeen = entries.at(-1)!.isIntersecting;
    if (isSeen && asked === 0) asked = requestAnimationFrame(frame);
    else if (!isSeen) {
      cancelAnimationFrame(asked);
      asked = 0;
    }
    document.body.dataset.seen = String(isSeen);
  }).observe(document.documentElement);
}

/** Whether the wheel should scroll a page that shows this one in a frame: until one clicks into the frame. */
export function scrollsAbove(): boolean {
  return parent !== window && !document.hasFocus();
}
